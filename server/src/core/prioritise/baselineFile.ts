// The baseline of a team: the opportunities that it accepted when it began. A text file of the repository that merges
// well.

import type { Opportunity } from '../model.ts';
import { SelfwareError } from '../../util/typedError.ts';

/** Where it lies, in the repository, to be committed. */
export const BASELINE_PATH = '.selfware/baseline.json';

export interface BaselineEntry {
  readonly path: string;
  readonly rule: string;
  /** Null outside of definitions; then `about` tells. */
  readonly symbol: string | null;
  /** What it said, without figures. */
  readonly about?: string;
  readonly id: string;
  /** What the rule measured; null where it measures nothing. What grows far beyond is shown again. */
  readonly figure: number | null;
}

/** The figure of an opportunity that a limit is about; null = none. */
export type FigureOf = (opportunity: Opportunity) => number | null;

const VERSION = 1;

export function entryOf(opportunity: Opportunity, figureOf: FigureOf): BaselineEntry {
  const { path, rule, symbol, id } = opportunity;
  return {
    path,
    rule,
    symbol,
    ...(symbol === null ? { about: aboutOf(opportunity) } : {}),
    id,
    figure: figureOf(opportunity),
  };
}

/** Sorted, one entry a line: changes of two people seldom touch the same lines. */
export function writeBaseline(entries: readonly BaselineEntry[]): string {
  const lines = [...entries]
    .sort(
      (a, b) =>
        compare(a.path, b.path) ||
        compare(a.rule, b.rule) ||
        compare(a.symbol ?? '', b.symbol ?? '') ||
        compare(a.id, b.id),
    )
    .map(
      ({ path, rule, symbol, about, id, figure }) =>
        `    ${JSON.stringify({ path, rule, ...(symbol === null ? { about } : { symbol }), ...(figure === null ? {} : { figure }), id })}`,
    );
  return `{\n  "version": ${VERSION},\n  "opportunities": [${lines.length > 0 ? `\n${lines.join(',\n')}\n  ` : ''}]\n}\n`;
}

/**
 * Throws `damaged` with what is wrong and what to do. Nothing is guessed: half a baseline would hide the wrong half.
 */
export function readBaseline(text: string): readonly BaselineEntry[] {
  const value = parsed(text);
  const { version, opportunities } =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  if (typeof version === 'number' && version > VERSION)
    throw damaged(`it was written by a newer version of Selfware (format ${version})`, 'Update Selfware.');
  if (version !== VERSION || !Array.isArray(opportunities)) throw damaged('it holds no list of opportunities');
  return opportunities.map((entry: unknown, at) => {
    const read = entryFrom(entry);
    if (!read) throw damaged(`entry ${at + 1} lacks a path, rule or id`);
    return read;
  });
}

/** What an opportunity says, without figures, so that it stays the same while they change. */
export function aboutOf({ message }: Opportunity): string {
  return message.replace(/\d[\d,.]*/g, '#');
}

function entryFrom(entry: unknown): BaselineEntry | null {
  if (typeof entry !== 'object' || entry === null) return null;
  const { path, rule, symbol, about, id, figure } = entry as Record<string, unknown>;
  if (typeof path !== 'string' || typeof rule !== 'string' || typeof id !== 'string') return null;
  return {
    path,
    rule,
    symbol: typeof symbol === 'string' ? symbol : null,
    ...(typeof about === 'string' ? { about } : {}),
    id,
    figure: typeof figure === 'number' ? figure : null,
  };
}

function parsed(text: string): unknown {
  if (/^(<{7}|>{7}) /m.test(text))
    throw damaged(
      'it holds merge conflict markers',
      'Keep the entries of both sides, or run `selfware baseline create --force`.',
    );
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw damaged(`it is not JSON (${error instanceof Error ? error.message : String(error)})`);
  }
}

function damaged(
  why: string,
  action = 'Restore it from the history, or run `selfware baseline create --force`.',
): SelfwareError {
  return new SelfwareError('damaged', `${BASELINE_PATH} cannot be used: ${why}. Until then it hides nothing.`, {
    action,
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
