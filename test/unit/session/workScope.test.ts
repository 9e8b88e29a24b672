// Which findings and proposals belong to the scope of a run.

import { expect, test } from 'vitest';
import { WORK_KINDS } from '../../../server/src/core/model/workScope.ts';
import { workKindOf } from '../../../server/src/core/prioritise/worth.ts';
import { isProposalInScope, createRequestFilter } from '../../../server/src/core/session/propose/requestScope.ts';

const edit = (path: string) => ({ path, before: 'a', after: 'b' });
const found = (path: string, rule = 'else-after-return') => ({ path, rule });

test.each([
  ['floating-promise', 'fixes'],
  ['unguarded-code', 'tests'],
  ['type-hole', 'types'],
  ['unused-export', 'dead-code'],
  ['learned/x', 'refactoring'],
  ['eslint/no-var', 'style'],
])('a change for %s is work of the kind %s', (rule, kind) => {
  expect(workKindOf(rule)).toBe(kind);
  const others = WORK_KINDS.filter((other) => other !== kind);
  expect(createRequestFilter({ kinds: [kind as never] })(found('a.ts', rule))).toBe(true);
  expect(createRequestFilter({ kinds: others })(found('a.ts', rule))).toBe(false);
});

test('a finding in an excluded place is not requested, also inside of a named one', () => {
  const isRequested = createRequestFilter({ places: ['src'], excluded: ['src/old'] });
  expect(['src/a.ts', 'src/old/a.ts', 'src/older.ts', 'lib/a.ts'].map((path) => isRequested(found(path)))).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect(createRequestFilter({})(found('src/old/a.ts'))).toBe(true);
});

test('the kind of what a person or a model brings follows from its claim; a wish names its own places', () => {
  const brought = (kind: 'request' | 'fix' | 'points') => ({
    opportunity: { id: 'o', symbol: null, path: 'lib/a.ts', rule: 'brought' },
    edits: [edit('lib/a.ts')],
    claim: { kind, holds: true, evidence: '', price: null },
  });
  expect(isProposalInScope(brought('request'), { places: ['src'] })).toBe(true);
  expect(isProposalInScope(brought('request'), { excluded: ['lib'] })).toBe(false);
  expect(isProposalInScope(brought('request'), { kinds: ['fixes'] })).toBe(false);
  expect(isProposalInScope(brought('fix'), { kinds: ['fixes'] })).toBe(true);
  expect(isProposalInScope(brought('fix'), { places: ['src'] })).toBe(false);
  expect(isProposalInScope(brought('points'), { kinds: ['refactoring'] })).toBe(true);
});

test('tests for a place may lie elsewhere, alone or before the code, but not in an excluded place', () => {
  const ofModel = (claimed: 'tests' | 'fix' | 'points', ...paths: readonly [string, ...string[]]) => ({
    opportunity: { id: 'o', symbol: null, path: paths[0], rule: 'brought' },
    claim: null,
    claimed,
    edits: paths.map(edit),
  });
  const scope = { places: ['src'], excluded: ['test/old'] };
  expect(isProposalInScope(ofModel('tests', 'test/a.test.ts'), scope)).toBe(true);
  expect(isProposalInScope(ofModel('fix', 'test/a.test.ts'), scope)).toBe(true);
  expect(isProposalInScope(ofModel('fix', 'test/a.test.ts', 'src/a.ts'), scope)).toBe(true);
  expect(isProposalInScope(ofModel('fix', 'test/a.test.ts', 'lib/a.ts'), scope)).toBe(false);
  expect(isProposalInScope(ofModel('tests', 'test/old/a.test.ts'), scope)).toBe(false);
  expect(isProposalInScope(ofModel('points', 'test/a.test.ts'), scope)).toBe(false);
});
