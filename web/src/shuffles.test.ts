import { bytesToHex } from "@noble/hashes/utils.js";
import { describe, expect, test } from "vitest";
import vectors from "../../docs/shuffles.json";
import type { MatchRecord } from "./record";
import { commitment, Stream, wrong, type Proof } from "./shuffles";

function at<T>(list: readonly T[], place: number): T {
  const found = list[place];
  if (found === undefined) throw new Error(`nothing at ${place}`);
  return found;
}

function streamAt(place: number): Stream {
  const { master, table, seeds, event } = at(vectors.streams, place);
  return new Stream(master, table, seeds, event);
}

function first(count: number, draw: () => number): number[] {
  return Array.from({ length: count }, draw);
}

describe("the test vectors of docs/shuffles.json", () => {
  test.each(vectors.commitments)("commitment of $master", ({ master, commitment: promised }) => {
    expect(commitment(master)).toBe(promised);
  });

  test.each(vectors.streams.map((stream, place) => ({ ...stream, place })))(
    "stream $place",
    ({ place, message, blocks, words }) => {
      const stream = streamAt(place);
      expect(bytesToHex(stream.message) + "00000000").toBe(message);
      expect(blocks.map((_, counter) => bytesToHex(stream.block(counter)))).toEqual(blocks);
      const found = stream.words();
      expect(first(words.length, () => found.next().value)).toEqual(words);
    },
  );

  test.each(vectors.draws)("draws below $limit of stream $stream", ({ stream, limit, draws }) => {
    const source = streamAt(stream);
    expect(first(draws.length, () => source.below(limit))).toEqual(draws);
  });

  test.each(vectors.shuffles)("shuffle to $to", ({ stream, from, to }) => {
    expect(streamAt(stream).shuffled(from)).toEqual(to);
  });
});

const GAMES = Object.keys(vectors.cards);

function without(whole: object, field: string): object {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => name !== field));
}

/** A record that has only begun: the deal of a proof, written as in a record. */
function recordOf(game: string): MatchRecord {
  const proof = without(at(vectors.proofs, GAMES.indexOf(game)), "game") as unknown as Proof;
  const events = proof.events.map(({ kind, to }, index): [string, unknown] =>
    kind === "shuffle" ? [kind, { seat: index, deck: to }] : [kind, { hands: [to], aside: [] }],
  );
  const names = proof.seeds.map((_, seat) => `Player ${seat + 1}`);
  return { game, options: {}, names, events: [...events, ["play", 0, "x"]], proof };
}

function wrongWith(record: MatchRecord): string | undefined {
  const texts = Object.values(vectors.cards);
  return wrong(record, at(texts, GAMES.indexOf(record.game)))?.key;
}

test.each(GAMES)("the shuffles of %s are right", (game) => {
  expect(wrongWith(recordOf(game))).toBeUndefined();
});

test("a start that was drawn tells the first seat", () => {
  const { master, table, seeds } = recordOf("triatri").proof as Proof;
  const from = ["0", "1", "2"];
  const to = new Stream(master, table, seeds, 0).shuffled(from);
  const proof = {
    ...(recordOf("triatri").proof as Proof),
    events: [{ kind: "start", from, to }],
  };
  const record = (seat: number): MatchRecord => ({
    ...recordOf("triatri"),
    events: [["start", { seat }]],
    proof,
  });
  expect(wrongWith(record(Number(to[0])))).toBeUndefined();
  expect(wrongWith(record(Number(to[1])))).toBe("proof_result");
});

describe("what was tampered with is found", () => {
  const right = recordOf("kings_tournament");
  const proof = right.proof as Proof;
  const [one, other] = proof.events as [Proof["events"][number], Proof["events"][number]];
  const swapped = ([a, b, ...rest]: readonly string[]) => [b, a, ...rest];
  const turned = (hex: string) => (hex.startsWith("0") ? "1" : "0") + hex.slice(1);

  const tampered: [string, object | undefined, string][] = [
    ["no proof", undefined, "web_shuffles_no_proof"],
    ["proof of another kind", [], "proof_scheme"],
    ["scheme", { ...proof, scheme: "trust-me-1" }, "proof_scheme"],
    ["field too many", { ...proof, note: "" }, "proof_fields"],
    ["field missing", without(proof, "table"), "proof_fields"],
    ["table", { ...proof, table: "k7Qm2y" }, "proof_to"],
    ["table's form", { ...proof, table: "k7\u0000" }, "proof_form"],
    ["commitment", { ...proof, commitment: turned(proof.commitment) }, "proof_commitment"],
    ["commitment's form", { ...proof, commitment: "" }, "proof_form"],
    ["master", { ...proof, master: turned(proof.master) }, "proof_commitment"],
    [
      "master and commitment",
      { ...proof, master: "00".repeat(32), commitment: commitment("00".repeat(32)) },
      "proof_to",
    ],
    ["master's form", { ...proof, master: proof.master.toUpperCase() }, "proof_form"],
    ["seed", { ...proof, seeds: proof.seeds.with(1, turned(at(proof.seeds, 1))) }, "proof_to"],
    ["seeds exchanged", { ...proof, seeds: proof.seeds.toReversed() }, "proof_to"],
    ["seed too many", { ...proof, seeds: [...proof.seeds, ""] }, "proof_seeds"],
    ["seed's form", { ...proof, seeds: ["no", ""] }, "proof_form"],
    ["event missing", { ...proof, events: [one] }, "proof_count"],
    ["event's kind", { ...proof, events: [one, { ...other, kind: "deal" }] }, "proof_kind"],
    [
      "event's order",
      { ...proof, events: [one, { ...other, from: other.from.toReversed() }] },
      "proof_from",
    ],
    [
      "event with a card of no game",
      { ...proof, events: [one, { ...other, from: ["joker", ...other.from.slice(1)] }] },
      "proof_from",
    ],
    [
      "event's result",
      { ...proof, events: [one, { ...other, to: swapped(other.to) }] },
      "proof_to",
    ],
    ["events exchanged", { ...proof, events: [one, one] }, "proof_to"],
    ["event's form", { ...proof, events: [one, { ...other, to: "all" }] }, "proof_form"],
  ];
  test.each(tampered)("%s", (_, changed, found) => {
    const rest = without(right, "proof") as MatchRecord;
    expect(wrongWith(changed ? { ...rest, proof: changed } : rest)).toBe(found);
  });

  test("cards of the match", () => {
    const dealt = { seat: 0, deck: swapped(one.to) };
    expect(wrongWith({ ...right, events: right.events.with(0, ["shuffle", dealt]) })).toBe(
      "proof_result",
    );
  });

  test("a shuffle that the proof does not know", () => {
    expect(wrongWith({ ...right, events: [...right.events, at(right.events, 0)] })).toBe(
      "proof_count",
    );
  });
});
