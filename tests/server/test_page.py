"""How the page is sent to browsers."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hastilude.core.errors import OptionError
from hastilude.server.app import create_app
from hastilude.server.page import BUILT, WORDS
from tests.server.running import GENEROUS, Address, in_thread

INDEX = "<!doctype html><title>Hastilude</title>"
SCRIPT = "document.title = 'Hastilude';" * 20
IN_A_BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    """A server with a page of three files."""
    folder = tmp_path_factory.mktemp("site")
    web = folder / "web"
    (web / "assets").mkdir(parents=True)
    (folder / "secret.txt").write_text("not for browsers")
    (web / "index.html").write_text(INDEX)
    (web / "icon.svg").write_text("<svg/>")
    (web / "assets" / "main-X1.js").write_text(SCRIPT)
    (web / "assets" / "main-X1.js.gz").write_bytes(gzip.compress(SCRIPT.encode()))
    (web / "assets" / "main-X1.js.br").write_bytes(b"as brotli would have it")
    with in_thread(replace(GENEROUS, database=str(folder / "tables.db"), web=web)) as address:
        yield address


@pytest.mark.parametrize(
    "path",
    ["/", "/play/tornei", "/t/abcd", "/t/abcd/2?seat=1&turn=5", "/rules/tornei", "/learn/tornei"],
)
def test_every_address_of_the_page_is_the_page(site: Address, path: str) -> None:
    answer = site.request("GET", path)
    assert (answer.status_code, answer.text) == (200, INDEX)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"


def test_what_is_named_after_its_content_is_kept_for_good(site: Address) -> None:
    answer = site.request("GET", "/assets/main-X1.js", headers={"accept-encoding": "identity"})
    assert answer.text == SCRIPT
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, deflate", "gzip"),
        ("br;q=0, gzip;q=1.0", "gzip"),
        ("identity", None),
        ("", None),
    ],
)
def test_a_browser_gets_the_smallest_form_that_it_reads(
    site: Address, accepted: str, encoding: str | None
) -> None:
    answer = site.request("HEAD", "/assets/main-X1.js", headers={"accept-encoding": accepted})
    assert answer.headers.get("content-encoding") == encoding
    assert answer.headers["vary"] == "accept-encoding"


def test_a_compressed_script_is_the_script(site: Address) -> None:
    answer = site.request("GET", "/assets/main-X1.js", headers={"accept-encoding": "gzip"})
    assert int(answer.headers["content-length"]) < len(SCRIPT)
    assert answer.text == SCRIPT


def test_the_icon(site: Address) -> None:
    assert site.request("GET", "/icon.svg").headers["content-type"] == "image/svg+xml"


def test_a_person_at_a_wrong_address_gets_the_page_and_a_program_a_reason(site: Address) -> None:
    person = site.request("GET", "/nowhere", headers=IN_A_BROWSER)
    assert (person.status_code, person.text) == (404, INDEX)
    for path, headers in (("/nowhere", {}), ("/api/nowhere", IN_A_BROWSER)):
        program = site.request("GET", path, headers=headers)
        assert program.status_code == 404
        assert program.json()["reason"]["key"] == "page_unknown"


@pytest.mark.parametrize("name", ["..%2f..%2fsecret.txt", "%2e%2e/secret.txt", "nothing.js"])
def test_only_files_of_the_page_are_sent(site: Address, name: str) -> None:
    assert site.request("GET", f"/assets/{name}").status_code == 404


def test_nothing_but_its_own_runs_in_the_page(site: Address) -> None:
    for path in ("/", "/assets/main-X1.js", "/api/games", "/nowhere"):
        headers = site.request("GET", path).headers
        policy = dict(
            part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";")
        )
        assert policy.pop("default-src") == "'none'"
        assert set(policy.values()) == {"'self'", "'none'"}
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-content-type-options"] == "nosniff"


def test_the_built_page_is_served_unless_the_host_names_another(server: Address) -> None:
    page = BUILT / "index.html"
    expected = page.read_text("utf-8") if page.is_file() else WORDS
    assert server.request("GET", "/").text == expected


def test_a_folder_without_a_page_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="Invalid web"):
        create_app(replace(GENEROUS, database=str(tmp_path / "t.db"), web=tmp_path))


def test_refusals_of_the_page_can_be_read(site: Address) -> None:
    assert json.loads(site.request("POST", "/").text)["reason"]["key"] == "request_http"
