"""Small documents that become large when they are checked or answered."""

from __future__ import annotations

DEEP = "query ($a: " + "[" * 1900


def _doubling(depth: int, step: str, last: str) -> str:
    """Fragments that each use the next one twice: `step` has {next} in it."""
    steps = [f"fragment F{n} on Session {{ {step.replace('{next}', f'...F{n + 1}')} }}" for n in range(depth)]
    return " ".join([f'{{ session(id: "d1") {{ ...F0 }} }} fragment F{depth} on Session {{ {last} }}', *steps])


def _nested(depth: int, width: int) -> str:
    inner = "id"
    for _ in range(depth):
        inner = f"parent {{ {inner} }} " * width
    return f'{{ session(id: "d1") {{ {inner} }} }}'


def _cycle(number: int, spreads: int) -> str:
    """Fragments that all use the next ones, and so themselves."""
    uses = [" ".join(f"...F{(n + step) % number}" for step in range(1, spreads + 1)) for n in range(number)]
    return "{ ...F0 } " + " ".join(f"fragment F{n} on Query {{ {uses[n]} }}" for n in range(number))


def _later() -> str:
    """Each fragment spreads all later ones."""
    uses = [" ".join(f"...F{later}" for later in range(n + 1, 40)) for n in range(40)]
    fragments = " ".join(f"fragment F{n} on Session {{ {uses[n]} id }}" for n in range(40))
    return f'{{ session(id: "d1") {{ ...F0 }} }} {fragments}'


def _same(fragments: int, fields: str) -> str:
    spread = " ".join(f"...F{n}" for n in range(fragments))
    return f"{{ server {{ {spread} }} }} " + " ".join(
        f"fragment F{n} on Server {{ {fields} }}" for n in range(fragments)
    )


_TYPE = "...N fields { name description args { name description type { ...N } } type { ...N } }"
_INTROSPECTION = (
    "fragment F on __Schema { types { name fields { name args { name type { ...N } }"
    f" type {{ {_TYPE} ofType {{ {_TYPE} }} }} }} }} }}"
    " fragment N on __Type { name description kind ofType { name description kind ofType { name kind } } }"
)

SMALL = {
    "fragments that double each other": _doubling(40, "{next} {next}", "id"),
    "inline fragments that double each other": _doubling(40, "... on Session { {next} } ... on Node { {next} }", "id"),
    "fields that double each other": _doubling(13, "parent { {next} } root { {next} }", "id"),
    "pages that double each other": _doubling(8, "children { nodes { {next} } } root { {next} }", "id"),
    "aliases that double each other": _doubling(12, "a: parent { {next} } b: parent { {next} }", "id"),
    "a thousand spreads of one fragment": "{ server { " + "...A " * 600 + "} } fragment A on Server { version }",
    "the same field many times": "{ server { " + "version " * 1900 + "} }",
    "overlapping selections": "{ " + "server { version } " * 400 + "}",
    "overlapping selections with lists": "{ " + "sessions(first: 1, filter: {}) { nodes { id } } " * 110 + "}",
    "overlapping selections, two by two": _nested(8, 2),
    "overlapping selections, twenty by twenty": _nested(2, 20),
    "overlapping inline fragments": "{ server { " + "... { version } " * 380 + "} }",
    "overlapping fragments": _same(30, "version " * 50),
    "aliases of one name in fragments": _same(12, "a: version b: version c: version d: version"),
    "fragments that spread all later ones": _later(),
    "a circle of fragments": _cycle(240, 1),
    "circles of fragments": _cycle(20, 20),
    "fragments that nobody uses": "{ server { version } } "
    + " ".join(f"fragment F{n} on Server {{ version }}" for n in range(240)),
    "many operations": " ".join(f"query Q{n} {{ server {{ version }} }}" for n in range(200)),
    "directives of one field": "{ server { version " + "@skip(if: false) " * 300 + "} }",
    "directives of fragments": "{ " + "... @include(if: true) { server { version } } " * 150 + "}",
    "directives that are allowed once": "{ server { " + "version @include(if: true) " * 21 + "} }",
    "braces without end": "{" * 1900,
    "fields without end": "{ a" * 900,
    "types without end": DEEP,
    "types that end": DEEP + "Int" + "]" * 50,
    "values without end": "{ session(id: " + "[" * 1900,
    "deep values": "{ session(id: " + "[" * 900 + "]" * 900 + ") { id } }",
    "deep objects": "{ session(id: " + "{a: " * 400 + "1" + "}" * 400 + ") { id } }",
    "deep inline fragments": "{ " + "... { " * 450 + "server { version } " + "} " * 450 + "}",
    "names that are nearly right": "{ " + " ".join(f"{'session' * 60}{n}" for n in range(1900)) + " }",
    "types that are nearly right": "{ " + " ".join(f"...on {'Session' * 60}{n} {{ id }}" for n in range(300)) + " }",
    "fifty times all of the schema": "{ "
    + " ".join(f"a{n}: __schema {{ ...F }}" for n in range(50))
    + " } "
    + _INTROSPECTION,
    "the schema's types fifty times": "{ __schema { "
    + " ".join(f"a{n}: types {{ ...T }}" for n in range(50))
    + " } } fragment T on __Type { name fields { name description type { name } } }",
    "fields of types of fields": "{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }",
}
