"""A tap on a score shows how it comes about, and a match ends with a score sheet."""

from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.server.running import Address, Client, play_out
from tests.web.axe import serious
from tests.web.screens import snap
from tests.web.settings import remember
from tests.web.test_kings_tournament import SCRIPT as DUEL


def sit_down(
    site: Address, page: Page, game: str, seats: list[Any], **more: Any
) -> tuple[Client, str]:
    """Anna at a table, as a client that plays for her; and where her browser finds it."""
    remember(page, **more.pop("settings", {}))
    opened = site.open_table(game, seats=seats, **more)
    token = site.sit(opened["code"], "Anna", host=opened["host"])["token"]
    return site.client(opened["code"], token), f"{site.url}/t/{opened['code']}#{token}"


def choose(client: Client, *actions: str) -> None:
    client.wait_for(lambda update: actions[0] in update["legal"])
    done = client.play(*actions)
    assert done["type"] == "done", done
    client.reach(done["version"])


def cells(table: Locator) -> list[list[str]]:
    """Each row of a table, without the numbers of clauses."""
    return table.locator("tr").evaluate_all(
        "rows => rows.map(({ children }) => [...children].map(cell =>"
        " (cell.querySelector('.part') ?? cell).innerText.replace(/\\s/g, ' ').trim()))"
    )


def breakdown(page: Page, seat: int, title: str) -> Locator:
    page.locator(f"[data-score='{seat}']").click()
    dialog = page.get_by_role("dialog", name=title)
    expect(dialog).to_be_visible()
    return dialog


def close(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_T12_a_score_of_tornei_has_its_rounds_predictions_and_tricks(
    site: Address, page: Page
) -> None:
    seats = [None, "page", "page"]
    anna, address = sit_down(site, page, "tornei", seats, options={"players": 3})
    anna.wait_for(lambda update: update["legal"])
    while anna.update["view"]["round"] < 2 or anna.update["view"]["trick"] < 4:
        choose(anna, *anna.first_choice())
        anna.wait_for(lambda update: update["legal"])
    page.goto(address)
    view = anna.update["view"]
    for seat, title in ((0, "Your score"), (1, "'s score")):
        dialog = breakdown(page, seat, title)
        rows = cells(dialog.get_by_role("table"))
        board = view["boards"][seat]
        assert rows[0][0].startswith("Round 1: ")
        assert [int(row[1]) for row in rows] == [
            view["rounds"][0][seat], board["points"], board["trick_points"], board["total"],
        ]  # fmt: skip
        assert rows[1][0].startswith("This round, right predictions:")
        assert rows[3][0] == "Total if the round ended now"
        if seat == 0:
            assert serious(page) == []
            snap(page, "tornei-score")
            dialog.get_by_role("button", name="T12").first.click()
            expect(dialog).to_contain_text("A right prediction is worth 2, 3, 3 or 2 points")
        close(page)
    last = play_out([anna])
    sheet = page.get_by_role("dialog").get_by_role("table", name="Points by round")
    expect(sheet).to_be_visible()
    rows = cells(sheet)
    assert rows[0][:2] == ["round", "Anna"]
    assert rows[-1] == ["Total", *map(str, last["scores"])]
    for number, points in enumerate(last["view"]["rounds"], 1):
        assert rows[number][0] == str(number)
        assert [int(cell.split()[0]) for cell in rows[number][1:]] == points


# Anna wins a red gem and Bob a blue one; then Bob names a red gem, and hers is worth less.
HANDS = ["G6 R6 B2 R5 B3 G5", "G2 R2 B6 G3 G4 B5"]
ASIDE = ["R3", "R4", "B4", "X", "X"]
GEMS: dict[str, Any] = {
    "chance": [["deal", {"hands": [hand.split() for hand in HANDS], "aside": ASIDE}]],
    "plays": [[1, [action]] for action in ("G2", "R2", "B6", "supply:R", "G3")],
}


def test_A14_a_score_of_triatri_says_why_it_fell(site: Address, page: Page) -> None:
    seats = [None, "script"]
    anna, address = sit_down(site, page, "triatri", seats, options={"players": 2}, script=GEMS)
    for action in ("G6", "supply:R", "R6", "supply:B", "B2"):
        choose(anna, action)
    anna.wait_for(lambda update: "R5" in update["legal"])
    page.goto(address)
    own = page.locator("[data-score='0']")
    expect(own).to_have_accessible_name("Your score: 4")
    own.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Your score")
    assert cells(dialog.get_by_role("table")) == [
        ["1 red gem × 4 red in the supply", "4"],
        ["Total", "4"],
    ]
    changes = dialog.get_by_role("listitem").locator(".part")
    expect(changes).to_have_count(2)
    expect(changes.first).to_have_text("Player 2 names a red gem from the supply (4 left). 5 → 4")
    expect(changes.last).to_have_text("R6 is highest (6). You win the red gem. 0 → 5")
    assert serious(page) == []
    snap(page, "triatri-score")
    close(page)
    expect(own).to_be_focused()
    last = play_out([anna])
    sheet = page.get_by_role("dialog").get_by_role("table", name="Scores after each trick")
    expect(sheet).to_be_visible()
    snap(page, "triatri-sheet")
    rows = cells(sheet)
    assert rows[0][:3] == ["trick", "Gem", "Anna"]
    assert rows[1] == ["1.1", "red", "★ 5", "0"]
    assert rows[2] == ["1.2", "blue", "5", "★ 5"]
    assert [int(cell.replace("−", "-")) for cell in rows[-1][2:]] == last["scores"]


def test_K14_a_score_of_kings_tournament_has_games_and_hits(site: Address, page: Page) -> None:
    script = {"script": DUEL, "options": {"best_of": 1}}
    anna, address = sit_down(site, page, "kings_tournament", [None, "script"], **script)
    choose(anna, "3", "5", "D")
    choose(anna, "10")
    anna.wait_for(lambda update: update["view"]["phase"] == "answer")
    page.goto(address)
    dialog = breakdown(page, 0, "Your score")
    rows = cells(dialog.get_by_role("table"))
    assert "was unhorsed in joust 1. Hits: you (0), " in rows[0][0]
    assert rows[-1] == ["Games won (1 wins the match)", "0"]
    assert serious(page) == []
    snap(page, "kings-score")
    close(page)
    for answer in ("1", "B", "9"):
        choose(anna, answer)
    sheet = page.get_by_role("dialog").get_by_role("table", name="Hits in each game")
    expect(sheet).to_be_visible()
    snap(page, "kings-sheet")
    assert cells(sheet)[1:] == [["1", "Player 2 (1)", "★ 1", "1"], ["Total", "", "1", "0"]]


# --- the card tracker -----------------------------------------------------------------------------


def test_alone_the_tracker_is_off_until_it_is_wanted(site: Address, page: Page) -> None:
    seats = [None, "script"]
    anna, address = sit_down(site, page, "triatri", seats, options={"players": 2}, script=GEMS)
    for action in ("G6", "supply:R", "R6"):
        choose(anna, action)
    anna.wait_for(lambda update: "supply:B" in update["legal"])
    page.goto(address)
    expect(page.get_by_role("button", name="Rules")).to_be_visible()
    cards = page.get_by_role("button", name="Cards", exact=True)
    expect(cards).to_have_count(0)
    page.get_by_role("button", name="Menu").click()
    page.get_by_label("Card tracker").check()
    page.keyboard.press("Escape")
    cards.click()
    tracker = page.get_by_role("dialog", name="Cards seen this round")
    expect(tracker).to_contain_text("red (fire). Not seen: 3, 4. Seen: 2, 6. In your hand: 5.")
    expect(tracker).to_contain_text("exchange. Not seen: X, X. Seen: none. In your hand: none.")
    assert serious(page) == []
    snap(page, "triatri-tracker")
    choose(anna, "supply:B")
    choose(anna, "B2")
    expect(tracker).to_contain_text("blue (water). Not seen: 4, 5. Seen: 2, 6. In your hand: 3.")
    page.reload()  # the choice is kept
    expect(cards).to_be_visible()
    page.keyboard.press("c")
    expect(tracker).to_be_visible()


def test_friends_have_the_tracker_only_if_the_host_allows_it(site: Address, page: Page) -> None:
    settings = {"tracker": True}  # wanted, but not allowed
    seats = [None, None, "page"]
    options = {"players": 3}
    anna, address = sit_down(site, page, "tornei", seats, options=options, settings=settings)
    page.goto(address)
    expect(page.get_by_role("list").filter(has_text="Card tracker: not allowed")).to_be_visible()
    code = address.split("/t/")[1].split("#")[0]
    site.sit(code, "Ben")
    assert anna.wait_for(lambda update: update["view"])["tracker"] is None
    expect(page.locator("[data-card]").first).to_be_visible()
    expect(page.get_by_role("button", name="Cards", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("dialog")).to_contain_text("doesn't allow the card tracker")

    page.goto(f"{site.url}/play/tornei")
    page.get_by_text("More options").click()
    allowed = page.get_by_label("Allow the card tracker")
    expect(allowed).not_to_be_checked()
    allowed.check()
    page.get_by_role("button", name="Create table").click()
    expect(page.get_by_role("list").filter(has_text="Card tracker: allowed")).to_be_visible()
