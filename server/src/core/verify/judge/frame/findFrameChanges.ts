// Compares the code of test files outside of their cases, file by file, and for cases that move between files.

import type { FileEdit } from '../../../model.ts';
import type { FoundChange } from '../foundChange.ts';
import { compareFrames, type FrameSide } from './compareFrames.ts';
import { findReplacedInCase, type CaseSide } from './findReplacedInCase.ts';
import { findSpiedSubject } from './scriptSpies.ts';
import type { FrameUser, TestFrame } from './testFrame.ts';

/** The facts about a case, or about a file outside of its cases, which has no name. */
interface Facts extends Partial<Pick<FrameUser, 'words' | 'declares' | 'body'>> {
  readonly path: string;
  readonly name: string;
  readonly line?: number;
  readonly from?: string;
  readonly frame?: TestFrame;
}

type Pairs<T extends Facts> = ReadonlyMap<T, T>;

/** Edits outside of all cases that affect cases of both sides. */
export function findFrameChanges<T extends Facts>(
  pairs: Pairs<T>,
  before: readonly T[],
  after: readonly T[],
  edits: readonly FileEdit[],
): readonly FoundChange[] {
  const oldByCurrent = new Map([...pairs].map(([old, current]) => [current, old]));
  const changesWithinFiles = after.flatMap((current) => {
    if (!current.frame) return [];
    const old = oldByCurrent.get(current);
    const oldSide = old?.frame ? createSide(old, pairs.keys(), before) : null;
    return compareFrames(oldSide, createSide(current, pairs.values(), after), edits);
  });
  const changesOfMovedCases = compareFramesOfMoved(pairs, before, after, edits);
  return [
    ...changesWithinFiles,
    ...changesOfMovedCases.filter(
      (change) => !changesWithinFiles.some((changeWithin) => isSamePlace(changeWithin, change)),
    ),
  ];
}

/** The changes that affect cases which are in another file now: the code outside of the cases differs there. */
export function compareFramesOfMoved<T extends Facts>(
  pairs: Pairs<T>,
  before: readonly T[],
  after: readonly T[],
  edits: readonly FileEdit[],
): readonly FoundChange[] {
  return groupMovedCases(pairs).flatMap((group) => {
    const [[old, current]] = group as [[T, T]];
    const [oldFile, newFile] = [findFile(before, old.path), findFile(after, current.path)];
    if (!oldFile || !newFile) return [];
    const { frame, ...oldSide } = createSide(oldFile, new Map(group).keys(), before);
    // Statements around other cases are not moved with the case.
    const parts = frame.parts.filter(({ holdsCases }) => !holdsCases);
    return compareFrames(
      { ...oldSide, frame: { ...frame, parts } },
      createSide(newFile, new Map(group).values(), after),
      edits,
    );
  });
}

/** The cases that replace the code that they tested, or their assertions, by their own. */
export function findReplacedInCases<T extends Facts>(
  pairs: Pairs<T>,
  before: readonly T[],
  after: readonly T[],
  edits: readonly FileEdit[],
): readonly FoundChange[] {
  const createCaseSide = (facts: T, all: readonly T[]): CaseSide | null => {
    const { frame } = findFile(all, facts.path) ?? {};
    const { path, from = path, line = 1, words = [], declares = [], body = '' } = facts;
    return frame ? { path, from, line, words, declares, body, frame, name: facts.name } : null;
  };
  return [...pairs].flatMap(([old, current]) => {
    if (current.name === '') return [];
    const [oldCase, newCase] = [createCaseSide(old, before), createCaseSide(current, after)];
    if (!oldCase || !newCase) return [];
    const replacements = findReplacedInCase(oldCase, newCase, edits);
    return replacements.length > 0 ? replacements : findSpiedSubject(oldCase, newCase, edits);
  });
}

function createSide<T extends Facts>(file: T, cases: Iterable<T>, all: readonly T[]): FrameSide {
  const isCase = ({ path, name }: T) => path === file.path && name !== '';
  const users = [...cases]
    .filter(isCase)
    .map(({ name, words = [], body = '', declares = [] }) => ({ name, words, body, declares }));
  const { path, from = path } = file;
  return { path, from, frame: file.frame!, users, isHelper: !all.some(isCase) };
}

/** The pairs of cases that are in different files, grouped by these files. */
function groupMovedCases<T extends Facts>(pairs: Pairs<T>): readonly (readonly (readonly [T, T])[])[] {
  const groups = new Map<string, (readonly [T, T])[]>();
  for (const [old, current] of pairs) {
    if (old.path === current.path || old.name === '') continue;
    const key = `${old.path}\n${current.path}`;
    groups.set(key, [...(groups.get(key) ?? []), [old, current]]);
  }
  return [...groups.values()];
}

function findFile<T extends Facts>(all: readonly T[], path: string): T | undefined {
  return all.find((facts) => facts.path === path && facts.name === '' && facts.frame !== undefined);
}

function isSamePlace(first: FoundChange, second: FoundChange): boolean {
  return (
    first.kind === second.kind &&
    first.after === second.after &&
    first.now !== undefined &&
    first.now.path === second.now?.path &&
    first.now.line === second.now.line
  );
}
