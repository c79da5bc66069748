"""Characters that search takes for none, or for others, hide no secret: what it leaves out, a secret may be full of."""

from __future__ import annotations

from string import ascii_letters, digits

import pytest

from hardwon.kernel.secrets import mask_known
from hardwon.testing.planted_secrets import in_place, planted_secrets

PLANTED = planted_secrets()


@pytest.mark.parametrize("unseen", ["\u200b", "\u00ad", "\ufeff", "\u2060", "\U000e0041"])
@pytest.mark.parametrize("kind", PLANTED)
def test_what_nobody_sees_hides_no_secret(kind: str, unseen: str) -> None:
    """Characters without a width, as chats and web pages put them into long words; search leaves them out."""
    secret = PLANTED[kind]
    spoiled = unseen.join(in_place(kind, secret))
    masked = mask_known(f"缓存 before it, {spoiled} and 👍🏽 after it.")
    plain = masked.replace(unseen, "")
    assert not any(line in plain for line in secret.split("\n"))
    assert masked.startswith("缓存 before it, ") and masked.endswith(" and 👍🏽 after it.")


@pytest.mark.parametrize("wide", [f"{ascii_letters}{digits}-_./+=", "-_./+=", digits], ids=["all", "signs", "digits"])
@pytest.mark.parametrize("kind", PLANTED)
def test_a_secret_in_wide_letters_is_masked(kind: str, wide: str) -> None:
    """As an input method for Chinese may write them, all or some: search takes them for the others."""
    spoiled = "".join(chr(ord(each) + 0xFEE0) if each in wide else each for each in PLANTED[kind])
    masked = mask_known(f"缓存，密钥：{in_place(kind, spoiled)}。之后")
    assert not any(line in masked for line in spoiled.split("\n"))
    assert masked.startswith("缓存，") and masked.endswith("。之后")


def test_wide_letters_in_prose_stay_as_they_are() -> None:
    assert mask_known("ＡＢＣ 公司：２０２６ 年，ＯＫ！") == "ＡＢＣ 公司：２０２６ 年，ＯＫ！"
