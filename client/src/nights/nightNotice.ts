// Follows an unattended run (a night) while the window is open: polls its state, and shows a message when it ends and
// when it needs the person.

import * as vscode from 'vscode';
import type { SidebarState } from '#protocol/state';
import type { ClientContext } from '../context.ts';
import { withErrorBoundary, showMessage } from '../messages.ts';
import { findEndSentence, findNeedSentence, isNightRunning } from './nightText.ts';

/**
 * Milliseconds between two requests for the state. The run is another process, so the server does not report its
 * changes.
 */
const POLL_MS = 10_000;

/** Follows unattended runs until the result is disposed. */
export function followNights({ feed, output }: Pick<ClientContext, 'feed' | 'output'>): vscode.Disposable {
  let previousState: SidebarState | null = null;
  let timer: NodeJS.Timeout | undefined;
  const showLabel = 'Show';
  return vscode.Disposable.from(
    feed.onChange(() => {
      const { current } = feed;
      if (!current || feed.failure !== null) return scheduleRequest(previousState);
      const sentence = findEndSentence(previousState, current);
      const need = findNeedSentence(previousState, current);
      previousState = current;
      scheduleRequest(current);
      if (sentence !== null)
        void withErrorBoundary(output, async () => {
          if ((await showMessage(`Selfware: ${sentence}.`, showLabel)) === showLabel)
            await vscode.commands.executeCommand('selfware.showNight', {});
        });
      if (need !== null) void withErrorBoundary(output, () => showNeed(need));
    }),
    { dispose: () => clearTimeout(timer) },
  );

  async function showNeed(need: string): Promise<void> {
    const [continueLabel, endLabel] = ['Continue', 'End the Night'];
    const answer = await showMessage(`Selfware: ${need}`, showLabel, continueLabel, endLabel);
    const command = { [showLabel]: 'showNight', [continueLabel]: 'continueNight', [endLabel]: 'endNight' }[
      answer ?? ''
    ];
    if (command !== undefined) await vscode.commands.executeCommand(`selfware.${command}`, {});
  }

  /** Schedules the next request while a run goes on, also after one that failed. */
  function scheduleRequest(state: SidebarState | null): void {
    clearTimeout(timer);
    timer = state !== null && isNightRunning(state.night) ? setTimeout(requestState, POLL_MS) : undefined;
  }

  function requestState(): void {
    // If the server does not answer, polling continues when the server next reports a change of state.
    feed.refresh().catch((error: unknown) => output.debug(`The unattended run is unknown: ${String(error)}`));
  }
}
