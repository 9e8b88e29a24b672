// Plans variants of a change that are worse on purpose, near the lines that the change touches.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import type { FileEdit } from '../../model.ts';
import { CHEAT_KINDS, type CheatKind } from '../../model/cheats.ts';
import { isTestFile } from '../../paths/tests.ts';
import { findTouchedLines } from '../guard/touchedLines.ts';
import { findCheatEdits, type CheatEdit } from './cheats.ts';

/** A change in which one edit was made worse on purpose. */
export interface Variant {
  readonly kind: CheatKind;
  readonly path: string;
  /** 1-based line in the file after the change. */
  readonly line: number;
  /**
   * True if the weakened function (outside functions: statement) contains no line that the change touches. An escape
   * then shows that this code lacks tests. False for weakened assertions, because tests judge the change wherever they
   * are.
   */
  readonly isBeside: boolean;
  /** All edits of the change, one of them made worse. */
  readonly edits: readonly FileEdit[];
}

/** Maximum distance in lines. A cheat further from the touched lines has nothing to do with the change. */
const NEAR_LINES = 10;

interface SuspectedCheat {
  readonly edit: FileEdit;
  readonly after: string;
  readonly line: number;
  /** How many lines the nearest touched line is away: 0 if the cheat is on one, 1 if it is on the next line. */
  readonly distance: number;
  /**
   * True if the innermost function (outside functions: the top-level statement) around the cheat contains no touched
   * line.
   */
  readonly isElsewhere: boolean;
}

/** At most one variant of each kind: the one nearest to a touched line, at most `NEAR_LINES` away. */
export function planCheats(edits: readonly FileEdit[]): readonly Variant[] {
  return CHEAT_KINDS.flatMap((kind) => {
    const candidates = edits.flatMap((edit) => collectCandidates(kind, edit));
    const [nearest] = candidates.toSorted((a, b) => a.distance - b.distance);
    if (!nearest) return [];
    const { edit, after, line, isElsewhere } = nearest;
    const editsWithCheat = edits.map((candidate) => (candidate === edit ? { ...candidate, after } : candidate));
    return [
      { kind, path: edit.path, line, isBeside: isElsewhere && kind !== 'weakened assertion', edits: editsWithCheat },
    ];
  });
}

/**
 * The cheats of this kind in one file, at most `NEAR_LINES` away from a touched line. Only assertions in tests are
 * weakened; all other kinds apply only to code. Assertions that the change adds stay as they are, because they are its
 * own evidence, which a person reads.
 */
function collectCandidates(kind: CheatKind, edit: FileEdit): readonly SuspectedCheat[] {
  const { path, before, after } = edit;
  if (after === null || !SCRIPT_PATTERN.test(path) || isTestFile(path) !== (kind === 'weakened assertion')) return [];
  const touchedLineNumbers = [...findTouchedLines(before ?? '', after)];
  const isAddedAssertion = (line: number) => kind === 'weakened assertion' && touchedLineNumbers.includes(line);
  return findCheatEdits(kind, path, after).flatMap((cheat) => {
    const text = replaceSpan(after, cheat);
    const line = getLineNumber(after, cheat.start);
    const lastLine = getLineNumber(after, cheat.end);
    const distance = Math.min(
      ...touchedLineNumbers.map((touchedLine) => Math.max(0, line - touchedLine, touchedLine - lastLine)),
    );
    const [first, end] = [getLineNumber(after, cheat.unit.start), getLineNumber(after, cheat.unit.end)];
    const isElsewhere = !touchedLineNumbers.some((touchedLine) => touchedLine >= first && touchedLine <= end);
    return text === before || distance > NEAR_LINES || isAddedAssertion(line)
      ? []
      : [{ edit, after: text, line, distance, isElsewhere }];
  });
}

/** 1-based number of the line with the character at this offset. */
function getLineNumber(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}

function replaceSpan(text: string, { start, end, text: inserted }: CheatEdit): string {
  return text.slice(0, start) + inserted + text.slice(end);
}
