"""Answers are taken whole, however a server cuts them, and a closed connection is opened anew."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from hermes_sessions.bench.wire import Wire

LENGTH = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
CHUNKS = b"HTTP/1.1 404 No\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\n\r\n"
LAST = b"HTTP/1.1 200 OK\r\nConnection: close\r\ncontent-length: 2\r\n\r\nby"


@contextmanager
def answering(*connections: list[bytes]) -> Iterator[int]:
    """A server that gives these answers on one connection after the other, a byte at a time."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            for answers in connections:
                with listening.accept()[0] as connection:
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    for answer in answers:
                        assert connection.recv(1000) == b"question"
                        for place in range(len(answer)):
                            connection.sendall(answer[place : place + 1])

        thread = threading.Thread(target=serve)
        thread.start()
        yield listening.getsockname()[1]
        thread.join(10)


def test_answers_of_both_kinds_are_read_one_after_the_other() -> None:
    with answering([LENGTH, CHUNKS, LENGTH]) as port, closing(Wire(port)) as wire:
        assert [wire.exchange(b"question") for _ in range(3)] == [(200, b"hello"), (404, b"hello"), (200, b"hello")]


def test_after_the_last_answer_of_a_connection_comes_another_one() -> None:
    with answering([LAST], [LENGTH]) as port, closing(Wire(port)) as wire:
        assert [wire.exchange(b"question") for _ in range(2)] == [(200, b"by"), (200, b"hello")]


def test_an_answer_that_ends_in_the_middle_is_an_error() -> None:
    with answering([LENGTH[:-1]]) as port, closing(Wire(port)) as wire, pytest.raises(RuntimeError, match="middle"):
        wire.exchange(b"question")
