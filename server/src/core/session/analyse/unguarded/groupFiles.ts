// Divides the files of a search into groups, each of which one run of the tests covers.

import { GO_FILE } from '../../../verify/guard/go/findMutants.ts';
import { runsInProcess } from '../../../verify/guard/inProcess.ts';
import type { UnguardedFunction } from '../../../verify/guard/unguarded.ts';
import { folderOf } from './otherLanguages.ts';
import type { UnguardedSearchRequest } from './search.ts';

/**
 * Maximum number of files whose mutants are tried in one run of the tests, if the runner can try several mutants in one
 * run. Larger groups also find more: a function of one file, which tests import, may show mistakes in another file of
 * its group. If all tests reach all files, a group of any size costs two runs of all tests.
 */
const FILES_AT_ONCE = 12;
/** Maximum number of files in one run of the tests if a person waits for the first result. */
const FILES_IF_QUICK = 2;

/**
 * Number of functions with a test after which a search ends that only has to find something, if no person waits. It is
 * more than one, because the tests of several functions share the check of all tests, and each search costs a run of
 * the tests before it begins.
 */
const ENOUGH_FUNCTIONS = 4;

/** True if the search has found what it was asked for before its time is up. */
export function hasFoundEnough(
  foundFunctions: readonly Pick<UnguardedFunction, 'test'>[],
  { quick, untilFound }: Pick<UnguardedSearchRequest, 'quick' | 'untilFound'>,
): boolean {
  const testCount = foundFunctions.filter(({ test }) => !('refused' in test)).length;
  return untilFound === true && testCount >= (quick ? 1 : ENOUGH_FUNCTIONS);
}

/** True if one run of the tests may judge the mutants of several files. */
export function canJudgeSeveralFiles(runner: string | null): boolean {
  return runsInProcess(runner) || runner === 'pytest' || runner === 'go';
}

/** Maximum number of files in a group. */
export function computeGroupSize(
  runner: string | null,
  { quick, untilFound }: Pick<UnguardedSearchRequest, 'quick' | 'untilFound'>,
): number {
  if (!canJudgeSeveralFiles(runner)) return 1;
  return quick && untilFound ? FILES_IF_QUICK : FILES_AT_ONCE;
}

/**
 * Groups of up to `maxFiles` files. The order is kept, except that Go files join the earlier group of their package,
 * because a package is built as a whole.
 */
export function groupFiles(paths: readonly string[], maxFiles: number): readonly (readonly string[])[] {
  const groups: string[][] = [];
  for (const path of paths) {
    const canJoin = (group: readonly string[]) =>
      group.length < maxFiles &&
      (!GO_FILE.test(path) || (GO_FILE.test(group[0]!) && folderOf(group[0]!) === folderOf(path)));
    // Other files only fill the last group, so that the order is kept.
    const group = GO_FILE.test(path) ? groups.find(canJoin) : groups.slice(-1).find(canJoin);
    if (group) group.push(path);
    else groups.push([path]);
  }
  return groups;
}
