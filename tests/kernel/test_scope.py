"""A scope is written and read as `global` or `project:<key>`, and nothing else is taken for one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.scope import Scope

keys = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1).map(str.strip).filter(bool)


@given(keys, st.sampled_from(["default", "team"]))
def test_what_is_written_is_read_again(key: str, namespace: str) -> None:
    for scope in (Scope(namespace=namespace), Scope(namespace=namespace, project=key)):
        assert Scope.parse(str(scope), namespace) == scope


def test_a_package_of_a_project_is_part_of_the_key() -> None:
    assert Scope.parse("project:github.com/acme/shop/packages/api").project == "github.com/acme/shop/packages/api"


@pytest.mark.parametrize("text", ["", "Global", "project", "project:", "project: ", "shop", "agent:x", "project:a\nb"])
def test_any_other_form_is_refused_with_the_forms_there_are(text: str) -> None:
    with pytest.raises(InvalidInput, match="write global or project:<key>"):
        Scope.parse(text)
