// A bug pattern that the linter of the repository reports as well is listed once.

import { expect, test } from 'vitest';
import type { Opportunity } from '../../../server/src/core/model.ts';
import { removeLintedPatterns } from '../../../server/src/core/session/analyse/lintOpportunities.ts';

const found = (rule: string, line: number, evidence: Opportunity['evidence'], path = 'src/a.ts'): Opportunity => {
  const range = { startLine: line, startColumn: 1, endLine: line, endColumn: 9 };
  return {
    id: `${rule} ${path} ${line}`,
    rule,
    path,
    range,
    nameRange: range,
    symbol: null,
    severity: 'hint',
    impact: 10,
    confidence: 0.8,
    message: '',
    evidence,
    recipe: null,
  };
};
const pattern = (name: string, line: number, path?: string) => found('bug-pattern', line, { pattern: name }, path);
const linted = (linterRule: string, line: number, findings: number) =>
  found(`lint/eslint/${linterRule}`, line, { linterRule, findings });

test.each(['no-self-compare', 'eslint(no-self-compare)', 'suspicious/noSelfCompare'])('%s', (linterRule) => {
  const opportunities = [
    pattern('compared with itself', 3),
    pattern('compared with itself', 5),
    pattern('compared with itself', 3, 'src/b.ts'),
    pattern('same key twice', 3),
    found('long-function', 3, {}),
  ];
  expect(removeLintedPatterns(opportunities, [linted(linterRule, 3, 1)])).toEqual(opportunities.slice(1));
});

test('a finding of a linter that stands for several', () => {
  const opportunities = [pattern('same key twice', 3), pattern('same key twice', 5), pattern('assigned to itself', 5)];
  expect(removeLintedPatterns(opportunities, [linted('no-dupe-keys', 3, 2)])).toEqual(opportunities.slice(2));
});

test('the rule of typescript-eslint finds what is awaited twice', () => {
  expect(
    removeLintedPatterns([pattern('awaited twice', 3)], [linted('@typescript-eslint/await-thenable', 3, 1)]),
  ).toEqual([]);
});
