// The menu of the status bar item: the actions that are possible now. Each entry is also a palette command.

import * as vscode from 'vscode';
import type { SidebarState } from '#protocol/state';
import type { ClientContext } from '../context.ts';
import { statusText } from './statusText.ts';
import { nightEntries } from '../nights/nightEntries.ts';
import { hasRunningWork } from '../stopText.ts';

interface Entry {
  readonly label: string;
  readonly command: string;
  readonly description?: string;
}

/** Shows the menu and runs the chosen entry. */
export async function showStatusMenu({ feed, server }: ClientContext): Promise<void> {
  const { text, tooltip } = statusText(feed.current, feed.failure, server.life);
  const items = statusEntries(feed.current, server.life === 'gone').map(({ label, command, description }) => ({
    label,
    command,
    ...(description ? { description } : {}),
  }));
  const choice = await vscode.window.showQuickPick(items, {
    title: `Selfware: ${text.replace(/\$\([^()]*\)\s*/g, '')}`,
    placeHolder: tooltip.split('\n').join(' · '),
  });
  // An argument is passed, so that the command uses the folder of the item and does not ask for another.
  if (choice) await vscode.commands.executeCommand(choice.command, {});
}

/** The entry for Improve. If that is not possible, the entry offers to remove the obstacle. */
function improveEntry({ doable }: SidebarState): Entry | false {
  if (doable.barrier === 'notARepository')
    return {
      label: '$(repo) Initialise a git repository',
      command: 'git.init',
      description: 'changes are tried out in a git worktree',
    };
  return (
    doable.canImprove && {
      label: '$(sparkle) Improve',
      command: 'selfware.improve',
      description: 'the best opportunity of the repository',
    }
  );
}

/** The entries of the menu. Without a state, there is little to offer besides the log. */
export function statusEntries(state: SidebarState | null, gone: boolean): readonly Entry[] {
  const entries: (Entry | false)[] = [
    gone && { label: '$(debug-restart) Restart the language server', command: 'selfware.restartServer' },
  ];
  if (state) {
    const indexing = state.activity === 'indexing' || state.activity === 'analysing';
    entries.push(
      state.pending.length > 0 && {
        label: '$(diff) Review a proposal…',
        command: 'selfware.reviewProposal',
        description: `${state.pending.length} ${state.pending.length === 1 ? 'waits' : 'wait'}`,
      },
      state.trusted
        ? improveEntry(state)
        : { label: '$(shield) Manage workspace trust', command: 'workbench.trust.manage' },
      ...nightEntries(state),
      indexing && { label: '$(debug-pause) Pause indexing', command: 'selfware.pauseIndexing' },
      indexing && { label: '$(close) Cancel indexing', command: 'selfware.cancelIndexing' },
      state.indexingPaused && { label: '$(play) Resume indexing', command: 'selfware.resumeIndexing' },
      !indexing && !state.indexingPaused && { label: '$(refresh) Refresh index', command: 'selfware.index' },
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
    !gone && { label: '$(debug-restart) Restart the language server', command: 'selfware.restartServer' },
  ].filter((entry) => entry !== false);
}
