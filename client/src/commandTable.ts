// Every command of the extension as data: package.json, docs/editor-commands.md and the handlers follow it.

export interface CommandRow {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Shown in the command palette (and in the documentation). */
  readonly palette: boolean;
  readonly icon?: string;
  readonly enablement?: string;
}

const reviewing = 'resourceScheme == selfware-proposal || selfware.reviewing';

export const commandTable = [
  { id: 'selfware.improve', title: 'Improve', icon: '$(sparkle)', enablement: 'isWorkspaceTrusted', palette: true, description: 'Turns the best opportunity of the repository (or the one given) into a verified proposal and opens it for review.' },
  { id: 'selfware.index', title: 'Refresh Index', icon: '$(refresh)', palette: true, description: 'Reads what changed in the repository and looks for opportunities again.' },
  { id: 'selfware.search', title: 'Search…', icon: '$(search)', palette: true, description: 'Finds code by what it does: words, a sentence or a name, answered while you type.' },
  { id: 'selfware.showSidebar', title: 'Show Sidebar', palette: true, description: 'Opens the Selfware sidebar: points, memory, opportunities, proposals, checkpoints.' },
  { id: 'selfware.reviewProposal', title: 'Review Proposal…', icon: '$(diff)', palette: true, description: 'Picks a proposal that waits for a decision and opens its diff.' },
  { id: 'selfware.applyAll', title: 'Apply All', icon: '$(check-all)', enablement: reviewing, palette: true, description: 'Applies the proposal under review, without the hunks that were skipped (Ctrl+Enter in a review).' },
  { id: 'selfware.reject', title: 'Reject', icon: '$(close)', enablement: reviewing, palette: true, description: 'Rejects the proposal under review; it is not proposed again (Ctrl+Backspace in a review).' },
  { id: 'selfware.applyHunk', title: 'Apply Hunk', icon: '$(check)', enablement: reviewing, palette: true, description: 'Applies only the hunk at the cursor, verified again before it is written (Alt+Enter in a review).' },
  { id: 'selfware.skipHunk', title: 'Skip or Include Hunk', icon: '$(debug-step-over)', enablement: reviewing, palette: true, description: 'Leaves the hunk at the cursor out of Apply All, or takes it in again (Alt+Backspace in a review).' },
  { id: 'selfware.nextProposal', title: 'Next Proposal', icon: '$(arrow-right)', enablement: reviewing, palette: true, description: 'Opens the next proposal that waits for a decision.' },
  { id: 'selfware.showVerdicts', title: 'Show Verdicts', icon: '$(checklist)', enablement: reviewing, palette: true, description: 'Lists what each gate found about the proposal under review.' },
  { id: 'selfware.fixAll', title: 'Fix All Safe', icon: '$(wand)', enablement: 'isWorkspaceTrusted', palette: true, description: 'Makes a verified proposal of everything in the folder that a recipe can do without changing what the code does (at most ten at a time). Nothing is written before you approve.' },
  { id: 'selfware.dismiss', title: 'Dismiss Opportunity', icon: '$(bell-slash)', palette: false, description: 'Takes the opportunity of a quick fix out of sight, with a reason; its rule learns from it.' },
  { id: 'selfware.rollback', title: 'Roll Back…', icon: '$(discard)', enablement: 'isWorkspaceTrusted', palette: true, description: 'Picks a checkpoint and restores the bytes of its files.' },
  { id: 'selfware.stop', title: 'Stop', icon: '$(debug-stop)', palette: true, description: 'Kill switch: ends what runs; nothing is applied until Resume.' },
  { id: 'selfware.resume', title: 'Resume', icon: '$(play)', palette: true, description: 'Allows changes again after Stop.' },
  { id: 'selfware.showOutput', title: 'Show Output', palette: true, description: 'Opens the log of the language server.' },
  { id: 'selfware.openRuleDocs', title: 'Open Rule Documentation…', icon: '$(book)', palette: true, description: 'Opens the documentation of a rule: what it finds, why, and how to switch it off.' },
] as const satisfies readonly CommandRow[];

export type CommandId = (typeof commandTable)[number]['id'];
