// The VS Code commands for unattended runs (nights), as data: a part of `commandTable`.

import { changesPossibleCondition, folderOpenCondition, type CommandRow } from '../commandRow.ts';

/** The rows, in the order of the documentation. */
export const nightRows = [
  {
    id: 'selfware.runOvernight',
    title: 'Run Overnight…',
    icon: '$(watch)',
    enablement: 'isWorkspaceTrusted',
    palette: true,
    when: `${changesPossibleCondition} && !selfware.nightRuns`,
    description:
      'Starts a run in the background, and commits each change that passes its checks to a branch of its own.',
  },
  {
    id: 'selfware.wishes',
    title: 'Wishes for the Night…',
    icon: '$(list-ordered)',
    enablement: 'isWorkspaceTrusted',
    palette: true,
    when: `${changesPossibleCondition} && selfware.usesModels`,
    description:
      'Lists what you want done in the next unattended run, in words. You can add, reorder and drop wishes, ' +
      'also while a run is in progress.',
  },
  {
    id: 'selfware.showNight',
    title: 'Show Last Night',
    icon: '$(notebook)',
    palette: true,
    when: `${folderOpenCondition} && selfware.hasNight`,
    description:
      'Opens the report of the newest unattended run: what was committed, refused, and why. Also while it is running.',
  },
  {
    id: 'selfware.acceptNight',
    title: "Take the Night's Changes…",
    icon: '$(check-all)',
    enablement: 'isWorkspaceTrusted',
    palette: true,
    when: `${changesPossibleCondition} && selfware.nightToTake`,
    description:
      'Takes all, some or one of the changes of the newest unattended run: for your review one after the other, or ' +
      'applied at once, each with a checkpoint. Says what it does before it does it.',
  },
  {
    id: 'selfware.continueNight',
    title: 'Continue the Night',
    icon: '$(debug-continue)',
    enablement: 'isWorkspaceTrusted',
    palette: true,
    when: `${changesPossibleCondition} && selfware.nightNeedsYou`,
    description: 'Lets an unattended run continue that has paused because something was unusual.',
  },
  {
    id: 'selfware.endNight',
    title: 'End the Night',
    icon: '$(debug-stop)',
    enablement: 'isWorkspaceTrusted',
    palette: true,
    when: `${changesPossibleCondition} && selfware.nightRuns`,
    description: 'Ends the unattended run after its current step. The next one can start as usual.',
  },
  {
    id: 'selfware.dropNight',
    title: "Drop the Night's Changes…",
    icon: '$(trash)',
    enablement: 'isWorkspaceTrusted',
    palette: true,
    when: `${changesPossibleCondition} && selfware.nightToDrop`,
    description:
      'Takes some changes out of the newest unattended run and verifies the others again, or deletes its branch, after ' +
      'asking; what is dropped is not proposed again.',
  },
  {
    id: 'selfware.squashNight',
    title: "Squash the Night's Changes…",
    icon: '$(git-commit)',
    enablement: 'isWorkspaceTrusted',
    palette: true,
    when: `${changesPossibleCondition} && selfware.nightToSquash`,
    description: 'Makes the branch of the newest unattended run one commit with the same files, after asking.',
  },
  {
    id: 'selfware.nightPullRequest',
    title: 'Open a Pull Request for the Night…',
    icon: '$(git-pull-request-create)',
    enablement: 'isWorkspaceTrusted',
    palette: true,
    when: `${changesPossibleCondition} && selfware.nightToPush`,
    description:
      'Pushes the branch of the newest unattended run and opens a pull request with its report, by your own git and ' +
      'gh, after asking.',
  },
] as const satisfies readonly CommandRow[];
