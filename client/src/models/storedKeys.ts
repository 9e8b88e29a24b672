// Stores keys of models in VS Code's secret storage, by host. The client sends them to the language server alone, which
// holds them in memory (see `modelKeys.ts` for their use). They are in no setting and no log of ours.

import * as vscode from 'vscode';
import type { Server } from '../server/languageClient.ts';

/** One secret holds all keys as JSON, because secret storage of older versions of VS Code cannot list its entries. */
const secretName = 'selfware.modelKeys';

/** The keys of models in VS Code's secret storage. */
export interface StoredKeys extends vscode.Disposable {
  /** Hosts with a key, with their port, sorted. */
  hosts(): Promise<readonly string[]>;
  /** Stores the key of a host, and sends it to the server. Rejects if VS Code cannot store secrets here. */
  set(host: string, key: string): Promise<void>;
  forget(host: string): Promise<void>;
}

/** Sends the keys to the server at every start, and whenever a window of VS Code changes them. */
export function createStoredKeys(
  secrets: vscode.SecretStorage,
  server: Pick<Server, 'sendModelKeys' | 'onLifeChanged'>,
  onFailure: (error: unknown) => void,
): StoredKeys {
  const send = async (): Promise<void> => {
    const keys = await read(secrets);
    const hasKey = Object.keys(keys).length > 0;
    void vscode.commands.executeCommand('setContext', 'selfware.hasModelKey', hasKey);
    if (hasKey) offerKeys();
    // In a workspace that is not trusted, no model is asked.
    if (vscode.workspace.isTrusted) await server.sendModelKeys(keys);
  };
  const sendLater = () => void send().catch(onFailure);
  const subscriptions = vscode.Disposable.from(
    secrets.onDidChange(({ key }) => {
      if (key === secretName) sendLater();
    }),
    server.onLifeChanged((life) => {
      if (life === 'running') sendLater();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(sendLater),
  );
  const change = async (work: (keys: Map<string, string>) => void): Promise<void> => {
    const keys = new Map(Object.entries(await read(secrets)));
    work(keys);
    if (keys.size === 0) await secrets.delete(secretName);
    else await secrets.store(secretName, JSON.stringify(Object.fromEntries(keys)));
    await send();
  };
  return {
    hosts: async () => Object.keys(await read(secrets)).sort(),
    set: (host, key) => change((keys) => keys.set(host, key)),
    forget: (host) => change((keys) => keys.delete(host)),
    dispose: () => subscriptions.dispose(),
  };
}

/** Puts "Set a Model's Key…" into the palette, which holds no command that a person without models needs. */
export function offerKeys(): void {
  void vscode.commands.executeCommand('setContext', 'selfware.usesModels', true);
}

/** The keys by host; none if the secret is not what this file has stored. */
async function read(secrets: vscode.SecretStorage): Promise<Readonly<Record<string, string>>> {
  const stored = await secrets.get(secretName);
  if (stored === undefined) return {};
  try {
    const value: unknown = JSON.parse(stored);
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return {};
  }
}
