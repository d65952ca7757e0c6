/** Which screen belongs to which address, and how to go there. */

export type Route =
  | { screen: "home" }
  | { screen: "new"; game: string }
  | { screen: "table"; code: string }
  | { screen: "replay"; code: string; match: number }
  | { screen: "rules"; game: string }
  | { screen: "lesson"; game: string }
  | { screen: "puzzles"; game: string; id?: string }
  | { screen: "nowhere" };

export function routeOf(path: string): Route {
  const [first, second, third, ...rest] = path.split("/").filter(Boolean);
  if (first === undefined) return { screen: "home" };
  if (second === undefined || rest.length) return { screen: "nowhere" };
  if (first === "t" && third === undefined) return { screen: "table", code: second };
  if (first === "t" && /^\d+$/.test(third ?? ""))
    return { screen: "replay", code: second, match: Number(third) };
  if (first === "puzzles")
    return { screen: "puzzles", game: second, ...(third !== undefined && { id: third }) };
  if (third !== undefined) return { screen: "nowhere" };
  if (first === "play") return { screen: "new", game: second };
  if (first === "rules") return { screen: "rules", game: second };
  if (first === "learn") return { screen: "lesson", game: second };
  return { screen: "nowhere" };
}

export type Query = Readonly<Record<string, string | number>>;

let path = $state(location.pathname);
let moved = false;

function arrive(): void {
  moved = true;
  path = location.pathname;
}

export function route(): Route {
  return routeOf(path);
}

/** Whether this screen was reached from another screen, not by opening the page. */
export function navigated(): boolean {
  return moved;
}

export function go(to: string): void {
  history.pushState(null, "", to);
  arrive();
  scrollTo(0, 0);
}

/** Change what follows the path, without a new entry in the browser's history. */
export function replaceQuery(query: Query): void {
  history.replaceState(null, "", withQuery(query));
}

/** The path with a query and a fragment. */
export function withQuery(query: Query): string {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  ).toString();
  return location.pathname + (text ? `?${text}` : "");
}

/** Links within the page change the screen; all others leave the page. */
export function followLinks(): void {
  addEventListener("popstate", arrive);
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest("a");
    const plain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.button);
    if (!link || !plain || link.target || link.origin !== location.origin) return;
    if (routeOf(link.pathname).screen === "nowhere") return;
    if (link.hash && link.pathname === location.pathname) return; // a place on this screen
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}
