// "Set a Model's Key…" and "Forget a Model's Key…": store and remove the API key of a model's provider, in the secret
// storage of VS Code.

import * as vscode from 'vscode';
import type { ClientContext } from '../context.ts';
import { showMessage } from '../messages.ts';
import { parseHost, explainBadKey } from './keyText.ts';

const TITLE = "Set a Model's Key";
const ADDRESS_LABEL = 'An Address…';

/** Hosts of the providers whose models are named without an address. */
const PROVIDERS = [
  { label: 'OpenAI', description: 'api.openai.com' },
  { label: 'Anthropic', description: 'api.anthropic.com' },
  { label: 'Google', description: 'generativelanguage.googleapis.com' },
] as const;

/** Asks for the provider unless `host` names it, and for the key. True if a key was stored. */
export async function setModelKey({ keys }: ClientContext, host?: string): Promise<boolean> {
  const chosenHost = host ?? (await chooseHost(await keys.hosts()));
  if (chosenHost === undefined) return false;
  const key = await vscode.window.showInputBox({
    title: TITLE,
    prompt: `Paste the key for ${chosenHost}. VS Code stores it as a secret; Selfware sends it to this host alone.`,
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => explainBadKey(text),
  });
  if (key === undefined) return false;
  await keys.set(chosenHost, key.trim());
  if (host === undefined) void showMessage(`The key for ${chosenHost} is stored.`);
  return true;
}

/** Asks which key to forget, and removes it. Shows a message if no key is stored. */
export async function forgetModelKey({ keys }: ClientContext): Promise<void> {
  const hosts = await keys.hosts();
  if (hosts.length === 0) {
    void showMessage('No key is stored. A key in the environment stays there.');
    return;
  }
  const host = await vscode.window.showQuickPick([...hosts], {
    title: "Forget a Model's Key",
    placeHolder: 'Which key should be forgotten? Its provider does not learn of it.',
  });
  if (host === undefined) return;
  await keys.forget(host);
  void showMessage(`The key for ${host} is forgotten.`);
}

/** The host, with its port, whose key is to be set; undefined if the person cancels. */
async function chooseHost(storedHosts: readonly string[]): Promise<string | undefined> {
  const otherHosts = storedHosts.filter((host) => PROVIDERS.every(({ description }) => description !== host));
  const items: vscode.QuickPickItem[] = [
    ...PROVIDERS,
    ...otherHosts.map((host) => ({ label: host })),
    { label: ADDRESS_LABEL, description: "any server with OpenAI's protocol" },
  ].map((item) => {
    const host = 'description' in item ? item.description : item.label;
    return storedHosts.includes(host) ? { ...item, detail: 'A key is stored; a new one replaces it.' } : item;
  });
  const chosenItem = await vscode.window.showQuickPick(items, { title: TITLE, placeHolder: 'Whose key is it?' });
  if (!chosenItem) return undefined;
  if (chosenItem.label !== ADDRESS_LABEL) return chosenItem.description ?? chosenItem.label;
  const url = await vscode.window.showInputBox({
    title: TITLE,
    prompt: 'The address of the server, such as https://models.example.com/v1.',
    ignoreFocusOut: true,
    validateInput: (text) =>
      parseHost(text) === null ? 'Type an address that begins with https:// or http://.' : null,
  });
  return url === undefined ? undefined : (parseHost(url) ?? undefined);
}
