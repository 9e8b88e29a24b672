// Reads results that an earlier search or measurement stored as JSON, and shows those whose ground has not changed.

import { applySuppressions, type SuppressedOpportunity } from '../../analysis/suppressions.ts';
import type { Opportunity } from '../../model.ts';
import type { Blobs } from '../../ports/stores.ts';
import type { SessionContext } from '../context.ts';

/** The damaged blobs that have been reported, so that each is reported only once. */
const reportedNames = new WeakMap<Blobs, Set<string>>();

/**
 * The value in the blob `name`, unchecked; null if there is none, or if it is damaged. A damaged blob is reported in
 * the log together with `command`, a command line in backticks that stores the results again.
 */
export async function readStoredJson(
  { ports }: Pick<SessionContext, 'ports'>,
  name: string,
  command: string,
): Promise<unknown> {
  const bytes = await ports.blobs.read(name);
  if (!bytes) return null;
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const names = reportedNames.get(ports.blobs) ?? new Set();
    reportedNames.set(ports.blobs, names);
    if (!names.has(name))
      ports.log.write('error', `The stored ${name} is damaged, so its results are missing. Run ${command} again.`);
    names.add(name);
    return null;
  }
}

/**
 * The opportunities that an earlier search stored, in files that have not changed since; for some paths or all.
 * `computeGround`: the hash of all on which the results of a file depend.
 */
export function showStoredResults<Stored extends { readonly ground: string }>(
  analyses: SessionContext['state']['analyses'],
  storedFiles: ReadonlyMap<string, Stored>,
  paths: readonly string[] | undefined,
  computeGround: (path: string) => string,
  listOpportunities: (stored: Stored) => readonly Opportunity[],
): { readonly opportunities: readonly Opportunity[]; readonly suppressed: readonly SuppressedOpportunity[] } {
  const requestedPaths = paths && new Set(paths);
  const parts = [...storedFiles].flatMap(([path, stored]) => {
    const row = analyses.get(path);
    if (!row || (requestedPaths && !requestedPaths.has(path))) return [];
    const opportunities = listOpportunities(stored);
    if (opportunities.length === 0 || computeGround(path) !== stored.ground) return [];
    return [applySuppressions(opportunities, row.suppressions)];
  });
  return {
    opportunities: parts.flatMap(({ opportunities }) => opportunities),
    suppressed: parts.flatMap(({ suppressed }) => suppressed),
  };
}
