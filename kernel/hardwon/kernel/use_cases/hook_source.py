"""A module of ours as the hook program carries it: what only people and type checkers read is taken out.

Annotations, docstrings and what is imported for them go; dataclasses become plain classes, so that neither `typing` nor
`dataclasses` is imported (25 ms); `hook.patterns` stands in for `re` and `hook.json_values` for `json`; a function
without arguments that is computed once (`functools.cache`) becomes its value. What cannot be made plain raises.
"""

from __future__ import annotations

import ast
import importlib

PATTERNS = "hardwon.kernel.hook.patterns"
_STAND_INS = {"re": PATTERNS, "json": "hardwon.kernel.hook.json_values"}
_ONLY_FOR_TYPES = ("typing", "__future__", "dataclasses")


def plain_source(name: str, source: str) -> str:
    """Return the module's text for the hook program. Raises ValueError for what cannot be made plain."""
    tree = ast.parse(source)
    tree = ast.fix_missing_locations(_Values(name).visit(tree))
    tree = ast.fix_missing_locations(_Plain().visit(tree))
    tree = ast.fix_missing_locations(_Imports(name, _used_names(tree)).visit(tree))
    return ast.unparse(tree) + "\n"


def imported_modules(source: str) -> list[str]:
    """Return the modules of hardwon that a plain source imports, at its top and in its functions."""
    nodes = ast.walk(ast.parse(source))
    names: list[str] = []
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            names.append(node.module)
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
    return list(dict.fromkeys(name for name in names if name.startswith("hardwon.")))


def _called(decorator: ast.expr) -> str:
    return ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator)


class _Values(ast.NodeTransformer):
    """Puts its value in the place of each function that is computed once."""

    def __init__(self, module: str) -> None:
        self._module = module

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if not any(_called(each) == "functools.cache" for each in node.decorator_list):
            return node
        if ast.unparse(node.args):
            raise ValueError(f"{self._module}.{node.name} keeps what depends on arguments: use lru_cache.")
        value = getattr(importlib.import_module(self._module), node.name)()
        # Sorted: what was counted over sets has another order in each process, and the program is compared by its text.
        literal = ast.parse(repr(dict(sorted(value.items())) if isinstance(value, dict) else value), mode="eval").body
        constant = f"_value_of_{node.name}"
        node.decorator_list = []
        node.body = [ast.Return(ast.Name(constant, ast.Load()))]
        return [ast.Assign([ast.Name(constant, ast.Store())], literal), node]  # type: ignore[return-value]


class _Plain(ast.NodeTransformer):
    """Takes out annotations, texts that nobody reads and type-checking blocks, and opens dataclasses."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.returns = None
        arguments = node.args
        for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
            if each is not None:
                each.annotation = None
        node.body = node.body or [ast.Pass()]
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        is_text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if is_text else self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST | None:
        return None if ast.unparse(node.test) == "TYPE_CHECKING" else self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        is_variable = isinstance(node.value, ast.Call) and _called(node.value) == "TypeVar"
        return None if is_variable else self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        return ast.Assign([node.target], self.visit(node.value)) if node.value is not None else None

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST | None:
        bases = [ast.unparse(base).partition("[")[0] for base in node.bases]
        if "Protocol" in bases:
            return None
        node.bases = [base for base, name in zip(node.bases, bases, strict=True) if name != "Generic"]
        if any(_called(each) == "dataclass" for each in node.decorator_list):
            node = _opened(node)
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node


def _opened(node: ast.ClassDef) -> ast.ClassDef:
    """Write out what `dataclass` would make: slots, the names of the fields, and `__init__`."""
    fields = [each for each in node.body if isinstance(each, ast.AnnAssign)]
    names = [ast.unparse(each.target) for each in fields]
    parameters, body = ["self"], []
    for each, name in zip(fields, names, strict=True):
        default, factory, is_given = _default(each.value)
        if is_given:
            parameters.append(name + (f"={default}" if default else "=None" if factory else ""))
        if factory:
            body.append(
                f"self.{name} = {factory}() if {name} is None else {name}" if is_given else f"self.{name} = {factory}()"
            )
        elif is_given:
            body.append(f"self.{name} = {name}")
    if any(isinstance(each, ast.FunctionDef) and each.name == "__post_init__" for each in node.body):
        body.append("self.__post_init__()")
    written = [
        f"__slots__ = {tuple(names)!r}",
        f"def __init__({', '.join(parameters)}):\n " + ("\n ".join(body) or "pass"),
    ]
    made = [statement for text in written for statement in ast.parse(text).body]
    node.body = made + [each for each in node.body if each not in fields]
    node.decorator_list = [each for each in node.decorator_list if _called(each) != "dataclass"]
    return node


def _default(value: ast.expr | None) -> tuple[str, str, bool]:
    """Return a field's default and its factory, as text, and whether `__init__` takes it."""
    if value is None:
        return "", "", True
    if not (isinstance(value, ast.Call) and _called(value) == "field"):
        return ast.unparse(value), "", True
    given = {each.arg: ast.unparse(each.value) for each in value.keywords}
    return given.get("default", ""), given.get("default_factory", ""), given.get("init") != "False"


class _Imports(ast.NodeTransformer):
    """Takes out imports that nothing needs any more, and names the stand-ins."""

    def __init__(self, module: str, used: set[str]) -> None:
        self._module = module
        self._used = used

    def visit_Import(self, node: ast.Import) -> ast.AST | None:
        node.names = [
            self._alias(each) for each in node.names if (each.asname or each.name.split(".")[0]) in self._used
        ]
        return node if node.names else None

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        if node.module in _ONLY_FOR_TYPES:
            left = {each.name for each in node.names} & self._used - {"dataclass", "field", "TYPE_CHECKING"}
            if left:
                raise ValueError(f"The hook program cannot do with {', '.join(sorted(left))} of {node.module}.")
            return None
        node.names = [each for each in node.names if (each.asname or each.name) in self._used]
        return node if node.names else None

    def _alias(self, alias: ast.alias) -> ast.alias:
        stand_in = _STAND_INS.get(alias.name)
        return ast.alias(stand_in, alias.name) if stand_in and stand_in != self._module else alias


def _used_names(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
