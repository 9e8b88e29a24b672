// Parses the JSON of Jest (`--json`), which Vitest also writes (`--reporter=json`).

import { countTestCases, condenseTestFailure, type TestCase, type TestCounts } from '../testCounts.ts';

interface Suite {
  readonly name?: string;
  readonly status?: string;
  readonly message?: string;
  readonly assertionResults?: readonly {
    readonly ancestorTitles?: readonly string[];
    readonly title?: string;
    readonly status?: string;
    readonly duration?: number | null;
    readonly failureMessages?: readonly string[];
  }[];
}

/**
 * Returns the counts; null if the document has another form. A suite that did not load counts as one failed test
 * without its own name.
 */
export function readJestJson(document: unknown): TestCounts | null {
  const suites = (document as { testResults?: readonly Suite[] } | null)?.testResults;
  if (!Array.isArray(suites)) return null;
  return countTestCases(
    (suites as readonly Suite[]).flatMap(({ name = '', status, message = '', assertionResults = [] }): TestCase[] => {
      const cases = assertionResults.map(
        (result): TestCase => ({
          file: name,
          // Vitest 1 has an empty title for the file.
          name: [...(result.ancestorTitles ?? []).filter((title) => title !== ''), result.title ?? ''].join(' › '),
          outcome: result.status === 'passed' || result.status === 'failed' ? result.status : 'skipped',
          millis: result.duration ?? null,
          ...(result.failureMessages?.[0] ? { failure: condenseTestFailure(result.failureMessages[0]) } : {}),
        }),
      );
      const isBroken = status === 'failed' && !cases.some(({ outcome }) => outcome === 'failed');
      const failure = message === '' ? {} : { failure: condenseTestFailure(message) };
      return isBroken
        ? [...cases, { file: name, name: '(the file itself)', outcome: 'failed', millis: null, ...failure }]
        : cases;
    }),
  );
}
