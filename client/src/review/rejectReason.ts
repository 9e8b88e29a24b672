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
interface ReasonItem extends vscode.QuickPickItem {
  readonly answer: RejectReason;
}

const COMMON_REASONS: readonly ReasonItem[] = [
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
  const quickPick = vscode.window.createQuickPick<ReasonItem>();
  quickPick.title = `Reject: ${title}`;
  quickPick.placeholder = 'Why? Choose, or type your own words. Escape keeps the proposal.';
  quickPick.items = COMMON_REASONS;
  quickPick.onDidChangeValue((value) => {
    const typedText = value.trim();
    quickPick.items =
      typedText === ''
        ? COMMON_REASONS
        : [
            ...COMMON_REASONS,
            { label: typedText, detail: 'In your own words', alwaysShow: true, answer: { reason: typedText } },
          ];
  });
  return new Promise((resolve) => {
    let chosenReason: RejectReason | undefined;
    quickPick.onDidAccept(() => {
      // If a person types and presses Enter at once, the list does not contain their text yet.
      const typedText = quickPick.value.trim();
      chosenReason = quickPick.activeItems[0]?.answer ?? (typedText === '' ? undefined : { reason: typedText });
      quickPick.hide();
    });
    quickPick.onDidHide(() => {
      quickPick.dispose();
      resolve(chosenReason);
    });
    quickPick.show();
  });
}
