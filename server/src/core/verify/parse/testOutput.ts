// Parses the tests that ran from the output of a test command, which may run several runners in sequence.

import { removeEscapeSequences } from './plainText.ts';
import { sumCounts, type TestCounts, type TestParser } from './testCounts.ts';
import { parseAva } from './tests/ava.ts';
import { parseBun } from './tests/bun.ts';
import { parseCargo } from './tests/cargo.ts';
import { parseGo } from './tests/go.ts';
import { parseJest } from './tests/jest.ts';
import { parseMocha } from './tests/mocha.ts';
import { parseNodeSpec } from './tests/nodeSpec.ts';
import { parsePytest } from './tests/pytest.ts';
import { parseTap } from './tests/tap.ts';
import { parseTapSpec } from './tests/tapSpec.ts';
import { parseUnittest } from './tests/unittest.ts';
import { parseUvu } from './tests/uvu.ts';
import { parseVitest } from './tests/vitest.ts';

const TEST_PARSERS: readonly TestParser[] = [
  parseNodeSpec,
  parseTap,
  parseTapSpec,
  parseVitest,
  parseJest,
  parseMocha,
  parseAva,
  parseBun,
  parsePytest,
  parseUnittest,
  parseCargo,
  parseGo,
  parseUvu,
];

/** The sums of all recognised runners; null if none is recognised. */
export function parseTestOutput(output: string): TestCounts | null {
  const text = removePrefixes(removeEscapeSequences(output));
  const allCounts = TEST_PARSERS.flatMap((parse) => parse(text) ?? []);
  return allCounts.length === 0 ? null : sumCounts(allCounts);
}

/**
 * Returns the text without the package that pnpm and turbo print before each line: `packages/a test: …`, `@own/a:test:
 * …`.
 */
function removePrefixes(text: string): string {
  return text.replace(/^(?!test )\S+ test[\w:-]*:(?: |$)|^@?[\w./-]+:test[\w:-]*:(?: |$)/gm, '');
}
