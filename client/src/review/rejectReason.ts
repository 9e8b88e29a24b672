// Asks a person why they reject a proposal: a common reason from a list, or their own words.

import * as vscode from 'vscode';
import { USUAL_REASONS } from '#protocol/usualReasons';

/** The reason of a person. Both fields are missing if they give none. */
export interface RejectReason {
  readonly reason?: string;
  /** One of the server's kinds of reasons; by it, the server adjusts its confidence in the rule. */
  readonly kind?: string;
}

/** An entry of the list. */
interface Choice extends vscode.QuickPickItem {
  readonly answer: RejectReason;
}

const usualReasons: readonly Choice[] = [
  {
    label: 'It reads better as it is',
    detail: 'The rule is right in general, but this place is fine. The opportunity is not shown again.',
    answer: { reason: USUAL_REASONS.fine, kind: 'notAProblem' },
  },
  {
    label: 'The change is wrong',
    detail: 'The rule reported a false positive. From then on, it counts for less.',
    answer: { reason: USUAL_REASONS.wrong, kind: 'wrong' },
  },
  {
    label: 'Leave this file alone',
    detail: 'It is generated, vendored or about to be removed. This says nothing about the rule.',
    answer: { reason: USUAL_REASONS.leftAlone, kind: 'generated' },
  },
  { label: 'No reason', detail: 'It is not proposed again; the rule learns nothing.', answer: {} },
];

/** Asks for the reason. Undefined if the person cancelled; the proposal then keeps waiting. */
export function askRejectReason(title: string): Promise<RejectReason | undefined> {
  const pick = vscode.window.createQuickPick<Choice>();
  pick.title = `Reject: ${title}`;
  pick.placeholder = 'Why? Choose, or type your own words. Escape keeps the proposal.';
  pick.items = usualReasons;
  pick.onDidChangeValue((value) => {
    const typedText = value.trim();
    pick.items =
      typedText === ''
        ? usualReasons
        : [
            ...usualReasons,
            { label: typedText, detail: 'In your own words', alwaysShow: true, answer: { reason: typedText } },
          ];
  });
  return new Promise((resolve) => {
    let chosenReason: RejectReason | undefined;
    pick.onDidAccept(() => {
      // If a person types and presses Enter at once, the list does not contain their text yet.
      const typedText = pick.value.trim();
      chosenReason = pick.activeItems[0]?.answer ?? (typedText === '' ? undefined : { reason: typedText });
      pick.hide();
    });
    pick.onDidHide(() => {
      pick.dispose();
      resolve(chosenReason);
    });
    pick.show();
  });
}
