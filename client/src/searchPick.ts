// "Search…": searches the code by meaning while the user types, and opens the chosen result in the editor.

import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { SearchAnswer } from '#protocol/memory';
import type { ClientContext } from './context.ts';
import { showFileAt } from './showAt.ts';

/** Milliseconds without typing before a search starts. */
const TYPING_PAUSE_MS = 120;
/** Maximum number of results that the list shows. */
const MAX_RESULTS = 30;

type Hit = SearchAnswer['hits'][number];
interface HitItem extends vscode.QuickPickItem {
  readonly hit: Hit;
}

/**
 * Opens the list, with `query` as the first text: by default, the text that is selected in the editor. Resolves when
 * the list closes.
 */
export async function openSearch({ server, output }: ClientContext, query = readSelection()): Promise<void> {
  const quickPick = vscode.window.createQuickPick<HitItem>();
  const uri = vscode.window.activeTextEditor?.document.uri;
  quickPick.title = 'Selfware: Search';
  quickPick.placeholder = 'Words, a sentence or a name: what should the code do?';
  let lastRequest = 0;
  let timer: NodeJS.Timeout | undefined;

  const showResults = async (text: string): Promise<void> => {
    const request = ++lastRequest;
    if (text.trim() === '') {
      quickPick.items = [];
      quickPick.busy = false;
      return;
    }
    quickPick.busy = true;
    const { hits, trouble } = await server.search({
      query: text,
      top: MAX_RESULTS,
      ...(uri && vscode.workspace.getWorkspaceFolder(uri) ? { uri: uri.toString() } : {}),
    });
    if (request !== lastRequest) return;
    quickPick.busy = false;
    quickPick.items = hits.map(createItem);
    quickPick.title = trouble
      ? `Selfware: Search – ${trouble}`
      : hits.length === 0
        ? 'Selfware: Search – nothing found'
        : 'Selfware: Search';
  };
  const searchSafely = (text: string): void => {
    showResults(text).catch((error: unknown) => {
      quickPick.busy = false;
      quickPick.title = 'Selfware: Search – failed, see the output';
      output.error(String(error));
    });
  };

  await new Promise<void>((resolve) => {
    quickPick.onDidChangeValue((text) => {
      clearTimeout(timer);
      timer = setTimeout(() => searchSafely(text), TYPING_PAUSE_MS);
    });
    quickPick.onDidAccept(() => {
      const [chosenItem] = quickPick.selectedItems;
      if (!chosenItem) return;
      quickPick.hide();
      void openHit(chosenItem.hit);
    });
    quickPick.onDidHide(() => {
      clearTimeout(timer);
      quickPick.dispose();
      resolve();
    });
    quickPick.value = query;
    quickPick.show();
    if (query !== '') searchSafely(query);
  });
}

/**
 * The entry for a result. `alwaysShow` prevents VS Code from filtering the results, because the server has ranked them.
 */
function createItem(hit: Hit): HitItem {
  const { path, startLine, endLine, symbol } = hit;
  return {
    hit,
    label: symbol ? `$(symbol-method) ${symbol}` : `$(file) ${basename(path)}`,
    description: `${path}:${startLine}–${endLine}`,
    alwaysShow: true,
  };
}

async function openHit({ uri, startLine }: Hit): Promise<void> {
  await showFileAt(vscode.Uri.parse(uri), startLine);
}

/** The selected text of the active editor; empty if nothing or more than one line is selected. */
function readSelection(): string {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.selection.isEmpty || !editor.selection.isSingleLine) return '';
  return editor.document.getText(editor.selection).trim();
}
