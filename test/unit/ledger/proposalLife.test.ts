// Illegal steps do not compile where the status is known, and throw where it is not.

import { expect, test } from 'vitest';
import { awaitsPerson, isSettled, isLegalStep, requireStep } from '../../../server/src/core/ledger/proposalLife.ts';
import { foldSums } from '../../../server/src/core/score/score.ts';
import type { ProposalStatus } from '../../../server/src/core/model.ts';

const ALL: readonly ProposalStatus[] = [
  'proposed',
  'verifying',
  'verified',
  'refused',
  'approved',
  'rejected',
  'deferred',
  'applied',
  'kept',
  'conflicted',
  'rolledBack',
];

test('a wrong step is a compile error, and throws', () => {
  expect(requireStep('proposed', 'verifying')).toBe('verifying');
  // @ts-expect-error: a proposal that was not verified is never approved
  expect(() => requireStep('proposed', 'approved')).toThrow('cannot become approved');
  // @ts-expect-error: nor applied without approval
  expect(() => requireStep('verified', 'applied')).toThrow(expect.objectContaining({ reason: 'illegalStep' }));
});

test('only a refused, rejected or rolled back proposal has come to its end', () => {
  expect(ALL.filter((from) => ALL.every((to) => !isLegalStep(from, to)))).toEqual([
    'refused',
    'rejected',
    'rolledBack',
  ]);
  expect(ALL.filter(isSettled)).toEqual(['refused', 'rejected', 'applied', 'kept', 'conflicted', 'rolledBack']);
});

test.each<[ProposalStatus, readonly ProposalStatus[]]>([
  ['proposed', []],
  ['verifying', ['proposed', 'verifying', 'verified', 'approved', 'deferred']],
  ['verified', ['verifying']],
  ['refused', ['proposed', 'verifying', 'verified', 'approved', 'deferred']],
  ['approved', ['verified', 'deferred']],
  ['rejected', ['proposed', 'verifying', 'verified', 'approved', 'deferred']],
  ['deferred', ['proposed', 'verifying', 'verified', 'approved', 'deferred']],
  ['applied', ['approved', 'deferred']],
  ['kept', ['applied', 'conflicted']],
  ['conflicted', ['applied']],
  ['rolledBack', ['applied', 'kept', 'conflicted']],
])('a proposal becomes %s from these states alone: %j', (to, sources) => {
  expect(ALL.filter((from) => isLegalStep(from, to))).toEqual(sources);
});

test.each<[ProposalStatus, Partial<Parameters<typeof awaitsPerson>[0]>, boolean]>([
  ...ALL.map((status): [ProposalStatus, object, boolean] => [
    status,
    {},
    status === 'verified' || status === 'approved',
  ]),
  ['deferred', { verdicts: [{ gate: 'applies', outcome: 'passed', reason: '', evidence: {}, millis: 0 }] }, true],
  ['deferred', { pointsAfter: foldSums(new Map()) }, true],
  ['deferred', { restOf: 'p-1' }, true],
])('a %s proposal with %j waits for a person: %s', (status, rest, waits) => {
  expect(awaitsPerson({ status, verdicts: [], pointsAfter: null, ...rest })).toBe(waits);
});

test('a refused step names both states in words', () => {
  expect(() => requireStep<ProposalStatus>('rolledBack', 'kept')).toThrow(
    'A proposal that is rolled back cannot become kept.',
  );
});
