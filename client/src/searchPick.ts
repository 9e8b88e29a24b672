// "Search…": searches the code by meaning while the user types, and opens the chosen result in the editor.

import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { SearchAnswer } from '#protocol/memory';
import type { ClientContext } from './context.ts';
import { showAt } from './showAt.ts';

/** Milliseconds without typing before a search starts. */
const TYPING_PAUSE_MS = 120;
const MAX_RESULTS = 30;

type Hit = SearchAnswer['hits'][number];
interface PlaceItem extends vscode.QuickPickItem {
  readonly hit: Hit;
}

/**
 * Opens the list, with `query` as the first text: by default, the text that is selected in the editor. Resolves when
 * the list closes.
 */
export async function searchPick({ server, output }: ClientContext, query = textOfSelection()): Promise<void> {
  const pick = vscode.window.createQuickPick<PlaceItem>();
  const uri = vscode.window.activeTextEditor?.document.uri;
  pick.title = 'Selfware: Search';
  pick.placeholder = 'Words, a sentence or a name: what should the code do?';
  let lastRequest = 0;
  let timer: NodeJS.Timeout | undefined;

  const ask = async (text: string): Promise<void> => {
    const request = ++lastRequest;
    if (text.trim() === '') {
      pick.items = [];
      pick.busy = false;
      return;
    }
    pick.busy = true;
    const { hits, trouble } = await server.search({
      query: text,
      top: MAX_RESULTS,
      ...(uri && vscode.workspace.getWorkspaceFolder(uri) ? { uri: uri.toString() } : {}),
    });
    if (request !== lastRequest) return;
    pick.busy = false;
    pick.items = hits.map(createItem);
    pick.title = trouble
      ? `Selfware: Search – ${trouble}`
      : hits.length === 0
        ? 'Selfware: Search – nothing found'
        : 'Selfware: Search';
  };
  const askSafely = (text: string): void => {
    ask(text).catch((error: unknown) => {
      pick.busy = false;
      pick.title = 'Selfware: Search – failed, see the output';
      output.error(String(error));
    });
  };

  await new Promise<void>((resolve) => {
    pick.onDidChangeValue((text) => {
      clearTimeout(timer);
      timer = setTimeout(() => askSafely(text), TYPING_PAUSE_MS);
    });
    pick.onDidAccept(() => {
      const [place] = pick.selectedItems;
      if (!place) return;
      pick.hide();
      void open(place.hit);
    });
    pick.onDidHide(() => {
      clearTimeout(timer);
      pick.dispose();
      resolve();
    });
    pick.value = query;
    pick.show();
    if (query !== '') askSafely(query);
  });
}

/**
 * The entry for a result. `alwaysShow` prevents VS Code from filtering the results, because the server has ranked them.
 */
function createItem(hit: Hit): PlaceItem {
  const { path, startLine, endLine, symbol } = hit;
  return {
    hit,
    label: symbol ? `$(symbol-method) ${symbol}` : `$(file) ${basename(path)}`,
    description: `${path}:${startLine}–${endLine}`,
    alwaysShow: true,
  };
}

async function open({ uri, startLine }: Hit): Promise<void> {
  await showAt(vscode.Uri.parse(uri), startLine);
}

/** The selected text of the active editor; empty if nothing or more than one line is selected. */
function textOfSelection(): string {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.selection.isEmpty || !editor.selection.isSingleLine) return '';
  return editor.document.getText(editor.selection).trim();
}
