// Rates how closely a test file is related to a function.

import { posix } from 'node:path';
import { isTestFolder, testSuffix } from '../../paths/tests.ts';
import type { Case } from './caseText.ts';
import { escapeForPattern, findSubjectOfCases, createTitlePattern } from './titledTests.ts';

/**
 * The maximum number of uses that count, and the score of a file with any use, which exceeds the sum of all other
 * scores.
 */
const [MAX_USES, USED] = [99, 1_000];
/**
 * The score of a test whose title begins with the function. It lies between the score of a file that is named after the
 * function (3), and that of one that is named after its class (2) or its file (1).
 */
const TITLED = 2.5;

/** The function that the tests should cover. */
interface GuardedFunction {
  readonly path: string;
  readonly name: string;
  /** The subject of the tests: `Stack.size` for a member. */
  readonly about: string;
  readonly cases: readonly Case[];
}

/**
 * Rates how closely a test file is related to a function; higher is closer. Files that use the function come first.
 * Among them, the order is: a file that is named after the function, a file with a test whose title begins with it, a
 * file that is named after the class, a file that is named after the source file. Further uses decide between files of
 * the same kind.
 */
export function rateNearness(
  { path, text }: { readonly path: string; readonly text: string },
  guarded: GuardedFunction,
): number {
  const subject = findSubjectOfCases(guarded);
  const member = subject.about.slice(subject.about.lastIndexOf('.') + 1);
  const plainStem = (name: string) => name.toLowerCase().replace(/[-_.]|s$/g, '');
  const names = [member, guarded.name, stemOf(guarded.path)].map(plainStem);
  // A test named `index` of another folder tests the `index` file of that folder.
  const isOfOtherIndex = stemOf(path) === 'index' && !isNamesake(path, guarded.path);
  const stem = isOfOtherIndex ? '' : stemOf(path);
  // A test file `api.parse` is named after `parse`, but less clearly than one that is called `parse`.
  const placeOf = (part: string) => (names.includes(part) ? names.indexOf(part) : names.length);
  const ofStem = placeOf(plainStem(stem));
  const ofParts = Math.min(...stem.split(/[^a-z0-9]+/).map((part) => placeOf(plainStem(part)) + 0.5));
  const ofTitle = createTitlePattern(subject).test(text) ? TITLED : 0;
  const ofName = Math.max(0, ofTitle, names.length - Math.min(ofStem, ofParts));
  const isMember = subject.about.includes('.');
  const uses = Math.min(MAX_USES, text.split(usePattern(member, isMember)).length - 1);
  return (uses > 0 ? USED : 0) + ofName * MAX_USES + uses - Number(isOfOtherIndex);
}

/**
 * Matches a use of the word, but not an option with this name (`locale: "fr"`). A member has to follow an object
 * (`date.locale`).
 */
function usePattern(word: string, isMember: boolean): RegExp {
  return new RegExp(`(?<${isMember ? '=\\.' : '![\\w$]'})${escapeForPattern(word)}(?![\\w$]|\\s*:)`);
}

/** The file name without the suffix of tests and in lower case: `parse` for `src/parse.test.ts`. */
export function stemOf(path: string): string {
  const name = posix.basename(path);
  return name.slice(0, -(testSuffix(name) ?? posix.extname(name)).length).toLowerCase();
}

/** Names of folders that do not distinguish one `index` file from another. */
const COMMON_FOLDER = /^(?:\.|src|lib|source)$/;

/**
 * True for a test file with the same name as the file. For an `index` file, the folders must have the same name, too.
 */
export function isNamesake(test: string, path: string): boolean {
  const stem = stemOf(path);
  if (stemOf(test) !== stem) return false;
  return stem !== 'index' || tellingFolder(test) === tellingFolder(path);
}

/**
 * The innermost folder of the path that is neither a folder of tests nor a usual folder of sources; empty if there is
 * none.
 */
function tellingFolder(path: string): string {
  const folders = posix.dirname(path).split('/');
  return folders.findLast((folder) => !COMMON_FOLDER.test(folder) && !isTestFolder(folder)) ?? '';
}
