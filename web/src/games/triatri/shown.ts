/** What the table shows at a moment: the past while the table rests on it, otherwise the present. */

import type { Told, TriatriTrick, TriatriView } from "../../protocol";
import { FLIGHT, type Scene } from "../drawing";
import { EXCHANGE } from "./names";

/** What lies in front of a seat; a card that may not be seen is null. */
export interface Place {
  readonly card: string | null;
  readonly worth?: number;
  readonly factor?: number;
  /** Nothing on the table is worth more. */
  readonly highest?: boolean;
  /** What was played here, if an exchange has brought another card. */
  readonly played?: string;
  readonly unconfirmed?: boolean;
}

/** The gem of a trick. */
export interface Stake {
  readonly colour: string;
  readonly source: string;
  readonly seat: number;
  readonly unconfirmed?: boolean;
}

export interface Shown {
  readonly round: number;
  readonly trick: number;
  readonly bidding: boolean;
  readonly places: readonly (Place | null)[];
  readonly stake: Stake | null;
  /** Who starts the trick. */
  readonly start: number | null;
  /** Who has won the trick, or the bid. */
  readonly winner: number | null;
  readonly turns: readonly number[];
  readonly gems: readonly Gems[];
  readonly supply: Gems;
  /** What was sent leaves it by itself. */
  readonly hand: readonly string[];
  readonly sizes: readonly number[];
}

export type Gems = Readonly<Record<string, number>>;

/** How far what has just happened is shown: one thing after another. */
export interface Step {
  /** The exchange card has changed places with the other. */
  readonly swapped: boolean;
  /** The gem has gone to the winner. */
  readonly given: boolean;
}
export const LAST_STEP: Step = { swapped: true, given: true };

const LOOK = 700; // how long each step before the last is seen, in milliseconds

const ends = (told: Told, what: string) => told.ends === what;
const swap = (told: Told) => told.event === "triatri_swapped";
const takenBack = (told: Told) => told.event === "triatri_taken_back";
const revealed = (told: Told) => ends(told, "bid") || takenBack(told);

/** The steps before the last. */
export function steps(fresh: readonly Told[]): { readonly step: Step; readonly lasts: number }[] {
  const before: { step: Step; lasts: number }[] = [];
  if (fresh.some(swap)) before.push({ step: { swapped: false, given: false }, lasts: LOOK });
  if (fresh.some((told) => ends(told, "trick")))
    before.push({ step: { swapped: true, given: false }, lasts: LOOK });
  return before;
}

export function reveal(fresh: readonly Told[]): number | null {
  const before = steps(fresh).reduce((sum, { lasts }) => sum + lasts, 0);
  return before || fresh.some(revealed) ? before + FLIGHT : null;
}

/** `sent` is what the viewer has chosen and the server has not confirmed. */
export function shown(
  scene: Scene<TriatriView>,
  step: Step,
  sent: readonly string[] | null,
): Shown {
  const { view, fresh, resting } = scene;
  const decided = resting
    ? fresh.findLast((told) => ends(told, "trick") || revealed(told))
    : undefined;
  if (decided && revealed(decided)) return shownBids(view, decided);
  if (view.last_trick && (decided || view.phase === "over"))
    return shownLast(view, view.last_trick, fresh, step);
  if (view.phase === "bid") return shownBidding(view, sent?.[0]);
  return shownTrick(view, view.table, fresh, step, sent?.[0]);
}

function present(view: TriatriView): Shown {
  return {
    round: view.round,
    trick: view.trick,
    bidding: false,
    places: view.hand_sizes.map(() => null),
    stake: null,
    start: null,
    winner: null,
    turns: view.pending,
    gems: view.gems,
    supply: view.supply,
    hand: view.hand,
    sizes: view.hand_sizes,
  };
}

/** The bids just revealed. Those that go back to the hands are not there yet. */
function shownBids(view: TriatriView, decided: Told): Shown {
  const bids = view.bids.at(-1) ?? [];
  const back = takenBack(decided);
  const own = view.viewer === null ? undefined : bids[view.viewer];
  return {
    ...present(view),
    bidding: true,
    places: bids.map((card) => ({ card })),
    winner: back ? null : Number(decided.values.seat),
    turns: [],
    hand: back ? without(view.hand, own) : view.hand,
    sizes: view.hand_sizes.map((size) => (back ? size - 1 : size)),
  };
}

function shownBidding(view: TriatriView, sent: string | undefined): Shown {
  const own = view.bid ?? sent;
  return {
    ...present(view),
    bidding: true,
    places: view.has_bid.map((has, seat) => {
      if (seat === view.viewer && own) return { card: own, unconfirmed: !has };
      return has ? { card: null } : null;
    }),
    hand: without(view.hand, view.bid),
    sizes: view.hand_sizes.map((size, seat) => (view.has_bid[seat] ? size - 1 : size)),
  };
}

/** The trick that was just won; what follows it is not there yet. */
function shownLast(
  view: TriatriView,
  trick: TriatriTrick,
  fresh: readonly Told[],
  step: Step,
): Shown {
  const { winner, gem } = trick;
  const dealt = fresh.some((told) => told.event === "triatri_round_began");
  const given = step.given || winner === null || gem === null;
  return {
    ...present(view),
    round: trick.round,
    trick: trick.number,
    places: places(trick, fresh, step),
    start: trick.start,
    stake: given ? null : stakeOf(trick),
    winner: step.swapped ? winner : null,
    turns: [],
    gems: view.gems.map((gems, seat) => (given || seat !== winner ? gems : less(gems, gem))),
    hand: dealt ? [] : view.hand,
    sizes: dealt ? view.hand_sizes.map(() => 0) : view.hand_sizes,
  };
}

function shownTrick(
  view: TriatriView,
  trick: TriatriTrick | null,
  fresh: readonly Told[],
  step: Step,
  sent: string | undefined,
): Shown {
  const now = present(view);
  if (!trick) return now;
  const lying = {
    ...now,
    start: trick.start,
    stake: stakeOf(trick),
    places: places(trick, fresh, step),
  };
  if (!sent || view.viewer === null) return lying;
  const { viewer } = view;
  const [source, colour] = sent.split(":");
  if (!colour) {
    const place = { card: sent, unconfirmed: true };
    return { ...lying, places: lying.places.with(viewer, place) };
  }
  const own = source === "own";
  return {
    ...lying,
    stake: { colour, source: own ? "own" : "supply", seat: viewer, unconfirmed: true },
    supply: own ? view.supply : less(view.supply, colour),
    gems: own ? view.gems.with(viewer, less(view.gems[viewer] ?? {}, colour)) : view.gems,
  };
}

function stakeOf({ gem, source, start }: TriatriTrick): Stake | null {
  return gem === null ? null : { colour: gem, source: source ?? "supply", seat: start };
}

/** The cards of a trick; before an exchange is shown they lie where they were played. */
export function places(
  trick: TriatriTrick,
  fresh: readonly Told[] = [],
  step: Step = LAST_STEP,
): (Place | null)[] {
  const told = step.swapped ? undefined : fresh.findLast(swap);
  const lies = told ? beforeSwap(trick.lies, told) : trick.lies;
  return lies.map((lying, seat) => {
    const played = trick.played[seat];
    return lying && played && played !== lying.card ? { ...lying, played } : lying;
  });
}

function beforeSwap(lies: TriatriTrick["lies"], told: Told): TriatriTrick["lies"] {
  const [seat, owner] = [Number(told.values.seat), Number(told.values.owner)];
  const [brought, left] = [lies[seat], lies[owner]];
  const fits = brought && left && brought.card === told.values.card && left.card === EXCHANGE;
  if (!fits) return lies; // that was in an earlier trick
  return lies.with(seat, left).with(owner, brought);
}

function without(hand: readonly string[], card: string | null | undefined): readonly string[] {
  const place = card ? hand.indexOf(card) : -1;
  return place < 0 ? hand : hand.toSpliced(place, 1);
}

function less(gems: Gems, colour: string): Gems {
  return { ...gems, [colour]: (gems[colour] ?? 0) - 1 };
}
