// Computes the quality of an answer: NDCG@10 as the benchmark defines it, and recall within a token budget.

/** A result or a relevant place; without lines, a whole file. */
export interface Place {
  readonly path: string;
  readonly startLine?: number | undefined;
  readonly endLine?: number | undefined;
}

/** Number of results that count for NDCG. */
export const CUT = 10;
/** Budgets of tokens for which recall is computed. */
export const BUDGETS = [1_000, 2_000, 4_000, 8_000] as const;

/**
 * NDCG@10 of an answer. Each relevant place counts at the rank of the first result that hits it; two places that the
 * same result hits count once.
 */
export function ndcg(answer: readonly Place[], relevant: readonly Place[]): number {
  const ranks = new Set<number>();
  for (const target of relevant) {
    const rank = answer.slice(0, CUT).findIndex((hit) => isHit(hit, target));
    if (rank >= 0) ranks.add(rank);
  }
  let gain = 0;
  for (const rank of ranks) gain += 1 / Math.log2(rank + 2);
  let ideal = 0;
  for (let rank = 0; rank < Math.min(CUT, relevant.length); rank++) ideal += 1 / Math.log2(rank + 2);
  return ideal === 0 ? 0 : gain / ideal;
}

/**
 * The share of the relevant files of which a result is within the budget of tokens. Results are taken whole, in order,
 * until one does not fit.
 */
export function recall(
  answer: readonly (Place & { readonly tokens: number })[],
  relevant: readonly Place[],
  budget: number,
): number {
  let spentTokens = 0;
  const shownPieces: Place[] = [];
  for (const piece of answer) {
    spentTokens += piece.tokens;
    if (spentTokens > budget) break;
    shownPieces.push(piece);
  }
  return mean(relevant.map((target) => (shownPieces.some(({ path }) => isSamePath(path, target.path)) ? 1 : 0)));
}

/** True if a result overlaps a relevant place. A place without lines is the whole file. */
export function isHit(hit: Place, target: Place): boolean {
  if (!isSamePath(hit.path, target.path)) return false;
  if (
    target.startLine === undefined ||
    target.endLine === undefined ||
    hit.startLine === undefined ||
    hit.endLine === undefined
  )
    return true;
  return hit.endLine >= target.startLine && hit.startLine <= target.endLine;
}

/** The mean of the values; 0 if there are none. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * True if two paths are the same file. Paths in labels are relative to the repository, and paths in results to the
 * indexed folder, which may be below it.
 */
function isSamePath(a: string, b: string): boolean {
  return a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);
}

/** The values by the result of `key`. */
export function groupBy<T>(values: readonly T[], key: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const name = key(value);
    const group = groups.get(name);
    if (group) group.push(value);
    else groups.set(name, [value]);
  }
  return groups;
}
