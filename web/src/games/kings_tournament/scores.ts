/** The games of King's Tournament: who was unhorsed, and the hits (K8, K12, K14). */

import { say, sentence } from "../../messages.svelte";
import type { Sentence, Told } from "../../protocol";
import type { Breakdown, Known, ScorePart, Sheet } from "../drawing";
import { SEATS, type View } from "./shown";

/** A game that is over; nobody has won a drawn one. */
interface Game {
  readonly game: number;
  readonly jousts: number;
  readonly unhorsed: number | null;
  readonly hits: readonly number[];
  readonly winner?: number;
}

function games(history: readonly Told[]): readonly Game[] {
  return history
    .filter(({ ends }) => ends === "game")
    .map(({ values }) => values as unknown as Game);
}

const told = (name: string, values: object, clause: string): Sentence => ({
  key: `kings_tournament_score_${name}`,
  values: { ...values },
  clause,
});

export function score({ view, history }: Known<View>, seat: number): Breakdown {
  const finished = games(history).map((game) =>
    game.winner === undefined ? told("drawn", game, "K16") : told("won", game, "K12"),
  );
  const parts = view.phase === "over" ? finished : [...finished, underWay(view)];
  return {
    parts: parts.map((part): ScorePart => ({ part, points: null })),
    total: { part: told("total", { to_win: view.to_win }, "K14"), points: view.scores[seat] ?? 0 },
  };
}

function underWay({ game, jousts, unhorsed, hits }: View): Sentence {
  if (unhorsed === null) return told("joust", { game }, "K8");
  return told("melee", { game, jousts, unhorsed, hits }, "K12");
}

export function sheet({ view, history }: Known<View>, names: readonly string[]): Sheet {
  return {
    caption: say("kings_tournament_sheet"),
    head: [
      say("kings_tournament_sheet_game"),
      say("kings_tournament_sheet_unhorsed"),
      ...names.slice(0, SEATS.length),
    ],
    rows: games(history).map(({ game, jousts, unhorsed, hits, winner }) => [
      String(game),
      unhorsed === null
        ? ""
        : sentence("kings_tournament_sheet_joust", { unhorsed, jousts }, { names, reader: null }),
      ...hits.map((count, seat) => (seat === winner ? `★\u00a0${count}` : String(count))),
    ]),
    total: [say("score_total"), "", ...view.scores.map(String)],
  };
}
