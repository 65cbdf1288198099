"""What learning has to say: of labels, parameters, numbers, and how it ended."""

MESSAGES: dict[str, str | tuple[str, str]] = {
    # labels and rows
    "y has one class, {name!r}; a perceptron needs two": (
        "the target '{target}' has one class only, {name!r}, and a perceptron needs two; is the "
        "column of labels another one (--target)? There are {columns}",
        "目标列“{target}”只有一个类别“{name}”，而感知机需要两个类别；标签列是否为其他列"
        "（--target）？现有的列：{columns}",
    ),
    "the target {name!r} has {k} different values in {n} rows, too many for classes; name the column "
    "of labels (target)": (
        "the target '{name}' has {k} different values in {n} rows, too many for classes; name the "
        "column of labels with --target: {columns}",
        "目标列“{name}”在 {n} 行中有 {k} 个不同的值，不像是类别；请用 --target 指定标签列：{columns}",
    ),
    "y has {k} classes; {what_otherwise}": (
        "the target '{target}' has {k} classes, and {what_otherwise}; is the column of labels "
        "another one (--target)? There are {columns}",
        "目标列“{target}”有 {k} 个类别，而{what_otherwise}；标签列是否为其他列（--target）？"
        "现有的列：{columns}",
    ),
    "use certify_each": (
        "this is about two: use --scheme one-vs-rest or one-vs-one",
        "此处只适用于两个类别：请用 --scheme one-vs-rest 或 one-vs-one",
    ),
    "take them two at a time": (
        "the fewest mistakes are counted for two: leave rows of the others out",
        "最少误分类点只对两个类别计算：请去掉其余类别的行",
    ),
    "a margin is between two": "间隔是两个类别之间的",
    "there are {k} classes, each with a run of its own; to see one run, use --multi-class direct": (
        "共有 {k} 个类别，每个类别单独训练；要查看一次训练，请用 --multi-class direct"
    ),
    "weights are from {least} to {most} together: scale them": (
        "权重至少为 {least}，总和至多为 {most}：请缩放权重"
    ),
    "X has {n} rows and y has {m} labels": "X 有 {n} 行，而 y 有 {m} 个标签",
    "y holds labels that are not among the classes: {listed}. {advice}": (
        "labels that the model does not know: {listed}",
        "有模型未见过的标签：{listed}",
    ),
    "requires y to be passed, but the target y is None": (
        "there are no labels: name their column with --target",
        "没有标签：请用 --target 指定标签列",
    ),
    "all sample weights are zero: there is no row to learn from": "所有样本权重都是零，没有可学习的样本",
    "all rows have class weight zero: there is no row to learn from": (
        "所有样本的类别权重都是零，没有可学习的样本"
    ),
    "all rows have weight zero: there is no mistake to count": "所有样本的权重都是零，没有可计的误分类点",
    "class weights must be finite and not negative, got {value}": (
        "--class-weight must be finite and not negative, got {value}",
        "--class-weight 应为有限的非负数，而给出的是 {value}",
    ),
    "a class weight is zero: leave the rows of that class out of the blocks": (
        "a class weight is zero: leave the rows of that class out of the file",
        "有类别的权重为零：请从文件中去掉该类别的行",
    ),
    # numbers
    "row {row} of X is too long for floating point (rows count from 0): scale the features": (
        "{row:place}: the numbers are too large for floating point; scale the features",
        "{row:place}：数值过大，超出浮点数范围；请缩放特征",
    ),
    "row {row} of X is too short for floating point (rows count from 0): scale the features": (
        "{row:place}: the numbers are too small for floating point; scale the features",
        "{row:place}：数值过小，超出浮点数范围；请缩放特征",
    ),
    "y holds whole numbers beyond 2**53, which floating point would change": (
        "标签含有超过 2**53 的整数，浮点数无法精确表示"
    ),
    "X holds whole numbers beyond 2**53, which floating point would change": (
        "数据含有超过 2**53 的整数，浮点数无法精确表示"
    ),
    "X holds {value!r}, which double precision would change": "数据含有双精度无法精确表示的 {value}",
    "the weights overflowed in pass {n}: the numbers in X (or eta0, or the sample weights) are too "
    "large for floating point. Scale the features, for example with "
    "sklearn.preprocessing.StandardScaler": (
        "the weights overflowed in pass {n}: the numbers in the table, or --eta0, are too large "
        "for floating point. Scale the features",
        "第 {n} 轮中权重溢出：表中的数值（或 --eta0）超出浮点数范围。请缩放特征",
    ),
    "the weights overflow in the units of X: scale the features": (
        "the weights overflow in the units of the table: scale the features",
        "权重换算到原始单位时溢出：请缩放特征",
    ),
    "a column of X is too large for floating point: scale the features": (
        "a column is too large for floating point: scale the features",
        "有一列的数值过大，超出浮点数范围：请缩放特征",
    ),
    "scores overflowed: scale the features, for example with StandardScaler": (
        "scores overflowed: scale the features",
        "得分溢出：请缩放特征",
    ),
    "w is zero: there is no hyperplane to be at a distance from": "w 为零，没有超平面可计算距离",
    "w·x + b is not finite, or too large for floating point: scale w and b": (
        "w·x + b 不是有限数，或超出浮点数范围：请缩放 w 和 b"
    ),
    "the loss needs labels -1 and +1": "损失函数要求标签为 -1 和 +1",
    # parameters
    "{name}={value!r} is not known; {same} is one of {listed}": (
        "{name:option} {value} is not known; it is one of {listed:words}",
        "{name:option} {value} 无效；可取 {listed:words}",
    ),
    "{name} must be a number {what_wanted}, got {value}": (
        "{name:option} must be a number {what_wanted}, got {value}",
        "{name:option} 应为{what_wanted} 的数，而给出的是 {value}",
    ),
    "above {low}": "大于 {low}",
    "at least {low}": "不小于 {low}",
    "above {low} and below {high}": "大于 {low} 且小于 {high}",
    "at least {low} and below {high}": "不小于 {low} 且小于 {high}",
    "{name} must be a number from {low} to {high}, got {value}": (
        "{name:option} must be a number from {low} to {high}, got {value}",
        "{name:option} 应为 {low} 到 {high} 之间的数，而给出的是 {value}",
    ),
    "{name}={value!r} does not go with penalty={penalty!r}; use {same}={listed}": (
        "{name:option} {value} does not go with --penalty {penalty}; use {name:option} {listed:words}",
        "{name:option} {value} 不能与 --penalty {penalty} 同用；请用 {name:option} {listed:words}",
    ),
    "{name}={value!r} does not go with scale={scale!r}; put a StandardScaler before the model": (
        "{name:option} {value} does not go with --scale {scale}",
        "{name:option} {value} 不能与 --scale {scale} 同用",
    ),
    "record=True does not go with scale={value!r}; put a StandardScaler before the model": (
        "the mistakes of a run are not recorded with --scale {value}: leave it out",
        "使用 --scale {value} 时不记录每次误分类：请去掉该选项",
    ),
    "record=True does not go with penalty={value!r}; use record=False": (
        "the mistakes of a run are not recorded with --penalty {value}: leave it out",
        "使用 --penalty {value} 时不记录每次误分类：请去掉该选项",
    ),
    "l1_ratio must be set when penalty is 'elasticnet'": (
        "--penalty elasticnet needs --l1-ratio",
        "--penalty elasticnet 需要 --l1-ratio",
    ),
    "it is not asked with penalty={value!r}": (
        "it is not asked with --penalty {value}",
        "使用 --penalty {value} 时不作判定",
    ),
    "early_stopping cannot hold back rows of each class: {why}": (
        "--early-stopping cannot hold back rows of each class: {why}",
        "--early-stopping 无法从每个类别中留出样本：{why}",
    ),
    "the sample weights of the rows held back, or of all others, are zero": (
        "留出样本或其余样本的权重全为零"
    ),
    "{name} must be a whole number of at least {low}, got {value}": (
        "{name:option} must be a whole number of at least {low}, got {value}",
        "{name:option} 应为不小于 {low} 的整数，而给出的是 {value}",
    ),
    "batch_size must be a whole number or 'all', got {value}": (
        "--batch-size must be a whole number or all, got {value}",
        "--batch-size 应为整数或 all，而给出的是 {value}",
    ),
    "{name} must be a dict or None, got {value}": "{name} 应为字典或 None，而给出的是 {value}",
    "rule='rosenblatt' has no margin, got margin={value}; use rule='margin'": (
        "--rule rosenblatt has no margin, got --margin {value}; use --rule margin",
        "--rule rosenblatt 没有间隔参数，而给出了 --margin {value}；请用 --rule margin",
    ),
    "{name} must have the shape {shape}, got {other}": "{name} 的形状应为 {shape}，而不是 {other}",
    "{name} holds NaN or infinity": "{name} 含有 NaN 或无穷大",
    "{name}={value!r} needs all rows in memory; over blocks, use {same}={listed}": (
        "{name:option} {value} needs all rows in memory (--no-stream); otherwise use {name:option} "
        "{listed:words}",
        "{name:option} {value} 需要把全部行读入内存（--no-stream）；否则请用 {name:option} {listed:words}",
    ),
    "keep='vote' keeps every hypothesis, and {n} of {size} weights are more than {most} MB. Use "
    "keep='average', which predicts nearly the same, or stop earlier with max_iter or max_updates": (
        "--keep vote keeps every hypothesis, and {n} of {size} weights are more than {most} MB. Use "
        "--keep average, which predicts nearly the same, or stop earlier with --max-iter or "
        "--max-updates",
        "--keep vote 保留全部假设，而 {n} 个假设（各 {size} 个权重）超过 {most} MB。请用预测结果相近的 "
        "--keep average，或用 --max-iter、--max-updates 提前结束",
    ),
    "keep='vote' needs all hypotheses of one fit; use keep='average'": (
        "--keep vote needs all hypotheses of one run; use --keep average",
        "--keep vote 需要同一次训练的全部假设；请用 --keep average",
    ),
    "fit_blocks needs a Perceptron, not a {name}": "分块训练只用于 Perceptron，不用于 {name}",
    "there are no rows in these {parts}": ("there are no rows in the file", "文件中没有数据行"),
    "these blocks have no target: scan the table with one": (
        "there are no labels: name their column with --target",
        "没有标签：请用 --target 指定标签列",
    ),
    "{file} has no parts that can be read by themselves; Parquet and .npy have": (
        "{file} has no parts that processes can read by themselves (--workers); Parquet and .npy "
        "have",
        "{file} 不能分成可独立读取的部分（--workers）；Parquet 和 .npy 文件可以",
    ),
    # checkpoints
    "{file} is not a checkpoint, or it is damaged": "{file} 不是检查点文件，或已损坏",
    "{file} is not a checkpoint of this version ({format})": "{file} 不是此版本（{format}）的检查点文件",
    "{file} is a checkpoint of other data or parameters: {name} was {then}, and is {now} now. Name another "
    "file, or delete it to start again": (
        "{file} 是另一次训练的检查点：{name} 当时为 {then}，现在为 {now}。请指定别的文件，或删除它重新开始"
    ),
    "{what}, and the previous one, if any, is kept": "{what}，之前的检查点（如有）保持不变",
    "{file}: {why}; the checkpoint could not be written": "{file}：{why}；检查点未能写入",
    # kernels
    "the kernel is infinite or NaN for some rows: scale the features": (
        "对某些样本，核函数为无穷大或 NaN：请缩放特征"
    ),
    "a fractional degree needs gamma x·z + coef0 ≥ 0: use a whole degree": (
        "a fractional --degree needs gamma x·z + coef0 ≥ 0: use a whole one",
        "--degree 不是整数时，要求 gamma x·z + coef0 ≥ 0：请用整数",
    ),
    "this rule divides by K(x, x), which is not positive for row {row}": (
        "this rule divides by K(x, x), which is not positive in {row:place}",
        "该规则要除以 K(x, x)，而{row:place}的 K(x, x) 不是正数",
    ),
    "keep={value!r} needs every row that was ever misclassified, which a budget does not allow; use keep='last', "
    "'best' or 'pocket'": (
        "--keep {value} needs every row that was ever misclassified, which --budget does not "
        "allow; use --keep last, best or pocket",
        "--keep {value} 要保留每个曾被误分类的样本，与 --budget 矛盾；请用 --keep last、best 或 pocket",
    ),
    # how it ended
    "Training ended without separating the data. {what_runs}. Raise max_iter, lower min_margin, or "
    "scale the features to a common range.": (
        "Training ended without separating the data. {what_runs}. Raise --max-iter, lower "
        "--min-margin, or scale the features to a common range.",
        "训练结束，但未能分开数据。{what_runs}。可增大 --max-iter，减小 --min-margin，或把特征缩放到相近的范围。",
    ),
    "{what}. {what_more}": "{what}。{what_more}",
    "Raise max_iter or tol.": ("Raise --max-iter or --tol.", "可增大 --max-iter 或 --tol。"),
    "Maximum number of iteration reached before convergence": (
        "The maximum number of passes was reached",
        "已达最大轮数",
    ),
    "class {name!r}: {what}": "类别“{name}”：{what}",
    "the returned hypothesis gets {n} of {m} training rows wrong": (
        "返回的假设误分类 {m} 个训练样本中的 {n} 个"
    ),
    "max_iter={n} passes, mistakes in the last: {m}": (
        "--max-iter {n} passes, mistakes in the last: {m}",
        "共 {n} 轮（--max-iter），最后一轮误分类 {m} 次",
    ),
    "no separator has a margin above {margin} of the longest row (min_margin)": (
        "no separator has a margin above {margin} of the longest row (--min-margin)",
        "任何分离超平面的间隔都不超过最长行的 {margin} 倍（--min-margin）",
    ),
    "any separator's margin is at most {margin} of the longest row": (
        "任何分离超平面的间隔至多为最长行的 {margin} 倍"
    ),
    "some rows are so close to the hyperplane that rounding decides on their side": (
        "有些样本离超平面太近，位于哪一侧由舍入误差决定"
    ),
    "whether they can be separated is open: {why}": "是否线性可分尚未判定：{why}",
    "settle='never'": ("--settle never", "使用了 --settle never"),
    "settling does not apply to {name}={value!r}": (
        "deciding does not apply to {name:option} {value}",
        "{name:option} {value} 不作判定",
    ),
    "a hyperplane separates them, but only with weights finer than double precision": (
        "存在分离超平面，但其权重的精度超出双精度"
    ),
    "some function of this kernel separates them, but its steps are beyond double precision": (
        "该核函数的某个函数可以分开数据，但其系数超出双精度"
    ),
    "some function of this kernel separates them, which more passes would find": (
        "该核函数的某个函数可以分开数据，增加轮数即可找到"
    ),
    "separability cannot be decided exactly for this kernel": "对该核函数不能精确判定是否可分",
    "it has more than {n} monomials": "单项式超过 {n} 个",
}
