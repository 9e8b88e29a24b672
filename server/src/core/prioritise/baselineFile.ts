// Reads and writes a team's baseline: the opportunities that it accepted at the start, in a text file that merges well.

import type { Opportunity } from '../model.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { compareStrings } from '../../util/values/compareStrings.ts';

/** Path of the baseline in the repository. The team commits the file. */
export const BASELINE_PATH = '.selfware/baseline.json';

/** One opportunity that the team accepted. */
export interface BaselineEntry {
  readonly path: string;
  readonly rule: string;
  /** The symbol of the opportunity; null outside of definitions, where `about` identifies it. */
  readonly symbol: string | null;
  /** The message of the opportunity, without figures; set only if `symbol` is null. */
  readonly about?: string;
  /** The id of the opportunity when the entry was written. */
  readonly id: string;
  /**
   * The figure that the rule measured; null if it measures none. An opportunity whose figure has grown by more than a
   * tenth is shown again.
   */
  readonly figure: number | null;
}

/** Returns the figure of an opportunity to which the limit of its rule applies; null if there is none. */
export type FigureOf = (opportunity: Opportunity) => number | null;

const FORMAT_VERSION = 1;

/** The entry by which the baseline hides the opportunity. */
export function createBaselineEntry(opportunity: Opportunity, figureOf: FigureOf): BaselineEntry {
  const { path, rule, symbol, id } = opportunity;
  return {
    path,
    rule,
    symbol,
    ...(symbol === null ? { about: removeFigures(opportunity) } : {}),
    id,
    figure: figureOf(opportunity),
  };
}

/**
 * The text of the file. It is sorted and has one entry per line, so that two people's changes rarely touch the same
 * lines.
 */
export function formatBaseline(entries: readonly BaselineEntry[]): string {
  const lines = [...entries]
    .sort(
      (a, b) =>
        compareStrings(a.path, b.path) ||
        compareStrings(a.rule, b.rule) ||
        compareStrings(a.symbol ?? '', b.symbol ?? '') ||
        compareStrings(a.id, b.id),
    )
    .map(
      ({ path, rule, symbol, about, id, figure }) =>
        `    ${JSON.stringify({ path, rule, ...(symbol === null ? { about } : { symbol }), ...(figure === null ? {} : { figure }), id })}`,
    );
  return `{\n  "version": ${FORMAT_VERSION},\n  "opportunities": [${lines.length > 0 ? `\n${lines.join(',\n')}\n  ` : ''}]\n}\n`;
}

/**
 * The entries in the text of the file. Throws `damaged` with the problem and an action for a file that cannot be read
 * completely, because half a baseline would hide the wrong opportunities.
 */
export function readBaseline(text: string): readonly BaselineEntry[] {
  const value = parseBaseline(text);
  const { version, opportunities } =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  if (typeof version === 'number' && version > FORMAT_VERSION)
    throw createDamagedError(`it was written by a newer version of Selfware (format ${version})`, 'Update Selfware.');
  if (version !== FORMAT_VERSION || !Array.isArray(opportunities))
    throw createDamagedError('it holds no list of opportunities');
  return opportunities.map((entry: unknown, index) => {
    const parsedEntry = parseEntry(entry);
    if (!parsedEntry) throw createDamagedError(`entry ${index + 1} lacks a path, rule or id`);
    return parsedEntry;
  });
}

/** The message of an opportunity without figures, so that it stays the same while they change. */
export function removeFigures({ message }: Opportunity): string {
  return message.replace(/\d[\d,.]*/g, '#');
}

/**
 * The entry in a parsed value; null if path, rule or id is not a string. Other fields of a wrong type count as
 * missing.
 */
function parseEntry(entry: unknown): BaselineEntry | null {
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

/** The parsed JSON. Throws `damaged` for text with merge conflict markers, and for text that is not JSON. */
function parseBaseline(text: string): unknown {
  if (/^(<{7}|>{7}) /m.test(text))
    throw createDamagedError(
      'it holds merge conflict markers',
      'Keep the entries of both sides, or run `selfware baseline create --force`.',
    );
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw createDamagedError(`it is not JSON (${error instanceof Error ? error.message : String(error)})`);
  }
}

/**
 * The error `damaged` for a baseline that cannot be used. `reason`: a clause. `action`: the next step, as a sentence.
 */
function createDamagedError(
  reason: string,
  action = 'Restore it from the history, or run `selfware baseline create --force`.',
): SelfwareError {
  return new SelfwareError('damaged', `${BASELINE_PATH} cannot be used: ${reason}. Until then it hides nothing.`, {
    action,
  });
}
