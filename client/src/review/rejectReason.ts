// Asks why a proposal is rejected: a usual reason, or the person's own words.

import * as vscode from 'vscode';
import { USUAL_REASONS } from '#protocol/usualReasons';

/** The objection of a person. Without either field, no reason is given. */
export interface RejectReason {
  readonly reason?: string;
  /** A kind of the server, with which it adjusts the rule's confidence. */
  readonly kind?: string;
}

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
      // A person who types and presses Enter immediately is faster than the list.
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
