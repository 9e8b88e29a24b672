// Stores the settings of a person's editor in the state folder, for the MCP server that the editor publishes. The
// environment of that server contains only names of settings and not their values, because whoever starts the server
// controls its environment.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextInside } from '../adapters/files/safeRead.ts';
import { replaceFile } from '../adapters/files/durableFile.ts';
import { createStateFolder, resolveStateFolder } from '../adapters/files/stateFolder.ts';
import { parseJsonOrNull } from '../util/parseJson.ts';
import { SelfwareError } from '../util/typedError.ts';
import type { Environment } from '../util/values/environment.ts';

type RawSettings = Readonly<Record<string, unknown>>;

const FILE_NAME = 'editor.json';
/** Maximum number of bytes of the file. */
const MAX_BYTES = 1024 * 1024;
/** The environment variable with the names of the settings, as a JSON list. */
const SETTINGS_VARIABLE = 'SELFWARE_EDITOR_SETTINGS';

/**
 * Stores the settings if the editor publishes an MCP server; otherwise removes them. The names of settings have no
 * prefix `selfware.`.
 */
export async function storeEditorSettings(rootDir: string, rawSettings: RawSettings, env: Environment): Promise<void> {
  const folder = resolveStateFolder(rootDir, env);
  if (rawSettings['agents.mcpServer'] !== true) return rm(join(folder, FILE_NAME), { force: true });
  await createStateFolder(folder);
  await replaceFile(join(folder, FILE_NAME), new TextEncoder().encode(JSON.stringify(rawSettings)));
}

/**
 * The settings that the environment names, with the values that the editor has stored. `problem`: a sentence if the
 * editor has stored no settings; otherwise null. Throws `usage` if the environment does not contain a list of names.
 */
export function readEditorSettings(
  rootDir: string,
  env: Environment,
): { readonly rawSettings: RawSettings; readonly problem: string | null } {
  const names = parseNames(env[SETTINGS_VARIABLE]);
  if (names.length === 0) return { rawSettings: {}, problem: null };
  const text = readTextInside(resolveStateFolder(rootDir, env), FILE_NAME, MAX_BYTES);
  const storedSettings = text === null ? null : (parseJsonOrNull(text) as RawSettings | null);
  if (storedSettings === null) {
    const problem = 'The editor has not opened this repository, so what is set in it is unknown and does not count.';
    return { rawSettings: {}, problem };
  }
  const storedNames = names.filter((name) => Object.hasOwn(storedSettings, name));
  return { rawSettings: Object.fromEntries(storedNames.map((name) => [name, storedSettings[name]])), problem: null };
}

/** The names of settings, without their prefix. Throws `usage` if the text is not a JSON list of names. */
function parseNames(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const names: unknown = parseJsonOrNull(text);
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string'))
    throw new SelfwareError('usage', `${SETTINGS_VARIABLE} is not a JSON list of names of settings.`, {
      action: 'Write values to your own settings, or set them in your editor.',
    });
  return (names as readonly string[]).map((name) => name.replace(/^selfware\./, ''));
}
