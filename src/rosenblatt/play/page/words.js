// What the page says, in English and Chinese. {name} is filled in.

const WORDS = {
  title: ["The perceptron, mistake by mistake", "感知机：从错误中学习"],
  lead: [
    "It learns only from its mistakes. The ringed point is on the wrong side of the dashed line, so y x is added to w, and the line becomes the solid one.",
    "感知机只从错误中学习：圈出的点在虚线错误的一侧，于是把 y x 加到 w 上，直线变成实线。",
  ],
  skip: ["Skip to the player", "跳到播放控制"],
  settings: ["Settings", "设置"],
  language: ["Language", "语言"],
  theme: ["Light or dark", "浅色或深色"],
  picture: ["Picture and player", "图与播放"],
  results: ["What is known", "结果"],
  controls: ["Data and learner", "数据与学习器"],

  // the player
  player: ["Player", "播放控制"],
  first: ["To the start (Home)", "回到起点（Home）"],
  back: ["One mistake back (←)", "后退一次（←）"],
  play: ["Play (space)", "播放（空格）"],
  pause: ["Pause (space)", "暂停（空格）"],
  forward: ["One mistake on (→)", "前进一次（→）"],
  last: ["To the end (End)", "到终点（End）"],
  scrub: ["Mistake", "第几次错误"],
  speed: ["speed", "速度"],
  place: ["{k} of {n}", "{k} / {n}"],

  // the sentence
  "start zero": [
    "Before the first mistake w = 0 and b = 0: there is no line yet, and every point counts as wrong.",
    "第一次犯错之前 w = 0，b = 0：还没有直线，每个点都算分错。",
  ],
  "start given": [
    "The run starts from the given line, with {errors} of {n} points wrong.",
    "从给定的直线开始，{n} 个点中分错 {errors} 个。",
  ],
  "no mistakes": ["No mistake was made.", "没有犯过错。"],
  mistake: ["Mistake {k} of {m}", "第 {k} 次错误（共 {m} 次）"],
  update: ["Update {k} of {m}", "第 {k} 次更新（共 {m} 次）"],
  colon: [": ", "："],
  gap: [" ", ""],
  wrong: ["point {i} is on the wrong side.", "点 {i} 在错误的一侧。"],
  "on line": ["point {i} is exactly on the line, which counts as wrong.", "点 {i} 恰好在直线上，也算分错。"],
  "no line": ["there is no line yet, so point {i} counts as wrong.", "还没有直线，所以点 {i} 算分错。"],
  within: ["point {i} is on the right side, but within the margin.", "点 {i} 分对了，但在间隔之内。"],
  raised: [
    "The step raises its y f(x) by {gain}, from {before} to {after}: ",
    "这一步使它的 y f(x) 增加 {gain}，从 {before} 变为 {after}：",
  ],
  "still wrong": ["still wrong, so it will come again.", "仍然不对，之后还会再来。"],
  "wrong still": ["still wrong.", "仍然不对。"],
  "now right": ["now it is right.", "现在分对了。"],
  "now beyond": ["now it is beyond the margin.", "现在已在间隔之外。"],
  "now within": ["right, but still within the margin.", "分对了，但仍在间隔之内。"],
  left: ["Of {n} points, {errors} are wrong now.", "现在 {n} 个点中分错 {errors} 个。"],
  "left one": ["Of {n} points, 1 is wrong now.", "现在 {n} 个点中分错 1 个。"],
  "left none": ["No point is wrong any more.", "现在没有分错的点了。"],
  batch: [
    "{count} points are wrong together and move w by their sum.",
    "{count} 个点一起出错，按它们的和更新 w。",
  ],
  "end separated": [
    "Then a whole pass without a mistake: the points are separated. Mistakes: {m}; passes: {passes}.",
    "之后整整一轮没有犯错，所有点都分对了。错误：{m} 次；轮数：{passes}。",
  ],
  "end separated kernel": [
    "Then a whole pass without a mistake: in the feature space of the kernel, a hyperplane separates the points, after {m} mistakes.",
    "之后整整一轮没有犯错：犯错 {m} 次后，核函数的特征空间中有一个超平面把所有点分对了。",
  ],
  "end settled": [
    "Plain passes ended here with mistakes left; stretching the space found a separating line, drawn in green.",
    "逐轮训练到此仍有错误；拉伸空间后找到了分离直线，以绿色画出。",
  ],
  "end inseparable": [
    "It ends here because no line separates these points, which is proved: see the verdict. The line that is kept has {errors} wrong.",
    "到此结束，因为已证明没有直线能分开这些点（见结论）。保留的直线分错 {errors} 个。",
  ],
  "end margin": [
    "It ends here: no separator can have a margin above the limit.",
    "到此结束：任何分离直线的间隔都不会超过设定的下限。",
  ],
  "end max_iter": ["It ends here, after {passes} passes, with the question open.", "{passes} 轮之后到此结束，是否可分仍未确定。"],
  "end max_updates": [
    "It ends here: the page replays at most {m} mistakes.",
    "到此结束：本页最多回放 {m} 次错误。",
  ],
  full: ["The page replays the first {n} mistakes.", "本页只回放前 {n} 次错误。"],

  // the verdict
  verdict: ["Verdict", "结论"],
  separable: ["Separable", "线性可分"],
  touching: ["Touching", "相接"],
  overlapping: ["Overlapping", "重叠"],
  undecided: ["Undecided", "未能判定"],
  "separable why": [
    "A line has every point on its side. The widest band between the classes is {width} wide and rests on {count} points.",
    "存在一条直线把所有点分对。两类之间最宽的带子宽 {width}，由 {count} 个点支撑。",
  ],
  "touching why": [
    "A line has no point on its wrong side, but some points must lie on it: the hulls of these points meet.",
    "存在没有分错任何点的直线，但总有点恰好落在直线上：下列点的凸包相交。",
  ],
  "overlapping why": [
    "Every line has points on its wrong side. The proof: with these weights, the points of both classes have the same mean, so no line can be between them.",
    "任何直线都会分错一些点。证明：按下列权重，两类点的加权平均是同一点，所以没有直线能在它们之间。",
  ],
  "origin why": [
    "No line through the origin has all points on their sides: with these weights, the vectors y x add up to zero.",
    "没有过原点的直线能把所有点分对：按下列权重，向量 y x 之和为零。",
  ],
  "undecided why": ["No proof was found.", "没有找到证明。"],
  "common point": ["They meet at {point}.", "交于 {point}。"],
  "kernel verdict": [
    "That is about lines. In the feature space of the kernel the run separated the points.",
    "以上说的是直线。在核函数的特征空间中，这次训练已把所有点分开。",
  ],
  point: ["point", "点"],
  class: ["class", "类别"],
  weight: ["weight", "权重"],
  more: ["… and {n} more", "……另有 {n} 个"],
  "draw proof": ["draw it at every mistake", "每一步都画出来"],
  certificate: ["Download the certificate", "下载证书"],

  // panels of numbers
  weights: ["The weights", "权重"],
  "weights note": ["w before, the arrow η y x, and w after.", "更新前的 w，箭头 η y x，以及更新后的 w。"],
  dual: ["The dual form", "对偶形式"],
  "dual note": [
    "How often each point moved w: αᵢ = η nᵢ. The heat map is the Gram matrix of these points.",
    "每个点更新 w 的次数：αᵢ = η nᵢ。热图是这些点的 Gram 矩阵。",
  ],
  "dual some": ["Shown are {shown} of the {moved} points that moved w.", "图中是更新过 w 的 {moved} 个点中的 {shown} 个。"],
  gram: ["Gram matrix of {n} points", "{n} 个点的 Gram 矩阵"],
  why: ["Why it stops", "为什么会停"],
  "bound line": ["mistakes so far, of at most (R/γ)² = {bound}", "次错误，至多 (R/γ)² = {bound} 次"],
  "bound note": [
    "Each mistake carries w at least ηγ along the best direction w*, yet |w| grows at most like √k ηR. The two cross at (R/γ)².",
    "每次犯错使 w 沿最佳方向 w* 至少前进 ηγ，而 |w| 至多按 √k ηR 增长；两者在 (R/γ)² 处相交。",
  ],
  "bound chart": ["w·w* and |w| between their bounds, at each mistake", "每次犯错时 w·w* 与 |w| 及其界"],
  "no bound": ["The theorem does not apply here: {why}", "定理不适用于这次训练：{why}"],
  "why inseparable": ["no hyperplane separates these points, so mistakes never end by themselves.", "没有超平面能分开这些点，错误不会自行停止。"],
  "why rule": ["this rule does not move by equal steps at mistakes only.", "这种规则不是只在犯错时按相等步长更新。"],
  "why batch": ["the points of a batch move w together.", "一批点一起更新 w。"],
  "why start": ["the run does not start from zero.", "训练不是从零开始。"],
  "why kernel": ["this kernel may be the inner product of no space.", "这种核函数可能不是任何空间的内积。"],
  "why many": ["in the space of a kernel, the bound is sought for at most 500 points here.", "对核函数的空间，本页至多对 500 个点计算这个界。"],
  "why else": ["{reason}.", "{reason}。"],
  bracket: ["The margin, closing in", "逼近最大间隔"],
  "bracket note": [
    "The widest margin γ*/R lies between {lower} and {upper}, as far as the mistakes so far tell.",
    "由到目前为止的错误可知，最大间隔 γ*/R 在 {lower} 与 {upper} 之间。",
  ],
  "bracket chart": ["bounds on the widest margin, at each update", "每次更新时最大间隔的上下界"],
  "no bracket": ["No margins are known in the space of this kernel.", "在这种核函数的空间中间隔未知。"],
  passes: ["passes", "轮"],

  // data
  data: ["Data", "数据"],
  textbook: ["three points of the textbook", "课本的三个点"],
  credit: ["credit applications", "信贷申请"],
  clouds: ["clouds", "点云"],
  moons: ["moons", "月牙"],
  circles: ["circles", "同心圆"],
  xor: ["exclusive or", "异或"],
  "data touching": ["touching", "相接的点"],
  points: ["your points", "自己的点"],
  n: ["points", "点数"],
  margin: ["gap", "间隔"],
  noise: ["noise", "噪声"],
  seed: ["seed", "随机种子"],
  tool: ["A click on the picture", "点击图中"],
  "add -1": ["adds class {name}", "添加类别 {name}"],
  "add 1": ["adds class {name}", "添加类别 {name}"],
  erase: ["deletes", "删除"],
  paste: ["Points as CSV", "以 CSV 编辑点"],
  "paste note": ["The last column is the class.", "最后一列是类别。"],
  apply: ["Use these points", "使用这些点"],
  shadow: [
    "{d} features: the picture is a shadow in the plane of the best direction; rings tell who is wrong.",
    "{d} 个特征：图是在最佳方向所在平面上的投影，分错的点以圆圈标出。",
  ],
  shown: ["{n} points, {a} and {b}.", "{n} 个点：{a} 与 {b}。"],

  // the learner
  learner: ["Learner", "学习器"],
  compare: ["Compare two, side by side", "并排比较两个"],
  form: ["form", "形式"],
  primal: ["primal: weights", "原始形式：权重"],
  dualform: ["dual: counts and Gram matrix", "对偶形式：次数与 Gram 矩阵"],
  kernel: ["kernel", "核函数"],
  none: ["none: a line", "无：直线"],
  poly: ["polynomial", "多项式"],
  rbf: ["Gaussian (rbf)", "高斯（rbf）"],
  laplacian: ["Laplacian", "拉普拉斯"],
  cosine: ["cosine", "余弦"],
  sigmoid: ["sigmoid", "S 形（sigmoid）"],
  linear: ["linear", "线性"],
  gamma: ["γ of the kernel", "核参数 γ"],
  degree: ["degree", "次数"],
  coef0: ["constant", "常数项"],
  order: ["order", "顺序"],
  given: ["as given", "按给定顺序"],
  shuffled: ["shuffled each pass", "每轮打乱"],
  random: ["drawn at random", "随机抽取"],
  worst: ["most wrong first", "错得最多的先来"],
  active: ["the nearly wrong again", "反复看容易错的"],
  eta0: ["learning rate η", "学习率 η"],
  start: ["start (w, b)", "初值 (w, b)"],
  batch_size: ["batch size", "批量大小"],
  rule: ["rule", "规则"],
  rosenblatt: ["Rosenblatt", "Rosenblatt"],
  marginrule: ["with margin", "带间隔"],
  pa: ["passive-aggressive", "被动-主动"],
  pa1: ["PA-I", "PA-I"],
  pa2: ["PA-II", "PA-II"],
  relaxation: ["relaxation", "松弛"],
  "margin of rule": ["margin of the rule", "规则的间隔"],
  C: ["aggressiveness C", "主动程度 C"],
  keep: ["keep", "保留"],
  pocket: ["the pocket", "口袋"],
  best: ["the best", "最好的"],
  lastkeep: ["the last", "最后的"],
  average: ["the average", "平均"],
  vote: ["all, voting", "投票"],
  fit_intercept: ["with bias b", "带偏置 b"],
  max_iter: ["most passes", "最多轮数"],
  min_margin: ["give up below γ/R", "间隔低于此 γ/R 时放弃"],
  random_state: ["seed of the order", "顺序的随机种子"],
  ended: ["ended", "结束原因"],
  "stop separated": ["separated", "已分开"],
  "stop inseparable": ["inseparable", "不可分"],
  "stop margin": ["margin too small", "间隔过小"],
  "stop max_iter": ["passes used up", "轮数用完"],
  "stop max_updates": ["mistakes used up", "次数用完"],
  mistakes: ["mistakes", "错误"],
  errors: ["wrong", "分错"],

  // the legend and lines
  "old line": ["before", "更新前"],
  "new line": ["after", "更新后"],
  "kept line": ["kept", "保留"],
  "wrong point": ["wrong", "分错"],
  "this point": ["this mistake", "这次错误"],

  // sharing
  share: ["Share and export", "分享与导出"],
  "copy link": ["Copy link", "复制链接"],
  copied: ["Copied", "已复制"],
  "share note": ["The link holds everything shown. Elsewhere: rosenblatt play LINK", "链接包含所显示的一切。在别处打开：rosenblatt play 链接"],
  code: ["Python that does the same", "做同样事情的 Python 代码"],
  trace: ["Trace", "轨迹"],
  image: ["Picture", "图片"],

  keys: ["Keys", "按键"],
  "keys step": ["← → one mistake; Shift ten; Home, End", "← → 一次；按住 Shift 十次；Home、End"],
  "keys play": ["space: play, pause", "空格：播放、暂停"],
  "keys select": ["in the picture: n, p select a point; Alt + arrows move it; Delete deletes it", "在图中：n、p 选择点；Alt + 方向键移动；Delete 删除"],
  "keys add": ["in the picture: − and + add a point of either class", "在图中：− 与 + 添加两类的点"],
  "keys mouse": ["with a mouse: drag points; Shift + click adds the other class", "用鼠标：拖动点；Shift + 点击添加另一类的点"],

  // the picture, for screen readers
  plot: [
    "Picture of {n} points. {wrong} are wrong under the current hypothesis. {selected}",
    "{n} 个点的图。当前假设分错 {wrong} 个。{selected}",
  ],
  selected: ["Selected: point {i} at {x}, class {c}.", "已选中：点 {i}，位于 {x}，类别 {c}。"],

  // troubles; what has no words here is told as the server told it
  trouble: ["{message}", "服务器说：{message}"],
  "error points": ["The playground takes at most 2,000 points of 16 features.", "演示页最多接受 2000 个点、16 个特征。"],
  "error one_class": ["A perceptron needs points of exactly two classes.", "感知机需要恰好两类的点。"],
  "error size": ["Numbers must be 0, or between 10⁻⁹ and 10⁹ in size.", "数值必须为 0，或绝对值在 10⁻⁹ 与 10⁹ 之间。"],
  "error too_long": ["Stopped, because it took too long: take fewer points or fewer passes.", "计算时间过长，已停止：请减少点数或轮数。"],
  "error busy": ["The server is busy; try again.", "服务器忙，请重试。"],
  "error gone": ["The server does not answer. Is rosenblatt play still running?", "服务器没有应答。rosenblatt play 还在运行吗？"],
  "error link": ["This link could not be read; here is the beginning instead.", "无法读取该链接，已回到初始状态。"],
  waiting: ["Waking up; the very first time, this takes half a minute.", "正在启动；第一次运行大约需要半分钟。"],
};

let column = 0;

export const setLanguage = (lang) => {
  column = lang === "zh" ? 1 : 0;
  document.documentElement.lang = lang === "zh" ? "zh-CN" : "en";
};

export const has = (key) => key in WORDS;

export const say = (key, values = {}) =>
  WORDS[key][column].replace(/\{(\w+)\}/g, (_, name) => values[name]);

/** Put the words of the language on everything that names them. */
export const label = (root) => {
  for (const node of root.querySelectorAll("[data-word]")) node.textContent = say(node.dataset.word);
  for (const node of root.querySelectorAll("[data-label]")) {
    node.setAttribute("aria-label", say(node.dataset.label));
    if (node.tagName === "BUTTON") node.title = say(node.dataset.label);
  }
};

// -- Numbers --------------------------------------------------------------------------------------

/** A number as a book prints it, with so many digits at most. */
export const num = (x, digits = 6) => {
  if (!Number.isFinite(x)) return "–";
  const size = Math.abs(x);
  if (Number.isInteger(x) && size < 1e7) return String(x).replace("-", "−");
  const text = size !== 0 && (size >= 1e7 || size < 1e-4)
    ? x.toExponential(Math.min(3, digits - 1)).replace(/\.?0+e/, "e")
    : String(Number(x.toPrecision(digits)));
  return text.replaceAll("-", "−");
};

export const count = (n) => Math.floor(n * (1 + 1e-9)).toLocaleString("en").replace(/NaN/, "–");

export const vector = (v, digits) => `(${v.map((x) => num(x, digits)).join(", ")})`;

/** The name of a class, with a minus sign where it is a number. */
export const shown = (name) => name.replace(/^-(?=\d)/, "−");
