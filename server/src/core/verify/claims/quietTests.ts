// Tells which of several new tests notice no mistake: a test that notices one must not vouch for the others.

import type { TestCase } from '../parse/testCounts.ts';
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
  const fresh = new Set(names);
  /** True if all of several new tests of the file fail alike: what they share has failed, and none of them noticed it. */
  const isBroken = ({ file, failure }: TestCase, failed: readonly TestCase[]) => {
    const alike = failed.filter((one) => one.file === file && fresh.has(testKey(one)) && one.failure === failure);
    return file !== null && failure !== undefined && alike.length > 1 && alike.length === countIn(fresh, file);
  };
  return {
    get size() {
      return quiet.size;
    },
    see({ value }) {
      const failed = (value?.cases ?? []).filter(({ outcome }) => outcome === 'failed');
      for (const one of failed) if (!isBroken(one, failed)) quiet.delete(testKey(one));
    },
    get sentence() {
      if (quiet.size === 0) return '';
      const named = [...quiet].slice(0, MAX_NAMED).map((name) => `“${name.slice(0, MAX_NAME)}”`);
      const more = quiet.size > MAX_NAMED ? ` and ${quiet.size - MAX_NAMED} more` : '';
      return ` Not seen to notice any mistake: ${named.join(', ')}${more}.`;
    },
  };
}

/** The number of tests in a file. */
function countIn(keys: ReadonlySet<string>, file: string): number {
  return [...keys].filter((key) => key.startsWith(`${file} › `)).length;
}
