// Results of the unchanged repository, kept so that several proposals on one base measure it once.

export interface BaselineCache {
  /** Result of `work` on this base, from memory where it is known. `base` null: nothing is remembered. */
  remember<T>(base: string | null, what: string, work: () => Promise<T>, worthKeeping: (result: T) => boolean): Promise<T>;
  /** What is known already; undefined when nothing is. */
  known<T>(base: string | null, what: string): T | undefined;
}

/** A repository moves on; results of older bases are of no use. */
const BASES = 2;

/** In memory; ends with the session. */
export function createBaselineCache(): BaselineCache {
  const bases = new Map<string, Map<string, unknown>>();
  return {
    async remember(base, what, work, worthKeeping) {
      const known = base === null ? undefined : bases.get(base)?.get(what);
      if (known !== undefined) return known as Awaited<ReturnType<typeof work>>;
      const result = await work();
      if (base !== null && worthKeeping(result)) resultsOf(base).set(what, result);
      return result;
    },
    known: <T>(base: string | null, what: string) => (base === null ? undefined : (bases.get(base)?.get(what) as T | undefined)),
  };

  function resultsOf(base: string): Map<string, unknown> {
    const results = bases.get(base) ?? new Map<string, unknown>();
    bases.delete(base);
    bases.set(base, results);
    for (const old of [...bases.keys()].slice(0, -BASES)) bases.delete(old);
    return results;
  }
}
