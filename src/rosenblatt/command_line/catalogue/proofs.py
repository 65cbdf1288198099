"""What proofs and certificates have to say, and Novikoff's theorem."""

MESSAGES: dict[str, str | tuple[str, str]] = {
    # not separable
    "the data are not separable: rows {where} are in conflict": (
        "the data are not separable: {where} are in conflict",
        "数据线性不可分：{where}构成冲突",
    ),
    "{rows} (counted from 0)": ("{rows:place}", "{rows:place}"),
    "whether the classes touch or overlap is open: {why}": "两类是相接还是重叠尚未判定：{why}",
    "no separator is known: {why}": "没有找到分离超平面：{why}",
    "the margin is too fine for floating point: scale the features": (
        "间隔太小，超出浮点数精度：请缩放特征"
    ),
    "the verdict is open: {why}": "未能判定：{why}",
    # why a verdict is open
    "of the hardest rows: {why}": "对最难的行：{why}",
    "no answer on the {n} hardest rows holds for all of them": (
        "由最难的 {n} 行得到的答案不能推广到全部行"
    ),
    "no answer on the {n} hardest pairs of rows and rivals holds for all of them": (
        "由最难的 {n} 个（行，竞争类别）对得到的答案不能推广到全部"
    ),
    "there are too many dimensions to make pairs of rows and rivals": (
        "维数过大，无法构造（行，竞争类别）对"
    ),
    "plain passes found no linear machine, and pairs of rows and rivals have {d} dimensions: too "
    "many to decide on them jointly": (
        "常规训练没有找到线性机，而（行，竞争类别）对有 {d} 维，维数过大，无法联合判定"
    ),
    "floating point found no answer, and the rows span up to {d} dimensions: exact arithmetic is "
    "tried in {n} at most": (
        "浮点运算没有得到答案，而各行张成的空间可达 {d} 维：精确算术至多用于 {n} 维"
    ),
    "{what_first}, and no bound on rounding errors proves the conflict": (
        "{what_first}，舍入误差界也不能证明冲突"
    ),
    "exact arithmetic is tried in {n} dimensions at most": "精确算术至多用于 {n} 维",
    "facial reduction failed numerically": "面约化在数值上失败",
    "no answer after {n} steps of the simplex method in exact arithmetic": (
        "精确算术的单纯形法在 {n} 步之内没有得到答案"
    ),
    "the rows in conflict span all others only modulo a prime": (
        "构成冲突的行只在模某个素数的意义下张成其他各行"
    ),
    "the rows in conflict do not span all columns": "构成冲突的行没有张成所有列",
    "there are more than {n} monomials": "单项式超过 {n} 个",
    "its monomials are not exact in double precision: round the features": (
        "单项式在双精度下不精确：请对特征作舍入"
    ),
    "internal error: {what}. Nothing is claimed about the data. Please report this, with the "
    "version of rosenblatt and, if possible, the data": (
        "内部错误：{what}。对数据不作任何结论。请报告此问题，并附上 rosenblatt 的版本以及数据（如可能）"
    ),
    "the rows in conflict ({rows}, …) do not add up to zero": "构成冲突的行（{rows}……）之和不为零",
    "rows in conflict were found, and a hypothesis gets all rows right": (
        "既找到了构成冲突的行，又有假设分对了所有行"
    ),
    # kernels
    "kernel={value!r} cannot be decided; kernel is one of {listed}": (
        "--kernel {value} cannot be decided; it is one of {listed:words}",
        "--kernel {value} 不能判定；可取 {listed:words}",
    ),
    "degree={value}; monomials have a whole degree, 1 or more": (
        "--degree {value}: monomials have a whole degree, 1 or more",
        "--degree {value}：单项式的次数应为不小于 1 的整数",
    ),
    "coef0={value}; below 0 the kernel has no feature space": (
        "--coef0 {value}: below 0 the kernel has no feature space",
        "--coef0 {value}：小于 0 时核函数没有特征空间",
    ),
    "columns that depend on each other are looked for with two classes": (
        "只对两个类别查找线性相关的列"
    ),
    "coefficients are those of a linear model, and this is about a kernel": (
        "系数属于线性模型，而此证书针对核函数"
    ),
    "{n} rows of {k} classes are too many; take some of the classes": (
        "{k} 个类别的 {n} 行太多；请只取其中几个类别"
    ),
    # certificates
    "this is not a certificate: {why}": "这不是证书：{why}",
    "{file}: this is not a certificate: {why}": "{file} 不是证书：{why}",
    "its format is not {format}": "格式不是 {format}",
    "its classes are malformed": "类别格式有误",
    "its hash is of an unknown form": "哈希值的形式未知",
    "its proof is of an unknown kind": "证明的种类未知",
    "its {kind} columns are malformed": "{kind} 列格式有误",
    "{kind} columns are no part of its proof": "其证明不应包含 {kind} 列",
    "its kernel is not known": "核函数未知",
    "its parts are not those of its verdict": "内容与结论不符",
    "its margin is malformed": "间隔格式有误",
    "its {part} is malformed": "{part} 格式有误",
    "a number is malformed": "有的数格式有误",
    "a malformed number": "有的数格式有误",
    "certificate refuted: {why}": "证书不成立：{why}",
    "the data are empty or not finite": "数据为空，或含有非有限的数",
    "the number of rows or features differs": "行数或特征数不同",
    "the hash is of other data": "哈希值属于别的数据",
    "there are no labels y": "没有标签 y",
    "the classes are not the labels": "类别与标签不符",
    "unknown format": "格式未知",
    "{kind!r} is not a kind": "没有“{kind}”这一种类",
    "the kernel is not known": "核函数未知",
    "the kernel has too many monomials": "核函数的单项式太多",
    "the hash is of an unknown form": "哈希值的形式未知",
    "the proof is of an unknown kind": "证明的种类未知",
    "{verdict!r} is not a proof": "“{verdict}”不是证明",
    "a {part} is no part of this verdict": "此结论不应包含 {part}",
    "fit_intercept must be true or false": "fit_intercept 应为 true 或 false",
    "fit_intercept must be true": "使用该核函数时 fit_intercept 应为 true",
    "the {part} is missing": "缺少 {part}",
    "the {part} has the wrong length": "{part} 的长度有误",
    "without intercept, b must be 0": "没有偏置时 b 应为 0",
    "weights must be positive and sum to 1": "权重应为正数且和为 1",
    "every row needs a rival": "每一行都需要一个竞争类别",
    "a rival is not another class": "竞争类别不是别的类别",
    "every pair needs one weight": "每一对需要一个权重",
    "every row needs one weight": "每一行需要一个权重",
    "every conflict needs one weight": "每个冲突需要一个权重",
    "the conflict is missing": "缺少冲突",
    "the conflicts are missing": "缺少冲突",
    "the weights are missing": "缺少权重",
    "the packing is missing": "缺少冲突的权重分配",
    "a row in conflict is not there": "冲突中有不存在的行",
    "a conflict is not there": "有不存在的冲突",
    "a row in the tree is not there": "树中有不存在的行",
    "a row in the tree is branched on twice": "树中有一行被重复用于分支",
    "a conflict has a row that is wrong already": "冲突中有已被误分类的行",
    "row {row} (counted from 0) carries more than a mistake in it costs": (
        "{row:place} carries more than a mistake in it costs",
        "{row:place}承担的权重超过其误分类的代价",
    ),
    "row {row} (counted from 0) is on the wrong side": (
        "{row:place} is on the wrong side",
        "{row:place}在错误的一侧",
    ),
    "the separator separates nothing": "分离超平面没有分开任何样本",
    "equal rows refute the verdict": "行是否相等与结论不符",
    "the rows in conflict are not equal, with different labels": "构成冲突的行并非相等而标签不同",
    "the weighted rows do not add up to zero": "各行的加权和不为零",
    "the conflict does not span all rows": "冲突没有张成所有行",
    "the bound on rounding errors does not hold": "舍入误差界不成立",
    "{kind} columns are no part of this proof": "此证明不应包含 {kind} 列",
    "a {kind} column is not there": "有不存在的 {kind} 列",
    "a {kind} column must be a combination of independent ones": (
        "{kind} 列应由线性无关的列组合而成"
    ),
    "nothing is left of a combined column": "有一列减去所给的组合后没有剩余",
    "column {column} (counted from 0) is not the combination given": (
        "第 {column} 列（从 0 起计）不是所给的组合"
    ),
    "the hypothesis makes other mistakes": "该假设的误分类点与所述不同",
    "the packing proves another bound": "冲突的权重分配证明的是另一个界",
    "weights of conflicts must be positive": "冲突的权重应为正数",
    "the weights have another sum": "权重之和与所述不同",
    "it is nested too deeply": "嵌套过深",
    "X holds whole numbers beyond 2**53": "数据含有超过 2**53 的整数",
    "X holds {value!r}, which is not a double": "数据含有不是双精度数的 {value}",
    # Novikoff's theorem
    "The run made {n} {mistakes}; Novikoff's theorem allows at most {bound}. {what_holds}.": (
        "训练共误分类 {n} 次；Novikoff 定理的上界为 {bound} 次。定理{what_holds}"
    ),
    "It holds": "成立。",
    "IT DOES NOT HOLD": "不成立！",
    "There was no run: a separator was found without plain passes. They would make at most {bound} "
    "mistakes (Novikoff's theorem).": (
        "There was no run: a separator was found without plain passes (--settle after makes them). "
        "They would make at most {bound} mistakes (Novikoff's theorem).",
        "没有常规训练：直接找到了分离超平面（--settle after 进行常规训练）。常规训练至多误分类 "
        "{bound} 次（Novikoff 定理）。",
    ),
    "The longest row has length R = {R} and the widest margin is γ = {gamma}, so (R/γ)² = {bound}. "
    "{what}": "最长行的长度为 R = {R}，最大间隔为 γ = {gamma}，所以 (R/γ)² = {bound}。{what}",
    "The returned hypothesis makes errors, so it proves no bound itself.": (
        "返回的假设有误分类点，本身不能证明任何上界。"
    ),
    "The margin of the returned hypothesis alone gives the bound {bound}.": "仅由返回的假设的间隔可得上界 {bound}。",
    "Fit with record=True to see each mistake.": (
        "To see each mistake, use `rosenblatt explain`.",
        "要查看每次误分类，请用 `rosenblatt explain`。",
    ),
    "Novikoff's theorem does not apply: {why}": "Novikoff 定理不适用：{why}",
    "Novikoff's theorem does not apply: {why}.": "Novikoff 定理不适用：{why}。",
    "there are {k} classes, and it is about one hypothesis for two": (
        "共有 {k} 个类别，而定理针对两个类别的一个假设"
    ),
    "rule={value!r} does not move by equal steps at mistakes only": (
        "--rule {value} does not move by equal steps at mistakes only",
        "--rule {value} 并非只在误分类时以相同步长更新",
    ),
    "the rows of a batch move the hypothesis together": "一个批次的样本同时更新假设",
    "after partial_fit it is not known which rows made the mistakes": (
        "用 partial_fit 训练后，不知道误分类的是哪些样本"
    ),
    "the run did not start from zero": "训练不是从零开始",
    "rows are weighted, so steps differ in size": "样本带权重，步长不同",
    "with a budget, the hypothesis moves when it forgets, too": (
        "with --budget, the hypothesis moves when it forgets, too",
        "使用 --budget 时，遗忘支持向量也会改变假设",
    ),
    "kernel={value!r} may be the inner product of no space, so there are no lengths": (
        "--kernel {value} may be the inner product of no space, so there are no lengths",
        "--kernel {value} 未必是某个空间的内积，因此没有长度可言",
    ),
    "the widest margin in a feature space is sought among at most {n} rows, and there are {m}": (
        "特征空间中的最大间隔至多对 {n} 行计算，而数据有 {m} 行"
    ),
    "the data are not separable in the feature space, or by a margin that rounding hides": (
        "数据在特征空间中不可分，或间隔小于舍入误差"
    ),
    "the support is not among these rows; the bound is about those it was fitted on": (
        "支持向量不在这些行中；上界针对训练所用的行"
    ),
    "X is {n} × {d} and the model was fitted on {m} × {k}; the bound is about the rows it was fitted "
    "on": "数据为 {n} × {d}，而训练所用的数据为 {m} × {k}；上界针对训练所用的行",
}
