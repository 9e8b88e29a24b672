// Handles test files that are not UTF-8 text, because one invalid byte must not hide how a test changes.

import type { FileEdit } from '../../../model.ts';
import type { TreeChange, UnreadableFile } from '../../../model/judgement.ts';
import { isSourceCode } from '../../../paths/nonSourcePaths.ts';
import { isTestEdit } from '../../../paths/testEdits.ts';
import { isSnapshot, isTestData } from '../../../paths/tests.ts';
import type { FoundChange } from '../foundChange.ts';

type IsJudge = (path: string) => boolean;

/** The edits, and the edits of tests that are not UTF-8 text. They are only for reading and are never written. */
export function addUnreadableTests({ edits, unreadable = [] }: TreeChange): readonly FileEdit[] {
  const editedPaths = new Set(edits.map(({ path }) => path));
  return [
    ...edits,
    ...unreadable
      .filter((file) => isSourceCode(file.path) && isTestEdit(file) && !editedPaths.has(file.path))
      .map(({ path, before, after, existed }) => ({ path, before: existed ? (before ?? '') : null, after })),
  ];
}

/**
 * The changes of existing tests, test data and judge files that are not UTF-8 text. If a file was text and no longer
 * is, the check is weakened, because no other check can read the file.
 */
export function findUnreadable(
  { unreadable = [], bytes, renamed }: TreeChange,
  isJudge: IsJudge,
): readonly FoundChange[] {
  // The cases of moved and deleted tests are compared like those of other tests.
  const oldPaths = new Set(renamed.map(({ from }) => from));
  const hasReadCases = (file: UnreadableFile) => isSourceCode(file.path) && isTestEdit(file) && file.before !== null;
  const isGone = (path: string) => bytes.some((change) => change.path === path && change.bytes === null);
  return unreadable
    .filter((file) => file.existed && belongsToJudges(file, isJudge) && !oldPaths.has(file.path))
    .filter((file) => !(isGone(file.path) && hasReadCases(file)))
    .map((file) => ({
      kind: determineKind(file, isGone(file.path)),
      path: file.path,
      line: null,
      test: '',
      before: null,
      after: isGone(file.path) ? 'deleted' : null,
    }));
}

/** The sentences for a person about tests and judge files that could not be read as text, without test data. */
export function createUnreadableDoubts({ unreadable = [] }: TreeChange, isJudge: IsJudge): readonly string[] {
  return unreadable
    .filter((file) => belongsToJudges(file, isJudge) && !isData(file))
    .map(({ path }) => `${path} is not UTF-8 text, or is too large, so it was not read like other files.`);
}

function belongsToJudges(file: UnreadableFile, isJudge: IsJudge): boolean {
  return isTestEdit(file) || isJudge(file.path);
}

/** True for pictures, recordings and other test data. Their old side may be text: a pointer or an empty file. */
function isData(file: UnreadableFile): boolean {
  const { path, wasText } = file;
  const mayBeData = !isSourceCode(path) || isSnapshot(path) || isTestData(path);
  return mayBeData && (!wasText || isTestEdit(file));
}

function determineKind(file: UnreadableFile, isGone: boolean): FoundChange['kind'] {
  if (isData(file)) return 'data';
  if (isGone) return isTestEdit(file) ? 'deleted' : 'rewritten';
  return file.wasText ? 'unreadable' : 'rewritten';
}
