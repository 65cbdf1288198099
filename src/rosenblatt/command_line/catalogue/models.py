"""What model files, pictures and missing extras have to say."""

MESSAGES: dict[str, str | tuple[str, str]] = {
    # model files
    "{file} is not a model file, or it is damaged: {why}": "{file} 不是模型文件，或已损坏：{why}",
    "{file} is a safetensors file, but not a model of this library": (
        "{file} 是 safetensors 文件，但不是本程序的模型"
    ),
    "{file} is a damaged model file: {why}": "{file} 是已损坏的模型文件：{why}",
    "{name} is not in it": "缺少 {name}",
    "the format {value!r} is not known here, only {format}": "格式“{value}”未知，只支持 {format}",
    "a {name} is not known here": "未知的模型种类 {name}",
    "it has numbers that do not belong to it: {name}": "含有不属于它的数：{name}",
    "it has support vectors of {k} classes": "含有 {k} 个类别的支持向量",
    "it should have {n} runs": "应有 {n} 次训练",
    "it has {n} feature names for {d} features": "有 {d} 个特征，却有 {n} 个特征名",
    "its summary is not complete": "摘要不完整",
    "its {name} is not one for each run": "{name} 与训练次数不符",
    "its {name} is neither true nor false": "{name} 既不是真也不是假",
    "a parameter is neither a number nor a word": "有参数既不是数也不是词",
    "labels of type {kind} are not known": "标签类型 {kind} 未知",
    "labels of {n} bytes are too long": "{n} 字节的标签太长",
    "labels that are {kind!r} are not known": "标签类型“{kind}”未知",
    "its labels are not text": "标签不是文本",
    "its labels are not two or more, different, in order": "标签应有两个以上，互不相同，且按顺序排列",
    "its columns become {n} features, not {d}": "各列得到 {n} 个特征，而不是 {d} 个",
    "a column is beyond the {n} that there are": "有的列超出共有的 {n} 列",
    "its columns are not named in text": "列名不是文本",
    "its column {name!r} is not numbered from 0 or 1": "列“{name}”不是从 0 或 1 开始编号",
    "its column {name!r} does not have {n} features": "列“{name}”没有 {n} 个特征",
    "{name} has the shape {shape} and type {kind}, not {other}": (
        "{name} 的形状为 {shape}、类型为 {kind}，而应为 {other}"
    ),
    "{name}start has the shape {shape}, not {other}": "{name}start 的形状为 {shape}，而应为 {other}",
    "{value} is not a finite number": "{value} 不是有限数",
    "{value} is not a whole number of at least {low}": "{value} 不是不小于 {low} 的整数",
    "the rows of {name} are not in order": "{name} 的行没有按顺序排列",
    "{name} holds numbers that are not between {low} and {high}": (
        "{name} 含有不在 {low} 与 {high} 之间的数"
    ),
    "a {name} cannot be saved; a Perceptron can": "{name} 不能保存；Perceptron 可以",
    "this model is not fitted; there is nothing to save": "模型尚未训练，没有可保存的内容",
    "labels of type {kind} cannot be written to a file; use text": (
        "类型为 {kind} 的标签不能写入文件；请用文本"
    ),
    "{name}={value} cannot be written to a file; {what}": "{name}={value} 不能写入文件；{what}",
    "set it to a plain value before saving: model.set_params({name}=…)": (
        "请在保存前设为普通的值：model.set_params({name}=…)"
    ),
    # pictures
    "a film is saved as .gif, .mp4 or .html, not as {value!r}": (
        "动画应保存为 .gif、.mp4 或 .html，而不是“{value}”"
    ),
    "saving .mp4 needs ffmpeg, which was not found; .gif and .html do not": (
        "保存 .mp4 需要 ffmpeg，但没有找到；.gif 和 .html 不需要"
    ),
    "lang={value!r} is not known; labels of pictures are in {listed}": (
        "--lang {value} is not known; labels of pictures are in {listed}",
        "--lang {value} 无效；图片的语言可取 {listed}",
    ),
    "lang='zh' needs a font with Chinese characters, and none was found: install Noto Sans CJK or "
    "WenQuanYi Zen Hei (on Debian and Ubuntu: apt install fonts-noto-cjk)": (
        "--lang zh needs a font with Chinese characters, and none was found: install Noto Sans CJK "
        "or WenQuanYi Zen Hei (on Debian and Ubuntu: apt install fonts-noto-cjk)",
        "--lang zh 需要中文字体，但没有找到：请安装 Noto Sans CJK 或 WenQuanYi Zen Hei（在 Debian 和 "
        "Ubuntu 上：apt install fonts-noto-cjk）",
    ),
    "lang={value!r} is not known; a report is in 'en' or 'zh'": (
        "--lang {value} is not known; a report is in en or zh",
        "--lang {value} 无效；报告的语言为 en 或 zh",
    ),
    "this picture is of weights, which a {name} does not have; boundary, margins, passes, dual and "
    "bound show what it has": (
        "with --kernel there are no weights to draw; --kind boundary, margins, passes, dual and "
        "bound show what there is",
        "使用 --kernel 时没有权重可画；可用 --kind boundary、margins、passes、dual 或 bound",
    ),
    "multi_class='direct' moves several hypotheses together, and this picture shows one: fit with "
    "multi_class='ovr', and choose a class with label=": (
        "with several classes, hypotheses move together, and this picture shows one: leave two "
        "classes in the table",
        "多个类别的假设同时更新，而此图只显示一个：请在数据表中只保留两个类别",
    ),
    "there is a run for each class; choose one with label=, out of {listed}": (
        "there is a run for each class, and this picture shows one: leave two classes in the table "
        "(there are {listed})",
        "每个类别各有一次训练，而此图只显示一次：请在数据表中只保留两个类别（现有 {listed}）",
    ),
    "the mistakes were not recorded: fit with record=True": "没有记录误分类的过程",
    "the steps of these rows are not known: fit on them, not with partial_fit": (
        "不知道这些样本的步长"
    ),
    # extras
    "{what} needs {package}: pip install 'rosenblatt[{extra}]'": (
        "{what}需要 {package}：pip install 'rosenblatt[{extra}]'"
    ),
    "reading {format}": "读取 {format} 文件",
    "reading {scheme}://": "读取 {scheme}:// ",
    "unpacking zstd": "解压 zstd 文件",
    "drawing": "绘图",
    "the playground": "演示页",
    "rosenblatt.plots": "绘图",
}
