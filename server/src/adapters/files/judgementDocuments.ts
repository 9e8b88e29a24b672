// Combines the documents of a judgement from up to three places: its own documents; documents about the set-up, which
// are read from the state folder of the repository; and results on base trees, which are stored there.

import {
  BASELINES_DOCUMENT,
  FLAKY_TESTS_DOCUMENT,
  LAST_RUNS_DOCUMENT,
  SETUP_DOCUMENT,
} from '../../core/ports/documentNames.ts';
import type { Documents } from '../../core/ports/stores.ts';

/**
 * Names of documents that are read from the state folder of the repository if the judgement does not have them. They
 * are never written there.
 */
const READ_FROM_REPOSITORY: ReadonlySet<string> = new Set([SETUP_DOCUMENT, FLAKY_TESTS_DOCUMENT, LAST_RUNS_DOCUMENT]);
/**
 * The name of the document in which judgements store results on base trees. It differs from that of sessions, so that
 * judgements replace none of their results.
 */
const JUDGED_BASELINES = 'judged-baselines-1';

/**
 * Documents from up to three places. `judgementDocuments`: the documents of the judged copy, which are deleted after
 * the judgement. `setUpDocuments`: the documents of the repository, which are only read. `resultDocuments`: documents for results on
 * base trees; null if these are not kept.
 */
export function createJudgementDocuments(
  judgementDocuments: Documents,
  {
    setUp: setUpDocuments,
    results: resultDocuments,
  }: { readonly setUp: Documents | null; readonly results: Documents | null },
): Documents {
  const readFromRepository = async <T>(name: string): Promise<T | null> =>
    READ_FROM_REPOSITORY.has(name) && setUpDocuments ? setUpDocuments.read<T>(name) : null;
  return {
    async read<T>(name: string) {
      if (name === BASELINES_DOCUMENT && resultDocuments) return resultDocuments.read<T>(JUDGED_BASELINES);
      return (await judgementDocuments.read<T>(name)) ?? readFromRepository<T>(name);
    },
    write: (name, value) =>
      name === BASELINES_DOCUMENT && resultDocuments
        ? resultDocuments.write(JUDGED_BASELINES, value)
        : judgementDocuments.write(name, value),
    update: <T>(name: string, change: (before: T | null) => unknown) =>
      name === BASELINES_DOCUMENT && resultDocuments
        ? resultDocuments.update(JUDGED_BASELINES, change)
        : judgementDocuments.update<T>(name, async (before) => change(before ?? (await readFromRepository<T>(name)))),
    async remove(name) {
      await judgementDocuments.remove?.(name);
    },
  };
}
