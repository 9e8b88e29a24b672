// What is shown and what hides the rest.

import { expect, test } from 'vitest';
import type { Dismissal, Opportunity } from '../../../server/src/core/model.ts';
import { createRuleViews } from '../../../server/src/core/prioritise/ruleViews.ts';
import { divideByVisibility, type ViewContext } from '../../../server/src/core/prioritise/visibility.ts';

const place = { startLine: 1, startColumn: 1, endLine: 1, endColumn: 9 };
const opportunity = (id: string, rest: Partial<Opportunity> = {}): Opportunity => ({
  id,
  rule: 'sized',
  path: 'src/a.ts',
  range: place,
  nameRange: place,
  symbol: null,
  severity: 'hint',
  impact: 40,
  confidence: 0.7,
  message: '',
  evidence: { size: 20 },
  recipe: null,
  ...rest,
});
const rules = [
  { id: 'sized', defaultOn: true, measures: 'size' },
  { id: 'plain', defaultOn: true, measures: undefined },
  { id: 'asked', defaultOn: false, measures: undefined },
];
const all = [opportunity('s'), opportunity('p', { rule: 'plain' }), opportunity('q', { rule: 'asked' })];
const dismissal = (id: string, reason: string | null): Dismissal => ({
  opportunity: id,
  kind: 'wrong',
  reason,
  rule: null,
  path: null,
  at: 1,
  until: null,
});
const context = (
  settings: Parameters<typeof createRuleViews>[1] = {},
  rest: Partial<ViewContext> = {},
  disabled: readonly string[] = [],
): ViewContext => ({
  rules: createRuleViews(rules, settings, disabled),
  dismissed: new Map(),
  baseline: new Set(),
  explainForeign: () => null,
  ...rest,
});
const outcome = (view: ViewContext) => {
  const { shown, hidden } = divideByVisibility(all, view);
  return [
    shown.map(({ id, severity }) => `${id}:${severity}`).join(' '),
    hidden.map(({ opportunity: { id }, by, reason }) => `${id}:${by}${reason === null ? '' : ` ${reason}`}`).join(', '),
  ];
};

test.each<readonly [string, ViewContext, string, string]>([
  ['by default', context(), 's:hint p:hint', 'q:quiet'],
  ['a severity of its own', context({ sized: 'warning' }), 's:warning p:hint', 'q:quiet'],
  ['off', context({ plain: 'off' }), 's:hint', 'p:off, q:quiet'],
  ['asked for', context({ asked: 'hint' }), 's:hint p:hint q:hint', ''],
  ['disabled beats what is asked for', context({ asked: 'hint' }, {}, ['asked', 'sized']), 'p:hint', 's:off, q:off'],
  ['below a limit', context({ sized: { limit: 20 } }), 'p:hint', 's:limit at most 20, q:quiet'],
  ['above a limit', context({ sized: { severity: 'information', limit: 19 } }), 's:information p:hint', 'q:quiet'],
  ['a limit of a rule that measures nothing', context({ plain: { limit: 99 } }), 's:hint p:hint', 'q:quiet'],
  [
    'dismissed',
    context(
      {},
      {
        dismissed: new Map([
          ['s', dismissal('s', 'not here')],
          ['p', dismissal('p', null)],
        ]),
      },
    ),
    '',
    's:dismissed not here, p:dismissed wrong, q:quiet',
  ],
  ['in the baseline', context({}, { baseline: new Set(['p']) }), 's:hint', 'p:baseline, q:quiet'],
  [
    'of files that nobody edits',
    context({}, { explainForeign: (path) => (path === 'src/a.ts' ? '.gitattributes says so' : null) }),
    '',
    's:generated .gitattributes says so, p:generated .gitattributes says so, q:generated .gitattributes says so',
  ],
])('%s', (_, view, shown, hidden) => {
  expect(outcome(view)).toEqual([shown, hidden]);
});

test('a figure that was not measured is not below any limit', () => {
  expect(
    divideByVisibility([opportunity('x', { evidence: {} })], context({ sized: { limit: 99 } })).shown,
  ).toHaveLength(1);
});

test('what is given is left as it is', () => {
  const [one] = divideByVisibility(
    Object.freeze([Object.freeze(opportunity('s'))]),
    context({ sized: 'warning' }),
  ).shown;
  expect(one?.severity).toBe('warning');
  expect(divideByVisibility(all, context()).shown[0]).toBe(all[0]);
});
