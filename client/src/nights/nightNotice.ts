// Follows an unattended run while the window is open: looks at it from time to time, and tells once when it ends or
// needs the person.

import * as vscode from 'vscode';
import type { SidebarState } from '#protocol/state';
import type { ClientContext } from '../context.ts';
import { guarded, showMessage } from '../messages.ts';
import { endedSentence, needSentence, nightRuns } from './nightText.ts';

/** Another process writes the ledger, so the state is requested again. */
const POLL_MS = 10_000;

/** Follows the runs until the result is disposed. */
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
      timer = nightRuns(current.night) ? setTimeout(look, POLL_MS) : undefined;
      if (sentence !== null)
        void guarded(output, async () => {
          if ((await showMessage(`Selfware: ${sentence}.`, show)) === show)
            await vscode.commands.executeCommand('selfware.showNight', {});
        });
      if (need !== null) void guarded(output, () => tellNeed(need));
    }),
    { dispose: () => clearTimeout(timer) },
  );

  async function tellNeed(need: string): Promise<void> {
    const [onward, stop] = ['Continue', 'Stop…'];
    const answer = await showMessage(`Selfware: ${need}`, show, onward, stop);
    const command = { [show]: 'showNight', [onward]: 'continueNight', [stop]: 'stop' }[answer ?? ''];
    if (command !== undefined) await vscode.commands.executeCommand(`selfware.${command}`, {});
  }

  function look(): void {
    // A server that does not answer now is asked again with its next change of state.
    feed.refresh().catch((error: unknown) => output.debug(`The unattended run is unknown: ${String(error)}`));
  }
}
