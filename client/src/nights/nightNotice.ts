// Follows an unattended run while the window is open: looks at it from time to time, and tells its end once.

import * as vscode from 'vscode';
import type { SidebarState } from '#protocol/state';
import type { ClientContext } from '../context.ts';
import { guarded, showMessage } from '../messages.ts';
import { endedSentence, nightRuns } from './nightText.ts';

/** Another process writes the ledger, so the state is requested again. */
const lookEveryMillis = 10_000;

export function followNights({ feed, output }: Pick<ClientContext, 'feed' | 'output'>): vscode.Disposable {
  let before: SidebarState | null = null;
  let timer: NodeJS.Timeout | undefined;
  const show = 'Show';
  return vscode.Disposable.from(
    feed.onChange(() => {
      const { current } = feed;
      if (!current || feed.failure !== null) return;
      const sentence = endedSentence(before, current);
      before = current;
      clearTimeout(timer);
      timer = nightRuns(current.night) ? setTimeout(look, lookEveryMillis) : undefined;
      if (sentence !== null)
        void guarded(output, async () => {
          if ((await showMessage(`Selfware: ${sentence}.`, show)) === show)
            await vscode.commands.executeCommand('selfware.showNight', {});
        });
    }),
    { dispose: () => clearTimeout(timer) },
  );

  function look(): void {
    // A server that does not answer now is asked again with its next change of state.
    feed.refresh().catch((error: unknown) => output.debug(`The unattended run is unknown: ${String(error)}`));
  }
}
