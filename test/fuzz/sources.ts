// Real sources to mutate, of every language with a grammar: the fixtures, and what the installed packages or named
// folders hold.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { collectSources } from '../bench/corpus/sources.ts';
import { detectLanguage } from '../../server/src/core/index/parse/language.ts';

/** Rules and recipes keep their fixtures in folders of their own. */
const OWN = ['test/fixtures', 'server/src/core/rules', 'server/src/core/recipes'].map((folder) =>
  join(import.meta.dirname, '../..', folder),
);
const MAX_SOURCES = 4_000;

export function fuzzSources(
  folders: readonly string[],
  seed: number,
): readonly { readonly path: string; readonly text: string }[] {
  const ours = OWN.flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter(
      (entry) => entry.isFile() && /[/\\]fixtures\b/.test(entry.parentPath) && detectLanguage(entry.name) !== null,
    )
    .map((entry) => ({
      path: `fixtures/${entry.name}`,
      text: readFileSync(join(entry.parentPath, entry.name), 'utf8'),
    }))
    .sort((a, b) => (a.path + a.text < b.path + b.text ? -1 : 1));
  // Each folder gives alike, so that the first ones do not drown the languages of the others.
  const real =
    folders.length === 0
      ? collectSources([], seed, MAX_SOURCES)
      : folders.flatMap((folder) => collectSources([folder], seed, Math.ceil(MAX_SOURCES / folders.length)));
  return [...ours, ...real];
}
