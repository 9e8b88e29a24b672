// Rates how closely a test file is related to a function.

import { posix } from 'node:path';
import { isTestFolder, findTestSuffix } from '../../paths/tests.ts';
import type { Case } from './caseText.ts';
import { escapeForPattern, findSubjectOfCases, createTitlePattern } from './titledTests.ts';

/**
 * `MAX_USES`: the maximum number of uses that count. `USED_SCORE`: the score of a file with any use, which exceeds the
 * sum of all other scores.
 */
const [MAX_USES, USED_SCORE] = [99, 1_000];
/**
 * The score of a test whose title begins with the function. It lies between the score of a file that is named after the
 * function (3), and that of one that is named after its class (2) or its file (1).
 */
const TITLED_SCORE = 2.5;

/** The function that the tests should cover. */
interface RatedFunction {
  readonly path: string;
  readonly name: string;
  /** The subject of the tests: `Stack.size` for a member. */
  readonly qualifiedName: string;
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
  guardedFunction: RatedFunction,
): number {
  const subject = findSubjectOfCases(guardedFunction);
  const member = subject.qualifiedName.slice(subject.qualifiedName.lastIndexOf('.') + 1);
  const normaliseStem = (name: string) => name.toLowerCase().replace(/[-_.]|s$/g, '');
  const names = [member, guardedFunction.name, readStem(guardedFunction.path)].map(normaliseStem);
  // A test that is named `index` in another folder tests the `index` file of that folder.
  const isOfOtherIndex = readStem(path) === 'index' && !isNamesake(path, guardedFunction.path);
  const stem = isOfOtherIndex ? '' : readStem(path);
  // A test file `api.parse` is named after `parse`, but less clearly than one that is called `parse`.
  const rankOf = (part: string) => (names.includes(part) ? names.indexOf(part) : names.length);
  const stemRank = rankOf(normaliseStem(stem));
  const partsRank = Math.min(...stem.split(/[^a-z0-9]+/).map((part) => rankOf(normaliseStem(part)) + 0.5));
  const titleScore = createTitlePattern(subject).test(text) ? TITLED_SCORE : 0;
  const nameScore = Math.max(0, titleScore, names.length - Math.min(stemRank, partsRank));
  const isMember = subject.qualifiedName.includes('.');
  const useCount = Math.min(MAX_USES, text.split(createUsePattern(member, isMember)).length - 1);
  return (useCount > 0 ? USED_SCORE : 0) + nameScore * MAX_USES + useCount - Number(isOfOtherIndex);
}

/**
 * Matches a use of the word, but not an option with this name (`locale: "fr"`). A member has to follow an object
 * (`date.locale`).
 */
function createUsePattern(word: string, isMember: boolean): RegExp {
  return new RegExp(`(?<${isMember ? '=\\.' : '![\\w$]'})${escapeForPattern(word)}(?![\\w$]|\\s*:)`);
}

/** The file name without the suffix of tests and in lower case: `parse` for `src/parse.test.ts`. */
function readStem(path: string): string {
  const name = posix.basename(path);
  return name.slice(0, -(findTestSuffix(name) ?? posix.extname(name)).length).toLowerCase();
}

/** Matches the names of folders that do not distinguish one `index` file from another. */
const COMMON_FOLDER_PATTERN = /^(?:\.|src|lib|source)$/;

/**
 * True for a test file with the same name as the file. For an `index` file, the folders must have the same name, too.
 */
export function isNamesake(test: string, path: string): boolean {
  const stem = readStem(path);
  if (readStem(test) !== stem) return false;
  return stem !== 'index' || findDistinctiveFolder(test) === findDistinctiveFolder(path);
}

/**
 * The innermost folder of the path that is neither a folder of tests nor a usual folder of sources; empty if there is
 * none.
 */
function findDistinctiveFolder(path: string): string {
  const folders = posix.dirname(path).split('/');
  return folders.findLast((folder) => !COMMON_FOLDER_PATTERN.test(folder) && !isTestFolder(folder)) ?? '';
}
