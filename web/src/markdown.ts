/** Parses the Markdown of an item of the rules: paragraphs, emphasis, code. */

export interface Piece {
  readonly kind: "text" | "strong" | "em" | "code";
  readonly text: string;
}
export type Paragraph = readonly Piece[];

const MARKED = /\*\*(?<strong>[^*]+)\*\*|\*(?<em>[^*]+)\*|`(?<code>[^`]+)`/g;

export function parse(text: string): Paragraph[] {
  return text.split(/\n\s*\n/).map((block) => pieces(block.replace(/\s*\n\s*/g, " ")));
}

/** The text without markup, for searching and reading aloud. */
export function plain(text: string): string {
  return parse(text)
    .map((paragraph) => paragraph.map((piece) => piece.text).join(""))
    .join(" ");
}

function pieces(line: string): Paragraph {
  const found: Piece[] = [];
  let end = 0;
  for (const match of line.matchAll(MARKED)) {
    if (match.index > end) found.push({ kind: "text", text: line.slice(end, match.index) });
    const [kind, text] = Object.entries(match.groups ?? {}).find(([, inside]) => inside) ?? [];
    found.push({ kind: (kind ?? "text") as Piece["kind"], text: text ?? "" });
    end = match.index + match[0].length;
  }
  if (end < line.length) found.push({ kind: "text", text: line.slice(end) });
  return found;
}
