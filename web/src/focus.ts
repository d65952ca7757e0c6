/** Where the keyboard is at a table. */

/** Whether somebody types, or reads a dialog. */
export function isBusy(at: Element | null): boolean {
  return Boolean(at?.closest("input, textarea, select, dialog[open]"));
}

export function focusHand(): void {
  document.querySelector<HTMLElement>(".hand [tabindex='0']")?.focus({ preventScroll: true });
}
