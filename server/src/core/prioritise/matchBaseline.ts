// Which opportunities a baseline holds despite later edits, and which of its entries are fixed.

import { posix } from 'node:path';
import type { Opportunity } from '../model.ts';
import { aboutOf, entryOf, type BaselineEntry, type FigureOf } from './baselineFile.ts';

export interface BaselineMatch {
  /** The entry behind each opportunity that is held, by its id. */
  readonly held: ReadonlyMap<string, BaselineEntry>;
  /** Entries that stand for nothing any longer. Meaningful only when all opportunities of their files were given. */
  readonly fixed: readonly BaselineEntry[];
}

/** A figure may grow by a tenth before it counts as worse than what was accepted. */
const GROWTH = 1.1;

/**
 * First by id, which survives moved lines and edits elsewhere. What is left is matched by path, rule and definition
 * (or, outside of definitions, by what it said), one entry for one opportunity; and files that are gone by name, for
 * those that were moved. Nothing that has become worse is held.
 */
export function matchBaseline(
  entries: readonly BaselineEntry[],
  opportunities: readonly Opportunity[],
  exists: (path: string) => boolean,
  figureOf: FigureOf,
): BaselineMatch {
  const held = new Map<string, BaselineEntry>();
  const left = new Set(entries);
  const pass = (
    keyOfEntry: (entry: BaselineEntry) => string | null,
    keyOf: (opportunity: Opportunity) => string | null,
  ): void => {
    const open = new Map<string, BaselineEntry[]>();
    for (const entry of left) {
      const key = keyOfEntry(entry);
      if (key === null) continue;
      const list = open.get(key);
      if (list) list.push(entry);
      else open.set(key, [entry]);
    }
    // The least that an entry must allow for first, so that a large one is not spent on a small figure.
    for (const list of open.values()) list.sort((a, b) => (a.figure ?? 0) - (b.figure ?? 0));
    for (const opportunity of opportunities) {
      const key = held.has(opportunity.id) ? null : keyOf(opportunity);
      const list = key === null ? undefined : open.get(key);
      const at = list?.findIndex((entry) => !isWorse(figureOf(opportunity), entry.figure)) ?? -1;
      const [entry] = at < 0 ? [] : list!.splice(at, 1);
      if (!entry) continue;
      held.set(opportunity.id, entry);
      left.delete(entry);
    }
  };
  pass(
    ({ id, rule, path }) => [rule, path, id].join('\0'),
    ({ id, rule, path }) => [rule, path, id].join('\0'),
  );
  pass(
    (entry) => placeOf(entry, entry.path),
    (opportunity) => placeOf({ ...opportunity, about: aboutOf(opportunity) }, opportunity.path),
  );
  pass(
    (entry) => (exists(entry.path) ? null : placeOf(entry, posix.basename(entry.path))),
    (opportunity) => placeOf({ ...opportunity, about: aboutOf(opportunity) }, posix.basename(opportunity.path)),
  );
  return { held, fixed: entries.filter((entry) => left.has(entry)) };
}

/** The baseline without fixed entries; each entry follows its opportunity. It never allows more than before. */
export function updatedBaseline(
  match: BaselineMatch,
  opportunities: readonly Opportunity[],
  figureOf: FigureOf,
): readonly BaselineEntry[] {
  return opportunities.flatMap((opportunity) => {
    const before = match.held.get(opportunity.id);
    if (!before) return [];
    const now = entryOf(opportunity, figureOf);
    return [
      {
        ...now,
        figure: now.figure === null || before.figure === null ? now.figure : Math.min(now.figure, before.figure),
      },
    ];
  });
}

function isWorse(now: number | null, before: number | null): boolean {
  return now !== null && before !== null && now > before * GROWTH;
}

function placeOf({ rule, symbol, about }: Pick<BaselineEntry, 'rule' | 'symbol' | 'about'>, path: string): string {
  return [rule, path, symbol ?? `\0${about ?? ''}`].join('\0');
}
