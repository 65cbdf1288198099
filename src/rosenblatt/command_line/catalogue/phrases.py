"""What commands say of their own, by name: in English and Chinese."""

PHRASES = {
    # reading
    "credit": ("the embedded credit data", "内置的信贷数据"),
    "data": ("{file}: {rows:row}, {features:feature}", "{file}：{rows} 行，{features} 个特征"),
    "target": ("; target '{target}'", "；目标列“{target}”"),
    "classes": ("; {count} classes: {names}", "；{count} 个类别：{names}"),
    "encoded": ("; text columns encoded: {encoded}", "；已编码的文本列：{encoded}"),
    "decimal,": ("; decimal commas", "；小数点写作逗号"),
    "decimal.": ("; commas or spaces between thousands", "；逗号或空格为千位分隔符"),
    "dropped": ("; rows with missing values dropped: {dropped}", "；删去有缺失值的行：{dropped}"),
    "filled": ("; rows with missing values filled: {filled}", "；填补有缺失值的行：{filled}"),
    "reading": ("reading {file}", "正在读取 {file}"),
    "learning": ("learning", "正在学习"),
    "deciding": ("deciding", "正在判定"),
    "searching": ("searching", "正在搜索"),
    "checking": ("checking", "正在检验"),
    "drawing": ("drawing", "正在绘图"),
    "compiling": ("compiling", "正在编译"),
    "examining": ("examining", "正在分析"),
    # names of lines
    "verdict": ("verdict", "结论"),
    "updates": ("updates", "更新次数"),
    "bound": ("bound", "误分类次数上界"),
    "margin": ("margin", "间隔"),
    "kernel": ("kernel", "核函数"),
    "support": ("support", "支持向量"),
    "accuracy": ("accuracy", "准确率"),
    "weights": (
        "weights (a positive score means {positive}){more}:",
        "权重（得分为正判为 {positive}）{more}：",
    ),
    "weights_of": ("weights, class {name}{more}:", "类别 {name} 的权重{more}："),
    "shares": (", with the contributions of standardized columns", "及标准化各列的贡献"),
    "bias": ("(bias)", "（偏置）"),
    "class": ("class {name}", "类别 {name}"),
    "conflict": ("conflict", "冲突"),
    "infinite": ("logistic", "逻辑斯谛回归"),
    "columns": ("columns", "列"),
    "contradictory": ("contradictory", "矛盾的行"),
    "jointly": ("all together", "全部类别"),
    "obstacles": ("obstacles", "障碍样本"),
    "compiled": ("ready in {seconds} s", "已就绪，用时 {seconds} 秒"),
    "compiled in vain": (
        "compiled in {seconds} s, but there is no folder to keep the code in: set NUMBA_CACHE_DIR",
        "编译用时 {seconds} 秒，但没有可写的文件夹保存结果：请设置 NUMBA_CACHE_DIR",
    ),
    "saved": ("saved", "已保存"),
    "wrong_rows": ("mistakes", "误分类点"),
    "fewest": ("fewest", "最少误分类"),
    "at_least": ("at least", "下界"),
    "suspects": (
        "rows on the wrong side, whose labels may be wrong:",
        "误分类的行（标签可能有误）：",
    ),
    # verdicts
    "glyphs": (
        "the picture has characters that no font here has; for Chinese, install Noto Sans CJK",
        "本机的字体缺少图中的一些字符；中文请安装 Noto Sans CJK",
    ),
    "no_link": (
        "{link!r} is no link of the playground: these have a # and the state after it",
        "“{link}”不是演示页的链接：链接中应有 #，其后是状态",
    ),
    "separable": (
        "separable: some hyperplane has every row on the side of its class",
        "线性可分：存在一个超平面，使每一行都在正确的一侧",
    ),
    "separable_by_kernel": (
        "separable: in the feature space, some hyperplane has every row on the side of its class",
        "可分：在特征空间中存在一个超平面，使每一行都在正确的一侧",
    ),
    "touching_by_kernel": (
        "touching: in the feature space, some hyperplane has no row on the wrong side, but every such "
        "hyperplane has rows on it",
        "相接（拟完全分离）：在特征空间中存在没有分错任何一行的超平面，但总有一些行恰好落在超平面上",
    ),
    "overlapping_by_kernel": (
        "overlapping: in the feature space, every hyperplane has rows on the wrong side",
        "重叠：在特征空间中，任何超平面都会分错一些行",
    ),
    "inseparable": (
        "not separable, which is proved; this is the best hypothesis found",
        "线性不可分（已证明）；返回的是找到的最好的假设",
    ),
    "touching": (
        "touching: some hyperplane has no row on the wrong side, but every such hyperplane has rows on it",
        "相接（拟完全分离）：存在没有分错任何一行的超平面，但总有一些行恰好落在超平面上",
    ),
    "overlapping": (
        "overlapping: every hyperplane has rows on the wrong side",
        "重叠：任何超平面都会分错一些行",
    ),
    "separable_jointly": (
        "separable: some linear machine scores every row highest for its own class",
        "线性可分：存在一个线性机，使每一行所属的类别得分最高",
    ),
    "touching_jointly": (
        "touching: some linear machine scores no row higher for another class, but every such machine has ties",
        "相接（拟完全分离）：存在一个线性机，使每一行所属类别的得分都不低于其他类别，但总有一些行得分并列",
    ),
    "overlapping_jointly": (
        "overlapping: every linear machine scores some row higher for another class",
        "重叠：在任何线性机中，总有一些行所属的类别落后于其他类别",
    ),
    "verdict_separable": ("separable", "线性可分"),
    "verdict_touching": ("touching", "相接（拟完全分离）"),
    "verdict_overlapping": ("overlapping", "重叠"),
    "verdict_undecided": ("undecided", "未能判定"),
    "undecided": ("undecided: {reason}", "未能判定：{reason}"),
    "open": (
        "open: training ended without an answer: {ending}",
        "未能判定：训练结束而没有结论：{ending}",
    ),
    "ended_max_iter": ("all passes were made (--max-iter)", "已达最大轮数（--max-iter）"),
    "ended_max_updates": (
        "all updates were made (--max-updates)",
        "已达最大更新次数（--max-updates）",
    ),
    "ended_margin": (
        "no separator has a margin above --min-margin",
        "任何分离超平面的间隔都不超过 --min-margin",
    ),
    "ended_tol": ("the loss stopped improving (--tol)", "损失不再改进（--tol）"),
    "ended_early_stopping": (
        "accuracy on held-out rows stopped improving (--early-stopping)",
        "留出样本的准确率不再提高（--early-stopping）",
    ),
    # values
    "made": ("{mistakes} in {passes:pass}", "{mistakes}（共 {passes} 轮）"),
    "settled": (
        "none: decided without plain passes (--settle after makes them)",
        "无：未经常规训练，直接判定（--settle after 进行常规训练）",
    ),
    "held": ("{count} of the rows ({by_class})", "{count} 行（{by_class}）"),
    "allowed": (
        "at most {bound} mistakes by plain passes: (R/γ)², with the widest margin γ (Novikoff)",
        "常规训练至多误分类 {bound} 次：(R/γ)²，γ 为最大间隔（Novikoff 定理）",
    ),
    "against": (
        "{lower:.3g} of the longest row R; the widest is {widest:.3g}",
        "最长行 R 的 {lower:.3g} 倍；最大间隔为 {widest:.3g} 倍",
    ),
    "between": (
        "between {lower:.3g} and {upper:.3g} of the longest row",
        "在最长行的 {lower:.3g} 倍与 {upper:.3g} 倍之间",
    ),
    "below": (
        "at most {upper:.3g} of the longest row, if there is a separator",
        "分离超平面（如果存在）的间隔至多为最长行的 {upper:.3g} 倍",
    ),
    "no_margin": (
        "none: some rows lie on the hyperplane",
        "无：有些行恰好落在超平面上",
    ),
    "training": ("training {accuracy:.2%}", "训练集 {accuracy:.2%}"),
    "beside": (
        "training {accuracy:.2%} (always {label}: {baseline:.2%})",
        "训练集 {accuracy:.2%}（总是预测 {label}：{baseline:.2%}）",
    ),
    "test": ("{file} {accuracy:.2%}", "{file} {accuracy:.2%}"),
    "cv": (
        "cross-validated {mean:.2%} ± {std:.2%} ({folds} folds)",
        "交叉验证 {mean:.2%} ± {std:.2%}（{folds} 折）",
    ),
    "and_more": ("and {count} more", "等，另有 {count} 个"),
    "more": ("… {count} more (--json shows all)", "……另有 {count} 个（--json 显示全部）"),
    "proof": ("the proof uses {count:row}: {places}", "证明用到 {count} 行：{places}"),
    "remove": (
        "without {count:row} the others can be separated: {places}",
        "去掉这 {count} 行，其余的行就线性可分：{places}",
    ),
    "of_rows": ("{mistakes} of {rows:row}", "{rows} 行中的 {mistakes} 行"),
    "by_conflicts": (
        "{at_least}: no hyperplane makes fewer mistakes, which rows in conflict prove",
        "{at_least}：任何超平面的误分类点都不会更少，由冲突的行证明",
    ),
    "by_enumeration": (
        "{at_least}: no hyperplane makes fewer mistakes; all were enumerated",
        "{at_least}：任何超平面的误分类点都不会更少，由枚举全部超平面得出",
    ),
    "by_inseparable": (
        "{at_least}: the classes are not separable (see `rosenblatt certify`)",
        "{at_least}：各类线性不可分（证明见 `rosenblatt certify`）",
    ),
    "bracket": (
        "{mistakes} wrong, and no hyperplane gets fewer than {least} wrong",
        "误分类点 {mistakes} 个，任何超平面都不少于 {least} 个",
    ),
    "bracket_of_two": (
        "{wrong} of {rows:row}; at least {least} with any hyperplane (see `rosenblatt fewest`)",
        "{rows} 行中的 {wrong} 行；任何超平面至少 {least} 行（详见 `rosenblatt fewest`）",
    ),
    "bracket_of_several": (
        "{wrong} of {rows:row}; at least {least} with any linear machine",
        "{rows} 行中的 {wrong} 行；任何线性机至少 {least} 行",
    ),
    "valid": (
        "valid: confirmed on the data ({verdict})",
        "有效：已用数据检验（{verdict}）",
    ),
    "refuted": ("refuted: {reason}", "不成立：{reason}"),
    "same": (
        "were --target, --missing and --without the same when the certificate was made?",
        "生成证书时的 --target、--missing、--without 与现在相同吗？",
    ),
    "scale": (
        "--stream, --checkpoint and --workers need a file, and do not go with --kernel; --workers "
        "goes alone",
        "--stream、--checkpoint 和 --workers 需要数据文件，不能与 --kernel 同用；--workers "
        "也不能与前两个同用",
    ),
    "kernel_alone": (
        "--kernel needs the table in memory: it does not go with --stream, nor with --scheme",
        "--kernel 需要把整个表读入内存：不能与 --stream 或 --scheme 同用",
    ),
    "independent": (
        "--independent needs the table in memory: it does not go with --stream",
        "--independent 需要把整个表读入内存：不能与 --stream 同用",
    ),
    "drop": (
        "--missing drop needs the table in memory: it does not go with --stream",
        "--missing drop 需要把整个表读入内存：不能与 --stream 同用",
    ),
    "unpredicted": (
        "{count:row} with missing values: no prediction",
        "{count} 行有缺失值，没有预测",
    ),
    "file": ("--stream needs a file", "--stream 需要数据文件"),
    "folds": (
        "--cv {folds} is more than the rows of any class: the largest has {most}",
        "--cv {folds} 超过了每个类别的样本数：最大的类别有 {most} 个样本",
    ),
    "one row": (
        "--cv needs two rows of each class: with the only one held back, a single class is left",
        "--cv 要求每个类别至少有两个样本：唯一的样本被留出后，只剩下一个类别",
    ),
    "whole": (
        "--plot and --cv need the table in memory: use --no-stream",
        "--plot 和 --cv 需要把整个表读入内存：请加 --no-stream",
    ),
    "several": (
        "--save writes one certificate, and --scheme makes several: save those from Python, with "
        "rosenblatt.certify_each",
        "--save 只保存一份证书，而 --scheme 会得到多份：请在 Python 中用 "
        "rosenblatt.certify_each 保存",
    ),
    "number": ("mistake", "第几次"),
    "seen": ("rows seen", "已访问样本数"),
    "line": ("line", "行号"),
    "row": ("row", "行"),
    "lines": ("lines {numbers}", "文件第 {numbers} 行"),
    "rows": ("rows {numbers} (counted from 1)", "第 {numbers} 行（从 1 起计）"),
    "label": ("label", "标签"),
    "step": ("step", "步长"),
    "none": (
        "There was no run: decided without plain passes (--settle after makes them).",
        "没有常规训练：直接判定（--settle after 进行常规训练）。",
    ),
    "angle": ("angle", "夹角"),
    "first": (
        "The first {shown} of {count:,} mistakes (--mistakes shows more):",
        "{count:,} 次误分类中的前 {shown} 次（用 --mistakes 显示更多）：",
    ),
    "unlisted": (
        "{count:mistake} (--mistakes shows them).",
        "{count} 次误分类（用 --mistakes 显示）。",
    ),
    "all": ("All {count} mistakes:", "全部 {count} 次误分类："),
    "playing": ("{address}  (Ctrl-C ends it)", "{address}  （按 Ctrl-C 结束）"),
    "playing for others": ("For other machines: {address}", "其他机器请打开：{address}"),
    "exposed": (
        "whoever reaches this machine at {host} and knows the address can use the playground",
        "任何能通过 {host} 访问本机并知道该地址的人都可以使用演示页",
    ),
    "error": ("error: {message}", "错误：{message}"),
    "warning": ("warning: {message}", "警告：{message}"),
    "interrupted": ("interrupted", "已中断"),
    "unexpected": (
        "{message} (--debug shows where it happened)",
        "{message}（用 --debug 查看出错位置）",
    ),
    "line_at": ("line {numbers}", "文件第 {numbers} 行"),
    "row_at": ("row {numbers} (counted from 1)", "第 {numbers} 行（从 1 起计）"),
}
