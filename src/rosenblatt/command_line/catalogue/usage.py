"""What click has to say of a command that was not written right, and what systems say of files."""

MESSAGES: dict[str, str | tuple[str, str]] = {
    "rosenblatt needs Python's global interpreter lock: set PYTHON_GIL=1 before it starts": (
        "rosenblatt 需要 Python 的全局解释器锁：请在启动前设置 PYTHON_GIL=1"
    ),
    "Missing command.": "缺少命令。",
    "No such command {name!r}.": "没有命令“{name}”。",
    "No such option: {name}": "没有选项 {name}",
    "No such option {name!r}.": "没有选项 {name}。",
    "No such option: {name} Did you mean {other}?": "没有选项 {name}。是否指 {other}？",
    "No such option {name!r}. Did you mean {other}?": "没有选项 {name}。是否指 {other}？",
    "No such command {name!r}. Did you mean {other}?": "没有命令“{name}”。是否指 {other}？",
    "No such option: {name} (Possible options: {listed})": "没有选项 {name}（相近的选项：{listed}）",
    "No such option {name!r}. (Possible options: {listed})": "没有选项 {name}（相近的选项：{listed}）",
    "No such option {name!r}. (Did you mean one of: {listed}?)": (
        "没有选项 {name}（相近的选项：{listed}）"
    ),
    "Missing option {name}.": "缺少选项 {name}。",
    "Missing option {name}. Choose from: {listed}": "缺少选项 {name}。可取：{listed}",
    "Missing argument {name!r}.": "缺少参数 {name:metavar}。",
    "Option {name!r} requires an argument.": "选项 {name} 需要一个值。",
    "Option {name!r} does not take a value.": "选项 {name} 不带值。",
    "Got unexpected extra {arguments} ({value})": "多余的参数：{value}",
    "Invalid value for {name}: {what}": "{name} 的值无效：{what}",
    "Invalid value: {what}": "值无效：{what}",
    "{value!r} is not one of {listed}.": "“{value}”不是 {listed:words} 之一。",
    "{value!r} is not a valid integer.": "“{value}”不是整数。",
    "{value!r} is not a valid integer range.": "“{value}”不是整数。",
    "{value!r} is not a valid float.": "“{value}”不是数。",
    "{value!r} is not a valid boolean.": "“{value}”不是布尔值。",
    "{value} is not in the range {range}.": "{value} 不在范围 {range} 之内。",
    "use scale, auto or a number": "应为 scale、auto 或一个数",
    "use balanced, or label=weight,label=weight": "应为 balanced，或 标签=权重,标签=权重",
    "{file} is read and would be overwritten: name another file": (
        "{file} 是输入文件，会被覆盖：请指定另一个文件"
    ),
    "{file} would be written twice: name different files": (
        "{file} 会被写入两次：请指定不同的文件"
    ),
    "weights must be finite and not negative, got {value}": "权重应为有限的非负数，而给出的是 {value}",
    "name a file to write": "请指定要写入的文件",
    "The classes, [{classes}], are not in class_weight": (
        "--class-weight has no weight for {classes:words}, and one for a label that is no class",
        "--class-weight 没有给出类别 {classes:words} 的权重，却给出了不存在的类别的权重",
    ),
    "{file} should end in {listed}": "{file} 应以 {listed} 结尾",
    "{option} does not apply to kernels": "{option} 不适用于核函数",
    "{option} needs --kernel": "{option} 需要 --kernel",
    # other libraries
    "Cannot have number of splits n_splits={n} greater than the number of samples: n_samples={m}.": (
        "--cv {n} is more than there are rows: {m}",
        "--cv {n} 超过了样本数 {m}",
    ),
    "n_splits={n} cannot be greater than the number of members in each class.": (
        "--cv {n} is more than the rows of each class",
        "--cv {n} 超过了每个类别的样本数",
    ),
    "The least populated class in y has only {m} members, which is less than n_splits={n}.": (
        "--cv {n}: the smallest class has {m} rows only",
        "--cv {n}：样本最少的类别只有 {m} 个样本",
    ),
    "The least populated class in y has only {m} member, which is too few. The minimum number of "
    "groups for any class cannot be less than 2.": (
        "the smallest class has one row only",
        "样本最少的类别只有一个样本",
    ),
    "The test_size = {n} should be greater or equal to the number of classes = {m}": (
        "{n} held back is less than one of each of {m} classes",
        "留出 {n} 个样本，少于 {m} 个类别各一个",
    ),
    "could not convert string to float: {value}": "{value} 不是数",
    "Error while deserializing header: {error}": "文件头无法解析",
    "{error}: line {n} column {m} (char {k})": "第 {n} 行第 {m} 列不是合法的 JSON",
    # systems
    "No such file or directory": "文件或文件夹不存在",
    "Permission denied": "没有权限",
    "No space left on device": "磁盘空间不足",
    "Is a directory": "是文件夹",
    "Not a directory": "不是文件夹",
    "File too large": "文件过大",
    "Input/output error": "输入输出错误",
    "Broken pipe": "管道已断开",
    "Address already in use": "地址已被占用",
    "Compressed file ended before the end-of-stream marker was reached": "压缩数据不完整",
}
