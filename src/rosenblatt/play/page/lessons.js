// Eight short lessons, in English and Chinese. A lesson is a sequence of steps: a state to look at,
// what there is to see, and a question before the answer. A question has options, of which one is
// right; or it asks for a point, that of the update after so many; or it sets a goal that the
// reader's own hands must reach, with a state that reaches it. What is veiled would give it away.

const TEXTBOOK = "data=textbook";
const SPREAD = "data=points&p=1_1_-1~2_1_-1~1_2_-1~2_2.5_-1~4_3_1~5_3_1~4_4.5_1~5_4_1";
const NOISY = "data=clouds&n=30&margin=0.2&noise=0.1&seed=4";
// NOISY without the three points that its best line has wrong.
const REPAIRED = `data=points&p=${[
  "0.25_0.53_1~-1.19_0.67_-1~-0.62_-1.61_-1~-0.85_0.57_-1~0.53_-1.12_1~0.62_0.36_1~-1.35_0.32_-1",
  "-0.8_1.52_-1~-1.18_0.03_-1~-0.04_-1.24_-1~2.42_0.42_1~1.89_-1.08_1~1.83_-1.33_1~-0.85_0.51_-1",
  "-0.15_-2.39_-1~-1.3_0.81_-1~2.29_0.94_1~-0.47_0.77_-1~-1.34_0.48_-1~-1.55_-0.04_-1~-0.33_0.77_-1",
  "-0.5_1.17_-1~-0.39_0.81_-1~0.98_-1.81_1~0.24_0.06_1~-0.98_0.15_-1~0.71_0.33_1",
].join("~")}`;
const RINGS = "data=circles&n=60&noise=0.05&seed=1";

const isSeparated = (run) => run.stop === "separated";
const sameLine = (run, line) => run.handed?.every((v, j) => v * line[0] === line[j] * run.handed[0]);

export const LESSONS = [
  {
    name: "model",
    title: ["The model", "模型"],
    steps: [
      {
        show: `${TEXTBOOK}&k=7`,
        tell: [
          "A perceptron is the rule f(x) = sign(w·x + b). Here w = (1, 1) and b = −3. On the solid line w·x + b = 0, and the arrow from it is w: it points to the side of class +1.",
          "感知机是函数 f(x) = sign(w·x + b)。这里 w = (1, 1)，b = −3。实线上 w·x + b = 0；从直线出发的箭头是 w，指向正类一侧。",
        ],
        ask: ["What is f at the point (2, 2)?", "f 在点 (2, 2) 的值是多少？"],
        options: [["+1", "+1"], ["−1", "−1"], ["It is on the line", "它在直线上"]],
        answer: 0,
        then: ["1·2 + 1·2 − 3 = 1 is positive, so f(2, 2) = +1.", "1·2 + 1·2 − 3 = 1 为正，所以 f(2, 2) = +1。"],
      },
      {
        show: `${TEXTBOOK}&k=7`,
        tell: ["Now multiply w and b by 2: w = (2, 2), b = −6.", "现在把 w 和 b 都乘以 2：w = (2, 2)，b = −6。"],
        ask: ["Which points change sides?", "哪些点会换到另一侧？"],
        options: [["None", "没有"], ["Those near the line", "直线附近的点"], ["All", "全部"]],
        answer: 0,
        then: [
          "None: 2(w·x + b) has the sign of w·x + b. The functional margin y(w·x + b) doubles; the distance from the line, which divides by |w|, stays.",
          "没有：2(w·x + b) 与 w·x + b 同号。函数间隔 y(w·x + b) 变为两倍；到直线的距离要除以 |w|，因此不变。",
        ],
      },
      {
        show: `${TEXTBOOK}&k=0`,
        tell: [
          "Be the learner yourself. In “start (w, b)” under “Learner”, type three numbers, as in 1, −1, 2.",
          "自己来当学习器：在“学习器”下的“初值 (w, b)”中输入三个数，例如 1, -1, 2。",
        ],
        ask: ["Find a line that separates the points, so that no update is needed.", "找出一条分离直线，使训练不需要任何更新。"],
        goal: (run) => run.mistakes === 0 && isSeparated(run),
        solution: `${TEXTBOOK}&a.start=1%2C1%2C-3&k=0`,
        then: [
          "Every point has y(w·x + b) > 0, so nothing is learned: a perceptron moves only when it is wrong.",
          "每个点都满足 y(w·x + b) > 0，所以不需要学习：感知机只在分错时更新。",
        ],
      },
    ],
  },
  {
    name: "loss",
    title: ["The loss", "损失函数"],
    steps: [
      {
        show: `${TEXTBOOK}&k=1`,
        tell: [
          "The perceptron loss adds up −y(w·x + b) over the misclassified points. After one update w = (3, 3) and b = 1; only point 3 = (1, 1), of class −1, is on the wrong side.",
          "感知机的损失函数是误分类点的 −y(w·x + b) 之和。一次更新之后 w = (3, 3)，b = 1；只有点 3 = (1, 1)（负类）被误分类。",
        ],
        ask: ["How large is the loss?", "损失是多少？"],
        options: [["0", "0"], ["7", "7"], ["1, the number of mistakes", "1，即误分类点的个数"]],
        answer: 1,
        then: [
          "−(−1)·(3·1 + 3·1 + 1) = 7. The number of misclassified points would be a loss, too, but it has no slope to follow.",
          "−(−1)·(3·1 + 3·1 + 1) = 7。也可以用误分类点的个数作损失，但它没有可用的梯度。",
        ],
      },
      {
        show: `${TEXTBOOK}&k=1`,
        tell: [
          "For a misclassified point the gradient of −y(w·x + b) is −y x in w and −y in b. A step with η = 1 goes against it: w ← w + y x, b ← b + y.",
          "对一个误分类点，−y(w·x + b) 对 w 的梯度是 −y x，对 b 的梯度是 −y。沿负梯度走 η = 1 的一步：w ← w + y x，b ← b + y。",
        ],
        ask: ["What is w after the step for point 3?", "对点 3 更新之后，w 是多少？"],
        options: [["(4, 4)", "(4, 4)"], ["(2, 2)", "(2, 2)"], ["(3, 2)", "(3, 2)"]],
        answer: 1,
        then: [
          "(3, 3) + (−1)·(1, 1) = (2, 2), and b = 0. The loss of this point falls from 7 to 4: press →.",
          "(3, 3) + (−1)·(1, 1) = (2, 2)，b = 0。这个点的损失从 7 降到 4：按 → 看一看。",
        ],
      },
      {
        show: `${TEXTBOOK}&compare=1&b.eta0=0.1&k=3`,
        tell: [
          "A has η = 1, B η = 0.1, both from w = 0 and b = 0.",
          "A 的 η = 1，B 的 η = 0.1，都从 w = 0、b = 0 开始。",
        ],
        ask: ["How many mistakes does the smaller step take?", "步长较小时会有多少次误分类？"],
        options: [["Ten times as many", "十倍"], ["Just as many", "同样多"], ["Fewer", "更少"]],
        answer: 1,
        then: [
          "Just as many, 7: from zero, η multiplies w and b alone, and no sign depends on that. It matters from other starts, and for rules with a margin.",
          "同样多，7 次：从零开始时，η 只把 w 和 b 整体缩放，不影响任何符号。初值不为零，或使用带间隔的规则时，η 才有影响。",
        ],
      },
    ],
  },
  {
    name: "primal",
    title: ["The primal form", "原始形式"],
    steps: [
      {
        show: `${TEXTBOOK}&k=0`,
        tell: [
          "Start from w = 0, b = 0. Visit point 1, 2, 3, 1, 2, 3, …; whenever y(w·x + b) ≤ 0, add y x to w and y to b.",
          "从 w = 0、b = 0 开始，依次访问点 1、2、3、1、2、3……；只要 y(w·x + b) ≤ 0，就把 y x 加到 w 上，把 y 加到 b 上。",
        ],
        ask: ["Which point causes the first update?", "哪个点引起第一次更新？"],
        point: 0,
        then: [
          "Point 1: with w = 0 every point counts as wrong, and it is visited first.",
          "点 1：w = 0 时每个点都算误分类，而它最先被访问。",
        ],
      },
      {
        show: `${TEXTBOOK}&k=1`,
        tell: ["Now w = (3, 3), b = 1, and point 2 comes next.", "现在 w = (3, 3)，b = 1，接着访问点 2。"],
        ask: ["Which point causes the next update?", "下一次更新由哪个点引起？"],
        point: 1,
        then: [
          "Point 3. Point 2 has 3·4 + 3·3 + 1 = 22 > 0 and is passed by; point 3 is on the wrong side.",
          "点 3。点 2 有 3·4 + 3·3 + 1 = 22 > 0，不更新；点 3 在错误的一侧。",
        ],
      },
      {
        show: `${TEXTBOOK}&k=4`,
        tell: ["After four updates w = (0, 0), b = −2.", "四次更新之后 w = (0, 0)，b = −2。"],
        ask: ["And which point is next?", "下一个又是哪个点？"],
        point: 4,
        then: [
          "Point 1: y(w·x + b) = −2. An update can undo earlier ones; that it ends all the same is Novikoff's theorem.",
          "点 1：y(w·x + b) = −2。一次更新可能抵消之前的更新；尽管如此训练必定结束，这就是 Novikoff 定理。",
        ],
      },
      {
        show: `${TEXTBOOK}&k=7`,
        tell: ["The run ends with w = (1, 1), b = −3, the line x₁ + x₂ = 3.", "训练结束于 w = (1, 1)，b = −3，即直线 x₁ + x₂ = 3。"],
        ask: ["Is it the only answer? Change the order, and see whether it ends with another line.", "这是唯一的解吗？改变“顺序”，看看是否会得到另一条直线。"],
        goal: (run) => isSeparated(run) && !sameLine(run, [1, 1, -3]),
        solution: `${TEXTBOOK}&a.order=shuffled&k=9999`,
        then: [
          "Another order, another line: there are infinitely many that separate, and the perceptron stops at the first it meets.",
          "顺序不同，直线也不同：分离直线有无穷多条，感知机停在它遇到的第一条。",
        ],
      },
    ],
  },
  {
    name: "dual",
    title: ["The dual form", "对偶形式"],
    steps: [
      {
        show: `${TEXTBOOK}&a.form=dual&k=7`,
        tell: [
          "Every update adds some y x to w, so w = Σ nⱼ yⱼ xⱼ with η = 1: it is enough to count how often each point moved it. Here n = (2, 0, 5).",
          "每次更新都给 w 加上某个 y x，因此 η = 1 时 w = Σ nⱼ yⱼ xⱼ：只需记录每个点更新的次数。这里 n = (2, 0, 5)。",
        ],
        veiled: true,
        ask: ["What is w?", "w 是多少？"],
        options: [["(1, 1)", "(1, 1)"], ["(11, 11)", "(11, 11)"], ["(2, 5)", "(2, 5)"]],
        answer: 0,
        then: ["2·(3, 3) − 5·(1, 1) = (1, 1), as in the primal form.", "2·(3, 3) − 5·(1, 1) = (1, 1)，与原始形式相同。"],
      },
      {
        show: `${TEXTBOOK}&a.form=dual&k=7`,
        tell: [
          "To test a point one needs its inner products with the others only: the Gram matrix, in the panel “The dual form”, holds them all.",
          "检验一个点时，只需要它与其他点的内积：它们都在“对偶形式”面板的 Gram 矩阵里。",
        ],
        ask: ["What is x₁·x₃?", "x₁·x₃ 是多少？"],
        options: [["18", "18"], ["2", "2"], ["6", "6"]],
        answer: 2,
        then: [
          "(3, 3)·(1, 1) = 6, row 1, column 3. Replacing these numbers by a kernel means learning in another feature space.",
          "(3, 3)·(1, 1) = 6，位于第 1 行第 3 列。把这些数换成核函数的值，就是在另一个空间中学习。",
        ],
      },
      {
        show: `${TEXTBOOK}&a.form=dual&k=7`,
        tell: ["Point 2 never moved w: n₂ = 0.", "点 2 从未更新过 w：n₂ = 0。"],
        ask: ["Delete it (“deletes” under “Data”, then a click on it). Does the line change?", "删除它（在“数据”下选择“删除”，再点击该点）。直线会变吗？"],
        goal: (run) => run.points.length === 2 && sameLine(run, [1, 1, -3]),
        solution: "data=points&p=3_3_1~1_1_-1&a.form=dual&k=7",
        then: [
          "No: the run is the same, update by update. Only points with nⱼ > 0 carry the hypothesis.",
          "不变：每次更新都相同。只有 nⱼ > 0 的点才构成假设。",
        ],
      },
    ],
  },
  {
    name: "separability",
    title: ["Separability", "线性可分性"],
    steps: [
      {
        show: `${SPREAD}&k=0`,
        tell: ["These classes can be separated: see the verdict.", "这两类点线性可分：见“结论”。"],
        ask: ["Move one point so that no line can separate them.", "移动一个点，使任何直线都不能分开它们。"],
        goal: (run) => run.verdict.verdict === "overlapping",
        solution: `${SPREAD.replace("1_1_-1", "4.5_3.6_-1")}&k=9999`,
        then: [
          "Now the convex hulls of the two classes overlap. Look at the verdict: weights with which both classes have the same mean.",
          "现在两类的凸包重叠。看“结论”：按那些权重，两类点的加权平均是同一点。",
        ],
      },
      {
        show: "data=xor&k=9999",
        tell: ["Exclusive or: four points, two classes, crosswise.", "异或：四个点，两个类，交叉摆放。"],
        veiled: true,
        ask: ["What proves that no line separates them?", "什么能证明没有直线能分开它们？"],
        options: [
          ["A long run without an end", "训练很久也没有结束"],
          ["A point in the convex hulls of both classes", "两个类的凸包有公共点"],
          ["Trying all lines", "试遍所有直线"],
        ],
        answer: 1,
        then: [
          "The star, (0.5, 0.5), is in both hulls. A line with both classes on their sides would have it on both sides at once. A long run proves nothing.",
          "星号 (0.5, 0.5) 同时在两个凸包内。若有直线把两类分在两侧，这个点就要同时在两侧。训练很久并不能证明什么。",
        ],
      },
      {
        show: "data=touching&k=9999",
        tell: ["Here a line has no point on its wrong side, but three points of both classes must lie on it.", "这里有一条直线没有分错任何点，但两个类共有三个点恰好落在直线上。"],
        ask: ["Does Rosenblatt's rule ever stop by itself?", "Rosenblatt 规则会自己停下来吗？"],
        options: [["Yes, at that line", "会，停在那条直线上"], ["No, never", "不会"]],
        answer: 1,
        then: [
          "No: a point on the line has y(w·x + b) = 0, which counts as a mistake. The verdict is “touching”: not separable, but only just.",
          "不会：落在直线上的点 y(w·x + b) = 0，也算误分类。结论是“相接”：不可分，但只差一点。",
        ],
      },
    ],
  },
  {
    name: "novikoff",
    title: ["Novikoff's theorem", "Novikoff 定理"],
    steps: [
      {
        show: `${TEXTBOOK}&k=3`,
        tell: [
          "Let w* be the best direction, with margin γ, and R the length of the longest row (x, 1). Each mistake increases w·w* by at least ηγ.",
          "设 w* 为最佳方向，间隔为 γ；R 为最长的 (x, 1) 的长度。每次误分类使 w 沿 w* 至少前进 ηγ。",
        ],
        ask: ["A mistake can raise |w|² by at most η²R². Why not by more?", "一次误分类使 |w|² 至多增大 η²R²。为什么不会更多？"],
        options: [
          ["Because the steps become smaller", "因为步长越来越小"],
          ["Because the point was on the wrong side: y w·x ≤ 0", "因为该点在错误的一侧：y w·x ≤ 0"],
          ["Because w* has length 1", "因为 w* 的长度为 1"],
        ],
        answer: 1,
        then: [
          "|w + ηyx|² = |w|² + 2η y w·x + η²|x|², and the middle term is not positive at a mistake. So k ηγ ≤ w·w* ≤ |w| ≤ √k ηR, hence k ≤ (R/γ)².",
          "|w + ηyx|² = |w|² + 2η y w·x + η²|x|²，误分类时中间一项不为正。于是 k ηγ ≤ w·w* ≤ |w| ≤ √k ηR，即 k ≤ (R/γ)²。",
        ],
      },
      {
        show: "data=clouds&n=20&margin=0.3&noise=0&seed=3&k=9999",
        tell: ["The slider “gap” moves the classes apart or together; “points” and “seed” draw others.", "滑块“间隔”使两类靠近或分开；“点数”和“随机种子”生成其他的点。"],
        ask: ["Make it need 50 mistakes, with points that can still be separated.", "让它至少误分类 50 次，但点仍然线性可分。"],
        goal: (run) => run.mistakes >= 50 && run.verdict.verdict === "separable",
        solution: "data=clouds&n=30&margin=0&noise=0&seed=7&k=9999",
        then: [
          "A narrow gap makes γ small and the bound (R/γ)² large. The run stays below it, often far below.",
          "间隔窄，则 γ 小，界 (R/γ)² 大。实际次数总在界以内，往往小得多。",
        ],
      },
      {
        show: "data=clouds&n=30&margin=0.1&noise=0&seed=1&compare=1&b.order=adversary&k=9999",
        tell: [
          "The same points: A in the given order, with 2 mistakes; B as a greedy adversary presents them, with 14. (R/γ)² is 171.",
          "同样的点：A 按给定顺序，误分类 2 次；B 由贪心的对手安排顺序，误分类 14 次。(R/γ)² 为 171。",
        ],
        ask: ["Can a malicious order lead to more than (R/γ)² mistakes?", "故意安排的访问顺序能使误分类次数超过 (R/γ)² 次吗？"],
        options: [["Yes", "能"], ["No", "不能"]],
        answer: 1,
        then: [
          "No: the proof uses only that each updated point was wrong, never which one came when.",
          "不能：证明只用到每个引起更新的点都被误分类，与先后顺序无关。",
        ],
      },
    ],
  },
  {
    name: "pocket",
    title: ["The pocket and the fewest mistakes", "口袋算法与最少误分类"],
    steps: [
      {
        show: `${NOISY}&a.keep=last&a.max_iter=30&k=40`,
        tell: ["Three labels are flipped here, and no line separates the points. Press → a few times.", "这里有三个点的标签被翻转，没有直线能分开这些点。多按几次 →。"],
        ask: ["What happens to the number of wrong points?", "分错的点数会怎样变化？"],
        options: [["It falls until it is as small as it can be", "一直下降到最小"], ["It goes up and down for ever", "不停地上下波动"]],
        answer: 1,
        then: [
          "It goes up and down: each update corrects for one point and may misclassify many others. The quality of the last hypothesis is a matter of chance.",
          "上下波动：每次更新针对一个点，却可能使许多点被误分类。最后一个假设的好坏带有偶然性。",
        ],
      },
      {
        show: `${NOISY}&a.keep=pocket&a.max_iter=30&k=60`,
        tell: [
          "The pocket algorithm keeps a copy, the dotted line: whenever a hypothesis has classified more points in a row correctly than any before, it is counted on all points, and kept if it has fewer wrong.",
          "口袋算法保留一个副本（点线）：当某个假设连续分对的次数创下纪录时，就在全部点上计数；若分错更少，就保留它。",
        ],
        ask: ["Can what is kept become worse?", "保留的假设会变差吗？"],
        options: [["Yes, for a while", "会，有时会"], ["No", "不会"]],
        answer: 1,
        then: ["No: it is replaced only by a hypothesis with fewer points wrong.", "不会：只有分错更少的假设才会替换它。"],
      },
      {
        show: `${NOISY}&k=9999`,
        tell: ["No line is perfect here. Look at the picture, and count.", "这里没有完美的直线。看着图，数一数。"],
        veiled: true,
        ask: ["What is the fewest number of points that a line has wrong?", "一条直线最少会分错几个点？"],
        options: [["1", "1"], ["3", "3"], ["6", "6"]],
        answer: 1,
        then: [
          "Three. See “Fewest mistakes” under the verdict: all lines were compared, so no line has fewer. In many dimensions this is NP-hard.",
          "三个。见“结论”下的“最少误分类数”：已比较了所有直线，没有更少的。在高维空间中，这是 NP 难问题。",
        ],
      },
      {
        show: `${NOISY}&k=9999`,
        tell: ["The points that the best line has wrong are suspects: perhaps their labels are.", "最好的直线分错的点是可疑的：也许是标签错了。"],
        ask: ["Remove them (the button under the verdict) and watch the run converge.", "删去它们（“结论”下的按钮），看训练收敛。"],
        goal: (run) => isSeparated(run) && !run.kernel,
        solution: `${REPAIRED}&k=9999`,
        then: ["Without them the rest is separable, and Rosenblatt's rule stops by itself.", "删去之后其余的点线性可分，Rosenblatt 规则会自己停下来。"],
      },
    ],
  },
  {
    name: "kernels",
    title: ["Kernels", "核函数"],
    steps: [
      {
        show: `${RINGS}&a.max_iter=10&k=9999`,
        tell: ["A ring around a disc: no line will do.", "一个圆环围着一个圆盘：直线无能为力。"],
        ask: ["Which additional feature would make the classes separable by a plane?", "增加哪个特征，就能用平面把两类分开？"],
        options: [["x₁ + x₂", "x₁ + x₂"], ["x₁x₂", "x₁x₂"], ["x₁² + x₂²", "x₁² + x₂²"]],
        answer: 2,
        then: [
          "The squared distance from the centre is small for one class and large for the other.",
          "到中心距离的平方：一类小，另一类大。",
        ],
      },
      {
        show: `${RINGS}&a.kernel=poly&a.degree=2&k=9999`,
        tell: [
          "The kernel K(x, z) = (γ x·z + 1)² is the inner product in a space that has x₁², x₂², x₁x₂, x₁, x₂ and 1 as features. Nobody writes them out.",
          "核函数 K(x, z) = (γ x·z + 1)² 是以 x₁²、x₂²、x₁x₂、x₁、x₂、1 为特征的空间中的内积，不必写出这些特征。",
        ],
        ask: ["What changes in the dual form of the perceptron?", "感知机的对偶形式要改什么？"],
        options: [
          ["Only xⱼ·xᵢ becomes K(xⱼ, xᵢ)", "只需把 xⱼ·xᵢ 换成 K(xⱼ, xᵢ)"],
          ["The update rule", "更新规则"],
          ["The number of counts nⱼ", "计数 nⱼ 的个数"],
        ],
        answer: 0,
        then: [
          "Only the Gram matrix. The border is a hyperplane of the feature space; in the plane it is a conic, such as an ellipse or a hyperbola.",
          "只改 Gram 矩阵。边界是特征空间中的超平面；在平面上，它是圆锥曲线，例如椭圆或双曲线。",
        ],
      },
      {
        show: "data=xor&k=0",
        tell: ["Exclusive or again.", "又是异或。"],
        ask: ["Choose a kernel with which the run separates the points.", "选一个核函数，使训练能把这些点分开。"],
        goal: (run) => run.kernel !== null && isSeparated(run),
        solution: "data=xor&a.kernel=poly&a.degree=2&k=9999",
        then: [
          "With x₁x₂ among the features, a plane separates them. “linear” and “cosine” would not have done.",
          "有了特征 x₁x₂，平面就能分开它们。“线性”和“余弦”核函数则不行。",
        ],
      },
      {
        show: "data=circles&n=60&noise=0.25&seed=1&a.kernel=rbf&a.gamma=50&k=9999",
        tell: ["Much noise, and a Gaussian kernel that is narrow, γ = 50. No point is wrong any more.", "噪声很大，高斯核很窄（γ = 50）。没有分错的点了。"],
        ask: ["Would you trust it with new points?", "你会相信它对新点的判断吗？"],
        options: [["Yes, it makes no mistake", "会，它没有分错"], ["No", "不会"]],
        answer: 1,
        then: [
          "No: the border winds around single points, which are noise. Try γ = 5: a smoother border, for which the run makes more mistakes.",
          "不会：边界绕着个别的点弯曲，而这些点只是噪声。试试 γ = 5：边界更平滑，但训练中的误分类会更多。",
        ],
      },
    ],
  },
];
