// Keyboard in a list of rows: Tab enters it once, arrows, Home and End move, Tab goes on to the buttons of the row and out.

/** Put on the list element; rows are its `[data-row]` buttons. */
export function moveAmongRows(event: KeyboardEvent): void {
  const list = event.currentTarget as HTMLElement;
  const rows = [...list.querySelectorAll<HTMLElement>('[data-row]')];
  const current = rows.findIndex((row) => row === document.activeElement || row.parentElement?.contains(document.activeElement));
  const next = target(event.key, current, rows.length);
  if (next === null) return;
  event.preventDefault();
  focusRow(rows, next);
}

/** A row that got the focus, by mouse too, is where Tab comes back to. */
export function rememberRow(event: FocusEvent): void {
  const list = event.currentTarget as HTMLElement;
  const row = (event.target as HTMLElement).closest('li')?.querySelector<HTMLElement>('[data-row]');
  if (!row) return;
  for (const other of list.querySelectorAll<HTMLElement>('[data-row]')) other.tabIndex = other === row ? 0 : -1;
  for (const button of list.querySelectorAll<HTMLElement>('[data-row-action]')) button.tabIndex = button.closest('li')?.contains(row) ? 0 : -1;
}

function target(key: string, current: number, length: number): number | null {
  if (length === 0) return null;
  if (key === 'ArrowDown') return Math.min(current + 1, length - 1);
  if (key === 'ArrowUp') return Math.max(current - 1, 0);
  if (key === 'Home') return 0;
  return key === 'End' ? length - 1 : null;
}

function focusRow(rows: readonly HTMLElement[], index: number): void {
  rows[index]?.focus();
}
