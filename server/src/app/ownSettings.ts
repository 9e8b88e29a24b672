// Reads a person's own settings for the command line: `settings.json` in the folder with the state of all repositories.

import { join } from 'node:path';
import { readTextInside } from '../adapters/files/safeRead.ts';
import { resolveDataFolder } from '../adapters/files/stateFolder.ts';
import { SelfwareError } from '../util/typedError.ts';

const FILE_NAME = 'settings.json';
/** Maximum number of bytes. A larger settings file is ignored. */
const MAX_BYTES = 1024 * 1024;
/** Name of a setting that is read only from this file. No option, repository or editor can set it. */
const WITHOUT_TERMINAL = 'approve.withoutTerminal';

/** The content of the settings file, as far as it is usable. */
export interface OwnSettings {
  /** Path of the file, even if it does not exist. */
  readonly place: string;
  /** Settings by name without the `selfware.` prefix, not validated yet. */
  readonly rawSettings: Readonly<Record<string, unknown>>;
  /** True if scripts may decide for the person who wrote the file. */
  readonly approvesWithoutTerminal: boolean;
  /** The settings in the file, for the doctor. */
  readonly summary: string;
  readonly problems: readonly string[];
}

/**
 * Reads the person's own settings. Unusable settings become `problems` and are skipped. Does not throw a
 * `SelfwareError`.
 */
export function readOwnSettings(env: Readonly<Record<string, string | undefined>>): OwnSettings {
  const folder = resolveDataFolder(env, process.platform);
  const path = join(folder, FILE_NAME);
  const createEmptySettings = (problems: readonly string[]): OwnSettings => {
    return { place: path, rawSettings: {}, approvesWithoutTerminal: false, summary: `none in ${path}`, problems };
  };
  let value: unknown;
  try {
    const text = readTextInside(folder, FILE_NAME, MAX_BYTES);
    if (text === null) return createEmptySettings([]);
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof SelfwareError)
      return createEmptySettings([`${path} cannot be read: ${error.message}`]);
    throw error;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return createEmptySettings([`${path} cannot be read: an object is expected.`]);
  }
  const entries = Object.entries(value).map(([name, setting]) => [name.replace(/^selfware\./, ''), setting] as const);
  const withoutTerminal = entries.find(([name]) => name === WITHOUT_TERMINAL)?.[1];
  const isWrong = withoutTerminal !== undefined && typeof withoutTerminal !== 'boolean';
  const problems = isWrong ? [`${path}: ${WITHOUT_TERMINAL} must be true or false. It is ignored.`] : [];
  const rawSettings = Object.fromEntries(entries.filter(([name]) => name !== WITHOUT_TERMINAL && name !== '$schema'));
  const names = [...Object.keys(rawSettings), ...(withoutTerminal === true ? [WITHOUT_TERMINAL] : [])];
  const summary = `${path}: ${names.join(', ') || 'nothing set'}`;
  return { place: path, rawSettings, approvesWithoutTerminal: withoutTerminal === true, summary, problems };
}
