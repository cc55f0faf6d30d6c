"""What broken and hostile clients send over a plain socket, with the statuses that they may get; none: no answer."""

from __future__ import annotations

from tests.attacks.victim import heads

_QUESTION = b'{"query":"{ server { version } }"}'
_LENGTH = f"Content-Length: {len(_QUESTION)}"
_CHUNKED = b"%x\r\n%b\r\n0\r\n\r\n" % (len(_QUESTION), _QUESTION)
_OFFER = (
    "Connection: Upgrade, HTTP2-Settings",
    "Upgrade: h2c",
    "HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA",
)
_HANDSHAKE = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: x")
HANDSHAKE = heads(
    "GET /graphql HTTP/1.1",
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Protocol: graphql-transport-ws",
)
"""Of a WebSocket."""
_GET = heads("GET /healthz HTTP/1.1")


def _post(*headers: str, body: bytes = _QUESTION) -> bytes:
    return heads("POST /graphql HTTP/1.1", "Content-Type: application/json", *headers) + body


REFUSED: dict[str, tuple[bytes, int]] = {
    "a length that is too short": (_post("Content-Length: 5"), 400),
    "a length beyond all": (_post(f"Content-Length: {'9' * 40}"), 400),
    "a length of 99 GB": (_post("Content-Length: 99999999999"), 413),
    "a length below nothing": (_post("Content-Length: -5"), 400),
    "a length with a sign": (_post("Content-Length: +5"), 400),
    "two lengths": (_post("Content-Length: 5", f"Content-Length: {len(_QUESTION)}"), 400),
    "a length and chunks": (_post("Content-Length: 5", "Transfer-Encoding: chunked"), 400),
    "an encoding that is none": (_post("Transfer-Encoding: xchunked"), 400),
    "a chunk beyond all": (_post("Transfer-Encoding: chunked", body=b"f" * 40 + b"\r\n"), 400),
    "a chunk's extension": (_post("Transfer-Encoding: chunked", body=b"5;" + b"a" * 5_000_000), 431),
    "trailers": (_post("Transfer-Encoding: chunked", body=b"1\r\n{\r\n0\r\n" + b"a: b\r\n" * 500_000), 431),
    "a trailer": (_post("Transfer-Encoding: chunked", body=b"1\r\n{\r\n0\r\na: " + b"a" * 5_000_000), 431),
    "a header of 20 MB": (heads("GET /healthz HTTP/1.1")[:-4] + b"\r\nx: " + b"a" * 20_000_000, 431),
    "two million headers": (heads("GET /healthz HTTP/1.1")[:-2] + b"x: a\r\n" * 2_000_000, 431),
    "an address of 100 kB": (heads(f"GET /{'a' * 100_000} HTTP/1.1"), 431),
    "an address of 20 MB": (b"GET /" + b"a" * 20_000_000, 431),
    "an address in other letters": (b"GET /\xff\xfe HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    "an address that is none": (heads("GET http://[::1 HTTP/1.1"), 400),
    "a Host behind the body": (
        b"POST /healthz HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nHost: localhost\r\n\r\n",
        400,
    ),
    "no colon": (b"GET /healthz HTTP/1.1\r\nHost localhost\r\n\r\n", 400),
    "a header in two lines": (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n x\r\n\r\n", 400),
    "a tunnel": (b"CONNECT a:1 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    "a tunnel to an address of ours": (heads("CONNECT /healthz HTTP/1.1"), 400),
    "HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(30), 400),
    "TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500), 400),
    "nothing but zeros": (bytes(5000), 400),
    "a WebSocket with a key that is none": (heads("GET /graphql HTTP/1.1", *_HANDSHAKE), 400),
    "a WebSocket without a key": (heads("GET /graphql HTTP/1.1", *_HANDSHAKE[:-1]), 400),
    "a WebSocket of another version": (HANDSHAKE.replace(b": 13", b": 12"), 400),
    "a WebSocket by POST": (heads("POST /graphql HTTP/1.1", *_HANDSHAKE, "Content-Length: 2") + b"{}", 400),
    "a WebSocket with many headers": (heads("GET /graphql HTTP/1.1", *_HANDSHAKE, *["x: a"] * 200), 400),
    "a WebSocket with a long header": (heads("GET /graphql HTTP/1.1", *_HANDSHAKE, f"x: {'a' * 10_000}"), 400),
}
ANSWERED: dict[str, tuple[bytes, int]] = {
    "HTTP/1.0": (heads("GET /healthz HTTP/1.0"), 1),
    "twenty at once": (_GET * 20, 20),
    "five thousand at once": (_GET * 5000, 5000),
    "exports at once": (heads("GET /export/default/d1.json HTTP/1.1") * 50, 50),
    "another protocol offered": (heads("GET /healthz HTTP/1.1", *_OFFER), 1),
    "another protocol offered with a body": (_post(*_OFFER, _LENGTH) + _post(*_OFFER, _LENGTH) + _GET, 3),
    "another protocol offered with chunks": (_post(*_OFFER, "Transfer-Encoding: chunked", body=_CHUNKED) + _GET, 2),
    "another protocol offered a thousand times": (heads("GET /healthz HTTP/1.1", *_OFFER) * 1000, 1000),
    "chunks": (_post("Transfer-Encoding: chunked", body=_CHUNKED), 1),
    "a Host behind the body, too": (_post("Transfer-Encoding: chunked", body=_CHUNKED[:-2] + b"Host: a\r\n\r\n"), 1),
}
UNFINISHED: dict[str, bytes] = {
    "nothing": b"",
    "half a line": b"GET /hea",
    "a line of HTTP/0.9": b"GET /healthz\r\n",
    "half a head": _GET[:-4],
    "no body": _post("Content-Length: 100", body=b""),
    "half a body": _post("Content-Length: 100"),
    "half a chunk": _post("Transfer-Encoding: chunked", body=b"5000\r\n{"),
    "chunks without end": _post("Transfer-Encoding: chunked", body=b"1\r\n \r\n" * 100),
    "a body that was refused": _post("Content-Length: 99999999999"),
    "a body that is waited for": _post("Expect: 100-continue", "Content-Length: 100", body=b""),
}
