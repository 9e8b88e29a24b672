// Recognises an edit that only removes a dependency: one entry of one package.json. The charter allows it to be
// proposed although the file is protected, and the gates check what works without the package.

import { posix } from 'node:path';
import type { FileEdit } from '../model.ts';
import { removeEntry } from './manifestEntry.ts';
import { isRecord } from '../../util/values/isRecord.ts';

/** The name of the recipe that makes such edits. */
export const REMOVE_DEPENDENCY = 'remove-dependency';

/** Tables of a package.json from which an entry may be removed. */
export const REMOVABLE_TABLES = ['dependencies', 'devDependencies'] as const;

const MANIFEST_PATH = 'package.json';
const BYTE_ORDER_MARK = /^\uFEFF/;

/** An entry of a package.json that an edit removes. */
export interface RemovedDependency {
  /** The folder of the package.json, relative to the root; '' is the root. */
  readonly dir: string;
  readonly name: string;
  readonly table: (typeof REMOVABLE_TABLES)[number];
}

type Table = Readonly<Record<string, unknown>>;

/**
 * The dependency that the edits remove. Null unless there is one edit, its file is a package.json, and its new text is
 * exactly the result of removing the first missing entry.
 */
export function findRemovedDependency(edits: readonly Partial<FileEdit>[]): RemovedDependency | null {
  const [edit] = edits;
  if (edit === undefined || edits.length > 1) return null;
  const { path = '', before, after } = edit;
  if (posix.basename(path) !== MANIFEST_PATH || typeof before !== 'string' || typeof after !== 'string') return null;
  const [byteOrderMark, text] = [BYTE_ORDER_MARK.exec(before)?.[0] ?? '', before.replace(BYTE_ORDER_MARK, '')];
  const [oldManifest, newManifest] = [parseManifestTable(before), parseManifestTable(after)];
  if (!oldManifest || !newManifest) return null;
  const dir = posix.dirname(path) === '.' ? '' : posix.dirname(path);
  for (const table of REMOVABLE_TABLES) {
    const entries = findEntries(newManifest, table);
    const name = Object.keys(findEntries(oldManifest, table)).find((entryName) => !Object.hasOwn(entries, entryName));
    if (name === undefined) continue;
    const expectedText = removeEntry(text, table, name);
    return expectedText !== null && after === byteOrderMark + expectedText ? { dir, name, table } : null;
  }
  return null;
}

/** The entries of a table of a manifest; empty if the manifest has no such table. */
function findEntries(manifest: Table, table: string): Table {
  const entries = Object.hasOwn(manifest, table) ? manifest[table] : null;
  return isRecord(entries) ? entries : {};
}

/** The JSON object in a text; null if the text is not JSON, or not an object. */
export function parseManifestTable(text: string): Table | null {
  try {
    const value: unknown = JSON.parse(text.replace(BYTE_ORDER_MARK, ''));
    return isRecord(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
