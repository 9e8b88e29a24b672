// Sets the context keys of VS Code on which menus, the enablement of commands, and the walkthrough depend.

import * as vscode from 'vscode';
import type { Server } from '../server/languageClient.ts';
import type { StateFeed } from './stateFeed.ts';
import { computeContextKeys } from './stateKeys.ts';

/** Keys that complete a step of the walkthrough. */
const STEP_KEYS = ['repositoryOpen', 'rolledBack'];

/**
 * Sets the keys whenever the state changes, until the result is disposed. The key `serverTrouble` is true if the
 * language server is gone or does not answer.
 */
export function keepContextKeysCurrent(feed: StateFeed, server: Pick<Server, 'life'>): vscode.Disposable {
  const lastValues = new Map<string, boolean>();
  return feed.onChange(() => {
    const serverTrouble = server.life === 'gone' || feed.failure !== null;
    for (const [key, value] of Object.entries({
      ...(feed.current ? computeContextKeys(feed.current) : {}),
      serverTrouble,
    })) {
      if (lastValues.get(key) === value) continue;
      lastValues.set(key, value);
      void vscode.commands.executeCommand('setContext', `selfware.${key}`, value);
    }
  });
}

/**
 * Opens the walkthrough. VS Code completes a step when its key becomes true, but not if the key was already true before
 * the walkthrough was loaded. So the keys of completed steps become false for a moment.
 */
export async function openWalkthrough(feed: StateFeed): Promise<void> {
  const keys = feed.current ? computeContextKeys(feed.current) : {};
  const doneSteps = STEP_KEYS.filter((key) => keys[key]);
  for (const key of doneSteps) await vscode.commands.executeCommand('setContext', `selfware.${key}`, false);
  await vscode.commands.executeCommand(
    'workbench.action.openWalkthrough',
    'selfware.selfware#selfware.firstSteps',
    false,
  );
  for (const key of doneSteps) await vscode.commands.executeCommand('setContext', `selfware.${key}`, true);
}
