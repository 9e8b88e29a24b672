// Whether an edit is one of a test, by its path or by what the file holds: `test.js` beside the sources is a test of
// many small packages, and a subcommand of others.

import { runsTests } from './runners.ts';
import { isTestFile } from './tests.ts';

const SCRIPT = /\.[cm]?[jt]sx?$/;
const NAMED = /(^|\/)(?:tests?|specs?)\.[cm]?[jt]sx?$/;
/** Cases of a runner that imports nothing. */
const CASES = /^[ \t]{0,20}(?:describe|suite|context|it|test)(?:\.\w{1,20})?\([ \t]{0,20}['"`]/m;

/**
 * True for tests, benchmarks, their fixtures and helpers, and for scripts that import a test runner. What a file was
 * before counts: no edit makes a test of code.
 */
export function isTestEdit({
  path,
  before,
  after,
}: {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}): boolean {
  if (isTestFile(path)) return true;
  const text = before ?? after ?? '';
  return SCRIPT.test(path) && (runsTests(text) || (NAMED.test(path) && CASES.test(text)));
}
