"""What reading a table has to say."""

MESSAGES: dict[str, str | tuple[str, str]] = {
    # where it is
    "{file}: {what}": "{file}：{what}",
    "{what}; {what_more}": "{what}；{what_more}",
    "{file}, line {line}: {what}": "{file} 第 {line} 行：{what}",
    "{file}, {where_place}, column {name!r}: {what}": "{file} {where_place}，列“{name}”：{what}",
    "{where_place}, column {name!r}: {what}": "{where_place}，列“{name}”：{what}",
    "line {line}": "第 {line} 行",
    "row {line}": "第 {line} 行",
    "line {line}: {what}": "第 {line} 行：{what}",
    "{count} more columns": "另有 {count} 列",
    # files
    "standard input": "标准输入",
    "standard input is closed": "标准输入已关闭",
    "{file}: there is no such file": "{file}：文件不存在",
    "{file} is empty": "{file} 是空文件",
    "{file} has no rows": "{file} 中没有数据行",
    "{file} has a header, but no rows": "{file} 只有表头，没有数据行",
    "{file} has no rows, or something is missing in each": "{file} 中没有数据行，或每一行都有缺失值",
    "{file} is a model file, not a table": "{file} 是模型文件，不是数据表",
    "{file} is JSON, not a table; is it a certificate?": "{file} 是 JSON 文件，不是数据表；是证书吗？",
    "{file} is neither text nor a format that is known here": "{file} 既不是文本，也不是已知的格式",
    "{file} is longer than {size} MB": "{file} 超过 {size} MB",
    "{file} is damaged, or not text: {why}": "{file} 已损坏，或不是文本：{why}",
    "{file} cannot be unpacked: {why}": "{file} 无法解压缩：{why}",
    "longer than {size} MB": "超过 {size} MB",
    "{file} has changed since it was first read: start again": "{file} 在读取期间被修改：请重新运行",
    "{file} ends before its last row": "{file} 不完整：缺少最后的行",
    "{file} is a folder; name a file to write": "{file} 是文件夹；请指定要写入的文件",
    "{file}: there is no folder {folder} to write it in": "{file}：文件夹 {folder} 不存在，无法写入",
    "{file}: {place} must not be written to": "{file}：{place} 不可写",
    "{file} is a folder, and there are no .parquet files in it; name files of other kinds by a "
    "pattern, such as {pattern}": (
        "{file} 是文件夹，但其中没有 .parquet 文件；其他格式的文件请用通配符指定，例如 {pattern}"
    ),
    "{file} has the keys {keys}, and {other} has {others}": "{file} 的键为 {keys}，而 {other} 的键为 {others}",
    "{file} and {n} more files": "{file} 及另外 {n} 个文件",
    "{file} and {n} more file": "{file} 及另外 {n} 个文件",
    "{file}: there are no such files": "{file}：没有匹配的文件",
    "there are no files to read": "没有要读取的文件",
    "{file} cannot be read: {why}": "{file} 无法读取：{why}",
    "{file}: fsspec does not know {scheme}://": "{file}：fsspec 不支持 {scheme}://",
    "{file} has {n} columns, and {other} has {m}": "{file} 有 {n} 列，而 {other} 有 {m} 列",
    "{file} is an old Excel file (.xls); save it as .xlsx or CSV": (
        "{file} 是旧的 Excel 文件（.xls）；请另存为 .xlsx 或 CSV"
    ),
    "{file} cannot be read as Excel: {why}": "{file} 无法作为 Excel 文件读取：{why}",
    "{file} is a Feather file of version 1; write it anew": (
        "{file} 是第 1 版的 Feather 文件；请用新版本重新写出"
    ),
    "{file} is {what}, not a table; save its table as CSV": (
        "{file} 是 {what} 文件，不是数据表；请把其中的表格另存为 CSV"
    ),
    "File is not a zip file": "不是有效的 zip 文件",
    "HTML or XML": "HTML 或 XML",
    "{file} is a zip archive; unpack it first": "{file} 是压缩包；请先解压",
    "{file} has cells separated by '，'; replace it by a comma, ','": (
        "{file} 的单元格以全角逗号“，”分隔；请改为半角逗号“,”"
    ),
    # lines of text
    "one value, where others have {n}; remove the title above the table": (
        "只有一个值，而其他行有 {n} 个；请删去表格上方的标题"
    ),
    "repeats the header; remove such lines": "重复了表头；请删去这样的行",
    "{file} names its columns, and {other} does not; name a file that does first": (
        "{file} 有列名而 {other} 没有；请把有列名的文件放在最前面"
    ),
    "{n} values, where the header has {m}": "有 {n} 个值，而表头有 {m} 个",
    "{n} values, where the first row has {m}": "有 {n} 个值，而第一行有 {m} 个",
    "bytes that are not UTF-8; convert the file first: Chinese with iconv -f GB18030 -t UTF-8, "
    "Western European with iconv -f CP1252 -t UTF-8": (
        "含有非 UTF-8 的字节；请先转换编码：中文用 iconv -f GB18030 -t UTF-8，西欧文字用 iconv -f CP1252 -t UTF-8"
    ),
    "{file} is UTF-16; convert it first: iconv -f {form} -t UTF-8": (
        "{file} 的编码是 UTF-16；请先转换：iconv -f {form} -t UTF-8"
    ),
    r"a carriage return inside; end lines as others do, with tr '\r' '\n'": (
        r"行内有回车符；请改用通常的换行符：tr '\r' '\n'"
    ),
    "a cell of more than {n} letters; is a quote left open?": (
        "有一个单元格超过 {n} 个字符；是否漏了右引号？"
    ),
    # numbers as people write them
    "column {name!r} holds {value!r} in line {line}": "列“{name}”第 {line} 行为“{value}”",
    "{what}, and {what_other}: which mark is the decimal one?": (
        "{what}，而{what_other}：哪一个是小数点？"
    ),
    "{what}, which may mean {one} or {other}": "{what}，可能是 {one}，也可能是 {other}",
    "say which with decimal=',' or decimal='.'": (
        "say which with --decimal comma or --decimal point",
        "请用 --decimal comma 或 --decimal point 指明",
    ),
    "{what}, which is no number with decimal={mark!r}": (
        "{what}, which is no number with --decimal {mark:mark}",
        "{what}，在 --decimal {mark:mark} 下不是数",
    ),
    # other formats
    "{file} cannot be read as an array: {why}": "{file} 无法作为数组读取：{why}",
    "{file} must hold arrays named X and y": "{file} 应包含名为 X 和 y 的数组",
    "{file} must hold a matrix, one row for each example": "{file} 应包含一个矩阵，每个样本一行",
    "{file}: X and y do not have the same number of rows": "{file}：X 与 y 的行数不同",
    "{file}, lines {first} to {last}: {what}": "{file} 第 {first} 至 {last} 行：{what}",
    "a feature has a number beyond {most}": "有特征的编号超过 {most}",
    "{file} is a libsvm file: its labels come first and need no target": (
        "{file} is a libsvm file: its labels come first, and --target is not needed",
        "{file} 是 libsvm 文件：标签在每行最前面，不需要 --target",
    ),
    "{file} cannot be read as {format}; it may be truncated": (
        "{file} 无法作为 {format} 文件读取，可能不完整"
    ),
    "{file} has two columns named {name!r}; say which by its position, {one} or {other}": (
        "{file} 有两列同名：“{name}”；请用位置指定：{one} 或 {other}"
    ),
    "{file} has two columns named {name!r}": "{file} 有两列同名：“{name}”",
    "{file} has no column {name!r}, which {other} has": "{file} 没有列“{name}”，而 {other} 有",
    # columns
    "{file} has no column {name!r}; {what}": "{file} 没有列“{name}”；{what}",
    "did you mean {name!r}?": "是否指“{name}”？",
    "it has {columns}": "它的列有：{columns}",
    "{file} has {n} columns, counted from 0; there is no {place}": (
        "{file} 有 {n} 列，从 0 开始计数；没有第 {place} 列"
    ),
    "{file} has no {what} to leave out": (
        "{file} has no {what} (--without)",
        "{file} 没有{what}（--without）",
    ),
    "the target {name!r} cannot be left out; name another one (target)": (
        "the target '{name}' cannot be left out; name another one with --target",
        "不能去掉目标列“{name}”；请用 --target 指定另一列",
    ),
    "column {name!r}": "列“{name}”",
    "columns {names}": "列 {names}",
    "{file} has one column only; a table has features and a target": (
        "{file} 只有一列；数据表应有特征和目标列"
    ),
    "{file} has no features, only labels": "{file} 没有特征，只有标签",
    "{file} has no {what}, which the model needs": "{file} 没有模型需要的{what}",
    "{file} has {n} columns, but the model was learned from {m}, the target included": (
        "{file} 有 {n} 列，而训练模型时有 {m} 列（包括目标列）"
    ),
    # what columns hold
    "column {name!r} {what}": "列“{name}”{what}",
    "the target {name!r} {what}": "目标列“{name}”{what}",
    "holds neither numbers nor text": "既不是数也不是文本",
    "holds whole numbers beyond 2**53": "含有超过 2**53 的整数",
    "holds text that is not Unicode": "含有非 Unicode 文本",
    "holds text that is not ASCII, in bytes": "含有非 ASCII 的字节文本",
    "holds text in one part of it, and numbers in another": "一部分是文本，另一部分是数",
    "holds {what_found}, where the model has seen {what_wanted}": (
        "是{what_found}，而训练模型时是{what_wanted}"
    ),
    "{what_kind}, such as {value!r} in line {line}": "{what_kind}（例如第 {line} 行的“{value}”）",
    "is numeric but for {value!r} in line {line}": "都是数，只有第 {line} 行的“{value}”不是",
    "{file} has no {what} to read as text": (
        "{file} has no {what} (--text)",
        "{file} 没有{what}（--text）",
    ),
    "{file} is no text file: it tells which of its columns are text": (
        "{file} 不是文本文件：哪些列是文本由文件本身决定"
    ),
    "correct such cells, or leave them empty where a value is missing": (
        "请改正这样的单元格；若值缺失，则留空"
    ),
    "codes are read as text if you say so (text)": (
        "codes are read as text with --text",
        "若是编码，请用 --text 按文本读取",
    ),
    "is empty throughout": "整列为空",
    "Feature indices in SVMlight/LibSVM data file should be sorted and unique.": (
        "特征编号应从小到大排列，且不重复"
    ),
    "Object arrays cannot be loaded when allow_pickle=False": "数组中是 Python 对象，而不是数",
    "Array can't be memory-mapped: Python objects in dtype.": "数组中是 Python 对象，而不是数",
    "text": "文本",
    "numbers": "数",
    "a matrix": "矩阵",
    "the labels are {what}": "标签{what}",
    "{kind}, where those of the model are {other}": "的类型为 {kind}，而模型的标签类型为 {other}",
    "is text with {what}": "是文本，{what}",
    "more than {n} different values": "不同取值超过 {n} 个",
    "has {what}": "的{what}",
    "a perceptron learns classes, not numbers: name the column of labels (target): {columns}": (
        "a perceptron learns classes, not numbers: name the column of labels with --target: "
        "{columns}",
        "感知机学习的是类别，不是数值：请用 --target 指定标签列：{columns}",
    ),
    "has no values to take the mean of": "没有可以求均值的值",
    "has a mean that is too large for floating point": "的均值超出浮点数范围",
    "has labels beyond 2**53, where different whole numbers become one": (
        "的标签超过 2**53，不同的整数会变成同一个数"
    ),
    "has labels that end in NUL": "的标签以空字符（NUL）结尾",
    "infinity, or a number too large for floating point": "无穷大，或超出浮点数范围的数",
    "a missing value": "缺失值",
    "leave such rows out with missing='drop'": (
        "leave such rows out with --missing drop",
        "可用 --missing drop 删去这些行",
    ),
    "leave such rows out with missing='drop', or fill them with missing='mean'": (
        "leave such rows out with --missing drop, or fill them with --missing mean",
        "可用 --missing drop 删去这些行，或用 --missing mean 以均值填补",
    ),
    "leave it out with without={name!r}": (
        "leave it out with --without {name:word}",
        "可用 --without {name:word} 去掉该列",
    ),
    "leave them out with without=[{names}]": (
        "leave them out with {names:without}",
        "可用 {names:without} 去掉这些列",
    ),
    # warnings
    "features beyond number {n} are not known; left out": "编号大于 {n} 的特征不在模型中，已忽略",
    "column {name!r} has levels that the model has not seen, such as {value!r}; their features are "
    "all 0": "列“{name}”有训练模型时未出现的取值，例如“{value}”；其特征全部记为 0",
    "{file} has labels that the model does not know, and whose rows count as wrong: {labels}": (
        "{file} 中有模型未见过的标签，这些样本按分错计算：{labels}"
    ),
    # labels that are none
    "y is continuous: a perceptron learns classes, not numbers. Unknown label type: continuous": (
        "the target '{target}' holds many different numbers, and a perceptron learns classes; name the "
        "column of labels with --target: {columns}",
        "目标列“{target}”的取值是许多不同的数，而感知机学习的是类别；请用 --target 指定标签列：{columns}",
    ),
}
