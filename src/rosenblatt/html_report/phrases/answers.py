"""What a report answers: the verdict, the rows in the way and the infinite coefficients."""

ANSWERS = {
    # the head
    "title": ("Report on {name}", "{name} 的分析报告"),
    "table": ("a table", "数据表"),
    "rows": ("{count:,row}", "{count:,} 行"),
    "columns": ("{count:,column}", "{count:,} 列"),
    "features": ("coded as {count:,feature}", "编码为 {count:,} 个特征"),
    "target": ("label: {name}", "标签列：{name}"),
    "class_count": ("{count:,} of class {label}", "类别 {label} 有 {count:,} 行"),
    "dropped": (
        "{count:,row} with missing values left out",
        "删去 {count:,} 行有缺失值的数据",
    ),
    "filled": (
        "{count:,row} with missing values filled",
        "填补 {count:,} 行的缺失值",
    ),
    # 1 the verdict
    "verdict_title": ("Can the classes be separated?", "这些类别线性可分吗？"),
    "separable": (
        "Yes. A hyperplane has every row on the side of its class.",
        "线性可分：存在一个超平面，使每一行都在其类别的一侧。",
    ),
    "touching": (
        "Not strictly. A hyperplane has no row on the wrong side, but it leaves {count:,} of "
        "{rows:,} rows undecided, because they lie on it; every such hyperplane has rows on it.",
        "不能严格分开（拟完全分离）：存在没有分错任何一行的超平面，"
        "但 {rows:,} 行中有 {count:,} 行恰好落在该超平面上，未被分开；"
        "任何这样的超平面上都有一些行。",
    ),
    "overlapping": (
        "No. Every hyperplane has rows on the wrong side.",
        "线性不可分：任何超平面都会分错一些行。",
    ),
    "undecided": ("Not decided: {reason}", "未能判定：{reason}"),
    "separable_jointly": (
        "Yes. A linear machine gives every row its highest score for its own class.",
        "线性可分：存在一个线性机，使每一行在其所属类别上得分最高。",
    ),
    "touching_jointly": (
        "Not strictly. In some linear machine no row scores higher for another class, but "
        "{count:,} of {rows:,} rows have ties; every such machine has ties.",
        "不能严格分开（拟完全分离）：存在一个线性机，没有任何一行在其他类别上得分更高，"
        "但 {rows:,} 行中有 {count:,} 行与其他类别同分；任何这样的线性机都有同分的行。",
    ),
    "overlapping_jointly": (
        "No. In every linear machine some rows score higher for another class.",
        "线性不可分：在任何线性机中，总有一些行在其他类别上得分更高。",
    ),
    "margin": (
        "The nearest row is {margin:.3g} away from {whose}.",
        "最近的一行到{whose}的距离为 {margin:.3g}。",
    ),
    "margin_jointly": (
        "The nearest row is {margin:.3g} away from a border of {whose}.",
        "最近的一行到{whose}的类别边界的距离为 {margin:.3g}。",
    ),
    "widest_margin": (
        "The widest margin of any hyperplane is {margin:.3g}.",
        "所有超平面中最大的间隔为 {margin:.3g}。",
    ),
    "hyperplane_of_perceptron": (
        "the hyperplane that Perceptron() finds",
        " Perceptron() 得到的超平面",
    ),
    "machine_of_perceptron": (
        "the linear machine that Perceptron() finds",
        " Perceptron() 得到的线性机",
    ),
    "best_found": (
        "the best hyperplane found ({count:,row} wrong)",
        "找到的最好的超平面（分错 {count:,} 行）",
    ),
    "drawn": (" The picture shows {whose}.", "图中为{whose}。"),
    "proved_by_rows": (
        "This is proved by {count:,row}, which "
        "{count:cannot be right with any hyperplane|no hyperplane gets right together}.",
        "由 {count:,} 行证明：任何超平面都不能同时分对这些行。",
    ),
    "proved_by_rows_jointly": (
        "This is proved by {count:,row}, which no linear machine gets right{count:| together}.",
        "由 {count:,} 行证明：任何线性机都不能同时分对这些行。",
    ),
    "proved": (
        "Anyone can check the certificate below, in exact arithmetic.",
        "任何人都可以用精确算术检验下方的证书。",
    ),
    "caption": (
        "Horizontal: the direction of w. Vertical: the first principal direction orthogonal to w.",
        "横轴为 w 的方向，纵轴为与之正交的第一主方向。",
    ),
    "caption_two": ("Rows by the two columns.", "按两列的值绘出各行。"),
    "caption_one": ("Rows by the only column.", "按唯一一列的值绘出各行。"),
    "caption_several": (
        "Rows in the plane in which the weights of the classes differ most.",
        "各类权重差别最大的平面上的各行。",
    ),
    "sampled": (
        " {shown:,} of {count:,} rows are drawn, the wrong ones first.",
        "图中绘出 {count:,} 行中的 {shown:,} 行，优先绘出分错的行。",
    ),
    "no_picture": (
        "There is no picture: drawing needs matplotlib (pip install 'rosenblatt[plot]').",
        "没有图：绘图需要 matplotlib（pip install 'rosenblatt[plot]'）。",
    ),
    # 2 the rows in the way
    "wrong_title": (
        "The fewest mistakes, and the rows that prevent separation",
        "最少误分类多少，哪些行导致不可分",
    ),
    "hyperplane": ("hyperplane", "超平面"),
    "linear_machine": ("linear machine", "线性机"),
    "best_exact": (
        "The best {one} gets {count:,} of {rows:,} rows wrong. None gets fewer wrong.",
        "最好的{one}分错 {rows:,} 行中的 {count:,} 行，任何{one}都不会更少。",
    ),
    "best_between": (
        "The best {one} found gets {count:,} of {rows:,} rows wrong; it is proved that every one "
        "gets at least {least:,} wrong.",
        "找到的最好的{one}分错 {rows:,} 行中的 {count:,} 行；"
        "已证明任何{one}至少分错 {least:,} 行。",
    ),
    "without_them": (
        "Without the rows that it gets wrong, the others can be separated. Their labels may be "
        "wrong, or a column may be missing that explains them.",
        "去掉这些分错的行，其余的行就线性可分。它们的标签可能有误，或者缺少能解释它们的列。",
    ),
    "conflicts_seen": (
        "The last column counts in how many of {count:,conflict} a row is: a conflict is a set of "
        "rows that cannot all be right.",
        "最后一列是该行出现在 {count:,} 个冲突中的几个里；冲突是不可能同时分对的一组行。",
    ),
    "line": ("line", "文件行号"),
    "row_from_0": ("row (from 0)", "行号（从 0 起）"),
    "row_from_1": ("row (from 1)", "行号（从 1 起）"),
    "label": ("label", "标签"),
    "in_conflicts": ("conflicts", "冲突次数"),
    "first_rows": (
        "The first {shown:,} of {count:,} rows, those in most conflicts first.",
        "{count:,} 行中的前 {shown:,} 行，冲突次数多者在前。",
    ),
    "telling_columns": (
        "{shown:,} of {count:,} columns are shown: those that contribute most to the score.",
        "仅显示 {count:,} 列中对得分贡献最大的 {shown:,} 列。",
    ),
    # 3 coefficients
    "infinite_title": (
        "Logistic regression: which coefficients are infinite?",
        "逻辑斯谛回归：哪些系数发散？",
    ),
    "all_finite": (
        "None. The classes overlap, so the maximum likelihood estimate exists.",
        "没有。各类重叠，因此极大似然估计存在。",
    ),
    "all_infinite": (
        "There is no finite estimate at all: the classes are completely separated, so the "
        "likelihood rises without end as the weights grow.",
        "极大似然估计不存在：各类完全分离，权重越大似然函数越大，没有上界。",
    ),
    "some_infinite": (
        "{count:,coefficient} {count:has no finite estimate|have no finite estimates}, because "
        "{count:its|their} columns determine the class of some rows.",
        "{count:,} 个系数没有有限的估计，因为相应的列完全决定了某些行的类别。",
    ),
    "not_examined": (
        "The table is too large to examine its coefficients one by one.",
        "数据表太大，无法逐个检查系数。",
    ),
    "no_verdict": (
        "This is not known, because the verdict is open.",
        "由于未能判定是否可分，系数是否发散未知。",
    ),
    "coefficient": ("coefficient", "系数"),
    "coefficient_of": ("{name} (class {label})", "{name}（类别 {label}）"),
    "goes_to": ("goes to", "趋向"),
    "because": ("because", "原因"),
    "+inf": ("+∞", "+∞"),
    "-inf": ("−∞", "−∞"),
    "either": (
        "Of {names} the data do not determine whether {count:it goes|they go} to +∞ or −∞.",
        "{names} 趋向 +∞ 还是 −∞ 无法由数据确定。",
    ),
    "all_of": (
        "{what}: {count:,row}, {count:|all }of class {label}",
        "{what}：{count:,} 行，全部属于类别 {label}",
    ),
    "none_of": (
        "{what}: {count:,row}, {count:not|none} of class {label}",
        "{what}：{count:,} 行，没有一行属于类别 {label}",
    ),
    "together": (
        "{columns} together determine the class of {count:,row}",
        "{columns} 共同决定了 {count:,} 行的类别",
    ),
    "alone": (
        "{columns} determines the class of {count:,} rows",
        "{columns} 决定了 {count:,} 行的类别",
    ),
    "and": (" and ", "，且 "),
    "comma": (", ", "、"),
    "gap": (" ", ""),
    "semicolon": ("; ", "；"),
    "why": ("{what}: {why}", "{what}：{why}"),
    "reference_coding": (
        "Text is coded here with a reference: a coefficient of a level is its difference from the "
        "most frequent level of the column that more than one class has ({levels}). For training, "
        "every level has a feature.",
        "此处文本列采用参照编码：每个水平的系数是与参照水平之差，参照水平是不止一个类别具有的水平中最常见的一个（{levels}）。"
        "训练时每个水平各有一个特征。",
    ),
    "pure_title": (
        "Values that occur with one class only:",
        "只出现在一个类别中的取值：",
    ),
}
