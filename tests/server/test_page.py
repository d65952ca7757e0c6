"""How the page is sent to browsers, and what its addresses say to programs that preview links."""

import asyncio
import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path

import httpx
import pytest

from hastilude.core.errors import OptionError
from hastilude.server import previews
from hastilude.server.app import create_app
from hastilude.server.page import BUILT, WORDS
from hastilude.server.settings import Rate
from hastilude.server.store import Store
from tests.server.running import GENEROUS, PATIENCE, Address, in_thread

INDEX = '<!doctype html><html lang="en"><title>Hastilude</title><div id="app"></div>'
APP = '<div id="app"></div>'
SCRIPT = "document.title = 'Hastilude';" * 20
IN_A_BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    """A server with a page of a few files."""
    folder = tmp_path_factory.mktemp("site")
    web = folder / "web"
    (web / "assets").mkdir(parents=True)
    (folder / "secret.txt").write_text("not for browsers")
    (web / "index.html").write_text(INDEX)
    (web / "icon.svg").write_text("<svg/>")
    (web / "icon-192.png").write_bytes(b"a picture")
    (web / ".made-of").write_text("what the build notes for itself")
    (web / "manifest.webmanifest").write_text("{}")
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
    assert answer.status_code == 200
    assert answer.text.endswith(APP)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"


def test_what_is_known_is_a_page_whose_style_the_policy_allows(site: Address) -> None:
    answer = site.request("GET", "/known.html")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "<style" not in answer.text
    assert not re.search(r"<[^>]* (style|on\w+)=", answer.text)
    assert '<link rel="stylesheet" href="/known.css">' in answer.text
    assert site.request("GET", "/known.css").headers["content-type"].startswith("text/css")
    games = site.request("GET", "/api/games").json()
    assert [f'id="{game["name"]}"' in answer.text for game in games] == [True] * 3
    assert [game["known"] for game in games] == [True] * 3


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


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("icon.svg", "image/svg+xml"),
        ("icon-192.png", "image/png"),
        ("manifest.webmanifest", "application/manifest+json"),
    ],
)
def test_icons_and_the_manifest(site: Address, name: str, kind: str) -> None:
    answer = site.request("GET", f"/{name}")
    assert (answer.status_code, answer.headers["content-type"]) == (200, kind)
    assert answer.headers["cache-control"] == "public, max-age=86400"


def test_a_person_at_a_wrong_address_gets_the_page_and_a_program_a_reason(site: Address) -> None:
    person = site.request("GET", "/nowhere", headers=IN_A_BROWSER)
    assert person.status_code == 404
    assert person.text.endswith(APP)
    assert "nowhere" not in person.text
    for path, headers in (("/nowhere", {}), ("/api/nowhere", IN_A_BROWSER)):
        program = site.request("GET", path, headers=headers)
        assert program.status_code == 404
        assert program.json()["reason"]["key"] == "page_unknown"


@pytest.mark.parametrize(
    "name", ["..%2f..%2fsecret.txt", "%2e%2e/secret.txt", "nothing.js", ".made-of"]
)
def test_only_files_of_the_page_are_sent(site: Address, name: str) -> None:
    assert site.request("GET", f"/assets/{name}").status_code == 404
    assert site.request("GET", f"/{name}").status_code == 404


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
    assert server.request("GET", "/").text.endswith(expected.partition("</title>")[2])


def test_a_folder_without_a_page_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="Invalid web"):
        create_app(replace(GENEROUS, database=str(tmp_path / "t.db"), web=tmp_path))


def test_refusals_of_the_page_can_be_read(site: Address) -> None:
    assert json.loads(site.request("POST", "/").text)["reason"]["key"] == "request_http"


# --- previews of links ----------------------------------------------------------------------------


def preview(site: Address, path: str, **headers: str) -> dict[str, str]:
    """What a chat program shows for a link, by name without `og:`."""
    return preview_in(site.request("GET", path, headers=headers))


def preview_in(answer: httpx.Response) -> dict[str, str]:
    found = re.findall(r'<meta (?:property="og:|name=")([\w:]+)" content="([^"]*)">', answer.text)
    (title,) = re.findall("<title>(.*)</title>", answer.text)
    shown = {name: unescape(content) for name, content in found}
    assert unescape(title) == shown["title"]
    return shown


def test_a_link_to_the_first_page_says_what_this_is(site: Address) -> None:
    shown = preview(site, "/")
    assert shown["title"] == "Hastilude"
    assert shown["description"].startswith("Three card games in the browser.")
    assert shown["url"] == f"{site.url}/"
    assert shown["image"] == f"{site.url}/preview.png"
    assert (shown["image:width"], shown["image:height"]) == ("1200", "630")
    assert shown["twitter:card"] == "summary_large_image"


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/play/triatri", "TriATri"),
        ("/rules/kings_tournament", "King's Tournament: rules"),
        ("/learn/tornei", "Learn Tornei"),
        ("/rules/chess", "Hastilude"),
        ("/rules/_template", "Hastilude"),
        ("/rules/%22%3E%3Cscript%3E", "Hastilude"),
    ],
)
def test_a_link_to_a_game_names_it(site: Address, path: str, title: str) -> None:
    shown = preview(site, path)
    assert shown["title"] == title
    assert shown["url"] == site.url + (path if title != "Hastilude" else "/")


def test_an_invitation_names_the_game_and_nobody(site: Address) -> None:
    """Not even the host, and the same for a table that nobody may watch."""
    for watch in ("anyone", "nobody"):
        code = site.open_table("triatri", watch=watch)["code"]
        site.sit(code, "Anna")
        answer = site.request("GET", f"/t/{code}")
        assert preview_in(answer)["title"] == "You are invited to a game of TriATri"
        assert preview_in(answer)["url"] == f"{site.url}/t/{code}"
        assert "Anna" not in answer.text
    replay = preview(site, f"/t/{code}/1?seat=0&turn=5")
    assert replay["title"] == "A game of TriATri, move by move"
    assert replay["url"] == f"{site.url}/t/{code}/1"


@pytest.mark.parametrize("code", ["abcdefgh", "ABCDEFGH", "x", "%22%3E%3Cscript%3E", "a%00b"])
def test_a_wrong_code_says_nothing(site: Address, code: str) -> None:
    answer = site.request("GET", f"/t/{code}")
    assert answer.status_code == 200
    assert preview_in(answer)["title"] == "Hastilude"
    assert "<script" not in answer.text


def test_codes_are_not_guessed_by_their_previews(tmp_path: Path) -> None:
    """A preview is limited like the API: it costs a request, and a wrong code counts as a guess."""
    few = Rate(3, 0.0)
    settings = replace(GENEROUS, database=str(tmp_path / "t.db"), guess_rate=few)
    with in_thread(settings) as server:
        code = server.open_table()["code"]
        for wrong in range(4):
            server.request("GET", f"/t/aaaaaaa{wrong + 2}")
        refused = server.request("GET", "/api/tables/bbbbbbbb")
        assert refused.json()["reason"]["key"] == "too_many_guesses"
    settings = replace(settings, request_rate=few)
    with in_thread(settings) as server:
        shown = [preview(server, f"/t/{code}")["title"] for _ in range(4)]
        assert [title == "Hastilude" for title in shown] == [False, False, False, True]


@pytest.mark.parametrize("host", ["evil.example", "a.example:81", "[::1]:8000"])
def test_links_begin_with_the_address_of_the_request(site: Address, host: str) -> None:
    assert preview(site, "/", host=host)["url"] == f"http://{host}/"


@pytest.mark.parametrize("host", ['a"><script>', "a.example/path", "a b"])
def test_a_host_that_is_none_is_refused(site: Address, host: str) -> None:
    answer = site.request("GET", "/", headers={"host": host})
    assert answer.status_code == 400
    assert "script" not in answer.text


def test_links_begin_with_the_public_address_if_there_is_one(tmp_path: Path) -> None:
    public = 'https://tables.example.org/?a=1&quot="'
    with in_thread(replace(GENEROUS, database=str(tmp_path / "t.db"), public_url=public)) as server:
        answer = server.request("GET", "/rules/tornei", headers={"host": "evil.example"})
        assert preview_in(answer)["url"] == f"{public}/rules/tornei"
        assert "evil.example" not in answer.text


@pytest.mark.parametrize(
    ("wanted", "language"),
    [("ja,en;q=0.8", "ja"), ("en-GB,ja;q=0.5", "en"), ("fr, ja-JP;q=0.9", "ja"), ("fr", "en")],
)
def test_a_preview_has_the_language_of_the_reader(
    site: Address, wanted: str, language: str
) -> None:
    answer = site.request("GET", "/learn/triatri", headers={"accept-language": wanted})
    title = {"en": "Learn TriATri", "ja": "トリアトリを覚える"}[language]
    assert preview_in(answer)["title"] == title
    assert f'<html lang="{language}"' in answer.text
    assert answer.headers["vary"] == "accept-encoding, accept-language"


def test_a_preview_is_compressed_and_its_head_can_be_asked_for(site: Address) -> None:
    plain, packed = (
        site.request("GET", "/play/triatri", headers={"accept-encoding": form})
        for form in ("identity", "br, gzip")
    )
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.text == plain.text
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"])
    head = site.request("HEAD", "/play/triatri", headers={"accept-encoding": "identity"})
    assert (head.status_code, head.text) == (200, "")
    assert head.headers["content-length"] == plain.headers["content-length"]


def test_a_table_opens_while_the_database_is_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then the page says what is wrong; the preview does not wait."""

    async def silent(*_: object) -> None:
        await asyncio.sleep(PATIENCE)

    monkeypatch.setattr(previews, "PATIENCE", 0.01)
    monkeypatch.setattr(Store, "game_at", silent)
    with in_thread(replace(GENEROUS, database=str(tmp_path / "t.db"))) as server:
        assert preview(server, "/t/abcdefgh")["title"] == "Hastilude"
