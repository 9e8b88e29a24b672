// Handles test files that are not UTF-8 text, because one invalid byte must not hide how a test changes.

import type { FileEdit } from '../../../model.ts';
import type { TreeChange, UnreadableFile } from '../../../model/judgement.ts';
import { isSourceCode } from '../../../paths/nonSourcePaths.ts';
import { isTestEdit } from '../../../paths/testEdits.ts';
import { isSnapshot, isTestData } from '../../../paths/tests.ts';
import type { FoundChange } from '../foundChange.ts';

type IsJudge = (path: string) => boolean;

/** The edits, with those of tests that are not UTF-8 text. They are only for reading: nothing writes them. */
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
 * The changes of existing tests, test data and files that changes are judged by which are not UTF-8 text. A file that
 * was ordinary text and no longer is weakens the check, because no other check can read it.
 */
export function findUnreadable(
  { unreadable = [], bytes, renamed }: TreeChange,
  isJudge: IsJudge,
): readonly FoundChange[] {
  // The cases of tests that were moved or deleted are compared like those of others.
  const moved = new Set(renamed.map(({ from }) => from));
  const hasReadCases = (file: UnreadableFile) => isSourceCode(file.path) && isTestEdit(file) && file.before !== null;
  const isGone = (path: string) => bytes.some((change) => change.path === path && change.bytes === null);
  return unreadable
    .filter((file) => file.existed && isOfJudges(file, isJudge) && !moved.has(file.path))
    .filter((file) => !(isGone(file.path) && hasReadCases(file)))
    .map((file) => ({
      kind: kindOf(file, isGone(file.path)),
      path: file.path,
      line: null,
      test: '',
      before: null,
      after: isGone(file.path) ? 'deleted' : null,
    }));
}

/** What a person has to know about such files, as sentences. */
export function unreadableDoubts({ unreadable = [] }: TreeChange, isJudge: IsJudge): readonly string[] {
  return unreadable
    .filter((file) => isOfJudges(file, isJudge) && !isData(file))
    .map(({ path }) => `${path} is not UTF-8 text, or is too large, so it was not read like other files.`);
}

function isOfJudges(file: UnreadableFile, isJudge: IsJudge): boolean {
  return isTestEdit(file) || isJudge(file.path);
}

/** Pictures, recordings and other data of tests. Their old side may be text: a pointer or an empty file. */
function isData(file: UnreadableFile): boolean {
  const { path, wasText } = file;
  const mayBeData = !isSourceCode(path) || isSnapshot(path) || isTestData(path);
  return mayBeData && (!wasText || isTestEdit(file));
}

function kindOf(file: UnreadableFile, isGone: boolean): FoundChange['kind'] {
  if (isData(file)) return 'data';
  if (isGone) return isTestEdit(file) ? 'deleted' : 'rewritten';
  return file.wasText ? 'unreadable' : 'rewritten';
}
