// Recognises files that only the type checker reads: tests of types.

import { isTypeTest } from '../../paths/tests.ts';

/**
 * Matches a comment in which a test of types says what the checker should answer: `// THROWS …` (check-dts),
 * `// $ExpectType …` and `// $ExpectError` (dtslint).
 */
const EXPECTATION_PATTERN = /^[^\S\n]*\/\/\s*(?:THROWS\s|\$Expect(?:Type|Error)\b)/m;

/** True for a test of types. Its code never runs, and declares names only to see what the checker says of them. */
export function isTypeTestSource({ path, text }: { readonly path: string; readonly text: string }): boolean {
  return isTypeTest(path) || EXPECTATION_PATTERN.test(text);
}
