// Gives VS Code the texts of `selfware-proposal:` documents. They are virtual, so a pending proposal never touches a real one.

import * as vscode from 'vscode';
import { proposalPlace, proposalScheme } from './proposalUri.ts';
import type { Reviews } from './reviews.ts';

/** A read-only file system and not a content provider: VS Code brings back its tabs when the window is reloaded, and waits for the server while it starts. */
export function registerProposalContent(reviews: Reviews): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const refuse = (): never => {
    throw vscode.FileSystemError.NoPermissions('A proposal is read-only.');
  };
  const read = async (uri: vscode.Uri): Promise<Uint8Array> => {
    const place = proposalPlace(uri);
    const file = place && (await reviews.get(place.proposal)).files.find(({ path }) => path === place.path);
    if (!file) throw vscode.FileSystemError.FileNotFound(uri);
    return new TextEncoder().encode(file[place.side]);
  };
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: changed.event,
    watch: () => new vscode.Disposable(() => {}),
    // The texts of a proposal never change: a new plan is a new proposal.
    stat: async (uri) => ({ type: vscode.FileType.File, ctime: 0, mtime: 0, size: (await read(uri)).byteLength }),
    readFile: read,
    readDirectory: () => [],
    createDirectory: refuse,
    writeFile: refuse,
    delete: refuse,
    rename: refuse,
  };
  const explanation = new vscode.MarkdownString('This is a proposal. Decide with the buttons above the text; edit the file itself afterwards.');
  return vscode.Disposable.from(changed, vscode.workspace.registerFileSystemProvider(proposalScheme, provider, { isReadonly: explanation, isCaseSensitive: true }));
}
