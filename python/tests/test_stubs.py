"""What is written about the module, in _core.pyi and in the document, against the module itself."""
import ast
import inspect
import re
from pathlib import Path

import numpy as np
import pytest
from conftest import SOURCE

import polhode
from polhode import _core

PACKAGE = Path(polhode.__file__).parent
STUB = ast.parse((PACKAGE / "_core.pyi").read_text(encoding="utf-8"))


#: Members that a stub need not name, because every object has them.
COMMON = {"__init__", "__module__", "__doc__", "__weakref__", "__repr__", "__hash__", "__eq__", "__ne__"}


def public(thing) -> set:
    """The public names of a module, or what a class defines itself, operators too."""
    if inspect.isclass(thing):
        return set(vars(thing)) - COMMON
    return {name for name in dir(thing) if not name.startswith("_")}


def declared(body) -> dict:
    """The functions, classes and variables of a stub. Its imports and its own abbreviations are none of them."""
    found = {node.name: node for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    found.update({node.target.id: node for node in body if isinstance(node, ast.AnnAssign)})
    return found


NAMES = declared(STUB.body)
CLASSES = [name for name, node in NAMES.items() if isinstance(node, ast.ClassDef)]


def parameters(node: ast.FunctionDef) -> inspect.Signature:
    """The signature of a function of the stub, with its defaults as values and without its types."""
    arguments, kinds = node.args, inspect.Parameter
    missing = [inspect.Parameter.empty] * (len(arguments.args) - len(arguments.defaults))
    result = [kinds(a.arg, kinds.POSITIONAL_OR_KEYWORD, default=value(d))
              for a, d in zip(arguments.args, [*missing, *arguments.defaults])]
    result += [kinds(a.arg, kinds.KEYWORD_ONLY, default=value(d)) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    return inspect.Signature(result)


def value(node):
    return ast.literal_eval(node) if isinstance(node, ast.AST) else inspect.Parameter.empty


def compiled(function) -> inspect.Signature:
    """The signature that pybind11 writes into the first line of a docstring, without its types."""
    line = function.__doc__.splitlines()[0]
    # Types such as numpy.ndarray[numpy.float64] are no Python where they are written, and are not compared.
    text = re.sub(r": [\w.]+(\[[\w., \[\]]*\])?(?=[,)]| =)", "", line.split(" -> ")[0])
    return parameters(ast.parse(f"def {text}: ...").body[0])


def functions():
    for name, node in NAMES.items():
        if isinstance(node, ast.FunctionDef):
            yield name, node, getattr(_core, name)
        for member in getattr(node, "body", []):
            if isinstance(member, ast.FunctionDef) and not member.decorator_list:
                yield f"{name}.{member.name}", member, getattr(getattr(_core, name), member.name)


def test_the_stub_has_the_names_of_the_module():
    assert public(_core) | {"__version__"} == set(NAMES)
    assert set(declared(NAMES["elliptic"].body)) == public(_core.elliptic)
    assert (PACKAGE / "py.typed").exists()


@pytest.mark.parametrize("name", [n for n in CLASSES if n != "elliptic"])
def test_a_class_of_the_stub_has_the_members_of_the_class(name):
    members, thing = declared(NAMES[name].body), getattr(_core, name)
    assert set(members) - COMMON == public(thing)
    for member, node in members.items():
        decorators = [d.id for d in getattr(node, "decorator_list", [])]
        assert (decorators == ["property"]) == isinstance(vars(thing)[member], property), member


@pytest.mark.parametrize("name,node,function", functions(), ids=[name for name, _, _ in functions()])
def test_a_function_of_the_stub_has_the_parameters_of_the_function(name, node, function):
    if "Overloaded" in function.__doc__ or re.search(r"\barg0\b", function.__doc__):
        assert name.split(".")[1].startswith("__"), "only operators have parameters without names"
        assert len(node.args.args) == 2
    else:
        assert parameters(node) == compiled(function)


def test_a_difference_of_the_parameters_is_found():
    def signature(text):
        return parameters(ast.parse(f"def {text}: ...").body[0])

    same = compiled(_core.step)
    assert list(same.parameters)[3] == "step" and same.parameters["steps"].kind is inspect.Parameter.KEYWORD_ONLY
    assert same.parameters["method"].default == "exact" and same.parameters["out"].default is None
    for other in ("f(a, b)", "f(b, a=1)", "f(a, *, b=1)", "f(a, b=2)"):
        assert signature("f(a, b=1)") != signature(other)


@pytest.mark.parametrize("module", [polhode, polhode.elliptic])
def test_the_package_is_annotated(module):
    for name in module.__all__:
        thing = getattr(module, name)
        functions = [thing] if inspect.isfunction(thing) else []
        if inspect.isclass(thing) and thing.__module__ != "polhode._core":
            functions = [f for member, f in vars(thing).items() if inspect.isfunction(f) and not member.startswith("_")]
        for function in functions:
            signature = inspect.signature(function)
            assert signature.return_annotation is not inspect.Signature.empty, function
            assert all(p.annotation is not inspect.Parameter.empty for key, p in signature.parameters.items()
                       if key != "self"), function


def test_arrays_are_not_annotated_as_anything():
    """A type checker learns from Any that everything goes."""
    arrays = {"inertia", "momentum", "attitude", "angular_velocity", "position", "mass", "u", "k2", "kp2", "phi", "n"}
    for file in PACKAGE.glob("*.py*"):
        if file.suffix not in (".py", ".pyi"):
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                for a in (*node.args.args, *node.args.kwonlyargs):
                    assert a.arg not in arrays or "Any" not in ast.unparse(a.annotation), f"{file.name}: {node.name}, {a.arg}"


def test_the_protocols_are_met_by_what_they_describe():
    from scipy.spatial.transform import Rotation

    from polhode import _typing

    for protocol, example in ((_typing.Rotation, Rotation.identity()), (_typing.ConservativeTorque, Swing())):
        for name in {n for n in dir(protocol) if not n.startswith("_")}:
            assert callable(getattr(example, name))
    run = polhode.propagate(inertia=[1, 2, 3], momentum=[0, 0, 1], step=0.1, steps=10, torque=Swing())
    assert np.isfinite(run.energy_error).all()


class Swing:
    """About axis 3."""

    def __call__(self, q, t):
        return [0.0, 0.0, -2 * q[0] * q[3]]

    def potential(self, q, t):
        return 2 * q[3] * q[3]


def test_the_document_names_everything():
    text = (SOURCE / "docs" / "python.md").read_text(encoding="utf-8")
    table = text.split("## Names\n", 1)[1].split("\n## ", 1)[0]
    named = re.findall(r"`([\w.]+)`", "".join(line.split("|")[1] for line in table.splitlines() if line.startswith("| `")))
    assert len(named) == len(set(named))
    # The torques are those of the program's list, which may be longer than the table.
    torques = set(polhode._torque.classes)
    assert {name for name in named if "." not in name} - torques == set(polhode.__all__) - torques
    assert len(polhode.__all__) == len(set(polhode.__all__))
    # And nothing is called that is not there.
    for module, names in (("polhode", [*polhode.__all__, "torch"]), (r"polhode\.elliptic", polhode.elliptic.__all__)):
        for name in re.findall(rf"(?<![\w/]){module}\.([A-Za-z]\w*)", re.sub(r"\]\([^)]*\)", "", text)):
            assert name in names, name
    listed = re.search(r"`polhode.elliptic`, and not `polhode` itself, has (.*?) as NumPy ufuncs", text, re.DOTALL)[1]
    assert re.findall(r"\w+", listed) == polhode.elliptic.__all__
