"""What `--ray` refuses before anything is played."""

import socket

import pytest

from hastilude.workers import cluster

ARENA = ("arena", "triatri", "--bots", "random,random", "--deals", 1)
LONGEST_SECONDS = 15


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


def test_what_does_not_answer_is_one_sentence(refused, silent, monkeypatch):
    assert cluster.TRIAL_SECONDS < LONGEST_SECONDS
    monkeypatch.setattr(cluster, "TRIAL_SECONDS", 2)
    said = refused(*ARENA, "--ray", silent)
    assert said.startswith(f"No Ray cluster answered at {silent} within 2 seconds.")


@pytest.mark.parametrize("address", ["ray://there:10001", "there:port", "there:", "auto"])
def test_an_invalid_address_is_named(refused, address):
    said = refused(*ARENA, f"--ray={address}")
    assert said.startswith(f"{address} is not the address of a Ray cluster.")


def test_the_address_may_be_in_the_environment(refused, silent, monkeypatch):
    monkeypatch.setattr(cluster, "TRIAL_SECONDS", 2)
    monkeypatch.setenv("RAY_ADDRESS", silent)
    assert silent in refused(*ARENA, "--ray")


@pytest.mark.parametrize("command", [ARENA, ("puzzles", "make", "triatri")])
def test_without_ray_it_says_how_to_install_it(refused, monkeypatch, command):
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
