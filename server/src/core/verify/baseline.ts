// Stores the results of commands on trees, so that each tree is measured only once: across proposals and sessions, and
// when an applied candidate becomes the next base.

import { sha256 } from '../../util/hash.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { BASELINES_DOCUMENT } from '../ports/documentNames.ts';

/** A cache of results by tree and command. */
export interface BaselineCache {
  /** The result of the command `commandKey` on a tree; undefined if none is stored, or if `tree` is null. */
  find<T>(tree: string | null, commandKey: string): Promise<T | undefined>;
  /** Stores a result, and removes the oldest ones if there are too many. Stores nothing if `tree` is null. */
  keep(tree: string | null, commandKey: string, value: unknown): Promise<void>;
}

/** The cache of a session. */
export interface SessionBaselineCache extends BaselineCache {
  /** From now on, results of the tree `earlier` also count for `tree`. A commit gives the same files another key. */
  follow(tree: string, earlier: string): void;
}

/** A store that outlives the session. Each document is read and written as a whole. */
export interface BaselineStore {
  read<T>(name: string): Promise<T | null>;
  write(name: string, value: unknown): Promise<void>;
}

interface StoredResults {
  /** Pairs of a key (`createEntryKey`) and a result, the oldest first. */
  readonly entries: readonly (readonly [key: string, value: unknown])[];
}

/** Maximum number of stored results. */
const MAX_ENTRIES = 64;
/** Maximum length of all entries as JSON; the list of tests of a large repository takes about 0.5 MB. */
const MAX_CHARACTERS = 8_000_000;

/**
 * Creates a cache of results. Without a store, results are lost at the end of the session. A damaged or full store
 * costs time, but never causes a wrong result.
 */
export function createBaselineCache(
  store: BaselineStore | null = null,
  warn: (message: string, cause: unknown) => void = () => {},
): SessionBaselineCache {
  let loadedResults: Promise<Map<string, unknown>> | null = null;
  const loadResults = () => (loadedResults ??= load());
  /** Maps the key of a tree to an earlier key of the same tree. */
  const earlierKeys = new Map<string, string>();
  return {
    async find<T>(tree: string | null, commandKey: string) {
      const storedResults = await loadResults();
      for (let key = tree; key !== null; key = earlierKeys.get(key) ?? null) {
        const value = storedResults.get(createEntryKey(key, commandKey)) as T | undefined;
        if (value !== undefined) return value;
      }
      return undefined;
    },
    follow(tree, earlier) {
      const chain = [earlier];
      for (const key of chain) chain.push(...[earlierKeys.get(key)].filter((next) => next !== undefined));
      if (!chain.includes(tree)) earlierKeys.set(tree, earlier);
    },
    async keep(tree, commandKey, value) {
      if (tree === null) return;
      const storedResults = await loadResults();
      const key = createEntryKey(tree, commandKey);
      storedResults.delete(key);
      storedResults.set(key, value);
      trim(storedResults);
      try {
        await store?.write(BASELINES_DOCUMENT, { entries: [...storedResults] } satisfies StoredResults);
      } catch (error) {
        warn('The results of the tests could not be kept for the next session.', error);
      }
    },
  };

  async function load(): Promise<Map<string, unknown>> {
    try {
      return new Map(parseEntries(await store?.read<unknown>(BASELINES_DOCUMENT)));
    } catch (error) {
      if (!(error instanceof SelfwareError)) throw error;
      warn('The earlier results of the tests could not be read; they are run again.', error);
      return new Map();
    }
  }
}

/** The entries of a stored document. Skips entries of another shape, because other programs can write the file. */
function parseEntries(document: unknown): StoredResults['entries'] {
  const { entries } = (document ?? {}) as { readonly entries?: unknown };
  if (!Array.isArray(entries)) return [];
  return entries.filter(
    (entry): entry is [string, object] =>
      Array.isArray(entry) && typeof entry[0] === 'string' && entry[1] !== null && entry[1] !== undefined,
  );
}

function createEntryKey(tree: string, commandKey: string): string {
  return sha256(`${tree}\n${commandKey}`);
}

/** Removes the oldest entries until both limits are met. */
function trim(entriesByKey: Map<string, unknown>): void {
  const sizes = [...entriesByKey].map(([key, value]) => [key, JSON.stringify(value).length] as const);
  let total = sizes.reduce((sum, [, size]) => sum + size, 0);
  for (const [key, size] of sizes) {
    if (entriesByKey.size <= MAX_ENTRIES && total <= MAX_CHARACTERS) return;
    entriesByKey.delete(key);
    total -= size;
  }
}
