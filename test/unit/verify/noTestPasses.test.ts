// The reason that no test passes, as a sentence, and the advice that fits the language.

import { expect, test } from 'vitest';
import { formatNoTestPassesAdvice, explainNoTestPasses } from '../../../server/src/core/verify/testing/noTestPasses.ts';
import type { TestRun } from '../../../server/src/core/verify/testing/testRun.ts';
import { createPart } from '../../helpers/createPart.ts';

const PRINTED = `\u001b[31mImportError while importing test module 'tests/test_a.py'.\u001b[0m
\u001b[1m\u001b[31mE   ModuleNotFoundError: No module named 'a._version'\u001b[0m
1 error in 0.10s
`;

function runOf(
  counts: { readonly passed: number; readonly failed: number } | null,
  more: Partial<TestRun['answer']> = {},
): TestRun {
  const answer = {
    outcome: 'exited',
    exitCode: 2,
    exceeded: null,
    output: PRINTED,
    millis: 3000,
    line: 'pytest',
    ...more,
  };
  return createPart<TestRun>({ answer, value: counts && { ...counts, skipped: 0, names: [] } });
}

const ESM = runOf(null, {
  line: 'npm run test',
  packageManager: '> a@1.0.0 test\n> uvu -r esm test\n',
  output: `import { test } from 'uvu';\nSyntaxError: Cannot use import statement outside a module\n`,
});

test.each<[string, TestRun, string | null]>([
  [
    'tests fail',
    runOf({ passed: 0, failed: 1 }),
    "No test passes, and 1 fail. It says: ModuleNotFoundError: No module named 'a._version'.",
  ],
  [
    'nothing is counted',
    runOf(null),
    "`pytest` ends with 2, and no count can be read from it. It says: ModuleNotFoundError: No module named 'a._version'.",
  ],
  ['nothing is printed', runOf(null, { output: '' }), '`pytest` ends with 2, and no count can be read from it.'],
  [
    'the program is missing',
    runOf(null, { outcome: 'notFound' }),
    '`pytest` could not be started: it is not installed.',
  ],
  ['`esm` is too old for Node', ESM, 'The loader `esm`, which the tests use, does not work on this version of Node.'],
  ['it took too long', runOf(null, { outcome: 'timedOut' }), '`pytest` was ended after 3 s.'],
  ['one passes', runOf({ passed: 1, failed: 3 }), null],
])('%s', (_, run, expected) => {
  expect(explainNoTestPasses(run)).toBe(expected);
});

test('what a set-up does not install is named by its language', () => {
  expect(formatNoTestPassesAdvice('pytest', runOf(null))).toContain('pip install -e .');
  expect(formatNoTestPassesAdvice('go', runOf(null))).toContain('`go test`');
  expect(formatNoTestPassesAdvice('vitest', runOf(null))).toContain('`selfware setup`');
  expect(formatNoTestPassesAdvice('uvu', ESM)).toContain('Replace `esm`');
});
