// Stores the names of this repository's flaky tests, so that no change is judged by them.

import type { Millis } from '../../model.ts';
import type { Ports } from '../../ports.ts';
import type { VerifyContext } from '../../verify/context.ts';

interface FlakyTest {
  readonly key: string;
  readonly seenAt: Millis;
}

const DOCUMENT = 'flaky-tests';
/** A test that has been stable for a month is trusted again. */
const REMEMBERED_MS = 30 * 24 * 60 * 60 * 1000;
/** Maximum number of stored tests; the newest are kept. */
const MAX_TESTS = 500;
/** The last addition of each store: several verifications of one process may add tests at the same time. */
const additions = new WeakMap<Ports['documents'], Promise<void>>();

/** The store of flaky tests for a verification. */
export function flakyTests({ documents, clock }: Pick<Ports, 'documents' | 'clock'>): VerifyContext['flakyTests'] {
  return {
    known: async () => new Set((await read()).map(({ key }) => key)),
    async add(keys) {
      if (keys.length === 0) return;
      const fresh = new Set(keys);
      const done = (additions.get(documents) ?? Promise.resolve()).then(async () => {
        const others = (await read()).filter(({ key }) => !fresh.has(key));
        await documents.write(DOCUMENT, {
          tests: [...others, ...[...fresh].map((key) => ({ key, seenAt: clock.now() }))].slice(-MAX_TESTS),
        });
      });
      additions.set(
        documents,
        done.catch(() => undefined),
      );
      await done;
    },
  };

  async function read(): Promise<readonly FlakyTest[]> {
    const { tests = [] } = (await documents.read<{ tests?: readonly FlakyTest[] }>(DOCUMENT)) ?? {};
    return tests.filter(({ seenAt }) => clock.now() - seenAt < REMEMBERED_MS);
  }
}
