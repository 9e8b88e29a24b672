// What the state means for menus, enablement and the walkthrough: context keys, set only when they change.

import * as vscode from 'vscode';
import type { SidebarState } from '#protocol/state';
import type { StateFeed } from './stateFeed.ts';

/** Keys that tick a step of the walkthrough. */
const stepKeys = ['repositoryOpen', 'rolledBack'];

/** By name without the `selfware.` prefix. Keys that say what a person has done stay true in the window. */
export function contextKeysOf(state: SidebarState): Readonly<Record<string, boolean>> {
  const indexing = state.activity === 'indexing' || state.activity === 'analysing';
  return {
    indexing,
    indexingPaused: state.indexingPaused,
    repositoryOpen: state.git !== null && (indexing || state.index !== null),
    hasProposals: state.pending.length > 0,
    rolledBack: state.checkpoints.some(({ rolledBack }) => rolledBack),
  };
}

export function followContextKeys(feed: StateFeed): vscode.Disposable {
  const known = new Map<string, boolean>();
  return feed.onChange(() => {
    if (!feed.current) return;
    for (const [key, value] of Object.entries(contextKeysOf(feed.current))) {
      if (known.get(key) === value) continue;
      known.set(key, value);
      void vscode.commands.executeCommand('setContext', `selfware.${key}`, value);
    }
  });
}

/** VS Code ticks a step when its key becomes true, not when it was true before it has read the walkthrough: what is done already is said again. */
export async function openWalkthrough(feed: StateFeed): Promise<void> {
  const keys = feed.current ? contextKeysOf(feed.current) : {};
  const done = stepKeys.filter((key) => keys[key]);
  for (const key of done) await vscode.commands.executeCommand('setContext', `selfware.${key}`, false);
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'selfware.selfware#selfware.firstSteps', false);
  for (const key of done) await vscode.commands.executeCommand('setContext', `selfware.${key}`, true);
}
