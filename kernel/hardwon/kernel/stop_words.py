"""Words that say nothing of what a question is about. They are left out of queries, never out of the index."""

from __future__ import annotations

ENGLISH = frozenset(
    """
    a about above after again all also always am an and another any anybody anyone anything are aren't as at be because
    been before being below best between both but by can can't cannot could couldn't did didn't do does doesn't doing
    don't down during each either else ever every few for from further get gets getting give given go goes going gonna
    got had hadn't has hasn't have haven't having he help her here hers herself hey hi him himself his how i i'd i'll
    i'm i've if in instead into is isn't it it's its itself just keep kindly let let's like lot make makes making many
    may maybe me might mine more most much must my myself need needs never no nor not now of off often on once one only
    onto or other our ours ourselves out over own please put rather really same shall she should shouldn't since so some
    somebody someone something sometimes still such sure take tell than thank thanks that that's the their theirs them
    themselves then there there's these they they're thing things this those through to too toward try under until up
    upon us use used using very via want wants was wasn't way we we're well were weren't what what's whatever when where
    whether which while who whole whom whose why will with within without won't would wouldn't yes yet you you're your
    yours yourself
    """.replace("'", "").split()
)

CHINESE = frozenset(
    """
    的 了 是 在 我 你 您 他 她 它 们 这 那 有 和 与 及 或 就 都 也 还 又 很 吗 呢 吧 啊 呀 嘛 么 把 被 给 让
    对 从 向 到 为 以 于 之 其 并 而 但 个 些 里 着 过 地 得 请 要 会 能 可 该 想 再 才 只 已 更 最 哪 谁 几
    多 做 用 上 下 中 时 后 前 不 没 一 我们 你们 他们 她们 它们 这个 那个 这些 那些 这里 那里 这样 那样 什么
    怎么 怎样 如何 为何 为什 哪里 哪个 多少 是否 可以 能够 应该 需要 请问 帮我 一下 一个 一些 的话 如果 因为
    所以 但是 而且 或者 以及 并且 然后 之后 之前 时候 现在 已经 还是 就是 不是 没有 不能 不要 不会 有没 知道
    想要 告诉 的时 是什 不了 进行 对于 关于 由于 其中 使用
    """.split()  # noqa: SIM905 - a list with a line a word hides what is missing
)

ALL = ENGLISH | CHINESE
