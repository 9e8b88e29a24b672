// Decides by the path and the content of a file whether an edit changes a test. The path alone is not enough: `test.js`
// beside the sources is a test in many small packages, but a subcommand in others.

import { SCRIPT_PATTERN } from './scriptFiles.ts';
import { importsTestRunner } from './runnerImports.ts';
import { isTestFile } from './tests.ts';

/** Matches scripts whose complete name is `test` or `spec`, in the singular or plural. */
const NAMED_PATTERN = /(^|\/)(?:tests?|specs?)\.[cm]?[jt]sx?$/;
/** Matches a test case of a runner whose functions are global. */
const CASE_PATTERN = /^[ \t]{0,20}(?:describe|suite|context|it|test)(?:\.\w{1,20})?\([ \t]{0,20}['"`]/m;

/**
 * True for tests, benchmarks, their fixtures and helpers, for scripts that import a test runner, and for scripts called
 * `test` or `spec` that contain test cases. The text before the edit is decisive, so that an edit cannot turn code into
 * a test.
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
  return (
    SCRIPT_PATTERN.test(path) && (importsTestRunner(text) || (NAMED_PATTERN.test(path) && CASE_PATTERN.test(text)))
  );
}
