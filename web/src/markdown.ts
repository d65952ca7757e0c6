/** Parses the Markdown of the rules: paragraphs, emphasis, code. */

export interface Piece {
  readonly kind: "text" | "strong" | "em" | "code";
  readonly text: string;
}
export type Paragraph = readonly Piece[];

const MARKED = /\*\*(?<strong>[^*]+)\*\*|\*(?<em>[^*]+)\*|`(?<code>[^`]+)`/g;
// A line with such a beginning is a paragraph of its own in the rulebooks: *Ruling:* etc.
const REMARK = /\n(?=\*[^*\n]+[:：]\*)/;
const WIDE = /[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]/;

export function parse(text: string): Paragraph[] {
  const blocks = text.split(/\n\s*\n/).flatMap((block) => block.split(REMARK));
  return blocks.map((block) => pieces(joined(block))).filter((paragraph) => paragraph.length);
}

/** The text without markup, for searching and reading aloud. */
export function plain(text: string): string {
  return parse(text)
    .map((paragraph) => paragraph.map((piece) => piece.text).join(""))
    .join(" ");
}

/** Joins lines; Japanese has no spaces between them. */
function joined(block: string): string {
  return block
    .trim()
    .split(/\s*\n\s*/)
    .reduce((before, line) => {
      const tight = WIDE.test(before.slice(-1)) || WIDE.test(line.slice(0, 1));
      return before + (tight ? "" : " ") + line;
    });
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
