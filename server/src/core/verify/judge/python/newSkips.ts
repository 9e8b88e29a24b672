// Finds old Python tests that a change skips.

import type { FoundChange } from '../foundChange.ts';
import type { PythonCase } from '../frame/pythonFrame.ts';
import { collectReached, type FramePart, type TestFrame } from '../frame/testFrame.ts';
import { findSkippedRow, isMarkedRow, isSkippedRow } from './rowSkips.ts';
import { findAddedSkips, skipsAlways, skipsOnImport, type Skip } from './skips.ts';

/** A test on one side of a change, with the code outside of the tests in its file. */
export interface SkippableCase
  extends Pick<PythonCase, 'name' | 'line' | 'rows' | 'words' | 'wordsOutsideRows' | 'skips'> {
  readonly path: string;
  readonly frame: TestFrame;
}

/** The skips of a test, and the rows of its tables and of lists that it uses, with the names of marks that skip. */
interface Skipping {
  readonly skips: readonly Skip[];
  readonly rows: readonly string[];
  readonly helpers: ReadonlySet<string>;
}

/**
 * The change if the test is skipped now and was not before, or under other conditions: by its own mark, by a mark of
 * its class or its file, by a helper that skips, or by a mark of an old row. Null otherwise. Code that only new tests
 * or new rows use does not change an old test.
 */
export function findNewSkip(old: SkippableCase, current: SkippableCase): FoundChange | null {
  const [before, after] = [readSkipping(old), readSkipping(current)];
  if (before.skips.some(({ key, guards }) => guards.length === 0 && skipsAlways(key))) return null;
  const [skip] = findAddedSkips(before.skips, after.skips);
  if (skip) return reportSkip(old, current, skip);
  const row = findSkippedRow(before.rows, after.rows, { before: before.helpers, after: after.helpers });
  return row === null ? null : reportSkip(old, current, { line: current.line, text: row });
}

/**
 * The change if more tests of a file without a counterpart are skipped than before, although tests that ran were
 * removed: one of these may be skipped under another name.
 */
export function findSkipAmongUnpaired(
  olds: readonly SkippableCase[],
  currents: readonly SkippableCase[],
): FoundChange | null {
  const ranBefore = olds.find((old) => !isSkipped(old));
  const skipped = currents.filter(isSkipped);
  if (!ranBefore || skipped.length <= olds.filter(isSkipped).length) return null;
  const current = skipped[0]!;
  const [skip] = readSkipping(current).skips;
  return reportSkip(ranBefore, current, skip ?? { line: current.line, text: current.rows[0]! });
}

function reportSkip(
  old: SkippableCase,
  current: SkippableCase,
  { line, text }: Pick<Skip, 'line' | 'text'>,
): FoundChange {
  return {
    ...{ kind: 'skipped', path: old.path, line: old.line, now: { path: current.path, line } },
    ...{ test: old.name, before: null, after: text.slice(0, 300) },
  };
}

function isSkipped(testCase: SkippableCase): boolean {
  const { skips, rows, helpers } = readSkipping(testCase);
  return skips.length > 0 || (rows.length > 0 && rows.every((row) => isSkippedRow(row, helpers)));
}

/** All skips of the test: its own marks and calls, and the code of its file that it uses. */
function readSkipping({ name, rows, words, wordsOutsideRows, skips, frame }: SkippableCase): Skipping {
  const isTable = ({ elements = [] }: FramePart) => elements.some(isMarkedRow);
  const usedParts = collectReached({ ...frame, parts: frame.parts.filter((part) => !isTable(part)) }, [
    { name, words: wordsOutsideRows },
  ]).parts;
  const usedInRows = [...collectReached(frame, [{ name, words }]).parts];
  return {
    skips: [
      ...skips,
      ...frame.parts
        .filter((part) => usedParts.has(part) || skipsOnImport(part.text))
        .flatMap((part) => part.skips ?? []),
    ],
    rows: [...rows, ...usedInRows.flatMap(({ elements = [] }) => elements)],
    helpers: new Set(usedInRows.filter((part) => part.skips && !isTable(part)).flatMap(({ names }) => names)),
  };
}
