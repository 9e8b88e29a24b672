// Chooses the workspace folder that the sidebar, the status bar and the commands work on. It is the first folder until
// a person chooses another.

import * as vscode from 'vscode';
import type { SidebarState } from '#protocol/state';
import type { ClientContext } from './context.ts';
import { countWaitingForPerson } from './requests/requestText.ts';
import type { StateFeed } from './status/stateFeed.ts';

/** The key under which VS Code stores the URI of the chosen folder for each workspace. */
const FOLDER_KEY = 'selfware.folder';

/** Switches to a folder and resolves with its URI. Asks unless one is given; undefined if the person cancels. */
export async function chooseFolder(
  { server, feed, memory }: ClientContext,
  presetUri?: string,
  title = 'Choose Folder',
): Promise<string | undefined> {
  const uri = presetUri ?? (await askForFolder(feed, title));
  if (uri === undefined) return undefined;
  await memory.update(FOLDER_KEY, uri);
  await server.chooseFolder(uri);
  await feed.refresh();
  return uri;
}

/** The folder that was last chosen in this workspace; used when a server starts. */
export function recallFolder(memory: vscode.Memento): string | undefined {
  return memory.get(FOLDER_KEY);
}

/** URI of the chosen folder; null before the first state, and if there is no folder. */
export function folderOfSidebar({ current }: StateFeed): vscode.Uri | null {
  return current?.folder ? vscode.Uri.parse(current.folder, true) : null;
}

/**
 * Counts what waits for a person: the decisions in all folders, and the requests, tasks and unattended runs in the
 * folder of the sidebar. 0 before the first state.
 */
export function countDecisionsInAllFolders(state: SidebarState | null): number {
  if (!state) return 0;
  return (
    state.waiting +
    countWaitingForPerson(state) +
    state.folders.reduce((sum, { uri, waiting }) => sum + (uri === state.folder ? 0 : (waiting ?? 0)), 0)
  );
}

/**
 * Asks for a folder if the workspace has several and the command got no argument (`menu` is empty), as from the
 * palette. False if the person cancels; otherwise true.
 */
export async function ensureFolder(context: ClientContext, menu: readonly unknown[], title: string): Promise<boolean> {
  const { folders } = context.feed.current ?? (await context.feed.refresh());
  return menu[0] !== undefined || folders.length < 2 || (await chooseFolder(context, undefined, title)) !== undefined;
}

/**
 * The URI of the folder that the person picks; undefined if they cancel. The folder of the active file is offered
 * first, then the folder that is shown.
 */
async function askForFolder(feed: StateFeed, title: string): Promise<string | undefined> {
  const { folder, folders } = feed.current ?? (await feed.refresh());
  const editor = vscode.window.activeTextEditor;
  const activeFolder = editor && vscode.workspace.getWorkspaceFolder(editor.document.uri)?.uri.toString();
  const rankOfFolder = (uri: string) => (uri === activeFolder ? 0 : uri === folder ? 1 : 2);
  const items = folders
    .toSorted((a, b) => rankOfFolder(a.uri) - rankOfFolder(b.uri))
    .map(({ uri, name, waiting }) => ({
      uri,
      label: name,
      description: [
        uri === folder ? 'shown now' : '',
        waiting ? `${waiting} ${waiting === 1 ? 'decision waits' : 'decisions wait'}` : '',
      ]
        .filter(Boolean)
        .join(' · '),
      detail: vscode.Uri.parse(uri, true).fsPath,
    }));
  return (
    await vscode.window.showQuickPick(items, {
      title,
      placeHolder: 'Which folder should the sidebar and the status bar show?',
    })
  )?.uri;
}
