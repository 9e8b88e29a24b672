// The order of opportunities, and which of them become proposals.

import { expect, test } from 'vitest';
import type { Opportunity } from '../../../server/src/core/model.ts';
import { selectCandidates, prioritise } from '../../../server/src/core/prioritise/prioritise.ts';

const range = (startLine: number) => ({ startLine, startColumn: 1, endLine: startLine, endColumn: 9 });
const opportunity = (id: string, rest: Partial<Opportunity> = {}, line = 1): Opportunity => ({
  id,
  rule: 'rule',
  path: 'src/a.ts',
  range: range(line),
  nameRange: range(line),
  symbol: null,
  severity: 'hint',
  impact: 20,
  confidence: 0.8,
  message: '',
  evidence: {},
  recipe: 'remove-unused',
  ...rest,
});
const nobody = { inDegree: new Map<string, number>(), refused: new Set<string>() };
const order = (all: readonly Opportunity[], context = nobody): string =>
  prioritise(all, context)
    .map(({ id }) => id)
    .join(' ');

/** What is compared, the opportunities, their order. */
const cases: readonly (readonly [string, readonly Opportunity[], string])[] = [
  ['impact', [opportunity('low', { impact: 10 }), opportunity('high', { impact: 30 })], 'high low'],
  ['confidence', [opportunity('unsure', { confidence: 0.3 }), opportunity('sure', { confidence: 0.9 })], 'sure unsure'],
  ['cost', [opportunity('dear', { recipe: 'extract-function' }), opportunity('cheap')], 'cheap dear'],
  [
    'by hand last',
    [opportunity('hand', { recipe: null }), opportunity('dear', { recipe: 'extract-function' })],
    'dear hand',
  ],
  ['equal: path', [opportunity('b', { path: 'src/b.ts' }), opportunity('a')], 'a b'],
  ['equal: line', [opportunity('ten', {}, 10), opportunity('nine', {}, 9)], 'nine ten'],
  ['equal: rule', [opportunity('y', { rule: 'y' }), opportunity('x', { rule: 'x' })], 'x y'],
];
test.each(cases)('%s', (_, all, expected) => {
  expect(order(all)).toBe(expected);
  expect(order([...all].reverse())).toBe(expected);
});

test('files that much depends on come first', () => {
  const all = [opportunity('leaf'), opportunity('hub', { path: 'src/hub.ts' })];
  expect(order(all)).toBe('leaf hub');
  expect(order(all, { ...nobody, inDegree: new Map([['src/hub.ts', 40]]) })).toBe('hub leaf');
});

test('refused ones are still shown, last, and are no candidates', () => {
  const all = [opportunity('no', { impact: 90 }), opportunity('yes')];
  const context = { ...nobody, refused: new Set(['no']) };
  expect(order(all, context)).toBe('yes no');
  expect(selectCandidates(all, context).map(({ id }) => id)).toEqual(['yes']);
});

test('candidates have a recipe and more than even confidence', () => {
  const all = [
    opportunity('sure', { confidence: 0.51 }),
    opportunity('even', { confidence: 0.5 }),
    opportunity('hand', { recipe: null }),
    opportunity('best', { impact: 50 }),
  ];
  expect(selectCandidates(all, nobody).map(({ id }) => id)).toEqual(['best', 'sure']);
  expect(prioritise(all, nobody)).toHaveLength(4);
});

test('the input is left as it was', () => {
  const all = Object.freeze([opportunity('b', { impact: 1 }), opportunity('a')]);
  prioritise(all, nobody);
  expect(all.map(({ id }) => id)).toEqual(['b', 'a']);
});

test('what a maintainer wants comes first, whatever its priority; among equals the priority decides', () => {
  const all = [
    opportunity('style', { rule: 'string-concat', impact: 100 }),
    opportunity('simpler', { rule: 'duplicate-code', impact: 90 }),
    opportunity('unused', { rule: 'unused-export', impact: 10 }),
    opportunity('type', { rule: 'type-hole', impact: 20 }),
    opportunity('test', { rule: 'unguarded-code', impact: 5 }),
    opportunity('fix', { rule: 'unawaited-rejects', impact: 1 }),
  ];
  const ids = (context: Parameters<typeof selectCandidates>[1]) => selectCandidates(all, context).map(({ id }) => id);
  expect(ids(nobody)).toEqual(['fix', 'test', 'type', 'unused', 'simpler', 'style']);
  const promising = (rule: string) => (rule === 'unused-export' ? 9 : 1);
  expect(ids({ ...nobody, promising })).toEqual(['fix', 'test', 'unused', 'type', 'simpler', 'style']);
  const isFailing = (rule: string) => rule === 'unused-export';
  expect(ids({ ...nobody, promising, isFailing })).toEqual(['fix', 'test', 'type', 'simpler', 'style', 'unused']);
});
