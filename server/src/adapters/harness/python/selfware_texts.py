"""What a person reads of a difference: what each side does, and a test that pins the old answer."""

import ast
import builtins
import os

MAX_SHOWN = 300


def said(answer, other):
    """What a call does; with what it leaves in its arguments if the two sides differ in that alone."""
    text = answered(answer, other)
    left = answer.get("left", "")
    return (
        "%s and leaves %s" % (text, left)
        if text == answered(other, answer) and left != other.get("left", "")
        else text
    )


def answered(answer, other):
    text = answer.get("text", "")
    if answer["outcome"] == "raised":
        text = "raises " + text
    elif not text.startswith("yields "):
        text = "returns " + text
    if answer.get("printed"):
        text += " and prints " + excerpt(answer["printed"], other.get("printed", ""))
    if answer.get("errors") and answer["errors"] != other.get("errors"):
        text += " and writes %s to stderr" % excerpt(answer["errors"], other.get("errors", ""))
    return text


def excerpt(text, other):
    """A part of an output that shows where another one differs."""
    same = len(os.path.commonprefix([text, other]))
    start = same - 20 if text != other and same > MAX_SHOWN // 2 else 0
    part = text[start : start + MAX_SHOWN]
    return "%s%r%s" % ("…" if start else "", part, "…" if start + MAX_SHOWN < len(text) else "")


def test_for(target, expression, old, new):
    """A test that pins the old answer and fails with the new one; None if the call or the answer is not plain."""
    if target["self"] is not None or "." in target["name"] or target["bindings"] or old.get("test") is None:
        return None
    if "lambda" in expression or not is_known(expression, target["name"]):
        return None
    if new.get("test") is not None and ast.literal_eval(new["test"]) == ast.literal_eval(old["test"]):
        return None
    module = next(name for path, name in target["modules"] if path == target["path"])
    name = target["name"]
    return "from %s import %s\n\n\ndef test_%s_answers_as_it_did():\n    assert %s == %s\n" % (
        module,
        name,
        name.strip("_").lower(),
        expression,
        old["test"],
    )


def is_known(expression, name):
    """True if an expression needs no import but that of `name`."""
    names = [one.id for one in ast.walk(ast.parse(expression)) if isinstance(one, ast.Name)]
    return all(one == name or hasattr(builtins, one) for one in names)
