// Makes pages of opportunities for the sidebar. The server filters and counts them, so that only visible entries are
// sent to the client.

import type {
  OpportunitiesParams,
  OpportunityFacets,
  OpportunityFiles,
  OpportunityFilesParams,
  OpportunityFilter,
  OpportunityPage,
  Severity,
} from '#protocol/opportunities';
import type { OpportunityState } from '#protocol/state';
import { describeSkipCause, describeSkip, type SkippedPlace } from '../../core/model/skippedPlaces.ts';
import type { Opportunity } from '../../core/model.ts';
import { isWithin } from '../../util/pathWithin.ts';

/** Number of rows of a page if the request has no `limit`. */
const DEFAULT_ROWS = 50;
/** Maximum number of rows of a page. */
const MAX_ROWS = 200;
/** Number of listed files if the request has no `limit`. */
const DEFAULT_FILES = 200;
/** Maximum number of listed files. */
const MAX_FILES = 500;
/** Maximum number of folders in the list of a filter. */
const MAX_FOLDERS = 30;

/**
 * A page of the opportunities that pass the filter, and facets: the number of opportunities for each value of the
 * filters. `opportunities`: the shown ones. `quiet`: those that the default filter hides. Both lists begin with the
 * best one. If the filter includes quiet ones, they follow the others. `rejectedPlaces`: the opportunities that are
 * tried again only on request, by id.
 */
export function createOpportunityPage(
  opportunities: readonly Opportunity[],
  revision: number,
  { filter = {}, offset = 0, limit = DEFAULT_ROWS }: OpportunitiesParams,
  quiet: readonly Opportunity[] = [],
  rejectedPlaces: ReadonlyMap<string, SkippedPlace> = new Map(),
): OpportunityPage {
  const listedOpportunities = filter.quiet ? addQuiet(opportunities, quiet) : opportunities;
  const quietRows = new Set(filter.quiet ? quiet : []);
  const entries = collectEntries(listedOpportunities);
  const conditions = createConditions(filter);
  const matchingOpportunities: Opportunity[] = [];
  const rules = new Map<string, number>();
  const folders = new Map<string, number>();
  const severities: Record<Severity, number> = { hint: 0, information: 0, warning: 0 };
  let fixable = 0;
  for (const entry of entries) {
    const { opportunity } = entry;
    const failedFilters = conditions.filter(({ isMet }) => !isMet(entry)).map(({ filterName }) => filterName);
    if (failedFilters.length === 0) matchingOpportunities.push(opportunity);
    // An opportunity counts for the values of a filter if it passes all other filters.
    if (failedFilters.length > 1) continue;
    const isCountedFor = (filterName: keyof OpportunityFilter) =>
      failedFilters.length === 0 || failedFilters[0] === filterName;
    if (isCountedFor('rule')) increment(rules, opportunity.rule);
    if (isCountedFor('path')) for (const folder of entry.folders) increment(folders, folder);
    if (isCountedFor('severities')) severities[opportunity.severity]++;
    if (opportunity.recipe !== null && isCountedFor('fixable')) fixable++;
  }
  const firstIndex = Math.min(Math.max(0, offset), matchingOpportunities.length);
  const facets: OpportunityFacets = {
    rules: sortByCount(rules).map(([id, count]) => ({ id, count })),
    severities,
    folders: sortByCount(folders)
      .slice(0, MAX_FOLDERS)
      .map(([path, count]) => ({ path, count })),
    fixable,
  };
  return {
    revision,
    total: listedOpportunities.length,
    matching: matchingOpportunities.length,
    offset: firstIndex,
    rows: matchingOpportunities.slice(firstIndex, firstIndex + clamp(limit, MAX_ROWS)).map((row) => ({
      ...createOpportunityState(row, rejectedPlaces.get(row.id)),
      ...(quietRows.has(row) ? { quiet: true } : {}),
    })),
    facets,
  };
}

const jointListByQuiet = new WeakMap<readonly Opportunity[], readonly Opportunity[]>();

/** Both lists as one. The joint list is cached by `quiet`, so that the cache of its entries can be used as well. */
function addQuiet(opportunities: readonly Opportunity[], quiet: readonly Opportunity[]): readonly Opportunity[] {
  const jointList = jointListByQuiet.get(quiet) ?? [...opportunities, ...quiet];
  jointListByQuiet.set(quiet, jointList);
  return jointList;
}

/** The files with opportunities and their numbers, in the order of their best opportunities. `all`: best first. */
export function listOpportunityFiles(
  all: readonly Opportunity[],
  revision: number,
  { offset = 0, limit = DEFAULT_FILES }: OpportunityFilesParams,
): OpportunityFiles {
  const countByPath = new Map<string, number>();
  for (const { path } of all) increment(countByPath, path);
  const files = [...countByPath].map(([path, count]) => ({ path, count }));
  const firstIndex = Math.max(0, offset);
  return { revision, total: files.length, files: files.slice(firstIndex, firstIndex + clamp(limit, MAX_FILES)) };
}

/** An opportunity with the data that the filters need. */
interface FilterEntry {
  readonly opportunity: Opportunity;
  /** Message, path and rule, in lower case, for the search. */
  readonly searchText: string;
  readonly folders: readonly string[];
}

const entriesByList = new WeakMap<readonly Opportunity[], readonly FilterEntry[]>();

/** The entries of a list. They are cached, because every typed letter searches them. */
function collectEntries(opportunities: readonly Opportunity[]): readonly FilterEntry[] {
  const entries =
    entriesByList.get(opportunities) ??
    opportunities.map((opportunity) => ({
      opportunity,
      searchText: `${opportunity.message} ${opportunity.path} ${opportunity.rule}`.toLowerCase(),
      folders: collectFolders(opportunity.path),
    }));
  entriesByList.set(opportunities, entries);
  return entries;
}

/**
 * The folders of a path that the filter offers: for `src/core/index/walk.ts`, `src` and `src/core`. A person can find
 * deeper folders by typing their names.
 */
function collectFolders(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return [1, 2].filter((depth) => depth <= parts.length).map((depth) => parts.slice(0, depth).join('/'));
}

/** The conditions of a filter, each with the name of its field. */
function createConditions({ text = '', rule, severities = [], path, fixable = false }: OpportunityFilter): readonly {
  readonly filterName: keyof OpportunityFilter;
  readonly isMet: (entry: FilterEntry) => boolean;
}[] {
  const searchWords = text.toLowerCase().split(/\s+/).filter(Boolean);
  return [
    { filterName: 'text', isMet: (entry) => searchWords.every((word) => entry.searchText.includes(word)) },
    { filterName: 'rule', isMet: ({ opportunity }) => rule === undefined || opportunity.rule === rule },
    {
      filterName: 'severities',
      isMet: ({ opportunity }) => severities.length === 0 || severities.includes(opportunity.severity),
    },
    {
      filterName: 'path',
      isMet: ({ opportunity }) => path === undefined || isWithin(opportunity.path, [path]),
    },
    { filterName: 'fixable', isMet: ({ opportunity }) => !fixable || opportunity.recipe !== null },
  ];
}

/** An opportunity as a row of a page. `skippedPlace`: why it is tried again only on request, if it is. */
function createOpportunityState(
  { id, rule, message, path, nameRange, severity, impact, recipe }: Opportunity,
  skippedPlace: SkippedPlace | undefined,
): OpportunityState {
  const { startLine: line, startColumn: column } = nameRange;
  const state = { id, rule, message, path, line, column, severity, impact, fixable: recipe !== null };
  return skippedPlace
    ? { ...state, turnedDown: describeSkip(skippedPlace), turnedDownBriefly: describeSkipCause(skippedPlace.by) }
    : state;
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function sortByCount(counts: ReadonlyMap<string, number>): (readonly [string, number])[] {
  return [...counts].sort(([a, countOfA], [b, countOfB]) => countOfB - countOfA || (a < b ? -1 : 1));
}

function clamp(limit: number, max: number): number {
  return Math.min(Math.max(1, limit), max);
}
