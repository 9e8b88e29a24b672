// Plans variants of a change that are worse on purpose, near the lines that the change touches.

import type { FileEdit } from '../../model.ts';
import { CHEAT_KINDS, type CheatKind } from '../../model/cheats.ts';
import { isTestFile } from '../../paths/tests.ts';
import { touchedLines } from '../guard/touched.ts';
import { placesFor, type Place } from './cheats.ts';

export interface Variant {
  readonly kind: CheatKind;
  readonly path: string;
  /** The line in the file after the change, from 1. */
  readonly line: number;
  /** All edits of the change, one of them spoiled. */
  readonly edits: readonly FileEdit[];
}

/** A place further from the touched lines is not what the change is about. */
const NEAR_LINES = 10;

const SCRIPT = /\.[cm]?[jt]sx?$/;

interface Candidate {
  readonly edit: FileEdit;
  readonly after: string;
  readonly line: number;
  /** Lines between the place and the nearest touched line. */
  readonly distance: number;
}

/** At most one variant of each kind: the one nearest to a line that the change touches, within ten lines. */
export function planCheats(edits: readonly FileEdit[]): readonly Variant[] {
  return CHEAT_KINDS.flatMap((kind) => {
    const candidates = edits.flatMap((edit) => candidatesIn(kind, edit));
    const [nearest] = candidates.toSorted((one, other) => one.distance - other.distance);
    if (!nearest) return [];
    const { edit, after, line } = nearest;
    const spoiled = edits.map((one) => (one === edit ? { ...one, after } : one));
    return [{ kind, path: edit.path, line, edits: spoiled }];
  });
}

/**
 * Assertions are weakened in tests, and everything else is done to code. Only assertions that were there before count:
 * what the change itself brings is its own evidence, which a person reads.
 */
function candidatesIn(kind: CheatKind, edit: FileEdit): readonly Candidate[] {
  const { path, before, after } = edit;
  if (after === null || !SCRIPT.test(path) || isTestFile(path) !== (kind === 'weakened assertion')) return [];
  const touched = [...touchedLines(before ?? '', after)];
  const isOwn = (line: number) => kind === 'weakened assertion' && touched.includes(line);
  return placesFor(kind, path, after).flatMap((place) => {
    const text = replaced(after, place);
    const line = after.slice(0, place.start).split('\n').length;
    const distance = Math.min(...touched.map((one) => Math.abs(one - line)));
    return text === before || distance > NEAR_LINES || isOwn(line) ? [] : [{ edit, after: text, line, distance }];
  });
}

function replaced(text: string, { start, end, text: inserted }: Place): string {
  return text.slice(0, start) + inserted + text.slice(end);
}
