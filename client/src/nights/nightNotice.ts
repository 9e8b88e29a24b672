// Follows an unattended run (a night) while the window is open: polls its state, and shows a message when it ends and
// when it needs the person.

import * as vscode from 'vscode';
import type { SidebarState } from '#protocol/state';
import type { ClientContext } from '../context.ts';
import { withErrorBoundary, showMessage } from '../messages.ts';
import { endedSentence, needSentence, isNightRunning } from './nightText.ts';

/**
 * Milliseconds between two requests for the state. The run is another process, so the server does not report its
 * changes.
 */
const POLL_MS = 10_000;

/** Follows unattended runs until the result is disposed. */
export function followNights({ feed, output }: Pick<ClientContext, 'feed' | 'output'>): vscode.Disposable {
  let before: SidebarState | null = null;
  let timer: NodeJS.Timeout | undefined;
  const show = 'Show';
  return vscode.Disposable.from(
    feed.onChange(() => {
      const { current } = feed;
      if (!current || feed.failure !== null) return;
      const sentence = endedSentence(before, current);
      const need = needSentence(before, current);
      before = current;
      clearTimeout(timer);
      timer = isNightRunning(current.night) ? setTimeout(requestState, POLL_MS) : undefined;
      if (sentence !== null)
        void withErrorBoundary(output, async () => {
          if ((await showMessage(`Selfware: ${sentence}.`, show)) === show)
            await vscode.commands.executeCommand('selfware.showNight', {});
        });
      if (need !== null) void withErrorBoundary(output, () => showNeed(need));
    }),
    { dispose: () => clearTimeout(timer) },
  );

  async function showNeed(need: string): Promise<void> {
    const [onward, end] = ['Continue', 'End the Night'];
    const answer = await showMessage(`Selfware: ${need}`, show, onward, end);
    const command = { [show]: 'showNight', [onward]: 'continueNight', [end]: 'endNight' }[answer ?? ''];
    if (command !== undefined) await vscode.commands.executeCommand(`selfware.${command}`, {});
  }

  function requestState(): void {
    // If the server does not answer, polling continues when the server next reports a change of state.
    feed.refresh().catch((error: unknown) => output.debug(`The unattended run is unknown: ${String(error)}`));
  }
}
