// Findings of a linter as evidence: written by the gate, read for lessons.

import { expect, test } from 'vitest';
import { collectLessons, type Evidence } from '../../../server/src/core/learn/lessons.ts';
import { formatLintEvidence, readLintEvidence } from '../../../server/src/core/verify/parse/lintEvidence.ts';

const problem = (code: string, message: string, path = 'test/a.ts') => ({ code, message, path });

test('the first finding of each rule comes back, on one line and not too long', () => {
  const findings = formatLintEvidence([
    problem('no-null', 'Use `undefined`\n\tinstead.'),
    problem('no-null', 'Another one.', 'test/b.ts'),
    problem('', 'The configuration is broken.'),
    problem('max-len', 'x'.repeat(500)),
  ]);
  expect(readLintEvidence({ findings })).toEqual([
    problem('no-null', 'Use `undefined` instead.'),
    problem('max-len', 'x'.repeat(200)),
  ]);
  const many = Array.from({ length: 30 }, (_, at) => problem(`rule-${at}`, 'No.'));
  expect(readLintEvidence({ findings: formatLintEvidence(many) })).toHaveLength(8);
});

test('verdicts without findings, or with damaged ones, have none', () => {
  const damaged: readonly Readonly<Record<string, string | number>>[] = [
    {},
    { findings: 3 },
    { findings: '' },
    { findings: 'no-null' },
  ];
  for (const evidence of damaged) expect(readLintEvidence(evidence)).toEqual([]);
});

test('one rule of the linter is one lesson, whatever the changes were for; another gate needs two refusals', () => {
  const refused = (parts: Partial<Evidence>): Evidence => ({
    ...{ kind: 'refused', sequence: 1, at: 1, rule: 'tests', by: 'a', path: 'test/a.ts', gate: 'lint', finding: null },
    ...{ words: 'No.', proposal: 'p', opportunity: null, replacedBy: null, diff: null },
    ...parts,
  });
  const found = collectLessons([
    refused({ finding: 'no-null' }),
    refused({ finding: 'no-null', rule: 'request', by: 'b', at: 2, words: 'Use `undefined` instead.' }),
    refused({ finding: 'no-var', at: 3 }),
    refused({ gate: 'tests' }),
  ]);
  expect(found.map(({ finding, count, words }) => [finding, count, words])).toEqual([
    ['no-var', 1, 'No.'],
    ['no-null', 2, 'Use `undefined` instead.'],
  ]);
});
