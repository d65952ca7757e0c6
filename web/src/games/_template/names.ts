/** What cards are called. */

export function name(card: string): string {
  return card;
}
