// Finds the opportunities that the baseline file hides. The file is read again after it has changed, or after
// `forgetBaseline`.

import { findRule } from '../../analysis/rules.ts';
import type { Opportunity } from '../../model.ts';
import { BASELINE_PATH, readBaseline, type BaselineEntry, type FigureOf } from '../../prioritise/baselineFile.ts';
import { matchBaseline, type BaselineMatch } from '../../prioritise/matchBaseline.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { notify, type SessionContext } from '../context.ts';
import { readTextOrNull } from '../search/packing.ts';

/** The entries of the baseline. `stamp`: time and size of the file when it was read. */
interface CachedEntries {
  readonly stamp: string;
  readonly entries: readonly BaselineEntry[];
}

const NO_BASELINE_MATCH: BaselineMatch = { entryByHiddenId: new Map(), fixed: [] };
const entriesByContext = new WeakMap<SessionContext, CachedEntries>();

/**
 * Matches opportunities with the baseline, and returns those that it hides, and its fixed entries. `paths`: the files
 * of the opportunities; undefined for all files.
 */
export async function matchWithBaseline(
  context: SessionContext,
  opportunities: readonly Opportunity[],
  paths: readonly string[] | undefined,
): Promise<BaselineMatch> {
  const entries = await readUsableEntries(context);
  if (entries.length === 0) return NO_BASELINE_MATCH;
  const { analyses } = context.state;
  // Before the first analysis, no file is known to be gone.
  const exists = (path: string) => analyses.size === 0 || analyses.has(path);
  const requestedPaths = paths && new Set(paths);
  return matchBaseline(
    requestedPaths ? entries.filter(({ path }) => requestedPaths.has(path) || !exists(path)) : entries,
    opportunities,
    exists,
    findFigure,
  );
}

/**
 * The figure of a finding that its rule compares with a limit; null if the rule has no limit, or the finding no figure.
 */
export const findFigure: FigureOf = ({ rule, evidence }) => {
  const name = findRule(rule)?.limit?.evidence;
  const figure = name === undefined ? undefined : evidence[name];
  return typeof figure === 'number' ? figure : null;
};

/** Makes the next call read the baseline file again. */
export function forgetBaseline(context: SessionContext): void {
  entriesByContext.delete(context);
}

/**
 * The entries of the baseline. If the file is damaged, adds a notice once and returns no entries, so that nothing is
 * hidden.
 */
async function readUsableEntries(context: SessionContext): Promise<readonly BaselineEntry[]> {
  const stat = await context.ports.files.stat(BASELINE_PATH);
  if (!stat) return [];
  const stamp = `${stat.mtimeMs} ${stat.size}`;
  const cachedEntries = entriesByContext.get(context);
  if (cachedEntries?.stamp === stamp) return cachedEntries.entries;
  let entries: readonly BaselineEntry[] = [];
  try {
    entries = readBaseline((await readTextOrNull(context, BASELINE_PATH)) ?? '');
  } catch (error) {
    if (!(error instanceof SelfwareError && ['damaged', 'unreadable'].includes(error.reason))) throw error;
    notify(context, { severity: 'warning', message: error.message, action: error.action });
  }
  entriesByContext.set(context, { stamp, entries });
  return entries;
}
