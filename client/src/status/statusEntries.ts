// Lists the entries of the status bar item's menu: the actions that are possible now. Does not use VS Code's API.

import type { SidebarState } from '#protocol/state';
import { listNightEntries } from '../nights/nightEntries.ts';
import { listEntries } from '../requests/requestText.ts';
import { hasRunningWork } from '../stopText.ts';

/** An entry of the menu, and the command that it runs. */
export interface StatusEntry {
  readonly label: string;
  readonly command: string;
  readonly description?: string;
}

/** The entry for Improve. If that is not possible, the entry offers to remove the obstacle. */
function createImproveEntry({ doable }: SidebarState): StatusEntry | false {
  if (doable.barrier === 'notARepository')
    return {
      label: '$(repo) Initialise a git repository',
      command: 'git.init',
      description: 'changes are tried out in a git work tree',
    };
  if (doable.barrier === 'brokenRepository')
    return {
      label: '$(terminal) Open a terminal',
      command: 'workbench.action.terminal.new',
      description: 'to see what git status says',
    };
  if (doable.barrier === 'noCommit')
    return {
      label: '$(source-control) Open Source Control',
      command: 'workbench.view.scm',
      description: 'changes are tried out from the last commit',
    };
  return (
    doable.canImprove && {
      label: '$(sparkle) Improve',
      command: 'selfware.improve',
      description: 'the best opportunity of the repository',
    }
  );
}

/**
 * The entries of the menu. `state`: null before the first state, when only general entries are possible.
 * `isServerGone`: true if the language server has stopped and is not restarted automatically.
 */
export function listStatusEntries(state: SidebarState | null, isServerGone: boolean): readonly StatusEntry[] {
  const entries: (StatusEntry | false)[] = [
    isServerGone && { label: '$(debug-restart) Restart the language server', command: 'selfware.restartServer' },
  ];
  if (state?.folder === '')
    entries.push(
      { label: '$(folder-opened) Open a folder…', command: 'vscode.openFolder' },
      { label: '$(book) Get started', command: 'selfware.getStarted', description: 'five steps to a first change' },
    );
  else if (state) {
    const isIndexing = state.activity === 'indexing' || state.activity === 'analysing';
    entries.push(
      state.pending.length > 0 && {
        label: '$(diff) Review a proposal…',
        command: 'selfware.reviewProposal',
        description: `${state.pending.length} ${state.pending.length === 1 ? 'waits' : 'wait'}`,
      },
      state.trusted
        ? createImproveEntry(state)
        : { label: '$(shield) Manage workspace trust', command: 'workbench.trust.manage' },
      { label: '$(search) Search…', command: 'selfware.search', description: 'find code by what it does' },
      state.trusted &&
        state.doable.barrier === null && {
          label: '$(sparkle-filled) Improve with a model…',
          command: 'selfware.improveWithModel',
          description: 'asks whom, and before code leaves this machine',
        },
      state.trusted &&
        state.doable.barrier === null && {
          label: '$(comment-discussion) Ask for a change…',
          command: 'selfware.askForChange',
          description: 'in your own words, with a test that you read first',
        },
      state.trusted &&
        listEntries(state).length > 0 && {
          label: '$(list-unordered) Requests that wait…',
          command: 'selfware.requests',
        },
      ...listNightEntries(state),
      isIndexing && { label: '$(debug-pause) Pause indexing', command: 'selfware.pauseIndexing' },
      isIndexing && { label: '$(close) Cancel indexing', command: 'selfware.cancelIndexing' },
      state.indexingPaused && { label: '$(play) Resume indexing', command: 'selfware.resumeIndexing' },
      !isIndexing && !state.indexingPaused && { label: '$(refresh) Refresh index', command: 'selfware.index' },
      state.activity === 'stopped' && {
        label: '$(play) Resume',
        command: 'selfware.resume',
        description: 'allow changes again',
      },
      hasRunningWork(state) && {
        label: '$(debug-stop) Stop…',
        command: 'selfware.stop',
        description: 'end what runs, apply nothing',
      },
      state.checkpoints.some(({ rolledBack }) => !rolledBack) && {
        label: '$(discard) Roll back…',
        command: 'selfware.rollback',
      },
      state.folders.length > 1 && {
        label: '$(root-folder) Choose folder…',
        command: 'selfware.chooseFolder',
        description: `now ${state.folders.find(({ uri }) => uri === state.folder)?.name ?? state.rootName}`,
      },
      { label: '$(law) Open the charter', command: 'selfware.openCharter' },
    );
  }
  return [
    ...entries,
    { label: '$(layout-sidebar-left) Show the sidebar', command: 'selfware.showSidebar' },
    { label: '$(gear) Open settings', command: 'selfware.openSettings' },
    { label: '$(output) Show output', command: 'selfware.showOutput' },
    !isServerGone && { label: '$(debug-restart) Restart the language server', command: 'selfware.restartServer' },
  ].filter((entry) => entry !== false);
}
