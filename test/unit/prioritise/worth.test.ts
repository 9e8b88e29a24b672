// The order of kinds of changes by their value.

import { expect, test } from 'vitest';
import { groupRulesByWorth, worthOf } from '../../../server/src/core/prioritise/worth.ts';

test('the rules of what was found, the most valuable kinds first', () => {
  const found = ['needless-copy', 'nested-if', 'unused-export', 'needless-copy', 'counterexample', 'unguarded-code'];
  expect(groupRulesByWorth(found.map((rule) => ({ rule })))).toEqual([
    { worth: 'fault', rules: ['counterexample'] },
    { worth: 'test', rules: ['unguarded-code'] },
    { worth: 'removal', rules: ['unused-export'] },
    { worth: 'simplification', rules: ['nested-if'] },
    { worth: 'style', rules: ['needless-copy'] },
  ]);
  expect(groupRulesByWorth([])).toEqual([]);
});

test('rules of linters are style, and those of learned recipes more', () => {
  expect(worthOf('eslint/semi')).toBe('style');
  expect(worthOf('learned/r-1')).toBe('simplification');
});
