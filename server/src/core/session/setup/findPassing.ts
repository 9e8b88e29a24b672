// Finds out which of several items pass a check together, by checking halves.

/** The result of checking some items together. */
export type Attempt<A> =
  | { readonly outcome: 'passed'; readonly answer: A }
  /** `unknown`: the cause is not a single item, so parts are not tried. */
  | { readonly outcome: 'failed' | 'unknown'; readonly reason: string };

/** The items that pass together, and the remaining ones. */
export interface Passing<T, A> {
  readonly passed: readonly T[];
  /** The answer of the check of exactly the passed items; null if none passes. */
  readonly answer: A | null;
  /**
   * The other items, each with the reason of its last check: they fail together with those that pass, or nothing is
   * known of them.
   */
  readonly failed: readonly { readonly item: T; readonly reason: string }[];
}

/**
 * Checks all items together. If that fails, halves are checked until a half passes or is a single item, always together
 * with the items that have passed until then, so that the result has passed as a whole. Afterwards, each failed item is
 * tried again with all that pass, because it may need an item that passed later. This is repeated until no further item
 * passes. No set is checked twice.
 */
export async function findPassing<T, A>(
  items: readonly T[],
  check: (part: readonly T[]) => Promise<Attempt<A>>,
): Promise<Passing<T, A>> {
  const attempts = new Map<string, Attempt<A>>();
  const reasons = new Map<T, string>();
  let passed: readonly T[] = [];
  let answer: A | null = null;
  const checkWithPassed = async (part: readonly T[]): Promise<Attempt<A>> => {
    const triedItems = items.filter((item) => passed.includes(item) || part.includes(item));
    const key = triedItems.map((item) => items.indexOf(item)).join();
    const result = attempts.get(key) ?? (await check(triedItems));
    attempts.set(key, result);
    if (result.outcome === 'passed') [passed, answer] = [triedItems, result.answer];
    return result;
  };
  const settle = async (part: readonly T[]): Promise<void> => {
    if (part.length === 0) return;
    const result = await checkWithPassed(part);
    if (result.outcome === 'passed') return part.forEach((item) => reasons.delete(item));
    for (const item of part) reasons.set(item, result.reason);
    if (result.outcome === 'unknown' || part.length === 1) return;
    const middle = Math.ceil(part.length / 2);
    await settle(part.slice(0, middle));
    await settle(part.slice(middle));
  };
  await settle(items);
  for (let countBefore = 0; passed.length > countBefore && reasons.size > 0; ) {
    countBefore = passed.length;
    for (const item of [...reasons.keys()]) await settle([item]);
  }
  return { passed, answer, failed: [...reasons].map(([item, reason]) => ({ item, reason })) };
}
