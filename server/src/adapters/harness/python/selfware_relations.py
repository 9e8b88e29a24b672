"""Relations between the arguments of a function that hold in all known calls: one number is at most another one, two
lists have one length, a list ascends. The same as `argumentRelations.ts`."""

import re

# Names of bounds that come in pairs: the lower one, and the upper one.
BOUNDS = (
    ("minimum", "maximum"),
    ("min", "max"),
    ("lowest", "highest"),
    ("lower", "upper"),
    ("low", "high"),
    ("lo", "hi"),
    ("least", "most"),
    ("smallest", "largest"),
    ("begin", "end"),
    ("start", "end"),
    ("start", "stop"),
)
# Minimum number of different pairs of values, and of lists, that show a relation which no name shows.
MIN_PAIRS, MIN_LISTS = 4, 3
# Minimum number of elements of a list that shows an order.
MIN_ELEMENTS = 3


def find_relations(names, calls, code):
    """The relations: tuples of a kind and names of parameters. `calls`: numbers and lists, by the names of parameters.
    Parameters that the code compares have none, because it expects either to be the larger one. None if the search
    fails: a relation only makes a call less usual, so its search never ends that of the file."""
    try:
        return search_relations(names, calls, code)
    except Exception:
        return []


def search_relations(names, calls, code):
    # "*" stands for the arguments that `*values` takes, which have no names of their own.
    places = list(dict.fromkeys(list(names) + [place for call in calls for place in call if place != "*"]))
    pairs = [(left, right) for left in places for right in places if left != right]
    found = [order for left, right in pairs for order in order_of(calls, left, right, code)]
    found += [("same length", *pair) for pair in pairs if pair[0] < pair[1] and have_same_length(calls, *pair)]
    return found + [("ascending", place) for place in places if ascends(calls, place)]


def is_kept(relations, call):
    return all(holds(kind, [call.get(place) for place in places]) for kind, *places in relations)


def holds(kind, values):
    if kind == "ascending":
        return not isinstance(values[0], list) or is_ascending(values[0])
    if kind == "same length":
        return not all(isinstance(one, list) for one in values) or len(values[0]) == len(values[1])
    if not all(isinstance(one, (int, float)) for one in values):
        return True
    return values[0] < values[1] if kind == "below" else values[0] <= values[1]


def order_of(calls, left, right, code):
    values = [(call.get(left), call.get(right)) for call in calls]
    values = {pair for pair in values if all(isinstance(one, (int, float)) for one in pair)}
    if not all(low <= high for low, high in values):
        return []
    if are_bounds(left, right):
        if compares_directly(code, left, right):
            return []
    elif len(values) < MIN_PAIRS or compares_somehow(code, left, right):
        return []
    # A few calls say little about whether equal values are usual.
    is_strict = len(values) >= MIN_PAIRS and all(low < high for low, high in values)
    return [("below" if is_strict else "at most", left, right)]


def are_bounds(left, right):
    """True for `low` and `high`, `min_width` and `max_width`: names that differ only in a pair of `BOUNDS`."""
    lower, upper = left.lower(), right.lower()
    return any(low in lower and upper == lower.replace(low, high, 1) for low, high in BOUNDS)


def compares_directly(code, left, right):
    left, right = re.escape(left), re.escape(right)
    pairs = ((left, right), (right, left))
    return any(re.search(r"\b%s\s*(?:[<>]=?|[!=]=)\s*%s\b" % pair, code) for pair in pairs)


def compares_somehow(code, left, right):
    """True if a line that compares, or calls `min` or `max`, names both."""
    return any(
        re.search(r"[<>]|\b(?:min|max)\s*\(", line.replace("->", "")) is not None
        and all(re.search(r"\b%s\b" % re.escape(name), line) for name in (left, right))
        for line in code.split("\n")
    )


def have_same_length(calls, left, right):
    both = [(call.get(left), call.get(right)) for call in calls]
    both = [pair for pair in both if all(isinstance(one, list) for one in pair)]
    if any(len(first) != len(second) for first, second in both):
        return False
    return len(both) >= MIN_LISTS and len({len(first) for first, _ in both}) > 1


def ascends(calls, place):
    lists = [call[place] for call in calls if isinstance(call.get(place), list) and call[place]]
    telling = {tuple(one) for one in lists if len(one) >= MIN_ELEMENTS}
    return len(telling) >= MIN_LISTS and all(None not in one and is_ascending(one) for one in lists)


def is_ascending(values):
    return all(a is None or b is None or a <= b for a, b in zip(values, values[1:]))
