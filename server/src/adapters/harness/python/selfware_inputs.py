"""Calls of typed functions, as expressions: from the shapes of their parameters and a source of choices."""

import random

INTEGERS = [0, 1, -1, 2, 3, 7, 10, 12, 100, 255, 1000, -10, 2**31, -(2**63), 10**15]
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, -2.25, 1e-9, 999.5, 1e16, float("inf"), float("-inf"), float("nan")]
TEXTS = [
    "",
    " ",
    "a",
    "A",
    "ab",
    "a b",
    "  x ",
    "1",
    "-1",
    "0.5",
    "é",
    "ß",
    "\n",
    "a,b",
    "a-b_c",
    "Hello World",
]
TEXTS += ["😀"]
ALPHABET = "abcXYZ019 _-.,:/%\t\néß"
DEPTH = 3


class RandomDraw:
    """Choices by a seed; later calls are larger."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.size = 0

    def index(self, count):
        return self.random.randrange(count)

    def count(self, most):
        return self.random.randint(0, min(most, 1 + self.size // 20))

    def integer(self):
        bound = self.random.choice([3, 20, 200, 10**6])
        return self.random.randint(-bound, bound)

    def float(self):
        return self.random.choice([1.0, 100.0, 1e6]) * self.random.uniform(-1, 1)

    def text(self):
        return "".join(self.random.choice(ALPHABET) for _ in range(self.count(8)))


class HypothesisDraw:
    """Choices by Hypothesis, which makes a difference small."""

    def __init__(self, draw, strategies):
        self.draw = draw
        self.st = strategies

    def index(self, count):
        return self.draw(self.st.integers(0, count - 1))

    def count(self, most):
        return self.draw(self.st.integers(0, most))

    def integer(self):
        return self.draw(self.st.integers())

    def float(self):
        return self.draw(self.st.floats())

    def text(self):
        return self.draw(self.st.text(max_size=20))


class Inputs:
    def __init__(self, numbers, texts):
        near = {one + step for one in numbers if isinstance(one, int) for step in (-1, 0, 1)}
        self.integers = INTEGERS + sorted(near)
        self.floats = FLOATS + [float(one) for one in numbers if abs(one) < 1e300]
        self.texts = TEXTS + texts

    def call(self, target, draw):
        """The parts of a call as expressions, and the call for a person: `clamp(1.0, upper=3)`."""
        words = self.words(target["parameters"], draw, 0)
        arguments = ", ".join(written(word) for word in words)
        if target["self"] is None:
            return {"instance": None, "words": words, "text": "%s(%s)" % (target["name"], arguments)}
        instance = self.value(target["self"], draw, 0)
        if target["kind"] == "init":
            text = instance
        elif target["kind"] == "property":
            text = "%s.%s" % (instance, target["member"])
        else:
            text = "%s.%s(%s)" % (instance, target["member"], arguments)
        return {"instance": instance, "words": words, "text": text}

    def words(self, parameters, draw, depth):
        """Arguments: a name, or None for a positional one, and an expression."""
        words = []
        by_name = False
        for parameter in parameters:
            kind = parameter["kind"]
            if kind == "rest":
                if not by_name:
                    words += [
                        [None, self.value(parameter["shape"], draw, depth)] for _ in range(draw.count(3))
                    ]
                by_name = True
            elif parameter["optional"] and draw.index(2) == 0:
                by_name = True
            elif not (by_name and kind == "positional"):
                is_named = by_name or kind == "named"
                words.append(
                    [parameter["name"] if is_named else None, self.value(parameter["shape"], draw, depth)]
                )
        return words

    def value(self, shape, draw, depth):
        return getattr(self, "of_" + shape["kind"])(shape, draw, depth + 1)

    def pick(self, known, draw, fresh):
        return known[draw.index(len(known))] if draw.index(3) else fresh()

    def of_text(self, shape, draw, depth):
        """One of some expressions."""
        return shape["of"][draw.index(len(shape["of"]))]

    def of_int(self, shape, draw, depth):
        return repr(self.pick(self.integers, draw, draw.integer))

    def of_float(self, shape, draw, depth):
        if draw.index(4) == 0:
            return self.of_int(shape, draw, depth)
        number = self.pick(self.floats, draw, draw.float)
        text = repr(number)
        return text if text.strip("-")[0].isdigit() else 'float("%s")' % text

    def of_bool(self, shape, draw, depth):
        return ("False", "True")[draw.index(2)]

    def of_str(self, shape, draw, depth):
        text = self.pick(self.texts, draw, draw.text)
        if draw.index(4) == 0:
            text += self.pick(self.texts, draw, draw.text)
        return repr(text)

    def of_bytes(self, shape, draw, depth):
        text = self.pick(self.texts, draw, draw.text)
        return repr(text.encode("utf-8", "surrogatepass"))

    def of_any(self, shape, draw, depth):
        kinds = ["int", "str", "bool", "float", "none", "bytes"]
        kind = kinds[draw.index(len(kinds))]
        return "None" if kind == "none" else self.value({"kind": kind}, draw, depth)

    def of_union(self, shape, draw, depth):
        return self.value(shape["of"][draw.index(len(shape["of"]))], draw, depth)

    def of_list(self, shape, draw, depth):
        return shape["form"] % ("[%s]" % ", ".join(self.several(shape["of"], draw, depth)))

    def of_tuple(self, shape, draw, depth):
        words = [self.value(one, draw, depth) for one in shape["of"]]
        return "(%s)" % (words[0] + "," if len(words) == 1 else ", ".join(words))

    def of_dict(self, shape, draw, depth):
        keys = self.several(shape["key"], draw, depth)
        return "{%s}" % ", ".join("%s: %s" % (key, self.value(shape["value"], draw, depth)) for key in keys)

    def of_fields(self, shape, draw, depth):
        fields = [one for one in shape["fields"] if not one["optional"] or draw.index(2)]
        return "{%s}" % ", ".join(
            "%r: %s" % (one["name"], self.value(one["shape"], draw, depth)) for one in fields
        )

    def of_make(self, shape, draw, depth):
        words = self.words(shape["parameters"], draw, depth)
        return "%s(%s)" % (shape["name"], ", ".join(written(word) for word in words))

    def several(self, shape, draw, depth):
        most = 5 if depth < DEPTH else 1
        return [self.value(shape, draw, depth) for _ in range(draw.count(most))]


def written(word):
    name, text = word
    return text if name is None else "%s=%s" % (name, text)
