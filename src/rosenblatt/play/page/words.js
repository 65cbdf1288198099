// What the page says, in English and Chinese. {name} is filled in.

export const WORDS = {
  title: ["The perceptron, mistake by mistake", "感知机：从错误中学习"],
  lead: [
    "It learns only from its mistakes: the ringed point is wrong under the dashed line, so y x is added to w, which gives the solid line.",
    "感知机由误分类点驱动：圈出的点被虚线误分类，于是把 y x 加到 w 上，得到实线。",
  ],
  skip: ["Skip to the player", "跳到播放控制"],
  settings: ["Settings", "设置"],
  language: ["Language", "语言"],
  steps: ["Steps", "操作步骤"],
  large: ["Large type, full screen", "大字，全屏"],
  theme: ["Light or dark", "浅色或深色"],
  picture: ["Picture and player", "图与播放"],
  results: ["What is known", "结果"],
  controls: ["Data and learner", "数据与学习器"],

  // lessons
  lessons: ["Lessons", "课程"],
  "point i": ["Point {i}", "点 {i}"],
  done: ["done", "已完成"],
  right: ["Right.", "正确。"],
  wrong: ["Not quite.", "不对。"],
  solution: ["Show a solution", "显示一个解"],
  "by hand": ["To try it with your own hands: pip install 'rosenblatt[play]', then rosenblatt play.", "想亲手试一试：pip install 'rosenblatt[play]'，然后运行 rosenblatt play。"],
  previous: ["Back", "上一步"],
  next: ["Next", "下一步"],
  finish: ["Finish", "结束"],
  leave: ["Leave the lesson", "退出课程"],
  "save lesson": ["Save the lesson as a file", "将本课保存为文件"],

  // the player
  player: ["Player", "播放控制"],
  first: ["To the start (Home)", "回到起点（Home）"],
  back: ["One update back (←)", "后退一次（←）"],
  play: ["Play (space)", "播放（空格）"],
  pause: ["Pause (space)", "暂停（空格）"],
  forward: ["One update on (→)", "前进一次（→）"],
  last: ["To the end (End)", "到终点（End）"],
  scrub: ["Update", "第几次更新"],
  speed: ["speed", "速度"],
  place: ["{k} of {n}", "{k} / {n}"],

  // the sentence
  "start zero": [
    "Before the first mistake w = 0 and b = 0: there is no line yet, and every point counts as wrong.",
    "第一次误分类之前 w = 0，b = 0：还没有直线，每个点都算分错。",
  ],
  "start given": [
    "The run starts from the given line, with {errors} of {n} points wrong.",
    "从给定的直线开始，{n} 个点中分错 {errors} 个。",
  ],
  "start side": [
    "Before the first mistake w = 0 and b = 0: every point is on the boundary, which counts as class {c} here.",
    "第一次误分类之前 w = 0，b = 0：每个点都在边界上，在这里算作类别 {c}。",
  ],
  "start classes": [
    "Before the first mistake all weights are 0: every class scores the same, and every point counts as wrong.",
    "第一次误分类之前所有权重为 0：各类得分相同，每个点都算分错。",
  ],
  "no mistakes": ["No mistake was made.", "没有误分类。"],
  mistake: ["Mistake {k} of {m}", "第 {k} 次误分类（共 {m} 次）"],
  update: ["Update {k} of {m}", "第 {k} 次更新（共 {m} 次）"],
  colon: [": ", "："],
  gap: [" ", ""],
  "wrong side": ["point {i} is on the wrong side.", "点 {i} 在错误的一侧。"],
  "on line": ["point {i} is exactly on the line, which counts as wrong.", "点 {i} 恰好在直线上，也算分错。"],
  "no line": ["there is no line yet, so point {i} counts as wrong.", "还没有直线，所以点 {i} 算分错。"],
  "on line side": [
    "point {i} is exactly on the line, which counts as class {c} here.",
    "点 {i} 恰好在直线上，在这里算作类别 {c}。",
  ],
  "no line side": [
    "there is no line yet, and point {i} counts as class {c}.",
    "还没有直线，点 {i} 算作类别 {c}。",
  ],
  "is behind": ["point {i} is of class {own} and scores higher for class {rival}.", "点 {i} 属于类别 {own}，但类别 {rival} 的得分更高。"],
  "is tied": ["point {i} is of class {own} and scores just as high for class {rival}.", "点 {i} 属于类别 {own}，但类别 {rival} 的得分与之相同。"],
  "leads little": ["point {i} is right, but class {own} leads over class {rival} by less than the margin.", "点 {i} 分对了，但类别 {own} 领先类别 {rival} 不足规定的间隔。"],
  "two move": [
    "The weights of {own} move towards it and those of {rival} away from it; no others move.",
    "{own} 的权重向它靠近，{rival} 的权重远离它，其余不变。",
  ],
  "lead raised": [
    "Its lead over the best other class goes from {before} to {after}: ",
    "它对其余类别的领先由 {before} 变为 {after}：",
  ],
  within: ["point {i} is on the right side, but within the margin.", "点 {i} 分对了，但在间隔之内。"],
  raised: [
    "The step raises its y f(x) by {gain}, from {before} to {after}: ",
    "这一步使它的 y f(x) 增加 {gain}，从 {before} 变为 {after}：",
  ],
  "still wrong": ["still wrong after the update.", "更新后仍被误分类。"],
  "wrong still": ["still wrong.", "仍然不对。"],
  "now right": ["now it is right.", "现在分对了。"],
  "now beyond": ["now it is beyond the margin.", "现在已在间隔之外。"],
  "now within": ["right, but still within the margin.", "分对了，但仍在间隔之内。"],
  left: ["Of {n} points, {errors} are wrong now.", "现在 {n} 个点中分错 {errors} 个。"],
  "left one": ["Of {n} points, 1 is wrong now.", "现在 {n} 个点中分错 1 个。"],
  "left none": ["No point is wrong any more.", "现在没有分错的点了。"],
  batch: [
    "{count} points of the batch are wrong; w moves by the sum of their steps.",
    "本批中 {count} 个点被误分类，按各点更新量之和更新 w。",
  ],
  "end separated": [
    "Then a whole pass without a mistake: the points are separated, after {m} in {passes}.",
    "之后整整一轮没有误分类点，所有点都已分对：共 {m}，{passes}。",
  ],
  "end separated kernel": [
    "Then a whole pass without a mistake: in the feature space of the kernel, a hyperplane separates the points, after {m} in {passes}.",
    "之后整整一轮没有误分类点：在核函数的特征空间中，一个超平面把所有点分对了，共 {m}，{passes}。",
  ],
  "end settled": [
    "The passes ended here with mistakes left. A second stage then found a separator, which is drawn in green.",
    "常规训练到此仍有误分类点。随后的判定阶段找到了分离超平面，以绿色画出。",
  ],
  "end settled right": [
    "Training ended here, before a whole pass without a mistake. A second stage then found a separator, which is drawn in green.",
    "常规训练到此结束，此时还没有整整一轮无误分类。随后的判定阶段找到了分离超平面，以绿色画出。",
  ],
  "end first": [
    "No pass was made: whether the points are separable was decided first, and the separator found is drawn in green.",
    "没有常规训练：先判定是否线性可分，找到的分离超平面以绿色画出。",
  ],
  "end settled kernel": [
    "The passes ended here with mistakes left. A linear solve then found a function of the kernel with every point on its right side; it is not drawn.",
    "常规训练到此仍有误分类点。随后解一个线性方程组，找到了把所有点分对的核函数展开式（图中未画出）。",
  ],
  "end inseparable": [
    "It ends here because no line{through} separates these points, which is proved: see the verdict.",
    "到此结束，因为已证明没有{through}直线能分开这些点（见结论）。",
  ],
  "end inseparable kernel": [
    "It ends here because no hyperplane{through} of the kernel's feature space separates these points.",
    "到此结束，因为核函数的特征空间中没有{through}超平面能分开这些点。",
  ],
  "end inseparable features": [
    "It ends here because no hyperplane{through} of these features separates the points, which is proved: see the verdict.",
    "到此结束，因为已证明在这些特征的空间中没有{through}超平面能分开这些点（见结论）。",
  ],
  "end inseparable several": [
    "It ends here because in no linear machine{through} every point scores highest for its own class: see the verdict.",
    "到此结束，因为没有{through}线性机能使每个点在自己的类别上得分最高（见结论）。",
  ],
  "keeps line": ["The hypothesis that is kept has {errors} wrong.", "保留的假设分错 {errors} 个。"],
  "keeps found": [
    "The hypothesis that is kept was found by a search after the run, and has {errors} wrong.",
    "保留的假设由训练之后的搜索得到，分错 {errors} 个。",
  ],
  "keeps vote": [
    "The vote of all hypotheses, whose border is not a line, has {errors} wrong.",
    "全部假设投票的结果（其边界不是直线）分错 {errors} 个。",
  ],
  "end margin": [
    "It ends here: no separator{through} can have a margin above the limit.",
    "到此结束：任何{through}分离超平面的间隔都不会超过设定的下限。",
  ],
  "end max_iter": ["It ends here, after {passes}, with the question open.", "训练 {passes}后到此结束，是否可分尚未判定。"],
  "end max_updates": [
    "It ends here: the page replays at most {m}.",
    "到此结束：本页最多回放 {m}。",
  ],
  "n mistakes": ["{n} mistakes", "{n} 次误分类"],
  "1 mistakes": ["1 mistake", "1 次误分类"],
  "n updates": ["{n} updates", "{n} 次更新"],
  "1 updates": ["1 update", "1 次更新"],
  "n passes": ["{n} passes", "{n} 轮"],
  "1 passes": ["1 pass", "1 轮"],
  full: ["The page replays the first {n} mistakes.", "本页只回放前 {n} 次误分类。"],

  // the verdict
  verdict: ["Verdict", "结论"],
  separable: ["Separable", "线性可分"],
  touching: ["Touching", "相接"],
  overlapping: ["Overlapping", "重叠"],
  undecided: ["Undecided", "未能判定"],
  "separable why": [
    "A line{through} has every point on its side. The widest band between the classes{around} is {width} wide and rests on {count} points.",
    "存在{through}直线把所有点分对。两类之间{around}最宽的带子宽 {width}，由 {count} 个点支撑。",
  ],
  "touching why": [
    "A line has no point on its wrong side, but some points must lie on it: the hulls of these points meet.",
    "存在没有分错任何点的直线，但总有点恰好落在直线上：下列点的凸包相交。",
  ],
  "overlapping why": [
    "Every line has points on its wrong side. The proof: with these weights, the points of both classes have the same mean, so no line separates them; and these points do not all lie on one line.",
    "任何直线都会分错一些点。证明：按下列权重，两类点的加权平均是同一点，所以没有直线能分开它们；而且这些点不都在一条直线上。",
  ],
  "origin why": [
    "Every line through the origin has a point on its wrong side or on itself. The proof: with these weights, the vectors y x add up to zero.",
    "任何过原点的直线都有分错或恰好落在其上的点。证明：按下列权重，向量 y x 之和为零。",
  ],
  "separable classes why": [
    "There is a linear machine{through} in which every point scores highest for its own class; the nearest point is {margin} from a border.",
    "存在一个{through}线性机，使每个点在自己的类别上得分最高；离边界最近的点距离为 {margin}。",
  ],
  "touching classes why": [
    "In some linear machine{through} no point's own class is behind, but in every one some point is on a border. These points and rivals prove it: with these weights, the differences of the two scores add up to zero.",
    "存在一个{through}线性机，使每个点自己的类别都不落后，但总有点恰好在边界上。证明：按下列权重，这些点两类得分之差的和恒为零。",
  ],
  "overlapping classes why": [
    "In every linear machine{through} the own class of some point is behind. The proof: with these weights, the differences of the two scores of these points add up to zero.",
    "任何{through}线性机中都有点在自己的类别上落后。证明：按下列权重，这些点两类得分之差的和恒为零。",
  ],
  "features why": [
    "A hyperplane{through} of these features has every point on its side. The widest band between the classes{around} is {width} wide there and rests on {count} points.",
    "在这些特征的空间中，存在一个把所有点分对的{through}超平面。两类之间{around}最宽的带子宽 {width}，由 {count} 个点支撑。",
  ],
  "features conflict why": [
    "Every hyperplane of these features has a point on its wrong side or on itself. The proof: with these weights, both classes have the same mean there.",
    "在这些特征的空间中，任何超平面都有分错或恰好落在其上的点。证明：按下列权重，两类的加权平均是同一点。",
  ],
  "features origin why": [
    "Every hyperplane through the origin of these features has a point on its wrong side or on itself. The proof: with these weights, the vectors y x, with these features in x, add up to zero.",
    "在这些特征的空间中，任何过原点的超平面都有分错或恰好落在其上的点。证明：按下列权重，向量 y x 之和为零，其中 x 包含这些特征。",
  ],
  "through origin": [" through the origin", "过原点的"],
  "around origin": [" that is symmetric about the origin", "关于原点对称的"],
  "without biases": [" without biases", "不带偏置的"],
  "undecided why": ["No proof was found.", "没有找到证明。"],
  "lifted separated": ["Separable in the feature space", "在特征空间中线性可分"],
  "lifted inseparable": ["Not separable in the feature space", "在特征空间中线性不可分"],
  "lifted undecided": ["Undecided in the feature space", "在特征空间中未能判定"],
  "lifted separated why": [
    "A hyperplane{through} of the kernel's feature space was found that has every point on its right side.",
    "在核函数的特征空间中找到了一个把所有点分对的{through}超平面。",
  ],
  "lifted inseparable why": [
    "No hyperplane{through} of the kernel's feature space separates the points.",
    "核函数的特征空间中没有{through}超平面能分开这些点。",
  ],
  "lifted undecided why": [
    "This run of the kernel ended before every point was on its right side.",
    "这次训练结束时，仍有点没有分对。",
  ],
  "by lines": ["For lines{through}: {verdict}", "对{through}直线而言：{verdict}"],
  "by machines": ["For linear machines{through}: {verdict}", "对{through}线性机而言：{verdict}"],
  fewest: [
    "Fewest mistakes: {mistakes}. No line{through} has fewer, which is proved; that line is drawn at the end of the run.",
    "最少误分类数：{mistakes}。已证明没有{through}直线更少；在训练结束处画出这条直线。",
  ],
  "fewest between": [
    "Fewest mistakes: {mistakes} found, and at least {at_least} are proved necessary for a line{through}.",
    "最少误分类数：已找到 {mistakes}，已证明{through}直线至少分错 {at_least} 个。",
  ],
  "fewest on line": ["A point on the line counts as wrong here.", "在这里，恰好落在直线上的点算分错。"],
  repair: ["Remove its {n} suspects", "删去它分错的 {n} 个点"],
  "repair one": ["Remove its one suspect", "删去它分错的一个点"],
  "common point": ["They meet at {point}.", "交于 {point}。"],
  point: ["point", "点"],
  class: ["class", "类别"],
  rival: ["rival", "竞争类别"],
  weight: ["weight", "权重"],
  more: ["… and {n} more", "……另有 {n} 个"],
  "draw proof": ["draw it at every update", "每一步都画出来"],
  certificate: ["Download the certificate", "下载证书"],
  "certified points": ["Download its table", "下载对应的表格"],
  "certified note": [
    "To check it: rosenblatt verify certificate.json certified.csv. The table has the points learned from, with all features.",
    "验证方法：rosenblatt verify certificate.json certified.csv。表格包含训练所用的点及其全部特征。",
  ],

  // panels of numbers
  weights: ["The weights", "权重"],
  "weights note": ["w before, the arrow η y x, and w after.", "更新前的 w，箭头 η y x，以及更新后的 w。"],
  "weights classes": [
    "The weights of each class, in its colour; dashed before this update, and the step of the two that moved.",
    "各类的权重（以类别的颜色画出）；虚线为更新前，并画出两个被更新的权重的变化。",
  ],
  "weights features": ["The weight of each feature.", "每个特征的权重。"],
  "space note": [
    "Shaded: all w that classify every point correctly, with this b; the thin line is the cut of this point.",
    "阴影：在当前 b 下把所有点分对的 w；细线是这个点的约束边界。",
  ],
  dual: ["The dual form", "对偶形式"],
  "dual note": [
    "How often each point moved w: αᵢ = η nᵢ. Below, the Gram matrix; points are numbered from 1.",
    "每个点更新 w 的次数：αᵢ = η nᵢ。下图是 Gram 矩阵，点从 1 开始编号。",
  ],
  "dual some": ["Shown are {shown} of the {moved} points that moved w.", "图中是更新过 w 的 {moved} 个点中的 {shown} 个。"],
  gram: ["Gram matrix of {n} points", "{n} 个点的 Gram 矩阵"],
  why: ["Why it stops", "为什么会停"],
  "bound line one": ["mistake so far, of at most (R/γ)² = {bound}", "次误分类，至多 (R/γ)² = {bound} 次"],
  "bound line": ["mistakes so far, of at most (R/γ)² = {bound}", "次误分类，至多 (R/γ)² = {bound} 次"],
  "bound note": [
    "Each mistake increases w·w*, w* being the best direction, by at least ηγ, yet |w| grows at most like √k ηR. The two cross at (R/γ)².",
    "每次误分类使 w 沿最佳方向 w* 至少前进 ηγ，而 |w| 至多按 √k ηR 增长；两者在 (R/γ)² 处相交。",
  ],
  "bound chart": ["w·w* and |w| between their bounds, at each mistake", "每次误分类时 w·w* 与 |w| 及其界"],
  "no bound": ["The theorem does not apply here: {why}", "定理不适用于这次训练：{why}"],
  "no updates": ["No update was made, so there are no mistakes to bound.", "没有更新，也就没有需要界定的误分类次数。"],
  "why inseparable": ["no hyperplane{through} separates these points, so mistakes never end by themselves.", "没有{through}超平面能分开这些点，误分类不会自行停止。"],
  "why classes": ["it is about one hypothesis for two classes.", "它讨论的是两类的一个假设。"],
  "why weights": ["the classes are weighted, so that steps differ in size.", "各类权重不同，步长不相等。"],
  "why rule": ["this rule does not move by equal steps at mistakes only.", "这种规则不是只在误分类时按相等步长更新。"],
  "why batch": ["the points of a batch move w together.", "一批点一起更新 w。"],
  "why start": ["the run does not start from zero.", "训练不是从零开始。"],
  "why kernel": ["this kernel may be the inner product of no space.", "这种核函数可能不是任何空间的内积。"],
  "why many": ["in the space of a kernel, the bound is sought for at most 500 points here.", "对核函数的空间，本页至多对 500 个点计算这个界。"],
  "why else": ["{reason}.", "{reason}。"],
  bracket: ["Bounds on the largest margin", "最大间隔的上下界"],
  "bracket note": [
    "The widest margin γ*/R lies between {lower} and {upper}, as far as the updates so far tell.",
    "由到目前为止的更新可知，最大间隔 γ*/R 在 {lower} 与 {upper} 之间。",
  ],
  "bracket below": [
    "The widest margin γ*/R is at most {upper}, as far as the updates so far tell; no hypothesis met so far separates the points.",
    "由到目前为止的更新可知，最大间隔 γ*/R 至多为 {upper}；到目前为止还没有遇到把所有点分对的假设。",
  ],
  "bracket zero": [
    "The updates so far add up to zero, so no separator{through} has a margin above 0.",
    "到目前为止的更新之和为零，所以不存在间隔大于 0 的{through}分离超平面。",
  ],
  "bracket chart": ["bounds on the widest margin, at each update", "每次更新时最大间隔的上下界"],
  "no bracket": ["No margins are known in the space of this kernel.", "在这种核函数的空间中间隔未知。"],
  passes: ["passes", "轮"],
  curves: ["Wrong points over the run", "训练中的误分类点数"],
  "curves chart": ["points wrong under the current hypothesis and the one kept, at each update", "每次更新时当前假设与保留的假设分错的点数"],
  "curves chart held": [
    "per cent of points wrong under the current hypothesis and the one kept, at each update, of those learned from and those held out",
    "每次更新时当前假设与保留的假设在训练点和留出点上的错误率（百分比）",
  ],
  "curves held": ["Of {n} points held out: {now} (orange).", "{n} 个留出点中分错 {now} 个（橙色）。"],
  "curves held kept": ["Of {n} points held out: {now}, and {kept} under the one kept (orange). The chart is in per cent.", "{n} 个留出点中分错 {now} 个，保留的假设分错 {kept} 个（橙色）。图中为百分比。"],
  "curves held best": ["The line{through} with the fewest mistakes has {n} of them wrong.", "误分类最少的{through}直线在其中分错 {n} 个。"],
  "curves note": ["Wrong now: {now}.", "当前分错 {now} 个。"],
  "curves kept": ["Wrong now: {now}; under the hypothesis that is kept: {kept} (dotted).", "当前分错 {now} 个；保留的假设分错 {kept} 个（点线）。"],

  // data
  data: ["Data", "数据"],
  textbook: ["the textbook's three", "课本的三个点"],
  credit: ["credit applications", "信贷申请"],
  clouds: ["clouds", "点云"],
  moons: ["moons", "月牙"],
  circles: ["circles", "同心圆"],
  xor: ["exclusive or", "异或"],
  "data touching": ["touching", "相接的点"],
  groups: ["groups: 3 or 4 classes", "三类或四类"],
  iris: ["iris, by petals", "鸢尾花（花瓣）"],
  points: ["your points", "自己的点"],
  classes: ["classes", "类别数"],
  held: ["held out", "留出"],
  "held none": ["none", "不留出"],
  "held one": ["1 of {n} points", "每 {n} 个点留 1 个"],
  "held out": ["{n} are held out (hollow).", "其中留出 {n} 个（空心）。"],
  n: ["points", "点数"],
  margin: ["gap", "间隔"],
  noise: ["noise", "噪声"],
  seed: ["seed", "随机种子"],
  tool: ["A click on the picture", "点击图中"],
  add: ["adds class {name}", "添加类别 {name}"],
  "add new": ["adds a new class", "添加新的类别"],
  "next class": ["gives the next class", "改为下一类别"],
  erase: ["deletes", "删除"],
  flip: ["flips the label", "翻转标签"],
  clear: ["Remove all points", "清空所有点"],
  paste: ["Points as CSV", "以 CSV 编辑点"],
  file: ["Or a file:", "或选择文件："],
  "paste note": ["The last column is the class.", "最后一列是类别。"],
  apply: ["Use these points", "使用这些点"],
  shadow: [
    "{d} features, projected on a plane along the best direction; misclassified points are ringed.",
    "{d} 个特征：图是在最佳方向所在平面上的投影，分错的点以圆圈标出。",
  ],
  shown: ["{points}, {classes}.", "共 {points}：{classes}。"],
  "n points": ["{n} points", "{n} 个点"],
  "1 points": ["1 point", "1 个点"],
  comma: [", ", "、"],
  and: [" and ", " 与 "],

  // the learner
  learner: ["Learner", "学习器"],
  compare: ["Compare two, side by side", "并排比较两个"],
  form: ["form", "形式"],
  primal: ["primal: weights", "原始形式：权重"],
  dualform: ["dual: counts", "对偶形式：次数"],
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
  shuffled: ["shuffled anew", "每轮打乱"],
  random: ["drawn at random", "随机抽取"],
  worst: ["smallest margin first", "间隔最小者优先"],
  active: ["near the line again", "反复访问直线附近的点"],
  adversary: ["greedy adversary", "贪心的对手"],
  "adversary note": [
    "The adversary presents points that are wrong now, chosen greedily: the one after which w is at the largest angle from the widest separator w*, or the most wrong one, or the one that moves w least along w*. Shown is the longest of the three orders. There may be longer ones, but none with more than (R/γ)² mistakes.",
    "对手只给出当前误分类的点，并贪心地选择：使更新后的 w 与最大间隔分离超平面 w* 夹角最大的点，或错得最多的点，或使 w 沿 w* 前进最少的点。图中是三种顺序中最长的一种。可能还有更长的顺序，但误分类都不会超过 (R/γ)² 次。",
  ],
  features: ["Features beside x₁ and x₂", "x₁、x₂ 之外的特征"],
  boundary: ["on the line", "在直线上"],
  "boundary mistake": ["is a mistake", "算分错"],
  "boundary side": ["is class {c}", "算类别 {c}"],
  class_weight: ["class weights", "类别权重"],
  eta0: ["learning rate η", "学习率 η"],
  start: ["start (w, b)", "初值 (w, b)"],
  batch_size: ["batch size", "批量大小"],
  rule: ["rule", "规则"],
  rosenblatt: ["Rosenblatt", "Rosenblatt"],
  marginrule: ["with margin", "带间隔"],
  pa: ["passive-aggressive", "被动攻击（PA）"],
  pa1: ["PA-I", "PA-I"],
  pa2: ["PA-II", "PA-II"],
  relaxation: ["relaxation", "松弛"],
  "margin of rule": ["margin of the rule", "规则的间隔"],
  C: ["aggressiveness C", "激进参数 C"],
  keep: ["keep", "保留"],
  pocket: ["the pocket", "口袋"],
  best: ["the best", "最好的"],
  lastkeep: ["the last", "最后的"],
  average: ["the average", "平均"],
  vote: ["all, voting", "投票"],
  fit_intercept: ["with bias b", "带偏置 b"],
  max_iter: ["maximum passes", "最大轮数"],
  min_margin: ["give up below γ/R", "间隔低于此 γ/R 时放弃"],
  settle: ["then", "之后"],
  "settle after": ["decides by proof", "给出证明并判定"],
  "settle first": ["decides first", "先判定"],
  "settle never": ["stops undecided", "停止，不判定"],
  random_state: ["seed of the order", "顺序的随机种子"],
  ended: ["ended", "结束原因"],
  "stop separated": ["separated", "已分开"],
  "stop inseparable": ["inseparable", "不可分"],
  "stop margin": ["margin too small", "间隔过小"],
  "stop max_iter": ["passes used up", "轮数用完"],
  "stop max_updates": ["mistakes used up", "次数用完"],
  updates: ["updates", "更新"],
  errors: ["wrong", "分错"],

  // the legend and lines
  "old line": ["before", "更新前"],
  "new line": ["after", "更新后"],
  "kept line": ["kept", "保留"],
  "wrong point": ["wrong", "分错"],
  "this point": ["moves the line", "引起更新的点"],
  "moved often": ["moved w so often", "更新 w 的次数"],
  "best line": ["fewest mistakes", "误分类最少"],
  "widest band": ["widest band", "最宽的带子"],
  "in conflict": ["in conflict", "互相冲突"],
  common: ["common point", "公共点"],

  // sharing
  share: ["Share and export", "分享与导出"],
  "copy link": ["Copy link", "复制链接"],
  copied: ["Copied", "已复制"],
  "copy by hand": ["Copy this:", "请手动复制："],
  "share note": ["The link holds everything shown, and no secret. Open it with: rosenblatt play LINK", "链接包含所显示的一切，不含密钥。打开方法：rosenblatt play 链接"],
  classroom: ["For a classroom", "课堂使用"],
  square: ["QR code of {address}", "{address} 的二维码"],
  code: ["Python that does the same", "做同样事情的 Python 代码"],
  "replay file": ["Replay without a server", "离线回放"],
  trace: ["Trace", "轨迹"],
  image: ["Picture", "图片"],

  keys: ["Keys", "按键"],
  "keys step": ["← → one update; Shift ten; Home, End", "← → 一次；按住 Shift 十次；Home、End"],
  "keys play": ["space: play, pause", "空格：播放、暂停"],
  "keys select": ["in the picture: n, p select a point; Alt + arrows move it; f flips its label; Delete deletes it", "在图中：n、p 选择点；Alt + 方向键移动；f 翻转标签；Delete 删除"],
  "keys add": ["in the picture: 1 to 4 add a point of a class", "在图中：1 至 4 添加某一类的点"],
  "keys mouse": ["with a mouse: drag points; Shift + click adds the next class", "用鼠标：拖动点；Shift + 点击添加下一类的点"],
  "keys line": ["drag the line: its middle shifts it, its ends turn it, and the run starts from there", "拖动直线：拖中间平移，拖两端旋转，训练由此开始"],

  // the picture, for screen readers
  plot: [
    "Picture of {n} points. {wrong} are wrong under the current hypothesis. {selected}",
    "{n} 个点的图。当前假设分错 {wrong} 个。{selected}",
  ],
  selected: ["Selected: point {i} at {x}, class {c}.", "已选中：点 {i}，位于 {x}，类别 {c}。"],

  // troubles; what has no words here is told as the server told it
  trouble: ["The server refused this: {message}", "服务器拒绝了该请求：{message}"],
  undo: ["Undo", "撤销"],
  redo: ["Redo", "重做"],
  again: ["Try again", "重试"],
  afresh: ["Start afresh", "重新开始"],
  dismiss: ["Dismiss", "关闭"],
  "error setting": ["This value of “{name}” cannot be used.", "“{name}”不能取这个值。"],
  refused: ["This value is not used; it takes {what}.", "没有采用这个值；这里应填{what}。"],
  "takes start": ["numbers with commas between them, as in 1, −1, 2", "用逗号隔开的数，例如 1, -1, 2"],
  "takes class_weight": ["a number for each class, as in 1, 2; or “balanced”", "每个类别一个数，例如 1, 2；或 balanced"],
  "takes gamma": ["a number, “scale” or “auto”", "一个数，或 scale，或 auto"],
  "takes batch_size": ["a whole number from 1 on, or “all”", "不小于 1 的整数，或 all"],
  "takes whole": ["a whole number from {min} to {max}", "从 {min} 到 {max} 的整数"],
  "takes least": ["a number of at least {min}", "不小于 {min} 的数"],
  "takes number": ["a number", "一个数"],
  "error start": ["A start has {numbers} numbers here: {d} weights and a bias.", "这里的初值应有 {numbers} 个数：{d} 个权重和一个偏置。"],
  "error starts": ["A start has {numbers} numbers here: {d} weights and a bias for each class.", "这里的初值应有 {numbers} 个数：每一类 {d} 个权重和一个偏置。"],
  "error weights": ["There are {k} classes, so {k} weights are needed, as in 1, 2; or “balanced”.", "共有 {k} 个类别，需要 {k} 个权重，例如 1, 2；或填 balanced。"],
  "error held": ["Without the points held out, a class has none left.", "去掉留出的点之后，有的类别没有点了。"],
  "error adversary": [
    "The adversary is for two separable classes, Rosenblatt's rule and equal steps, one point at a time.",
    "对手只适用于线性可分的两类、Rosenblatt 规则、相等步长、逐点更新。",
  ],
  "error recorded": [
    "This file replays only what was saved in it. To go on from here: pip install 'rosenblatt[play]', then rosenblatt play.",
    "该文件只能回放保存在其中的内容。继续探索：pip install 'rosenblatt[play]'，然后运行 rosenblatt play。",
  ],
  "error body": ["That is too much to send at once.", "一次发送的内容过多。"],
  "error features": ["The playground takes at most 16 features.", "演示页最多接受 16 个特征。"],
  "error failed": ["Internal server error.", "服务器出错。"],
  "error table": ["The table cannot be read: {message}", "无法读取该表格：{message}"],
  "error table_ragged": ["Line {line} of the table has another number of values than the first.", "表格第 {line} 行的数值个数与第一行不同。"],
  "error table_missing": ["A value is missing in line {line} of the table.", "表格第 {line} 行缺少一个值。"],
  "error table_empty": ["The table has no rows.", "表格没有数据行。"],
  "error table_narrow": ["A table needs a feature and a class: two columns at least.", "表格至少需要两列：一个特征和一个类别。"],
  "error points": ["The playground takes at most 2,000 points of 16 features.", "演示页最多接受 2000 个点、16 个特征。"],
  "error one_class": ["A perceptron needs points of at least two classes; the page shows up to four.", "感知机需要至少两类的点；本页最多显示四类。"],
  "error size": ["Numbers must be 0, or between 10⁻⁹ and 10⁹ in size.", "数值必须为 0，或绝对值在 10⁻⁹ 与 10⁹ 之间。"],
  "error too_long": ["Stopped, because it took too long: take fewer points or fewer passes.", "计算时间过长，已停止：请减少点数或轮数。"],
  "error busy": ["The server is busy; try again.", "服务器忙，请重试。"],
  "error gone": ["The server does not answer. Is rosenblatt play still running?", "服务器没有应答。rosenblatt play 还在运行吗？"],
  "error link": ["This link could not be shown; here is the beginning instead.", "无法显示该链接，已回到初始状态。"],
  waiting: ["Starting; the first start takes half a minute.", "正在启动；第一次运行大约需要半分钟。"],
};

let column = 0;

export const setLanguage = (lang) => {
  column = lang === "zh" ? 1 : 0;
  document.documentElement.lang = lang === "zh" ? "zh-CN" : "en";
};

/** The one of two texts that is in the language chosen. */
export const inLanguage = (pair) => pair[column];

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

/** What somebody typed, with the minus signs, commas and figures of print as numbers are read. */
export const plain = (text) => text.normalize("NFKC").replace(/[−–]/g, "-").replaceAll("、", ",");

export const count = (n) => Math.floor(n * (1 + 1e-9)).toLocaleString("en").replace(/NaN/, "–");

/** So many of something, with the word for one where it is one. */
export const many = (word, n) => say(n === 1 ? `1 ${word}` : `n ${word}`, { n: count(n) });

export const vector = (v, digits) => `(${v.map((x) => num(x, digits)).join(", ")})`;

/** Things in a row, as a sentence lists them. */
export const listed = (parts) =>
  [parts.slice(0, -1).join(say("comma")), parts.at(-1)].filter(Boolean).join(say("and"));

/** The name of a class, with a minus sign where it is a number. */
export const shown = (name) => name.replace(/^-(?=\d)/, "−");
