// Tells which of several new tests notice no mistake: a test that notices one must not vouch for the others.

import { testKey, type TestRun } from '../testing/testRun.ts';

/** Maximum number of quiet tests that a verdict names. */
const MAX_NAMED = 3;
/** Maximum number of characters of a name in a verdict. */
const MAX_NAME = 80;

export interface QuietTests {
  /** Number of tests that have noticed nothing so far. */
  readonly size: number;
  /** Takes a run with a mutant: the tests that fail in it have noticed something. */
  see(run: TestRun): void;
  /** A sentence that names the tests which have noticed nothing; empty if there are none. */
  readonly sentence: string;
}

/** `names`: keys of the new tests, which pass without a mutant. */
export function quietTests(names: readonly string[]): QuietTests {
  const quiet = new Set(names);
  return {
    get size() {
      return quiet.size;
    },
    see({ value }) {
      for (const one of value?.cases ?? []) if (one.outcome === 'failed') quiet.delete(testKey(one));
    },
    get sentence() {
      if (quiet.size === 0) return '';
      const named = [...quiet].slice(0, MAX_NAMED).map((name) => `“${name.slice(0, MAX_NAME)}”`);
      const more = quiet.size > MAX_NAMED ? ` and ${quiet.size - MAX_NAMED} more` : '';
      return ` Not seen to notice any mistake: ${named.join(', ')}${more}.`;
    },
  };
}
