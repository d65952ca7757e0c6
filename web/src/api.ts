/** The server's HTTP API. A refusal is thrown as a sentence for the reader. */

import type {
  GameFacts,
  Lesson,
  Listed,
  NewTable,
  OpenedTable,
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
export const listed = () => get<Listed[]>("/api/tables");
export const table = (code: string) => get<TableFacts>(`/api/tables/${code}`);
export const open = (wanted: NewTable) => post<OpenedTable>("/api/tables", wanted);
export const sit = (code: string, wanted: SitDown) =>
  post<Sitting>(`/api/tables/${code}/seats`, wanted);
export const replay = (code: string, match: number, seat: number | null, token?: string) =>
  get<Step[]>(`${matchPath(code, match)}/replay${seat === null ? "" : `?seat=${seat}`}`, token);
export const record = (code: string, match: number, token?: string) =>
  get<MatchRecord>(`${matchPath(code, match)}/record`, token);

/** The seat's own part of the seed of the shuffles. */
export function seed(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function matchPath(code: string, match: number): string {
  return `/api/tables/${code}/matches/${match}`;
}

function get<T>(path: string, token?: string): Promise<T> {
  return ask<T>(path, token ? { headers: { authorization: `Bearer ${token}` } } : {});
}

function post<T>(path: string, body: unknown): Promise<T> {
  const headers = { "content-type": "application/json" };
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
