// Stores keys of models, by host, in the secret storage of VS Code. The client sends them only to the language server,
// which keeps them in memory. They never appear in settings or logs.

import * as vscode from 'vscode';
import type { Server } from '../server/languageClient.ts';
import { createKeyRing, SECRET_NAME } from './keyRing.ts';

/** The keys of models in VS Code's secret storage. */
export interface StoredKeys extends vscode.Disposable {
  /** Hosts with a key, with their port, sorted. */
  hosts(): Promise<readonly string[]>;
  /** Stores the key of a host. Rejects if VS Code cannot read or store secrets here. */
  set(host: string, key: string): Promise<void>;
  /** Removes the key of a host. Rejects as `set` does. */
  forget(host: string): Promise<void>;
}

/**
 * Creates the access to the keys. Sends all keys to the language server when it starts, when any window of VS Code
 * changes them, and when the workspace becomes trusted. Before the workspace is trusted, no keys are sent. `onFailure`
 * receives the error if the keys could not be read or sent.
 */
export function createStoredKeys(
  secrets: vscode.SecretStorage,
  server: Pick<Server, 'sendModelKeys' | 'onLifeChanged'>,
  onFailure: (error: unknown) => void,
): StoredKeys {
  const ring = createKeyRing(secrets);
  const send = async (): Promise<void> => {
    const keys = await ring.read();
    const hasKey = Object.keys(keys).length > 0;
    void vscode.commands.executeCommand('setContext', 'selfware.hasModelKey', hasKey);
    if (hasKey) showKeyCommands();
    // In a workspace that is not trusted, no model is asked.
    if (vscode.workspace.isTrusted) await server.sendModelKeys(keys);
  };
  const sendInBackground = () => void send().catch(onFailure);
  const subscriptions = vscode.Disposable.from(
    secrets.onDidChange(({ key }) => {
      if (key === SECRET_NAME) sendInBackground();
    }),
    server.onLifeChanged((life) => {
      if (life === 'running') sendInBackground();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(sendInBackground),
  );
  // A failure to send does not fail the change, because the server receives the stored keys at its next start.
  const change = (edit: (keys: Map<string, string>) => void) => ring.change(edit).then(() => send().catch(onFailure));
  return {
    hosts: async () => Object.keys(await ring.read()).sort(),
    set: (host, key) => change((keys) => keys.set(host, key)),
    forget: (host) => change((keys) => keys.delete(host)),
    dispose: () => subscriptions.dispose(),
  };
}

/** Makes the palette offer "Set a Model's Key…", which is hidden until the person uses models. */
export function showKeyCommands(): void {
  void vscode.commands.executeCommand('setContext', 'selfware.usesModels', true);
}
