// Documents of a judgement: its own, and what the state folder of the repository holds of its set-up.

import type { Documents } from '../../core/ports/stores.ts';

/** Read from the repository's state, never written there. */
const READ: ReadonlySet<string> = new Set(['setup', 'flaky-tests', 'last-runs-1']);
/** Results of base trees. Judgements remember theirs under a name of their own, so that no session's are lost. */
const BASELINES = 'baselines-1';
const JUDGED = 'judged-baselines-1';

/** `own` ends with the judgement. Nothing of `theirs` changes but the results that judgements remember. */
export function lentDocuments(own: Documents, theirs: Documents): Documents {
  return {
    async read<T>(name: string) {
      if (name === BASELINES) return theirs.read<T>(JUDGED);
      return (await own.read<T>(name)) ?? (READ.has(name) ? theirs.read<T>(name) : null);
    },
    write: (name, value) => (name === BASELINES ? theirs.write(JUDGED, value) : own.write(name, value)),
    async remove(name) {
      await own.remove?.(name);
    },
  };
}
