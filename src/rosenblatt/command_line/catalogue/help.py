"""What commands and options say of themselves."""

MESSAGES: dict[str, str | tuple[str, str]] = {
    # commands
    "The perceptron: separate your data, or prove that no hyperplane can.": (
        "感知机：分开你的数据，或证明没有超平面能分开它们。"
    ),
    "DATA is a CSV, TSV, white space, Parquet, Feather, Excel, libsvm, .npy or .npz file, packed or "
    "not; several of them, or a pattern such as 'part-*.csv'; a folder of Parquet files; an address "
    "(s3://, https://); or - for standard input. Without it, commands use embedded credit data.": (
        "数据可以是 CSV、TSV、空白分隔的文本、Parquet、Feather、Excel、libsvm、.npy 或 .npz 文件（可压缩）；"
        "多个文件，或 'part-*.csv' 这样的通配符；Parquet 文件夹；网络地址（s3://、https://）；- 表示标准输入。"
        "省略时使用内置的信贷数据。"
    ),
    "Learn a hyperplane, and decide whether the data are separable.": (
        "学习一个超平面，并判定数据是否线性可分。"
    ),
    "With --kernel, in the feature space of the kernel. A table that does not fit in memory is read "
    "again for every pass; with --checkpoint, an interrupted run continues when it is started "
    "again.": (
        "使用 --kernel 时，在核函数的特征空间中学习。内存放不下的表每一轮都重新读取；"
        "使用 --checkpoint 时，中断的训练再次启动后会继续。"
    ),
    "Predict labels with a saved model, as CSV: prediction and score.": (
        "用保存的模型预测标签，输出 CSV：预测（prediction）和得分（score）。"
    ),
    "Columns are found by name, or else by position, and encoded as they were in training.": (
        "先按列名、再按位置寻找各列，并按训练时的方式编码。"
    ),
    "Show every update, the bound and the conflict.": "列出每一次更新，并给出上界和冲突。",
    "Obstacles are rows without which the others can be separated. With --kernel, the run, the bound in the feature space, and how it ended.": (
        "障碍样本是去掉后其余样本即线性可分的样本。使用 --kernel 时，给出训练过程、特征空间中的上界以及训练如何结束。"
    ),
    "Where to write the page: .html": "网页写入何处：.html",
    "Compare the number of updates with the convergence bound.": "比较更新次数与收敛定理的上界。",
    "Draw the boundary, the path, the margins, the bound, the passes or the dual form.": (
        "绘制边界、路径、间隔、上界、各轮或对偶形式。"
    ),
    "Animate the run.": "把训练过程做成动画。",
    "Watch the perceptron learn in a local web page; LINK is a shared state.": (
        "在本地网页中观看学习过程；“链接”是他人分享的状态。"
    ),
    "Ctrl-C ends it.": "按 Ctrl-C 结束。",
    "Prove whether the data are separable, touching or overlapping.": (
        "证明数据是线性可分、相接（拟完全分离）还是重叠。"
    ),
    "Exit code 0: separable; 1: touching or overlapping; 3: undecided. A table that does not fit in "
    "memory is read several times; --scheme and --kernel need it in memory.": (
        "退出码 0：线性可分；1：相接或重叠；3：未能判定。内存放不下的表会读取多次；--scheme 和 "
        "--kernel 需要把整个表读入内存。"
    ),
    "Find a hyperplane with few mistakes, and prove how few there can be.": (
        "寻找误分类点尽量少的超平面，并证明最少能有多少。"
    ),
    "The rows that it gets wrong are listed with their values: their labels may be wrong. Exit code "
    "0: there are none; 1: there are some.": (
        "列出误分类的行及其取值：它们的标签可能有误。退出码 0：没有误分类点；1：有误分类点。"
    ),
    "Check a certificate against the data, in exact arithmetic.": "用精确算术对照数据检验证书。",
    "Exit code 0: valid; 1: refuted. A table that does not fit in memory is read in blocks, once or "
    "a few times. --independent needs it in memory, and takes a few hundred times as long.": (
        "退出码 0：有效；1：不成立。内存放不下的表分块读取一次或几次。--independent "
        "需要把整个表读入内存，耗时约为数百倍。"
    ),
    "Answer on one page: are the data separable, which rows and columns prevent it, and why?": (
        "用一个网页回答：数据是否线性可分，哪些行和列导致不可分，为什么？"
    ),
    "The page needs neither a server, nor the network, nor scripts. It also tells which coefficients "
    "of a logistic regression are infinite, and holds the certificate.": (
        "网页不需要服务器、网络或脚本。它还指出逻辑斯谛回归的哪些系数发散，并附有证书。"
    ),
    "Compile everything now, so that first uses are as quick as later ones.": (
        "现在就编译全部代码，使首次使用与以后一样快。"
    ),
    "The code is kept in files, for all processes; after an update, it has to be compiled again.": (
        "编译结果存入文件，供所有进程使用；程序更新后需要重新编译。"
    ),
    # how a table is read
    "The column of labels: name, or position from 0; by default the last.": (
        "标签列：列名，或从 0 起计的位置；默认为最后一列。"
    ),
    "The column of labels, if there is one, to be ignored.": "标签列（如有），预测时忽略。",
    "What to do about missing values.": "如何处理缺失值。",
    "A column to leave out; can be repeated.": "要去掉的列，可重复使用。",
    "A column of codes to read as text; can be repeated.": "按文本读取的编码列，可重复使用。",
    "Whether line 1 names columns.": "第一行是否为列名。",
    "The decimal mark; by default, what the numbers show.": (
        "小数点：comma（逗号）或 point（句点）；默认由数据判断。"
    ),
    "Read it for every pass, or once; by default once if it fits in memory.": (
        "每轮重新读取，或只读取一次；默认内存放得下时只读取一次。"
    ),
    # what else there is to do
    "Rows to measure accuracy on.": "用来计算准确率的数据。",
    "Cross-validate with this number of folds.": "交叉验证的折数。",
    "Write the model here.": "模型保存到此文件。",
    "Write the certificate here.": "证书保存到此文件。",
    "Draw the boundary here.": "边界图保存到此文件。",
    "Draw the hyperplane here.": "超平面图保存到此文件。",
    "Checkpoint file, from which an interrupted run continues.": "检查点文件：中断的训练从这里继续。",
    "Number of worker processes.": "工作进程数。",
    "Where to write.": "输出文件。",
    "With drop, rows with missing values have empty predictions.": (
        "取 drop 时，有缺失值的行的预测为空。"
    ),
    "How many updates to show.": "显示多少次更新。",
    "Look for rows to remove (slow).": "寻找应去掉的行（较慢）。",
    ".png, .svg, .pdf or .jpg": ".png、.svg、.pdf 或 .jpg",
    ".gif, .mp4 or .html": ".gif、.mp4 或 .html",
    "What to draw.": "画什么。",
    "Where to listen; other machines need 0.0.0.0.": "监听地址；供其他机器访问时用 0.0.0.0。",
    "1958, or a free one, if not given.": "省略时为 1958 或一个空闲端口。",
    "Whether to open a browser.": "是否打开浏览器。",
    "Whether to allow a bias.": "是否允许偏置。",
    "How to split several classes.": "多个类别时的方案。",
    "Decide whether some function of this kernel separates, for any gamma.": (
        "判定该核函数（gamma 任取）是否有函数能分开数据。"
    ),
    "Constant term of the kernel poly; with 0, only the top degree remains.": "核函数 poly 的常数项；0 表示只保留最高次。",
    "How much work to do; 1 is about half a minute.": "计算量；1 约为半分钟。",
    "Use the short, slow, independent checker.": "使用独立、简短但较慢的检验程序。",
    "Print one JSON object.": "输出一个 JSON 对象，供程序读取。",
    "English or Chinese.": "英文或中文。",
    "Show tracebacks.": "显示出错位置。",
    "Show this message and exit.": "显示本帮助并退出。",
    "Show the version and exit.": "显示版本并退出。",
    # parameters
    "The learning rate.": "学习率。",
    "Whether to learn a bias.": "是否学习偏置。",
    "Maximum number of passes.": "最大轮数。",
    "Maximum number of updates.": "最大更新次数。",
    "Stop when no separator has a larger margin.": "当任何分离超平面的间隔都不超过此值时停止。",
    "Stop when a pass improves the loss by less.": "当一轮中损失的改进小于此值时停止。",
    "Passes without improvement, for --tol.": "用于 --tol：允许没有改进的轮数。",
    "A new order each pass.": "每轮重新打乱次序。",
    "sweep, random, worst or active.": "sweep（依次）、random（随机）、worst（最差）或 active（主动）。",
    "rosenblatt, margin, pa, pa1, pa2, relaxation.": "更新规则：rosenblatt、margin、pa、pa1、pa2、relaxation。",
    "The margin of the rules that have one.": "带间隔的规则所用的间隔。",
    "The aggressiveness of pa1 and pa2.": "pa1 和 pa2 的激进参数 C。",
    "Rows per batch, or all.": "每批的样本数，或 all（全部）。",
    "pocket, best, last, average or vote.": (
        "pocket（口袋）、best（最好）、last（最后）、average（平均）或 vote（投票）。"
    ),
    "How to count a point on the hyperplane.": "恰好在超平面上的点算什么。",
    "auto, first, after or never: when to decide separability.": (
        "何时判定是否线性可分：auto（自动）、first（先判定）、after（训练之后）或 never（不判定）。"
    ),
    "ovr or direct, for more than two classes.": "多个类别：ovr（一对其余）或 direct（联合）。",
    "balanced, or label=weight,…": "balanced，或 标签=权重,…",
    "Stop when accuracy on held-out rows stops rising.": "当留出样本的准确率不再提高时停止。",
    "Fraction of rows to hold out.": "留出样本的比例。",
    "Threads for several classes.": "多个类别时的线程数。",
    "Random seed.": "随机种子。",
    "1 shows each pass.": "1 显示每一轮。",
    "auto, primal or dual.": "auto（自动）、primal（原始形式）或 dual（对偶形式）。",
    "Learn in the feature space of a kernel.": "在核函数的特征空间中学习。",
    "Coefficient of the kernel: scale, auto or a number.": "核函数的系数：scale、auto 或一个数。",
    "Degree of the kernel poly.": "核函数 poly 的次数。",
    "Constant term of the kernels poly and sigmoid.": "核函数 poly 和 sigmoid 的常数项。",
    "Cache for the kernel matrix, in MB.": "Gram 矩阵缓存的大小（MB）。",
    "Maximum number of support vectors.": "支持向量的最大个数。",
    "margin or project: which row to drop beyond --budget.": (
        "超出 --budget 时去掉哪些支持向量：margin（按间隔）或 project（投影）。"
    ),
    "l2, l1 or elasticnet.": "正则化：l2、l1 或 elasticnet。",
    "The strength of the penalty.": "正则化强度。",
    "The share of l1 in elasticnet.": "elasticnet 中 l1 所占的比例。",
    "standard: learn from standardized columns.": "standard：用标准化后的列学习。",
    # words of click
    "Usage: ": "用法：",
    "Options": "选项",
    "Commands": "命令",
    "{what_help}  [{range}]": "{what_help} [{range}]",
    "{what_help}  [required]": "{what_help} [必需]",
}

# Words in capitals, which stand for what is to be written.
METAVARS = {
    "OPTIONS": "选项",
    "COMMAND": "命令",
    "ARGS": "参数",
    "DATA": "数据",
    "MODEL": "模型",
    "CERTIFICATE": "证书",
    "LINK": "链接",
    "FILE": "文件",
    "NAME": "列名",
    "TEXT": "文本",
    "INTEGER": "整数",
    "FLOAT": "数",
    "BOOLEAN": "真假",
    "RANGE": "范围",
}
