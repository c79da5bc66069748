"""What may stand as a rule: one sentence that says what to do and names nothing of a project."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwon.kernel.principle import Fault, faults_of, is_normative, length_in_words, principle_problems

GOOD = (
    "Invalidate the cache after the transaction is committed, never before.",
    "When a message may come twice, record its identifier together with the effect.",
    "Before a deployment, check that the previous version can read what the new one writes.",
    "Clocks of two machines must not be compared to decide which of two events came first.",
    "Set UTF-8 explicitly when files are read or written, e.g. for exports.",
    "缓存必须在事务提交之后失效，不得在此之前。",
    "调用外部服务时应当设置超时时间，并限制重试次数。",
    "Ask the Kubernetes API for the state instead of a copy that may be old.",
    "Tell callers that a request was refused, never that it is “still running”.",
    "Don't retry when x > y holds for the user's token and the client's clock.",
    "发布之前必须通知相关人员，并联系数据库管理员。",
    "Zero a buffer before it is passed to a reader that somebody else wrote.",
    "Rate-limit each caller separately, internal ones too, so that one cannot use up everyone's share.",
    "After an outage let the backlog in at a limited rate, and drop what came twice.",
    "When two tools disagree about the same code, first check that both start from the same root.",
    "Wrap gRPC and Node.js clients in one place, so that time limits are the same on iOS and macOS.",
    "Keep 99.9 % of the requests below the time limit, and alert when that is missed.",
    "Keep the backups of the last year in a second region, one in the US and one elsewhere.",
    "Take care to release the lock on every path out of the function, also after an error.",
    "Unless a retry is idempotent, surface the error to the caller instead of hiding it.",
    "A lock that is taken in two places has to be released in both, whatever is thrown in between.",
    "Where a cache and its source may disagree, let the source win.",
    "配置变更走灰度发布，出现异常自动回退到上一个版本。",
    "线程池的队列要有上限，满了就拒绝并告警。",
    "时间统一存成世界标准时间，展示时按用户时区转换。",
    "数据校验放在写入之前，而不是读取之后。",
    "对用户上传的文件名重新生成，不直接拼到路径里。",
    "除连接外，等待响应也要设时限，因为对端可能接受连接后一直不回应。",
    "依赖检查只放在就绪探针里，存活探针只在重启能解决问题时才失败。",
    "每次失败后逐步加大重试间隔，给出问题的服务留出恢复余地。",
    "打开源码文件时显式指定编码，并允许用户通过参数更改。",
    "定期做整个机房断电的真实演练，找出暗中依赖单一机房的服务。",
)


@pytest.mark.parametrize("sentence", GOOD)
def test_a_plain_instruction_can_stand(sentence: str) -> None:
    assert principle_problems(sentence, ["shop", "github.com/acme/blog"]) == []


@pytest.mark.parametrize(
    ("sentence", "problem"),
    [
        ("Set the timeout in config/settings.py to a value below thirty seconds.", "path"),
        ("Never write to /etc/passwd while another process may be reading it.", "path"),
        ("Always close what open_file returned before the process is ended.", "identifier"),
        ("Always close the ConnectionPool before the process is ended.", "identifier"),
        ("Always close the connectionPool before the process is ended.", "identifier"),
        ("Always call `close` before the process is ended by the user.", "identifier"),
        ("Always call close() before the process is ended by the user.", "call"),
        ("Upgrade the driver to 4.2.1 before the table is read again.", "version"),
        ("Never merge before the review of #4711 is done by two people.", "version"),
        ("Do not repeat what happened on 2024-05-17 in the second region.", "version"),
        ("Ask Alice before the table is migrated to the other region.", "a person"),
        ("Always get the approval of @maria-k before a release is made.", "a person"),
        ("Send the certificate to ops@example.org before it expires.", "a person"),
        ("发布之前必须联系张伟确认数据库迁移脚本。", "a person"),
        ("Always write 'retries = 3' into the settings of the client.", "quoted code"),
        ("Never run “rm -rf $HOME; true” on the machine of a colleague.", "quoted code"),
        ("The cache was stale and nobody noticed it for a whole week.", "what to do"),
        ("缓存里的数据过期了一个星期，没有任何人发现。", "what to do"),
        ("Avoid floats.", "words long"),
        ("避免浮点。", "words long"),
        ("Always " + "check again and " * 20 + "again.", "words long"),
        ("", "words long"),
        ("Send every event to https://events.example.org before it is shown.", "address or host"),
        ("Read the list from api.larkmail.com before the first request is sent.", "address or host"),
        ("Open the port of 10.0.0.12 before the cluster is started again.", "address or host"),
        ("Never let two runs share docs/figures when they are at work together.", "path"),
        ("Do not scale down a database before the load on Monday was measured.", "one day"),
        ("扩容之前必须先看上周的流量曲线再决定。", "one day"),
        ("Restart our gateway before the certificates are renewed by the vendor.", "one project alone"),
        ("这个项目必须在事务提交之后才让缓存失效。", "one project alone"),
        ("Set a time limit on every call. Then decide what happens when it is reached.", "more than one sentence"),
        ("每次网络调用都要设置超时时间。超时之后要给出明确的错误。", "more than one sentence"),
        ("Take great care with memory whenever unsafe code is involved.", "asks for care"),
        ("处理并发代码时一定要小心谨慎，避免出现问题。", "asks for care"),
        ("Lock contention was high on every worker for an hour that night.", "what to do"),
        ("The default timeout of the library is infinite, so calls never return.", "what to do"),
        ("Customers do not need to take any action because of this fault.", "what to do"),
        ("Lost the connection each time the proxy was started before the server.", "what to do"),
        ("数据库锁竞争严重，队列一直积压到第二天。", "what to do"),
        ("缓存没有设置过期时间，内存被占满。", "what to do"),
        ("主要原因是重试没有退避，部署需要两个小时。", "what to do"),
        ("测试环境和生产环境共用了一个数据库实例。", "what to do"),
        ("Workers only pick up tasks of the shard that they were given.", "what to do"),
        ("The library never closes the socket on its own when idle.", "what to do"),
    ],
)
def test_what_keeps_a_sentence_from_standing_is_said(sentence: str, problem: str) -> None:
    assert any(problem in told for told in principle_problems(sentence))


@pytest.mark.parametrize("name", ["larkmail", "github.com/acme/larkmail", "acme:larkmail", "LarkMail"])
def test_a_project_is_not_named(name: str) -> None:
    """By its key or by any part of it, in any case."""
    assert any("names" in told for told in principle_problems("Renew the certificates of Larkmail in time.", [name]))


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("Set a time limit on every call to an external API.", "github.com/acme/api"),
        ("Set a time limit on every call to an external API.", "/srv/team/api"),
        ("Never let a test wait for a queue or a web server.", "github.com/queue/web:server"),
        ("每次调用外部api都必须设置超时时间和重试次数。", "github.com/acme/api"),
    ],
)
def test_a_word_of_the_trade_in_a_projects_name_may_be_spoken(sentence: str, name: str) -> None:
    """It names nothing that only this project has."""
    assert principle_problems(sentence, [name]) == []


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("Tell Acme before the API is changed for everybody.", "github.com/acme/api"),
        ("必须为acme的api设置超时时间和重试次数。", "github.com/acme/api"),
        ("Restart the Api before the certificates are renewed.", "api"),
        ("Restart the api-gateway before the certificates are renewed.", "github.com/web/api-gateway"),
    ],
)
def test_what_only_a_project_is_called_is_its_name(sentence: str, name: str) -> None:
    """The owner's name, a name of several words, and a whole name whatever word it is."""
    assert f"names {name}" in principle_problems(sentence, [name])


def test_a_name_inside_another_word_is_no_name() -> None:
    assert principle_problems("Always sort the reports before they are joined.", ["port", "so"]) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Wait for the event.",
        "When in doubt, wait for the event.",
        "On shutdown, drain the queue.",
        "Every call should have a deadline.",
        "You need to release it.",
        "不要固定睡眠。",
        "应当设置超时。",
        "禁止明文保存密码。",
    ],
)
def test_instructions_are_normative(sentence: str) -> None:
    assert is_normative(sentence)


@pytest.mark.parametrize(
    "sentence",
    ["It was slow.", "The queue grew for hours.", "Two workers took the same job.", "服务器内存耗尽。", "", "🦀", "  "],
)
def test_accounts_are_not_normative(sentence: str) -> None:
    assert not is_normative(sentence)


def test_two_chinese_characters_count_as_a_word() -> None:
    assert length_in_words("Set the TLS 超时时间") == 5


def test_a_language_that_was_not_asked_for_is_said() -> None:
    """The lesson's own, or the one that the user wants rules in; without any, all are taken."""
    assert faults_of("每次网络调用都必须设置超时时间。", languages=("en",)) == [Fault("language")]
    assert faults_of("每次网络调用都必须设置超时时间。", languages=("en", "zh")) == []
    assert faults_of("每次网络调用都必须设置超时时间。") == []


def test_all_faults_are_told_at_once_in_the_language_that_is_asked_for() -> None:
    """So that one more try is enough."""
    faults = faults_of("open_file 在周一变慢了")
    assert [fault.kind for fault in faults] == ["identifier", "day", "fact", "length"]
    assert [fault.told("zh") for fault in faults][:2] == ["含有标识符（open_file）", "提到了某个具体的日子（周一）"]


@pytest.mark.parametrize("text", ["a.a." * 99_999, "a-" * 99_999, "要" * 99_999], ids=["dots", "hyphens", "Chinese"])
def test_what_is_no_sentence_by_its_length_is_not_looked_at(text: str) -> None:
    """Whatever it is made of, it is answered at once."""
    assert faults_of(text) == [Fault("length")]


@given(st.text(), st.lists(st.text(max_size=8), max_size=3))
def test_any_sentence_and_any_names_are_safe(sentence: str, names: list[str]) -> None:
    assert all(isinstance(each, str) for each in principle_problems(sentence, names))
