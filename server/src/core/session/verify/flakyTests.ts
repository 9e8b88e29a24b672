// Stores the names of this repository's flaky tests, so that no change is judged by them.

import type { Millis } from '../../model.ts';
import type { Ports } from '../../ports.ts';
import type { VerifyContext } from '../../verify/context.ts';

interface FlakyTest {
  readonly key: string;
  readonly seenAt: Millis;
}

interface Stored {
  readonly tests?: readonly FlakyTest[];
}

const DOCUMENT = 'flaky-tests';
/** A test that has been stable for a month is trusted again. */
const REMEMBERED_MS = 30 * 24 * 60 * 60 * 1000;
/** Maximum number of stored tests; the newest are kept. */
const MAX_TESTS = 500;

/** The store of flaky tests for a verification. */
export function flakyTests({ documents, clock }: Pick<Ports, 'documents' | 'clock'>): VerifyContext['flakyTests'] {
  return {
    known: async () => new Set(remembered(await documents.read<Stored>(DOCUMENT)).map(({ key }) => key)),
    async add(keys) {
      if (keys.length === 0) return;
      const fresh = new Set(keys);
      await documents.update<Stored>(DOCUMENT, (stored) => ({
        tests: [
          ...remembered(stored).filter(({ key }) => !fresh.has(key)),
          ...[...fresh].map((key) => ({ key, seenAt: clock.now() })),
        ].slice(-MAX_TESTS),
      }));
    },
  };

  function remembered(stored: Stored | null): readonly FlakyTest[] {
    return (stored?.tests ?? []).filter(({ seenAt }) => clock.now() - seenAt < REMEMBERED_MS);
  }
}
