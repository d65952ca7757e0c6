/** The server's HTTP API. A refusal is thrown as a sentence for the reader. */

import type {
  GameFacts,
  Lesson,
  Listed,
  NewTable,
  NextPuzzle,
  OpenedTable,
  PuzzlePosition,
  PuzzleSet,
  PuzzleVerdict,
  Rehearsed,
  ReviewProgress,
  RuleChapter,
  Sentence,
  SitDown,
  Sitting,
  Step,
  TableFacts,
} from "./protocol";
import type { MatchRecord } from "./record";

export class Refusal extends Error {
  constructor(readonly reason: Sentence) {
    super(reason.key);
  }
}

/** Why something failed, as a sentence; this includes errors of the page itself. */
export function reasonOf(problem: unknown): Sentence {
  if (problem instanceof Refusal) return problem.reason;
  return { key: "web_broken", values: {}, clause: "" };
}

export const games = () => get<GameFacts[]>("/api/games");
export const rules = (game: string, language: string) =>
  get<RuleChapter[]>(`/api/games/${game}/rules?language=${language}`);
export const lesson = (game: string) => get<Lesson>(`/api/games/${game}/lesson`);
export const puzzleSet = (game: string) => get<PuzzleSet>(puzzlePath(game));
export const puzzle = (game: string, id: string) => get<PuzzlePosition>(puzzlePath(game, id));
export const dailyPuzzle = (game: string, day: string) =>
  get<PuzzlePosition>(`${puzzlePath(game, "daily")}?day=${day}`);
export const nextPuzzle = (game: string, wanted: NextPuzzle) =>
  post<PuzzlePosition>(puzzlePath(game, "next"), wanted);
export const askPuzzle = (game: string, id: string, actions: readonly string[]) =>
  post<Rehearsed>(`${puzzlePath(game, id)}/ask`, { actions });
export const answerPuzzle = (game: string, id: string, actions: readonly string[]) =>
  post<PuzzleVerdict>(`${puzzlePath(game, id)}/answer`, { actions });
export const listed = () => get<Listed[]>("/api/tables");
export const table = (code: string) => get<TableFacts>(`/api/tables/${code}`);
export const open = (wanted: NewTable) => post<OpenedTable>("/api/tables", wanted);
export const sit = (code: string, wanted: SitDown) =>
  post<Sitting>(`/api/tables/${code}/seats`, wanted);
export const replay = (code: string, match: number, seat: number | null, token?: string) =>
  get<Step[]>(`${matchPath(code, match)}/replay${seat === null ? "" : `?seat=${seat}`}`, token);
export const record = (code: string, match: number, token?: string) =>
  get<MatchRecord>(`${matchPath(code, match)}/record`, token);
export const startReview = (code: string, match: number, seat: number, token?: string) =>
  post<ReviewProgress>(reviewPath(code, match, seat), {}, token);
/** What a review has after so many points and decisions. */
export const review = (
  code: string,
  match: number,
  seat: number,
  { points, decisions }: { points: number; decisions: number },
  token?: string,
) =>
  get<ReviewProgress>(
    `${reviewPath(code, match, seat)}?points=${points}&decisions=${decisions}`,
    token,
  );

/** The seat's own part of the seed of the shuffles. */
export function seed(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function puzzlePath(game: string, id?: string): string {
  return `/api/games/${game}/puzzles${id === undefined ? "" : `/${encodeURIComponent(id)}`}`;
}

function matchPath(code: string, match: number): string {
  return `/api/tables/${code}/matches/${match}`;
}

function reviewPath(code: string, match: number, seat: number): string {
  return `${matchPath(code, match)}/reviews/${seat}`;
}

function get<T>(path: string, token?: string): Promise<T> {
  return ask<T>(path, { headers: authorization(token) });
}

function authorization(token?: string): Record<string, string> {
  return token ? { authorization: `Bearer ${token}` } : {};
}

function post<T>(path: string, body: unknown, token?: string): Promise<T> {
  const headers = { "content-type": "application/json", ...authorization(token) };
  return ask<T>(path, { method: "POST", headers, body: JSON.stringify(body) });
}

/** After so many milliseconds a request is sent again that came too soon after others. */
const LATER = [1000, 2000, 4000];
const TOO_MANY = 429;

async function ask<T>(path: string, request: RequestInit, tries = 0): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, request);
  } catch {
    throw new Refusal({ key: "web_no_answer", values: {}, clause: "" });
  }
  const wait = LATER[tries];
  if (answer.status === TOO_MANY && wait !== undefined) {
    await new Promise((resume) => setTimeout(resume, wait * (0.5 + Math.random())));
    return ask(path, request, tries + 1);
  }
  const content: unknown = await answer.json().catch(() => null);
  if (answer.ok) return content as T;
  const { reason } = (content ?? {}) as { reason?: Sentence };
  throw new Refusal(reason ?? { key: "failed", values: {}, clause: "" });
}
