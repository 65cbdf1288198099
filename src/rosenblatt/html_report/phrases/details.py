"""What a report tells besides: columns, pairs, the run, the weights, the accuracy and the proof."""

DETAILS = {
    # 4 columns and rows
    "look_title": ("Columns and rows to look at", "值得检查的列与行"),
    "row_names": (
        "{names} {count:has|have} a different value in each row, as names and numbers of rows do: "
        "{count:it says|they say} nothing about other rows.",
        "{names} 在每行的取值都不同，像是行的编号或名称：对其他数据没有意义。",
    ),
    "constant": (
        "{count:,column} {count:has|have} the same value in all rows: {names}.",
        "{count:,} 列在所有行中取值相同：{names}。",
    ),
    "duplicates": (
        "These columns are identical to each other: {names}.",
        "以下各列彼此完全相同：{names}。",
    ),
    "dependent": (
        "{name} is a linear combination of {names}.",
        "{name} 是 {names} 的线性组合。",
    ),
    "depends_on_many": (
        "{name} is a linear combination of {count:,other}.",
        "{name} 是另外 {count:,} 项的线性组合。",
    ),
    "intercept": ("the constant", "常数项"),
    "contradictory": (
        "{count:,group} of rows {count:has|have} the same values and different labels "
        "({rows:,} rows): no classifier of these columns gets them all right.",
        "有 {count:,} 组行取值完全相同而标签不同（共 {rows:,} 行）："
        "仅凭这些列，任何分类器都不能全部分对。",
    ),
    "line_of": ("line {number} ({label})", "第 {number} 行（{label}）"),
    "row_of": ("row {number} ({label})", "第 {number} 行（{label}）"),
    "nothing_odd": (
        "No column is constant, a duplicate or a combination of others, and no rows contradict "
        "each other.",
        "没有常数列、重复列或线性相关的列，也没有相互矛盾的行。",
    ),
    "not_compared": (
        "There are too many columns to compare each with all others.",
        "列数太多，未逐一检查线性相关性。",
    ),
    "rows_not_compared": (
        "The table is too large to look for contradictory rows.",
        "数据表太大，未检查相互矛盾的行。",
    ),
    "and_more": ("and {count:,} more", "另有 {count:,} 项"),
    # 5 pairs
    "pairs_title": ("Pairs of classes", "两两类别"),
    "pairs_told": (
        "Whether each two classes can be separated from each other, leaving the others out.",
        "只看其中两类时，二者是否线性可分。",
    ),
    "too_many_classes": (
        "There are {count:,} classes; `rosenblatt certify --scheme one-vs-one` decides each pair.",
        "共有 {count:,} 个类别；可用 `rosenblatt certify --scheme one-vs-one` 逐对判定。",
    ),
    "is_separable": ("separable", "可分"),
    "is_touching": ("touching", "相接"),
    "is_overlapping": ("overlapping", "重叠"),
    "is_undecided": ("undecided", "未能判定"),
    # 6 the run
    "run_title": ("How the run went", "训练过程"),
    "updates": ("mistakes made", "误分类次数"),
    "passes": ("passes over the rows", "遍历轮数"),
    "no_passes": (
        "none: the question was decided without plain passes",
        "无：未经常规训练，直接判定",
    ),
    "ended": ("why it ended", "结束原因"),
    "separated": ("every row was right", "全部行分类正确"),
    "separated_by_settling": (
        "a second stage found the separator, before plain passes did",
        "在常规训练收敛之前，由判定阶段找到分离超平面",
    ),
    "inseparable": ("the classes were proved inseparable", "已证明各类线性不可分"),
    "max_iter": ("the largest number of passes was reached", "达到最大轮数"),
    "ended_by_margin": ("no separator has the margin asked for", "不存在达到要求间隔的分离超平面"),
    "longest": ("longest row R", "最长行 R"),
    "widest": ("widest margin γ", "最大间隔 γ"),
    "bound": (
        "most mistakes there can be, (R/γ)² (Novikoff)",
        "误分类次数上界 (R/γ)²（Novikoff 定理）",
    ),
    "returned": ("margin of the hyperplane found, as a share of R", "所得超平面的间隔（相对于 R）"),
    "augmented": (
        "R and γ are measured with the constant 1 as one more column.",
        "R 与 γ 按增加一个恒为 1 的列计算。",
    ),
    # 7 weights
    "weights_title": ("What moves the score", "哪些列影响得分"),
    "weights_of": ("The weights are those of {whose}.", "权重为{whose}的权重。"),
    "positive": (
        "A positive score means class {positive}, a negative one class {negative}. The "
        "contribution is the weight times the standard deviation of the column, as a share of all.",
        "得分为正判为类别 {positive}，为负判为类别 {negative}。"
        "贡献为权重乘以该列标准差后所占的比例。",
    ),
    "highest": (
        "The class with the highest score wins. The contribution is the weight times the standard "
        "deviation of the column, as a share of all of its class.",
        "得分最高的类别胜出。贡献为权重乘以该列标准差后在该类别中所占的比例。",
    ),
    "feature": ("feature", "特征"),
    "weight": ("weight", "权重"),
    "contribution": ("contribution", "贡献"),
    "towards": ("larger values favour", "取值越大越倾向于"),
    "against": ("not {label}", "非 {label}"),
    "class": ("class {label}", "类别 {label}"),
    "more_weights": (
        "and {count:,} more {count:feature|features}",
        "另有 {count:,} 个特征",
    ),
    # 8 accuracy
    "accuracy_title": ("Accuracy", "准确率"),
    "baseline": ("baseline: always {label}", "基线：总是预测 {label}"),
    "best_accuracy": ("the best hyperplane found, on these rows", "找到的最好的超平面（本表）"),
    "training": ("Perceptron(), on the rows it learned from", "Perceptron()，训练集"),
    "cross_validated": (
        "Perceptron(), on rows held back ({folds} folds)",
        "Perceptron()，交叉验证（{folds} 折）",
    ),
    "validated_sample": (
        "Cross-validated on a random sample of {count:,} rows.",
        "交叉验证使用随机抽取的 {count:,} 行。",
    ),
    "no_folds": (
        "A class has one row only, so nothing was held back.",
        "有一个类别只有一行，因此没有交叉验证。",
    ),
    # 9 the same again
    "again_title": ("The same in Python and at the command line", "在 Python 与命令行中重现"),
    # 10 the certificate
    "certificate_title": ("Certificate", "证书"),
    "download": ("Download the certificate ({size} KB of JSON)", "下载证书（JSON，{size} KB）"),
    "check_it": (
        "`rosenblatt verify` checks it against the table, as does `python -m rosenblatt.checker`, "
        "a short program that uses nothing but Python's standard library.",
        "`rosenblatt verify` 可对照数据表检验它；"
        "`python -m rosenblatt.checker` 亦可，这是一个只依赖 "
        "Python 标准库的短程序。",
    ),
    "too_long": (
        "It is too long for this page ({size} KB): `rosenblatt certify --save` writes it.",
        "证书过长（{size} KB），未放入本页：可用 `rosenblatt certify --save` 保存。",
    ),
    "no_certificate": (
        "There is none, because the verdict is open.",
        "由于未能判定，没有证书。",
    ),
    "made_by": ("Made by rosenblatt {version}.", "由 rosenblatt {version} 生成。"),
}
