// Lists the entries about unattended runs (nights) in the menu of the status bar. Does not use VS Code's API.

import type { SidebarState } from '#protocol/state';
import { computeContextKeys } from '../status/stateKeys.ts';

/** An entry of the menu, and the command that it runs. */
export interface NightEntry {
  readonly label: string;
  readonly command: string;
  readonly description?: string;
}

/** The entries for the commands that are possible in this state. */
export function listNightEntries(state: SidebarState): readonly NightEntry[] {
  const { nightRuns, nightNeedsYou, nightToTake, nightToDrop, nightToSquash, nightToPush } = computeContextKeys(state);
  const line = state.night?.line ?? null;
  const entries: (NightEntry | false)[] = [
    line !== null && { label: '$(notebook) Show last night', command: 'selfware.showNight', description: line },
    nightNeedsYou === true && { label: '$(debug-continue) Continue the night', command: 'selfware.continueNight' },
    nightRuns === true && { label: '$(debug-stop) End the night', command: 'selfware.endNight' },
    nightToTake === true && { label: "$(check-all) Take the night's changes…", command: 'selfware.acceptNight' },
    nightToDrop === true && { label: "$(trash) Drop the night's changes…", command: 'selfware.dropNight' },
    nightToSquash === true && { label: "$(git-commit) Squash the night's changes…", command: 'selfware.squashNight' },
    nightToPush === true && {
      label: '$(git-pull-request-create) Open a pull request for the night…',
      command: 'selfware.nightPullRequest',
    },
    state.trusted &&
      state.doable.barrier === null &&
      state.doable.analysed &&
      !nightRuns && { label: '$(watch) Run overnight…', command: 'selfware.runOvernight' },
    state.trusted &&
      state.doable.barrier === null && { label: '$(list-ordered) Wishes for the night…', command: 'selfware.wishes' },
  ];
  return entries.filter((entry) => entry !== false);
}
