// The VS Code commands for reviews and waiting proposals, as data: a part of `commandTable`.

import type { CommandRow } from './commandRow.ts';

/** Condition for `enablement`: the active editor shows a document of a proposal or a multi-file review. */
const diffCondition = 'resourceScheme == selfware-proposal || selfware.reviewing';
/**
 * Condition for `enablement`: the active editor shows a document of a proposal, a multi-file review, or the evidence
 * for a waiting proposal.
 */
const reviewCondition = `${diffCondition} || selfware.readingEvidence`;

/** The commands that show proposals and decide on them. */
export const reviewCommands = [
  {
    id: 'selfware.reviewProposal',
    title: 'Review Proposal…',
    icon: '$(diff)',
    palette: true,
    when: 'selfware.hasProposals',
    description: 'Picks a proposal that waits for a decision and opens its diff.',
  },
  {
    id: 'selfware.applyAll',
    title: 'Apply All',
    icon: '$(check-all)',
    enablement: reviewCondition,
    palette: true,
    description: 'Applies the proposal under review, without the hunks that were skipped (Ctrl+Alt+Enter in a review).',
  },
  {
    id: 'selfware.reject',
    title: 'Reject',
    icon: '$(close)',
    enablement: reviewCondition,
    palette: true,
    description: 'Rejects the proposal under review; it is not proposed again (Ctrl+Alt+Backspace in a review).',
  },
  // In the title bar of an editor, VS Code draws the keybinding of a command over the command's title, and neither can
  // be read. These commands, which have no keybindings, stand there for Apply All and Reject.
  {
    id: 'selfware.applyReview',
    title: 'Apply',
    enablement: reviewCondition,
    palette: false,
    description: 'The word in the title of a review; does the same as Apply All.',
  },
  {
    id: 'selfware.rejectReview',
    title: 'Reject',
    enablement: reviewCondition,
    palette: false,
    description: 'The word in the title of a review; does the same as Reject.',
  },
  {
    id: 'selfware.applyHunk',
    title: 'Apply Hunk',
    icon: '$(check)',
    enablement: diffCondition,
    palette: true,
    description: 'Applies only the hunk at the cursor, after checks of its own (Alt+Enter in a review).',
  },
  {
    id: 'selfware.skipHunk',
    title: 'Skip or Include Hunk',
    icon: '$(debug-step-over)',
    enablement: diffCondition,
    palette: true,
    description: 'Leaves the hunk at the cursor out of Apply All, or includes it again (Shift+Alt+Enter in a review).',
  },
  {
    id: 'selfware.applyFile',
    title: 'Apply File',
    enablement: diffCondition,
    palette: true,
    description: 'Applies what the proposal changes in the file at the cursor, after checks of its own.',
  },
  {
    id: 'selfware.skipFile',
    title: 'Skip or Include File',
    enablement: diffCondition,
    palette: true,
    description: 'Leaves all hunks of the file at the cursor out of Apply All, or includes them again.',
  },
  {
    id: 'selfware.nextProposal',
    title: 'Next Proposal',
    icon: '$(arrow-right)',
    enablement: reviewCondition,
    palette: true,
    description: 'Opens the next proposal that waits for a decision (Alt+F6 in a review).',
  },
  {
    id: 'selfware.previousProposal',
    title: 'Previous Proposal',
    icon: '$(arrow-left)',
    enablement: reviewCondition,
    palette: true,
    description: 'Opens the proposal before the one under review (Shift+Alt+F6 in a review).',
  },
  {
    id: 'selfware.why',
    title: 'Why This Hunk?',
    icon: '$(question)',
    enablement: diffCondition,
    palette: true,
    description: 'Shows beside the hunk at the cursor why it is proposed and what is known about it.',
  },
  {
    id: 'selfware.evidence',
    title: 'Show Evidence',
    icon: '$(beaker)',
    enablement: reviewCondition,
    palette: true,
    description:
      'Opens the evidence beside the diff: what each check found and how long it took, the points by category, whether tests would notice a mistake, and where the proposal comes from (Alt+F7 in a review).',
  },
  {
    id: 'selfware.adoptTest',
    title: 'Adopt Test',
    enablement: reviewCondition,
    palette: true,
    description: 'Opens the counterexample that the comparison of old and new code found, as a new, unsaved test.',
  },
  {
    id: 'selfware.discardEdits',
    title: 'Discard My Edits of the Proposal',
    icon: '$(discard)',
    enablement: reviewCondition,
    palette: true,
    description: 'Restores the proposed text on the right side of the review.',
  },
  {
    id: 'selfware.previewAll',
    title: 'Review All in Refactor Preview',
    icon: '$(checklist)',
    enablement: 'isWorkspaceTrusted',
    palette: true,
    when: 'isWorkspaceTrusted && selfware.hasProposals',
    description:
      'Lists every change of every waiting proposal. Only the changes that you tick go through the checks and are applied.',
  },
  {
    id: 'selfware.showVerdicts',
    title: 'Show Verdicts',
    icon: '$(checklist)',
    enablement: reviewCondition,
    palette: true,
    description: 'Lists what each check found about the proposal under review.',
  },
] as const satisfies readonly CommandRow[];
