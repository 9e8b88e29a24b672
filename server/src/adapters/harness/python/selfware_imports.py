"""Finds which function a name in a test file refers to: by its imports, and by modules that re-export it."""

import ast
import os

from selfware_calls import parsed
from selfware_outline import module_of

MAX_STEPS = 5


def imported_names(nodes):
    """Name → module and the name in it ("": the module itself), for import statements among the nodes."""
    found = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            for one in node.names:
                name = one.asname or one.name.split(".")[0]
                found[name] = (one.name if one.asname else name, "")
        elif isinstance(node, ast.ImportFrom):
            for one in node.names:
                found[one.asname or one.name] = ("." * node.level + (node.module or ""), one.name)
    return found


class Imports:
    """The imports of a test file, including those in functions."""

    def __init__(self, tree, path, file):
        self.names = imported_names(ast.walk(tree))
        self.tree, self.path, self.file = tree, path, file

    def is_function(self, called, name):
        """True if the called expression stands for this function of the file."""
        place = self.place_of(called)
        return place is not None and is_passed_on(self.file, place, name, MAX_STEPS)

    def place_of(self, called):
        """The module and the name of a called expression; None if it does not come from an import."""
        if isinstance(called, ast.Name):
            if called.id in self.names:
                module, inner = self.names[called.id]
                return absolute(module, self.path), inner
            if "*" not in self.names or defines(self.tree, called.id):
                return None
            return absolute(self.names["*"][0], self.path), called.id
        if not isinstance(called, ast.Attribute):
            return None
        words = ast.unparse(called.value).split(".")
        if words[0] not in self.names:
            return None
        module, inner = self.names[words[0]]
        parts = [absolute(module, self.path), inner, *words[1:]]
        return ".".join(one for one in parts if one), called.attr


def is_passed_on(file, place, wanted, steps):
    """True if a module has the wanted function of the file under a name: its own, or an import of it."""
    module, name = place
    if name == wanted and is_module(file, module):
        return True
    path = path_of(file.root, module)
    if path is None or steps == 0:
        return False
    try:
        with open(path, encoding="utf-8") as module_file:
            tree = parsed(module_file.read())
    except (OSError, UnicodeDecodeError):
        return False
    if tree is None:
        return False
    names = imported_names(ast.walk(tree))
    if name in names:
        source, inner = names[name]
        return is_passed_on(file, (absolute(source, path), inner), wanted, steps - 1)
    stars = [one for one in ast.walk(tree) if isinstance(one, ast.ImportFrom) and one.names[0].name == "*"]
    sources = [absolute("." * one.level + (one.module or ""), path) for one in stars]
    return not defines(tree, name) and any(
        is_passed_on(file, (source, name), wanted, steps - 1) for source in sources
    )


def is_module(file, module):
    """Folders without `__init__.py` may stand before the name of the module."""
    stem = os.path.splitext(file.path)[0]
    is_longer = module.endswith("." + file.module) and stem.endswith(os.sep + module.replace(".", os.sep))
    return module == file.module or is_longer


def path_of(root, module):
    """The file of a module of the repository, or None."""
    stem = os.path.join(root, *module.split("."))
    places = [os.path.join(stem, "__init__.py"), stem + ".py"]
    return next((one for one in places if os.path.isfile(one)), None)


def absolute(module, path):
    """The whole name of a module that the file at `path` imports."""
    level = len(module) - len(module.lstrip("."))
    if level == 0:
        return module
    parts = module_of(path)[1].split(".")
    if os.path.basename(path) == "__init__.py":
        level -= 1
    kept = parts[: len(parts) - level] if level else parts
    return ".".join([*kept, *filter(None, [module.lstrip(".")])])


def defines(tree, name):
    return any(getattr(one, "name", None) == name for one in tree.body) or any(
        isinstance(one, ast.Name) and one.id == name and isinstance(one.ctx, ast.Store) for one in ast.walk(tree)
    )
