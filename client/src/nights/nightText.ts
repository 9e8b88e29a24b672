// Decides whether an unattended run (a night) is in progress, and when a person is notified about it. Does not use VS
// Code's API.

import { isNightInProgress, type NightSummary } from '#protocol/nights';
import type { SidebarState } from '#protocol/state';

type NightState = Pick<SidebarState, 'folder' | 'night'>;

/** True from the start of a run until its end, even while it waits. False if there is no run. */
export function isNightRunning(night: NightSummary | undefined): boolean {
  return night !== undefined && isNightInProgress(night);
}

/**
 * The sentence for a run that has ended between two states of the same folder; null if none has ended, or if the later
 * state has no sentence about it.
 */
export function findEndSentence(before: NightState | null, after: NightState): string | null {
  if (before?.folder !== after.folder || !isNightRunning(before.night) || isNightRunning(after.night)) return null;
  return before.night?.branch === after.night?.branch ? (after.night?.line ?? null) : null;
}

/**
 * The reason why a run waits for the person, if it began to wait between two states of the same folder, or waits in the
 * first state after the window was opened or reloaded; null otherwise.
 */
export function findNeedSentence(before: NightState | null, after: NightState): string | null {
  const { night } = after;
  if (night?.state !== 'needsPerson' || (before?.folder === after.folder && before.night?.state === 'needsPerson'))
    return null;
  return before === null || before.folder === after.folder
    ? `the unattended run needs you. ${night.step ?? ''}`.trim()
    : null;
}
