// Stores this repository's flaky tests, so that they do not decide about changes, and people see them.

import type { Millis } from '../../model.ts';
import type { Ports } from '../../ports.ts';
import type { VerifyContext } from '../../verify/context.ts';
import { createTestKey } from '../../verify/testing/testRun.ts';
import { FLAKY_TESTS_DOCUMENT } from '../../ports/documentNames.ts';

/** A test that has passed and failed on the same code. */
export interface FlakyTest {
  readonly key: string;
  /** Absent if the runner did not name its file. */
  readonly file?: string;
  /** The name with the enclosing titles, joined by ` › `. */
  readonly name?: string;
  /** Hash of the test's file when it was last seen; absent if that is unknown. */
  readonly hash?: string;
  readonly seenAt: Millis;
}

/** The stored form. */
interface StoredFlakyTests {
  readonly tests?: readonly FlakyTest[];
}

/** Milliseconds after which a flaky test is trusted again, if it gave no other flaky result: 30 days. */
const REMEMBERED_MS = 30 * 24 * 60 * 60 * 1000;
/** Maximum number of stored tests; the oldest are removed. */
const MAX_TESTS = 500;

type FlakyTestPorts = Pick<Ports, 'documents' | 'clock'>;

/** The flaky tests that were observed within the last 30 days, oldest first. */
export async function readFlakyTests({ documents, clock }: FlakyTestPorts): Promise<readonly FlakyTest[]> {
  return selectRememberedTests(await documents.read<StoredFlakyTests>(FLAKY_TESTS_DOCUMENT), clock.now());
}

/**
 * The store of flaky tests for a verification. `hashOf`: the current hash of a file; null if it is unknown. If the
 * tests cannot be stored, this is only logged with `warn`, because they are merely unknown next time.
 */
export function createFlakyTestStore(
  ports: FlakyTestPorts,
  hashOf: (path: string) => string | null,
  warn: (message: string, cause: unknown) => void = () => {},
): VerifyContext['flakyTests'] {
  const { documents, clock } = ports;
  return {
    known: async () => new Set((await readFlakyTests(ports)).map(({ key }) => key)),
    async add(tests) {
      if (tests.length === 0) return;
      const newTests = new Map(tests.map((test) => [createTestKey(test), test]));
      try {
        await documents.update<StoredFlakyTests>(FLAKY_TESTS_DOCUMENT, (storedTests) => {
          const now = clock.now();
          const rememberedTests = selectRememberedTests(storedTests, now);
          const newFlakyTests = [...newTests].map(([key, { file, name }]): FlakyTest => {
            const hash = file === null ? null : hashOf(file);
            return {
              key,
              ...(file === null ? {} : { file }),
              name,
              ...(hash === null ? {} : { hash }),
              seenAt: now,
            };
          });
          return {
            tests: [...rememberedTests.filter(({ key }) => !newTests.has(key)), ...newFlakyTests].slice(-MAX_TESTS),
          };
        });
      } catch (error) {
        warn('Which tests are flaky could not be kept.', error);
      }
    },
  };
}

/** The stored tests that are not trusted again yet. */
function selectRememberedTests(storedTests: StoredFlakyTests | null, now: Millis): readonly FlakyTest[] {
  return (storedTests?.tests ?? []).filter(({ seenAt }) => now - seenAt < REMEMBERED_MS);
}
