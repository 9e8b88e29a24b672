// Every command of the extension as data. package.json and docs/editor-commands.md are generated from this table, and
// each command in it has a handler.

import { changesPossibleCondition, folderOpenCondition, type CommandRow } from './commandRow.ts';
import { learnedCommands } from './learned/learnedCommands.ts';
import { nightRows } from './nights/nightRows.ts';
import { requestRows } from './requests/requestRows.ts';
import { reviewCommands } from './reviewCommands.ts';

/** All commands, in the order of the documentation. */
export const commandTable = [
  {
    id: 'selfware.improve',
    title: 'Improve',
    icon: '$(sparkle)',
    enablement: 'isWorkspaceTrusted',
    palette: true,
    when: `${changesPossibleCondition} && !selfware.nothingToImprove`,
    description:
      'Turns the best opportunity of the repository (or the one given) into a proposal, runs the checks on it and opens it for review.',
  },
  {
    id: 'selfware.improveWithModel',
    title: 'Improve with a Model…',
    icon: '$(sparkle-filled)',
    enablement: 'isWorkspaceTrusted',
    palette: true,
    when: changesPossibleCondition,
    description:
      'Asks which model to use, what to improve, and whether code may leave this machine. A change that ' +
      'passes its checks opens for review.',
  },
  ...requestRows,
  {
    id: 'selfware.setModelKey',
    title: "Set a Model's Key…",
    icon: '$(key)',
    enablement: 'isWorkspaceTrusted',
    palette: true,
    when: 'selfware.usesModels',
    description:
      'Asks for the provider and its key. VS Code keeps the key in its secret storage; it is sent only to that provider.',
  },
  {
    id: 'selfware.forgetModelKey',
    title: "Forget a Model's Key…",
    palette: true,
    when: 'selfware.hasModelKey',
    description: 'Removes a key from the secret storage of VS Code.',
  },
  {
    id: 'selfware.withdrawConsent',
    title: 'Withdraw Consent to Send Code…',
    palette: true,
    when: folderOpenCondition,
    description:
      'Lists the hosts to which you agreed to send code of this repository, with what and since when. Nothing more is ' +
      'sent to the one you choose until you agree again.',
  },
  {
    id: 'selfware.installComponent',
    title: 'Install a Component…',
    icon: '$(cloud-download)',
    enablement: 'isWorkspaceTrusted',
    palette: true,
    when: 'selfware.usesModels',
    description:
      'Installs a library that is too large to be part of Selfware: for models from GGUF files, or for ' +
      'vectors by an ONNX model. Shows first what npm would fetch.',
  },
  {
    id: 'selfware.index',
    title: 'Refresh Index',
    icon: '$(refresh)',
    palette: true,
    when: `${folderOpenCondition} && !selfware.indexing && !selfware.indexingPaused && !selfware.stopped`,
    description: 'Reads what changed in the repository and looks for opportunities again.',
  },
  {
    id: 'selfware.pauseIndexing',
    title: 'Pause Indexing',
    icon: '$(debug-pause)',
    enablement: 'selfware.indexing',
    palette: true,
    description: 'Interrupts indexing; what was indexed so far can be searched. Resume Indexing continues from there.',
  },
  {
    id: 'selfware.resumeIndexing',
    title: 'Resume Indexing',
    icon: '$(play)',
    enablement: 'selfware.indexingPaused',
    palette: true,
    description: 'Continues the indexing that was paused.',
  },
  {
    id: 'selfware.cancelIndexing',
    title: 'Cancel Indexing',
    enablement: 'selfware.indexing',
    palette: true,
    description: 'Ends indexing; the next saved file, or Refresh Index, continues from there.',
  },
  {
    id: 'selfware.search',
    title: 'Search…',
    icon: '$(search)',
    palette: true,
    when: folderOpenCondition,
    description: 'Finds code by what it does: words, a sentence or a name, answered while you type.',
  },
  {
    id: 'selfware.showSidebar',
    title: 'Show Sidebar',
    palette: true,
    when: '!view.selfware.sidebar.visible',
    description: 'Opens the Selfware sidebar: points, memory, opportunities, proposals, checkpoints.',
  },
  ...reviewCommands,
  {
    id: 'selfware.improveThis',
    title: 'Improve This with Selfware',
    icon: '$(sparkle)',
    enablement: 'isWorkspaceTrusted',
    palette: false,
    description: 'Turns the best opportunity in the chosen files and folders into a proposal.',
  },
  {
    id: 'selfware.fixAll',
    title: 'Fix All Safe',
    icon: '$(wand)',
    enablement: 'isWorkspaceTrusted',
    palette: true,
    when: `${changesPossibleCondition} && selfware.hasOpportunities`,
    description:
      'Makes proposals of everything in the folder that recipes can fix without changing behaviour (at most ' +
      'ten at a time). Nothing is written before you approve.',
  },
  {
    id: 'selfware.dismiss',
    title: 'Dismiss Opportunity',
    icon: '$(bell-slash)',
    palette: false,
    description: 'Hides the opportunity of a quick fix, with a reason; its rule learns from the reason.',
  },
  {
    id: 'selfware.rollback',
    title: 'Roll Back…',
    icon: '$(discard)',
    enablement: 'isWorkspaceTrusted',
    palette: true,
    when: 'isWorkspaceTrusted && selfware.hasCheckpoints',
    description: 'Picks a checkpoint and restores the bytes of its files.',
  },
  {
    id: 'selfware.judge',
    title: 'Check Applied Changes',
    icon: '$(law)',
    enablement: 'isWorkspaceTrusted',
    palette: true,
    when: 'isWorkspaceTrusted && selfware.hasUnchecked',
    description:
      'Runs the checks of applied changes that have not been checked in your files yet, because the window ' +
      'was closed too early. Each is then kept or rolled back.',
  },
  {
    id: 'selfware.keep',
    title: 'Keep Change…',
    icon: '$(pin)',
    enablement: 'isWorkspaceTrusted',
    palette: true,
    when: 'isWorkspaceTrusted && selfware.hasUnsettled',
    description:
      'Keeps a change that is still being checked after applying, or that failed and is still in your files.',
  },
  {
    id: 'selfware.commit',
    title: 'Commit Kept Changes…',
    icon: '$(git-commit)',
    enablement: 'isWorkspaceTrusted',
    palette: true,
    when: `${changesPossibleCondition} && selfware.hasUncommitted`,
    description: 'Commits kept changes to a branch of your choice, without touching your work; pushes nothing.',
  },
  {
    id: 'selfware.stop',
    title: 'Stop…',
    icon: '$(debug-stop)',
    palette: true,
    when: 'selfware.running',
    description:
      'Asks, then ends everything that runs. Nothing runs and nothing is applied until Resume. Does not ask if nothing is running.',
  },
  {
    id: 'selfware.resume',
    title: 'Resume',
    icon: '$(play)',
    palette: true,
    when: 'selfware.stopped',
    description: 'Allows changes again after Stop.',
  },
  {
    id: 'selfware.chooseFolder',
    title: 'Choose Folder…',
    icon: '$(root-folder)',
    enablement: 'workspaceFolderCount > 1',
    palette: true,
    description:
      'Chooses the folder that the sidebar, the status bar and the commands work on, in a workspace of several folders.',
  },
  {
    id: 'selfware.undismiss',
    title: 'Undismiss…',
    icon: '$(bell)',
    palette: true,
    when: 'selfware.hasDismissed',
    description:
      'Lists what was dismissed, with the reasons. What you choose is shown again, and its rule forgets the dismissal.',
  },
  ...learnedCommands,
  {
    id: 'selfware.baseline',
    title: 'Baseline…',
    icon: '$(bookmark)',
    enablement: 'isWorkspaceTrusted',
    palette: true,
    when: `isWorkspaceTrusted && ${folderOpenCondition} && selfware.hasOpportunities`,
    description:
      'Accepts the current opportunities as they are, in `.selfware/baseline.json`, so that only new ones ' +
      'are shown; or shows, updates or removes that file.',
  },
  {
    id: 'selfware.verifyChange',
    title: 'Verify Change…',
    icon: '$(verified)',
    enablement: 'isWorkspaceTrusted',
    palette: true,
    when: 'isWorkspaceTrusted && selfware.hasKept',
    description:
      'Runs the checks of a kept change again, from its receipt, on the tree as it was before the change, ' +
      'and opens a page that says whether the result holds.',
  },
  {
    id: 'selfware.verifyLedger',
    title: 'Verify Ledger',
    icon: '$(verified)',
    palette: true,
    when: 'selfware.hasKept',
    description:
      'Checks the hash chain of everything that was recorded, and opens a page that says whether it is intact.',
  },
  {
    id: 'selfware.searchFurther',
    title: 'Find Missing Tests or Faults…',
    icon: '$(beaker)',
    enablement: 'isWorkspaceTrusted',
    palette: true,
    when: changesPossibleCondition,
    description:
      'Finds mistakes that no test would notice, with tests that would, calls that break exported functions, ' +
      'examples in the documentation that are wrong, or lines that no test runs. ' +
      'Asks which, and whether in this file or in the whole folder; opens a page with what it found.',
  },
  {
    id: 'selfware.judgeBranch',
    title: 'Judge This Branch…',
    icon: '$(law)',
    enablement: 'isWorkspaceTrusted',
    palette: true,
    when: `${changesPossibleCondition} && selfware.onBranch`,
    description:
      'Runs the checks on what this branch changes, uncommitted work included, whoever wrote it, and opens ' +
      'a page with what they say. Asks what the change starts from; nothing of the repository is written. ' +
      'In the menu of Source Control, too.',
  },
  ...nightRows,
  {
    id: 'selfware.setUpTests',
    title: 'Set Up Tests…',
    icon: '$(beaker)',
    enablement: 'isWorkspaceTrusted',
    palette: true,
    when: `${changesPossibleCondition} && selfware.testsNotSetUp`,
    description:
      "Shows what the repository's own tests need (packages, services, with what access), runs it once after " +
      'you agree, and says how many tests ran.',
  },
  {
    id: 'selfware.outdated',
    title: 'Check for Outdated Dependencies…',
    icon: '$(package)',
    enablement: 'isWorkspaceTrusted',
    palette: true,
    when: changesPossibleCondition,
    description:
      'Asks the registry about outdated and vulnerable dependencies, once you agree, and lists the updates, all ' +
      'minor and patch ones also as one change. What you choose is installed in the sandbox, checked, and opened for ' +
      'review.',
  },
  {
    id: 'selfware.doctor',
    title: 'Check the Set-Up',
    icon: '$(pulse)',
    palette: true,
    when: folderOpenCondition,
    description:
      'Checks git, the index store, the sandbox, the ledger and everything else that Selfware depends on, ' +
      'and opens a page that says what to do if something is wrong.',
  },
  {
    id: 'selfware.openCharter',
    title: 'Open the Charter',
    icon: '$(law)',
    palette: true,
    when: folderOpenCondition,
    description:
      'Opens `.selfware/charter.json`, which says what Selfware may do in this repository, or a draft of ' +
      "it. It can only tighten each person's settings.",
  },
  {
    id: 'selfware.openSettings',
    title: 'Open Settings',
    icon: '$(gear)',
    palette: true,
    description: 'Opens the settings of Selfware.',
  },
  {
    id: 'selfware.getStarted',
    title: 'Get Started',
    palette: true,
    description: 'Opens the walkthrough: five steps from a repository to a change that is rolled back again.',
  },
  {
    id: 'selfware.showMenu',
    title: 'Show Menu',
    palette: false,
    description: 'Shows what can be done now: the menu of the item in the status bar.',
  },
  {
    id: 'selfware.restartServer',
    title: 'Restart Language Server',
    palette: true,
    when: 'selfware.serverTrouble',
    description: 'Ends the language server and starts it again; nothing that was stored is lost.',
  },
  // In the palette only while the server has a problem; at other times, menus and error messages offer it.
  {
    id: 'selfware.showOutput',
    title: 'Show Output',
    palette: true,
    when: 'selfware.serverTrouble',
    description: 'Opens the log of the language server.',
  },
  // Not in the palette, because every reference to a rule links to its page.
  {
    id: 'selfware.openRuleDocs',
    title: 'Open Rule Documentation',
    icon: '$(book)',
    palette: false,
    description: 'Opens the documentation of a rule: what it finds, why, and how to switch it off.',
  },
] as const satisfies readonly CommandRow[];

/** The id of a command of the extension. */
export type CommandId = (typeof commandTable)[number]['id'];
