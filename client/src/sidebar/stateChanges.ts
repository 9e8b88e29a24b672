// Computes the differences between two states of the sidebar, so that only changed parts are sent to its page: while
// the repository is indexed, little more than the progress.

import type { SidebarState } from '#protocol/state';

/** True if `after` lacks a part of `before`. A patch cannot express this, so the complete state must be sent. */
export function losesPart(before: SidebarState, after: SidebarState): boolean {
  return Object.keys(before).some((part) => !Object.hasOwn(after, part));
}

/** The parts of `after` that differ from `before`; null if all are equal. */
export function findStateChanges(before: SidebarState, after: SidebarState): Partial<SidebarState> | null {
  const changedParts = (Object.keys(after) as (keyof SidebarState)[]).filter(
    (part) => JSON.stringify(before[part]) !== JSON.stringify(after[part]),
  );
  return changedParts.length === 0 ? null : Object.fromEntries(changedParts.map((part) => [part, after[part]]));
}
