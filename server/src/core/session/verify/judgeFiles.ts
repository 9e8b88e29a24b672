// Recognises judge files, which determine whether a change passes: tests, their data and snapshots, and protected files
// that determine what is run or checked.

import ignore, { type Ignore } from 'ignore';
import { isSnapshot, isTestData, isTestFile } from '../../paths/tests.ts';
import { builtInProtectedPaths } from '../../charter/protectedPaths.ts';

/** The patterns of protected files. Created at the first use, because most commands do not need them. */
let protectedFiles: Ignore | undefined;

/** True for a judge file. Depends only on the path (relative, with `/`). */
export function isJudge(path: string): boolean {
  return isTestFile(path) || isTestData(path) || isSnapshot(path) || decidesChecks(path);
}

/** True for a protected file that determines what is run or checked, such as a manifest. False for tests. */
export function decidesChecks(path: string): boolean {
  protectedFiles ??= ignore({ ignorecase: true }).add([...builtInProtectedPaths]);
  return protectedFiles.ignores(path);
}
