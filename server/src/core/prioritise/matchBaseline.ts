// Finds the opportunities that a baseline still hides after later edits, and the entries whose opportunities were
// fixed. Updates the baseline accordingly.

import { posix } from 'node:path';
import type { Opportunity } from '../model.ts';
import { removeFigures, createBaselineEntry, type BaselineEntry, type FigureOf } from './baselineFile.ts';

/** The opportunities that a baseline hides, and the entries whose opportunities were fixed. */
export interface BaselineMatch {
  /** The entry for each hidden opportunity, by the opportunity's id. */
  readonly entryByHiddenId: ReadonlyMap<string, BaselineEntry>;
  /** Entries without an opportunity. They are meaningful only if all opportunities of their files were given. */
  readonly fixed: readonly BaselineEntry[];
}

/** Maximum growth of a figure before the opportunity counts as worse than accepted: a tenth. */
const MAX_GROWTH = 1.1;

/**
 * Matches entries and opportunities. Ids are compared first, because they survive moved lines and edits in other
 * places. The remaining entries are matched one to one by path, rule and definition (or, outside of definitions, by
 * message). Entries of missing files are matched by the file name, because files may have moved. An opportunity that
 * has become worse is not hidden.
 */
export function matchBaseline(
  entries: readonly BaselineEntry[],
  opportunities: readonly Opportunity[],
  exists: (path: string) => boolean,
  figureOf: FigureOf,
): BaselineMatch {
  const matchedEntries = new Map<string, BaselineEntry>();
  const unmatchedEntries = new Set(entries);
  const matchByKey = (
    keyOfEntry: (entry: BaselineEntry) => string | null,
    keyOfOpportunity: (opportunity: Opportunity) => string | null,
  ): void => {
    const entriesByKey = new Map<string, BaselineEntry[]>();
    for (const entry of unmatchedEntries) {
      const key = keyOfEntry(entry);
      if (key === null) continue;
      const entriesOfKey = entriesByKey.get(key);
      if (entriesOfKey) entriesOfKey.push(entry);
      else entriesByKey.set(key, [entry]);
    }
    // Entries with small figures come first, so that a small opportunity does not take the entry that a larger one
    // needs.
    for (const entriesOfKey of entriesByKey.values()) entriesOfKey.sort((a, b) => (a.figure ?? 0) - (b.figure ?? 0));
    for (const opportunity of opportunities) {
      const key = matchedEntries.has(opportunity.id) ? null : keyOfOpportunity(opportunity);
      const entriesOfKey = key === null ? undefined : entriesByKey.get(key);
      const index = entriesOfKey?.findIndex((entry) => !isWorse(figureOf(opportunity), entry.figure)) ?? -1;
      const [entry] = index < 0 ? [] : entriesOfKey!.splice(index, 1);
      if (!entry) continue;
      matchedEntries.set(opportunity.id, entry);
      unmatchedEntries.delete(entry);
    }
  };
  matchByKey(
    ({ id, rule, path }) => [rule, path, id].join('\0'),
    ({ id, rule, path }) => [rule, path, id].join('\0'),
  );
  matchByKey(
    (entry) => createMatchKey(entry, entry.path),
    (opportunity) => createMatchKey({ ...opportunity, about: removeFigures(opportunity) }, opportunity.path),
  );
  matchByKey(
    (entry) => (exists(entry.path) ? null : createMatchKey(entry, posix.basename(entry.path))),
    (opportunity) =>
      createMatchKey({ ...opportunity, about: removeFigures(opportunity) }, posix.basename(opportunity.path)),
  );
  return { entryByHiddenId: matchedEntries, fixed: entries.filter((entry) => unmatchedEntries.has(entry)) };
}

/**
 * The baseline without fixed entries. Each remaining entry is updated from its opportunity. A figure never rises, but
 * an entry without a figure gets one.
 */
export function refreshBaseline(
  match: BaselineMatch,
  opportunities: readonly Opportunity[],
  figureOf: FigureOf,
): readonly BaselineEntry[] {
  return opportunities.flatMap((opportunity) => {
    const acceptedEntry = match.entryByHiddenId.get(opportunity.id);
    if (!acceptedEntry) return [];
    const newEntry = createBaselineEntry(opportunity, figureOf);
    return [
      {
        ...newEntry,
        figure:
          newEntry.figure === null || acceptedEntry.figure === null
            ? newEntry.figure
            : Math.min(newEntry.figure, acceptedEntry.figure),
      },
    ];
  });
}

/** True if the figure has grown by more than is accepted. An unknown figure is not worse. */
function isWorse(newFigure: number | null, acceptedFigure: number | null): boolean {
  return newFigure !== null && acceptedFigure !== null && newFigure > acceptedFigure * MAX_GROWTH;
}

/** The key by which an entry is matched if its id has changed. `path`: the path, or only the name of the file. */
function createMatchKey(
  { rule, symbol, about }: Pick<BaselineEntry, 'rule' | 'symbol' | 'about'>,
  path: string,
): string {
  return [rule, path, symbol ?? `\0${about ?? ''}`].join('\0');
}
