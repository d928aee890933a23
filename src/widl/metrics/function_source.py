"""Functions of users: loaded from a module beside a file or installed, and identified by their code."""

import dis
import hashlib
import importlib
import sys
import sysconfig
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from widl.common.errors import InputError, error_text

_DIGITS = 12
_STORES = frozenset(("STORE_SUBSCR", "DELETE_SUBSCR", "STORE_SLICE"))
_CHANGING = frozenset(("add", "append", "clear", "extend", "insert", "pop", "setdefault", "update"))
_WRAPPED = ("__wrapped__", "func", "args", "keywords", "__func__", "__self__")  # of decorators, partials and methods
_PLAIN = (int, float, complex, str, bytes, bool, type(None))
_INSTALLED = tuple(
    Path(path) for name in ("stdlib", "platstdlib", "purelib", "platlib") if (path := sysconfig.get_path(name))
)
_loaded: dict[tuple[Path, str], ModuleType] = {}
"""Modules by file and content: a metric that loads a neural model does so once."""


def load(name: str, folders: Sequence[Path]) -> Callable[..., Any]:
    """The function ``module:function``; a module in one of the folders comes before an installed one.

    A file that has changed is loaded again.

    Raises:
        InputError: There is no such module or function, or the module raises an error.
    """
    module, _, function = name.partition(":")
    loaded = getattr(_module(name, module, folders), function, None)
    if loaded is None:
        raise InputError(f"metric {name!r}: the module {module!r} has no function {function!r}")
    if not callable(loaded):
        raise InputError(f"metric {name!r}: {function!r} is no function")
    found: Callable[..., Any] = loaded
    return found


def _module(name: str, module: str, folders: Sequence[Path]) -> ModuleType:
    files = [folder.absolute() / f"{module.replace('.', '/')}.py" for folder in folders]
    for folder in folders:
        if (path := str(folder.absolute())) not in sys.path:
            sys.path.append(path)  # for what the module imports; installed modules come first
    try:
        file = next((file for file in files if file.is_file()), None)
        return importlib.import_module(module) if file is None else _executed(module, file)
    except ModuleNotFoundError as error:
        places = " or ".join(dict.fromkeys(str(folder) for folder in folders))
        raise InputError(f"metric {name!r}: no module {error.name!r} in {places}, and none is installed") from None
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"metric {name!r}: the module {module!r} cannot be loaded ({error_text(error)})") from None


def _executed(module: str, file: Path) -> ModuleType:
    """The module of a file, executed unless it was before, with the same content."""
    source = file.read_bytes()
    key = file, hashlib.sha256(source).hexdigest()
    if key not in _loaded:
        made = ModuleType(module)
        made.__file__ = str(file)
        exec(compile(source, file, "exec"), made.__dict__)
        _loaded[key] = made
    return _loaded[key]


def fingerprint(function: Callable[..., Any]) -> str:
    """Digits that change when the code of a function changes, or the code and values of users' that it reads.

    The code is Python's byte code, without comments and line numbers. Not in it are files and models that are read at
    run time, installed code, and containers that a function changes: they are caches.

    >>> first, again, other = (eval(f"lambda h, r: {n}", {"__name__": "own"}) for n in (1, 1, 2))
    >>> fingerprint(first) == fingerprint(again), fingerprint(first) == fingerprint(other)
    (True, False)
    """
    parts = "\0".join(_parts(function, set(), changes=False))
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def _parts(value: Any, seen: set[int], *, changes: bool) -> Iterator[str]:
    """The parts of a value that decide what it does; `changes`: whether its reader changes containers."""
    if isinstance(value, _PLAIN):
        yield repr(value)
        return
    if id(value) in seen:
        return
    seen.add(id(value))
    module = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", type(value).__module__)
    if isinstance(value, (list, set, dict)) and changes:
        return
    if isinstance(value, (list, tuple, dict)):
        items = chain.from_iterable(value.items()) if isinstance(value, dict) else value
        yield from chain.from_iterable(_parts(item, seen, changes=changes) for item in items)
    elif isinstance(value, (set, frozenset)):
        yield from sorted(map(repr, value))
    elif isinstance(value, FunctionType) and not _is_installed(module):
        yield from _parts_of_function(value, seen)
    elif isinstance(value, type) and not _is_installed(module):
        yield value.__qualname__
        for name, member in vars(value).items():
            if name not in ("__dict__", "__weakref__", "__firstlineno__", "__doc__"):
                yield name
                yield from _parts(member, seen, changes=True)
    else:
        yield from _parts_of_object(value, module, seen)


def _parts_of_function(function: FunctionType, seen: set[int]) -> Iterator[str]:
    code = function.__code__
    names = _names(code)
    values = [
        function.__defaults__,
        function.__kwdefaults__,
        *(cell.cell_contents for cell in function.__closure__ or ()),
    ]
    values += [function.__globals__[name] for name in sorted(names) if name in function.__globals__]
    yield from _parts_of_code(code)
    for value in values:
        yield from _parts(value, seen, changes=_changes_containers(code))


def _parts_of_code(code: CodeType) -> Iterator[str]:
    yield code.co_code.hex()
    yield repr((code.co_names, code.co_varnames, code.co_freevars))
    for constant in code.co_consts:
        yield from _parts_of_code(constant) if isinstance(constant, CodeType) else (repr(constant),)


def _inner(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _inner(constant)


def _names(code: CodeType) -> set[str]:
    """The names that a function uses, and the functions inside it."""
    return {name for one in _inner(code) for name in one.co_names}


def _changes_containers(code: CodeType) -> bool:
    """Whether a function, or one inside it, may change a list, set or dict."""
    stores = any(step.opname in _STORES for one in _inner(code) for step in dis.get_instructions(one))
    return stores or bool(_CHANGING & _names(code))


def _parts_of_object(value: Any, module: str | None, seen: set[int]) -> Iterator[str]:
    """The name of what is installed, or of an object's type; what a wrapper wraps, and the state of a user's object."""
    if isinstance(value, ModuleType):
        yield module or ""
        file = getattr(value, "__file__", None)
        if file is not None and not _is_installed(module) and Path(file).suffix == ".py":
            yield hashlib.sha256(Path(file).read_bytes()).hexdigest()
        return
    kind = type(value)
    yield f"{kind.__module__}.{kind.__qualname__} {getattr(value, '__qualname__', '')}"
    for name in _WRAPPED:
        yield from _parts(getattr(value, name, None), seen, changes=False)
    state = getattr(value, "__dict__", {})
    if not _is_installed(kind.__module__):
        yield from _parts(kind, seen, changes=False)
        yield from _parts(tuple(state.values()), seen, changes=True)
    elif not isinstance(value, type):  # the settings of an installed object, without what it computed
        yield from (f"{name}={part!r}" for name, part in state.items() if isinstance(part, _PLAIN) and part is not None)
        yield from (type(part).__qualname__ for part in state.values() if not isinstance(part, (*_PLAIN, list, dict)))


def _is_installed(module: str | None) -> bool:
    """Whether a module belongs to Python, to an installed package or to this one."""
    if module is None:
        return False
    root = module.partition(".")[0]
    if root == "widl" or root in sys.builtin_module_names:
        return True
    file = getattr(sys.modules.get(module), "__file__", None)
    if module == "__main__" or file is None:
        return module not in ("__main__",) and module in sys.stdlib_module_names
    return any(Path(file).is_relative_to(folder) for folder in _INSTALLED)
