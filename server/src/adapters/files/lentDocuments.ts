// Combines the documents of a judgement: its own, and those about the set-up from the state folder of the repository.

import type { Documents } from '../../core/ports/stores.ts';

/**
 * Names of documents that are read from the repository's state if the judgement has none of its own. They are not
 * written there.
 */
const READ_FROM_REPOSITORY: ReadonlySet<string> = new Set(['setup', 'flaky-tests', 'last-runs-1']);
/**
 * Name of the results on base trees. Judgements store theirs under another name, so that none of a session's results is
 * lost.
 */
const BASELINES = 'baselines-1';
const JUDGED_BASELINES = 'judged-baselines-1';

/**
 * Documents from two places. `own` is deleted after the judgement. Of `theirs`, only the results that judgements store
 * are changed.
 */
export function lentDocuments(own: Documents, theirs: Documents): Documents {
  return {
    async read<T>(name: string) {
      if (name === BASELINES) return theirs.read<T>(JUDGED_BASELINES);
      return (await own.read<T>(name)) ?? (READ_FROM_REPOSITORY.has(name) ? theirs.read<T>(name) : null);
    },
    write: (name, value) => (name === BASELINES ? theirs.write(JUDGED_BASELINES, value) : own.write(name, value)),
    async remove(name) {
      await own.remove?.(name);
    },
  };
}
