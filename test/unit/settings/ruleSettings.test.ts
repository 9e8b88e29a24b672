// Settings of rules: what is accepted, what a typing mistake costs, and that limits are those of the rules themselves.

import { describe, expect, test } from 'vitest';
import { COGNITIVE_LIMIT } from '../../../server/src/core/analysis/functionUnit.ts';
import { findRule, rules } from '../../../server/src/core/analysis/rules.ts';
import { readSettings, settingsSchema } from '../../../server/src/settings/schema.ts';

const read = (value: unknown) => {
  const { settings, problems } = readSettings({ 'analysis.rules': value });
  return { rules: settings['analysis.rules'], problems };
};

test('every rule can be set, and only rules', () => {
  const all = Object.fromEntries(rules.map(({ id }) => [id, 'warning']));
  expect(read(all)).toEqual({ rules: all, problems: [] });
  expect(read({})).toEqual({ rules: {}, problems: [] });
  expect(readSettings({}).settings['analysis.rules']).toEqual({});
});

test('one mistake leaves the rest in force', () => {
  expect(
    read({
      'long-function': 'off',
      'long-functions': 'off',
      'nested-if': 'error',
      'needless-copy': { limit: 3 },
      'many-parameters': { limit: 2 },
      'deep-nesting': { severity: 'warning', limit: 6 },
    }),
  ).toEqual({
    rules: { 'long-function': 'off', 'deep-nesting': { severity: 'warning', limit: 6 } },
    problems: [
      'selfware.analysis.rules: there is no rule long-functions.',
      'selfware.analysis.rules: nested-if takes "off", "hint", "information", "warning". It is left as it is.',
      'selfware.analysis.rules: needless-copy takes "off", "hint", "information", "warning". It is left as it is.',
      'selfware.analysis.rules: many-parameters takes "off", "hint", "information", "warning", or {"severity": …, "limit": a whole number from 6}. It is left as it is.',
    ],
  });
  expect(read(['off']).problems).toHaveLength(1);
  expect(read({ __proto__: null, constructor: 'off' }).problems).toEqual([
    'selfware.analysis.rules: there is no rule constructor.',
  ]);
});

describe('limits', () => {
  test.each([
    ['cognitive-complexity', COGNITIVE_LIMIT],
    ['deep-nesting', 4],
    ['long-function', 80],
    ['many-parameters', 6],
    ['large-file', 1000],
    ['complex-condition', 5],
  ])('%s starts where the rule does', (id, threshold) => {
    expect(findRule(id)?.limit?.least).toBe(threshold);
    expect(read({ [id]: { limit: threshold } }).problems).toEqual([]);
    expect(read({ [id]: { limit: threshold - 1 } }).problems).toHaveLength(1);
  });
});

test('the schema for editors is exact', () => {
  expect(settingsSchema.safeParse({ 'analysis.rules': { 'long-functions': 'off' } }).success).toBe(false);
  expect(settingsSchema.safeParse({ 'analysis.rules': { 'long-function': { limit: 90 } } }).success).toBe(true);
});
