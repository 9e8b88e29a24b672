// Rates how closely a test file is related to a function.

import { posix } from 'node:path';
import { isTestFolder, testSuffix } from '../../paths/tests.ts';
import type { Case } from './caseText.ts';
import { escapeForPattern, findSubjectOfCases, createTitlePattern } from './titledTests.ts';

/** The maximum number of uses that count, and the score of any use, which exceeds all other scores. */
const [MAX_USES, USED] = [99, 1_000];
/** A test whose title begins with the function shows more than a file that is named after its class or its file. */
const TITLED = 2.5;

interface GuardedFunction {
  readonly path: string;
  readonly name: string;
  /** The subject of the tests: `Stack.size` for a member. */
  readonly about: string;
  readonly cases: readonly Case[];
}

/**
 * Rates how much a test file is about the function. One that uses it comes first, and of these one that is named after
 * it, one with a test that is, one that is named after its class or its file, then the one that uses it most often.
 */
export function rateNearness(
  { path, text }: { readonly path: string; readonly text: string },
  guarded: GuardedFunction,
): number {
  const subject = findSubjectOfCases(guarded);
  const member = subject.about.slice(subject.about.lastIndexOf('.') + 1);
  const plainStem = (name: string) => name.toLowerCase().replace(/[-_.]|s$/g, '');
  const names = [member, guarded.name, stemOf(guarded.path)].map(plainStem);
  // The test of another `index` file is about that one.
  const isOfOtherIndex = stemOf(path) === 'index' && !isNamesake(path, guarded.path);
  const stem = isOfOtherIndex ? '' : stemOf(path);
  // A test file `api.parse` is named after `parse`, but less so than one that is called `parse`.
  const placeOf = (part: string) => (names.includes(part) ? names.indexOf(part) : names.length);
  const ofStem = placeOf(plainStem(stem));
  const ofParts = Math.min(...stem.split(/[^a-z0-9]+/).map((part) => placeOf(plainStem(part)) + 0.5));
  const ofTitle = createTitlePattern(subject).test(text) ? TITLED : 0;
  const ofName = Math.max(0, ofTitle, names.length - Math.min(ofStem, ofParts));
  const isMember = subject.about.includes('.');
  const uses = Math.min(MAX_USES, text.split(usePattern(member, isMember)).length - 1);
  return (uses > 0 ? USED : 0) + ofName * MAX_USES + uses - Number(isOfOtherIndex);
}

/** A use of the word, not an option with this name (`locale: "fr"`); of a member, behind an object (`date.locale`). */
function usePattern(word: string, isMember: boolean): RegExp {
  return new RegExp(`(?<${isMember ? '=\\.' : '![\\w$]'})${escapeForPattern(word)}(?![\\w$]|\\s*:)`);
}

/** `parse` for `src/parse.test.ts`. */
export function stemOf(path: string): string {
  const name = posix.basename(path);
  return name.slice(0, -(testSuffix(name) ?? posix.extname(name)).length).toLowerCase();
}

/** Names of folders that do not tell one `index` file from another. */
const COMMON_FOLDER = /^(?:\.|src|lib|source)$/;

/**
 * True for a test file that has the name of the file. Of an `index` file, the name of its folder has to be the same,
 * too.
 */
export function isNamesake(test: string, path: string): boolean {
  const stem = stemOf(path);
  if (stemOf(test) !== stem) return false;
  return stem !== 'index' || tellingFolder(test) === tellingFolder(path);
}

/** The innermost folder of the path that is no folder of tests and no usual one of sources; empty if there is none. */
function tellingFolder(path: string): string {
  const folders = posix.dirname(path).split('/');
  return folders.findLast((folder) => !COMMON_FOLDER.test(folder) && !isTestFolder(folder)) ?? '';
}
