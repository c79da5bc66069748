"""Whether a Chinese sentence says what to do.

A word of obligation is enough. Otherwise the sentence has to name an act and must not sound like an account, by a
word for what is over (了), for what came of it (导致) or for how it is (是). With such a word, as in a warning
(否则会…), the act has to stand at the beginning of a clause or behind a word of manner (定期、显式、就).
"""

from __future__ import annotations

import re

_OBLIGES = re.compile(
    r"必须|应当|应该|(?<![反响对供适相回自])应(?![用答急付聘声邀力])|不要|不得|不能|不可|不宜|不许|不准(?![时确])|禁止|严禁|避免|务必|始终|切勿|切忌"
    r"|切记|只能|(?<![必])须(?!臾)|需要(?!求|[\d一二两三几半]|很长|大量)|(?<!必)需(?![要求])|(?<![申邀])请(?!求)|勿|一律|确保|最好|建议|尽量|尽早|优先"
    r"|只(?:能|用|放|在|许|让|给|对|从|向|读|写|允许|信任|依赖)"
)
_WEAK = re.compile(
    r"(?<![主重只需次想不纲概摘])要(?![求点素么闻是害件领职义])"
    r"|(?<![首领事优])先(?![前生进后])|(?<![区分差级特个])别(?![的人处名])"
)
_ACTS = (
    "保持|保留|保证|比较|标注|标明|补充|捕获|采用|拆分|撤销|创建|抽象|传递|传入|打开|导出|导入|等待|定义|断言|防止|防范|放|分离|分批|封装|改用|改成"
    "|改为|改由|隔离|公开|共享|固定|关闭|规定|核对|换成|恢复|获取|计算|记下|记录|记住|加上|加大|加入|假定|减少|检查|建立|降低|校验|截断|禁用|拒绝"
    "|开启|控制|扩大|列出|留出|留|轮换|明确|启用|区分|取消|确认|删除|设置|设|申明|声明|生成|使用|视为|试|释放|缩短|锁定|提供|替换|添加|停用|停止"
    "|统计|统一|推送|维护|显式|限制|限定|限速|限流|写|卸载|验证|演练|移除|引入|用|预留|预加载|约定|允许|增加|增大|暂停|遵守|遵循|指定|终止|注明"
    "|转义|准备|做好|把|将|让|给|按|读取|清空|清理|清除|去重|丢弃|合并|收集|延长|调整|选择|选用|支持|实现|绑定|更新"
)
_AFTER_A_SIGN = (
    f"{_ACTS}|做|告警|通知|返回|执行|分开|备份|编码|测试|处理|发布|监控|排序|配置|签名|迁移|重试|部署|评审|复查|审查|初始化|加密|解码|脱敏|授权|提交"
    "|运行|重启|重建"
)
_MANNER = (
    "定期|显式|及时|提前|逐步|逐个|主动|统一|同时|批量|一次性|一开始就|单独|分别|默认|立即|立刻"
    "|马上|事先|先行|自动|都|就|再|则|并|并且|然后|每次"
)
_ACT = re.compile(rf"(?:^|；|[时前后]，)(?:{_ACTS})|(?<![没未不])(?<!没有)(?:{_MANNER})(?:{_AFTER_A_SIGN})")
_HAS_TO = re.compile(rf"(?<![主重只需次想不纲概摘])要(?:有|{_AFTER_A_SIGN})")
_ANYWHERE = re.compile(rf"{_AFTER_A_SIGN}|代替|改|用|加|走|抽|存|收敛|合并|重新|不(?:直接|做|写|打|存|放|拼|再|依赖)")
_OVER = re.compile(
    r"(?<![为除到极])了(?![解然就则再才时后])|曾经?|没有|当时|后来|已经|一直|发现|原因|是因为|由于|所以|因此|瞬间|接连|偏[小大慢]|[很太]慢"
    r"|直接(?:崩溃|报错)|卡[死住]|死锁|崩溃|丢失|失效|占满|耗尽|溢出|未定义行为|无法|存在|恢复正常|越.{1,6}越|断崖"
    r"|失败(?=[，。；]|$)|经常|(?:很|太|非常)[高低多少大慢]|大约|缓慢|反映|花费|持续(?!集成|监控|交付|部署)|跟不上|不一致"
    r"|导致|引发|造成|触发|使得|(?<![就都要还不只可但若])是(?!否)|会(?![话员议计])|被|需要[\d一二两三几半]"
)
"""Words of an account: what happened, what came of it, how it is."""
_WARNS = re.compile(r"否则|以免|免得|防止|不会|不让|才能")
"""What follows is what is to be kept from happening, and did not happen."""
CARE = re.compile(
    r"小心|谨慎|认真对待|高度重视|引起重视|多加注意|格外注意|特别注意"
    r"|(?:仔细|认真)(?:考虑|思考)|加强(?:意识|重视)"
)
"""Words that ask for care and name no act."""


def is_normative(sentence: str) -> bool:
    """Tell whether the sentence says what to do."""
    if _OBLIGES.search(sentence):
        return True
    if _OVER.search(sentence):
        return bool(_HAS_TO.search(sentence) or (_WARNS.search(sentence) and _ACT.search(sentence)))
    return bool(_WEAK.search(sentence) or _ANYWHERE.search(sentence))


def obliges(sentence: str) -> bool:
    """Tell whether a word of obligation says so, such as 必须 or 避免, of what is not over."""
    return bool(_OBLIGES.search(sentence)) and not _OVER.search(sentence)
