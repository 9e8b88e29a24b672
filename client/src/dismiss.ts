// "Dismiss": hides an opportunity that the person does not want to see. Asks for the reason in a list, or as free text.

import * as vscode from 'vscode';
import type { ClientContext } from './context.ts';
import { showMessage, showFailure } from './messages.ts';

/** The kinds of reason that the server knows. */
const reasonKinds = [
  { id: 'notAProblem', label: 'Not a problem here', detail: 'The rule is right in general, but this place is fine.' },
  {
    id: 'wrong',
    label: 'The rule is wrong',
    detail: 'It is a false positive. From then on, the rule counts for less.',
  },
  { id: 'later', label: 'Not now', detail: 'It comes back in a month.' },
  { id: 'generated', label: 'Nobody edits this file', detail: 'It is generated or vendored.' },
  { id: 'other', label: 'Another reason…', detail: 'In your own words.' },
] as const;

/**
 * Asks for the reason and dismisses the opportunity; true if it was dismissed. Quick fixes, the sidebar and the tree
 * pass the opportunity and its document; without these, a message tells the person to use a quick fix.
 */
export async function dismiss(
  { server, feed, output }: ClientContext,
  preset: { readonly uri?: string; readonly opportunity?: string; readonly kind?: string; readonly reason?: string },
): Promise<boolean> {
  const { uri, opportunity } = preset;
  if (uri === undefined || opportunity === undefined) {
    void showMessage('Put the cursor on an opportunity and choose Dismiss among its quick fixes.');
    return false;
  }
  const kind =
    preset.kind ??
    (
      await vscode.window.showQuickPick(reasonKinds, {
        title: 'Dismiss',
        placeHolder: 'Why is this not an opportunity? It is not shown again; "Selfware: Undismiss…" brings it back.',
      })
    )?.id;
  if (kind === undefined) return false;
  const reason =
    preset.reason ??
    (kind === 'other'
      ? await vscode.window.showInputBox({
          title: 'Dismiss',
          prompt: 'Why?',
          validateInput: (text) => (text.trim() === '' ? 'A reason is needed.' : null),
        })
      : undefined);
  if (kind === 'other' && reason === undefined) return false;
  const outcome = await server.execute('dismiss', {
    uri,
    opportunity,
    kind,
    ...(reason === undefined ? {} : { reason }),
  });
  await feed.refresh();
  if (outcome.ok) vscode.window.setStatusBarMessage(outcome.message, 8000);
  else showFailure(outcome, output);
  return outcome.ok;
}
