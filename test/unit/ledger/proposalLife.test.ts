// Illegal steps do not compile where the status is known, and throw where it is not.

import { expect, test } from 'vitest';
import { isSettled, mayFollow, step } from '../../../server/src/core/ledger/proposalLife.ts';
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
  expect(step('proposed', 'verifying')).toBe('verifying');
  // @ts-expect-error: a proposal that was not verified is never approved
  expect(() => step('proposed', 'approved')).toThrow('cannot become approved');
  // @ts-expect-error: nor applied without approval
  expect(() => step('verified', 'applied')).toThrow(expect.objectContaining({ reason: 'illegalStep' }));
});

test('only a refused, rejected or rolled back proposal has come to its end', () => {
  expect(ALL.filter((from) => ALL.every((to) => !mayFollow(from, to)))).toEqual(['refused', 'rejected', 'rolledBack']);
  expect(ALL.filter(isSettled)).toEqual(['refused', 'rejected', 'applied', 'kept', 'conflicted', 'rolledBack']);
});

test('nothing becomes proposed again, and applied comes from approval alone or from its recovery', () => {
  expect(ALL.filter((from) => mayFollow(from, 'proposed'))).toEqual([]);
  expect(ALL.filter((from) => mayFollow(from, 'applied'))).toEqual(['approved', 'deferred']);
  expect(ALL.filter((from) => mayFollow(from, 'approved'))).toEqual(['verified', 'deferred']);
});
