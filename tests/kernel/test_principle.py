"""What may stand as a rule: one sentence that says what to do and names nothing of a project."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwon.kernel.principle import is_normative, length_in_words, principle_problems

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


@given(st.text(), st.lists(st.text(max_size=8), max_size=3))
def test_any_sentence_and_any_names_are_safe(sentence: str, names: list[str]) -> None:
    assert all(isinstance(each, str) for each in principle_problems(sentence, names))
