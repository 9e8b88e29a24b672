// The differences between two states of the sidebar, part by part: while an index runs, little more than its progress
// is sent to the page.

import type { SidebarState } from '#protocol/state';

/** True if a part is missing from `after`: a patch cannot express a removal. */
export function losesPart(before: SidebarState, after: SidebarState): boolean {
  return Object.keys(before).some((part) => !Object.hasOwn(after, part));
}

/** The parts of `after` that differ from `before`; null if none does. */
export function stateChanges(before: SidebarState, after: SidebarState): Partial<SidebarState> | null {
  const changed = (Object.keys(after) as (keyof SidebarState)[]).filter(
    (part) => JSON.stringify(before[part]) !== JSON.stringify(after[part]),
  );
  return changed.length === 0 ? null : Object.fromEntries(changed.map((part) => [part, after[part]]));
}
