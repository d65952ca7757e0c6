"""What `--ray` refuses before anything is played."""

import os
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from unittest.mock import patch

import pytest

from hastilude.workers import cluster

ARENA = ("arena", "triatri", "--bots", "random,random", "--deals", 1)
COMMANDS = [ARENA, ("puzzles", "make", "triatri"), ("lab", "run", "triatri-seats")]
LONGEST_SECONDS = 15


@pytest.fixture(autouse=True)
def own_environment():
    """What is set for a Ray is gone afterwards. But Ray has read by then whether there is a token,
    and another test in this process may start one that has."""
    with patch.dict(os.environ, RAY_AUTH_MODE="token"):
        yield


@pytest.fixture
def silent():
    """The address of something that listens and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"127.0.0.1:{listening.getsockname()[1]}"


def test_a_closed_port_is_one_sentence(refused):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = f"127.0.0.1:{listening.getsockname()[1]}"
    said = refused(*ARENA, "--ray", address)
    assert said.startswith(f"Cannot join a Ray cluster at {address}: ")
    assert "refused" in said


def test_what_does_not_answer_is_one_sentence(refused, silent):
    seconds = cluster.ANSWER_SECONDS
    assert seconds <= LONGEST_SECONDS / 2  # the rest is for starting Python
    said = refused(*ARENA, "--ray", silent)
    assert said.startswith(f"No Ray cluster answered at {silent} within {seconds} seconds.")


@contextmanager
def answering(answer):
    """The address of something that answers the first who connects, and hangs up."""

    def serve():
        connection, _ = listening.accept()
        with connection:
            connection.recv(100)
            connection.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listening, ThreadPoolExecutor(1) as helper:
        listening.settimeout(10 * LONGEST_SECONDS)
        helper.submit(serve)
        yield f"127.0.0.1:{listening.getsockname()[1]}"


def test_another_server_is_one_sentence_with_its_answer(refused):
    with answering(b"HTTP/1.1 400 Bad Request\r\n\r\n") as address:
        said = refused(*ARENA, "--ray", address)
    assert said.startswith(f"Cannot join a Ray cluster at {address}: ")
    assert "400 Bad Request" in said


@pytest.mark.parametrize("answer", [b"\0\0\0\4\0\0\0\0\0", b"\x15\3\3\0\2\2\x46", b""])
def test_what_may_be_a_cluster_is_tried(refused, monkeypatch, answer):
    """HTTP/2, or what a server says that wants encryption, or that it hangs up."""
    monkeypatch.setattr(cluster, "TRIAL", "import sys; sys.exit('no\\n  certificate')")
    with answering(answer) as address:
        said = refused(*ARENA, "--ray", address)
    assert said == f"Cannot join a Ray cluster at {address}: no certificate"


def test_a_cluster_that_ends_before_it_is_joined_is_one_sentence(refused, monkeypatch):
    def fail(*_, **__):
        raise ConnectionError("gone\n  for good")

    monkeypatch.setattr(cluster, "check_answer", lambda _: None)
    monkeypatch.setattr("ray.init", fail)
    said = refused(*ARENA, "--ray", "there:1")
    assert said == "Cannot join a Ray cluster at there:1: gone for good"


@pytest.mark.parametrize("address", ["ray://there:10001", "there:port", "there:", "auto"])
def test_an_invalid_address_is_named(refused, address):
    said = refused(*ARENA, f"--ray={address}")
    assert said.startswith(f"{address} is not the address of a Ray cluster.")


def test_the_address_may_be_in_the_environment(refused, silent, monkeypatch):
    monkeypatch.setattr(cluster, "ANSWER_SECONDS", 2)
    monkeypatch.setenv("RAY_ADDRESS", silent)
    assert silent in refused(*ARENA, "--ray")


@pytest.mark.parametrize("command", COMMANDS)
def test_without_ray_it_says_how_to_install_it(refused, monkeypatch, tmp_path, command):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cluster, "find_spec", lambda _: None)
    assert refused(*command, "--ray") == "A cluster needs Ray: pip install 'hastilude[cluster]'."


def test_only_an_address_is_taken_for_one(refused, monkeypatch):
    monkeypatch.setattr(cluster, "find_spec", lambda _: None)
    name, game, *rest = ARENA
    assert "hastilude[cluster]" in refused(name, "--ray", game, *rest)


def test_a_ray_that_does_not_start_is_one_sentence(refused, monkeypatch):
    def fail(folder, count):
        raise RuntimeError("no more\n  ports")

    monkeypatch.setattr(cluster, "_start", fail)
    said = refused(*ARENA, "--ray")
    assert said == "Ray could not be started on this machine: no more ports"


def test_a_file_of_other_settings_is_refused_before_a_cluster_is_sought(refused, run, tmp_path):
    path = tmp_path / "results"
    run(*ARENA, "--results", path, "--workers", 1, "--json")
    said = refused(*ARENA, "--seed", 1, "--results", path, "--ray", "127.0.0.1:1")
    assert "its seed is 0, not 1" in said
