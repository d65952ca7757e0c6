/** A small match of TriATri for two, and its review, for tests. */

import type { Drawing } from "../../games/drawing";
import type { Alternative, Balance, Decision, Estimate, Step } from "../../protocol";
import type { MatchRecord } from "../../record";
import type { ReviewProgress } from "../../protocol";

export const RECORD: MatchRecord = {
  game: "triatri",
  options: {},
  events: [
    ["deal", {}],
    ["play", 0, "R7"],
    ["play", 1, "B5"],
    ["play", 0, "G2"],
    ["deal", {}],
    ["play", 0, "B9"],
    ["play", 1, "R3"],
  ],
  names: ["Anna", "Ben"],
  scores: [2, 5],
  winners: [1],
};

export const DRAWING = {
  name: (text: string) => `card ${text}`,
  reveal: () => null,
  hasLast: () => false,
  hand: ({ view }: { view: { hand: readonly string[] } }) => view.hand,
} as unknown as Drawing;

export function stepsFor(viewer: number | null): Step[] {
  return Array.from({ length: 6 }, (_, turn) => ({
    view: { viewer, hand: viewer === null ? [] : [`${viewer}${turn}`] },
    events: [],
  })) as unknown as Step[];
}

function alternative(
  text: string,
  win: Estimate,
  loss: Estimate = [0, 0],
  share: number | null = null,
): Alternative {
  return { texts: [text], win, score: [0, 0], loss, share };
}

const DECIDED: readonly Decision[] = [
  {
    step: 1,
    label: "blunder",
    played: 2,
    alternatives: [
      alternative("R9", [0.61, 0.03]),
      alternative("B2", [0.6, 0.03], [0.01, 0.02]),
      alternative("R7", [0.46, 0.04], [0.15, 0.03]),
    ],
    offered: [0.02, 0.01],
    reasons: [{ key: "triatri_review_source", values: { gem: "R" }, clause: "A7" }],
  },
  {
    step: 3,
    label: "best",
    played: 0,
    alternatives: [
      alternative("G2", [0.4, 0.03], [0, 0], 0.7),
      alternative("G3", [0.4, 0.03], [0, 0], 0.3),
    ],
    offered: [0, 0],
    reasons: [],
  },
  {
    step: 5,
    label: "mistake",
    played: 1,
    alternatives: [alternative("B1", [0.3, 0.03]), alternative("B9", [0.23, 0.03], [0.07, 0.02])],
    offered: [0, 0],
    reasons: [],
  },
];

const BALANCE: Balance = {
  start: [0.5, 0.03],
  deal: [0.05, 0.04],
  others: [-0.35, 0.05],
  offered: [0.02, 0.02],
  given_away: [0.22, 0.04],
  outcome: 0,
};

function points(chances: readonly number[]) {
  return [0, 1, 3, 5, 7].map((step, place) => {
    const chance = chances[place] ?? 0;
    const margin = step === 7 ? 0 : 0.03;
    return {
      step,
      chances: [
        [chance, margin],
        [1 - chance, margin],
      ] as readonly Estimate[],
    };
  });
}

export const PROGRESS: ReviewProgress = {
  state: "done",
  done: 7,
  total: 7,
  points: points([0.5, 0.55, 0.4, 0.25, 0]),
  decisions: DECIDED,
  balance: BALANCE,
  open: points([0.5, 0.7, 0.2, 0.1, 0]),
};
