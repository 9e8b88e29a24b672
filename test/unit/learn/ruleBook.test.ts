// Rules of a repository: added by machines, switched by people; broken again, a rule says when.

import { expect, test } from 'vitest';
import { foldRuleBook } from '../../../server/src/core/learn/ruleBook.ts';
import { explainRefusedText } from '../../../server/src/core/learn/checkRuleText.ts';
import { renderRules } from '../../../server/src/core/learn/renderRules.ts';
import type { RuleEvent } from '../../../server/src/core/model/feedback.ts';

const DAY = 86_400_000;
const written = (rule: string, text: string, by: 'person' | 'agent', at: number) =>
  ({
    type: 'ruleWritten',
    at,
    sequence: at,
    data: { file: 'CODE', rule, text, by, version: 'v', events: [at] },
  }) satisfies RuleEvent & {
    at: number;
    sequence: number;
  };
const switched = (rule: string, state: 'on' | 'off' | 'removed') =>
  ({ type: 'ruleSwitched', at: 9, sequence: 9, data: { rule, state } }) satisfies RuleEvent & {
    at: number;
    sequence: number;
  };
const EARLY = 'Return early instead of nesting.';

test('what an agent writes is off until a person switches it on', () => {
  const events = [written('r-1', EARLY, 'agent', 0)];
  expect(renderRules(foldRuleBook(events), 'CODE')).toBe('# CODE\n\n');
  expect(renderRules(foldRuleBook([...events, switched('r-1', 'on')]), 'CODE')).toBe(`# CODE\n\n- ${EARLY}\n`);
  expect(renderRules(foldRuleBook([...events, switched('r-1', 'on')]), 'TOOLS')).toBe('# TOOLS\n\n');
});

test('the same rule once more is one rule with dates and all events, and stays as a person left it', () => {
  const events = [
    written('r-1', EARLY, 'person', 0),
    written('r-2', 'return early, instead of nesting', 'agent', 3 * DAY),
    switched('r-1', 'off'),
    written('r-3', EARLY, 'agent', 4 * DAY),
  ];
  const [rule, ...others] = foldRuleBook(events);
  expect(others).toEqual([]);
  expect(rule).toMatchObject({ id: 'r-1', text: EARLY, state: 'off', events: [0, 3 * DAY, 4 * DAY] });
  const [on] = foldRuleBook([...events, switched('r-1', 'on')]);
  expect(renderRules([on!], 'CODE')).toContain(`${EARLY} (Broken again; noted 2 times: 1970-01-01, 1970-01-04.)`);
});

test('a removed rule is no longer shown, and may be written again as a new one', () => {
  const events = [written('r-1', EARLY, 'person', 0), switched('r-1', 'removed'), written('r-2', EARLY, 'agent', 1)];
  expect(foldRuleBook(events).map(({ id, state }) => [id, state])).toEqual([
    ['r-1', 'removed'],
    ['r-2', 'off'],
  ]);
});

test.each([
  ['Too short', /at least 15/],
  ['x'.repeat(401), /at most 400/],
  ['TypeError: x is not a function', /output of a failure/],
  ['It failed:\n    at run (src/a.ts:12:3)', /output of a failure/],
  ['2026-11-26T10:00:00Z search timed out', /output of a failure/],
  ['{"tool": "search", "failed": true}', /output of a failure/],
])('%j is no rule', (text, why) => {
  expect(explainRefusedText(text)).toMatch(why);
});

test('a sentence that speaks of errors is a rule', () => {
  expect(explainRefusedText('Never swallow an Error: log it, or throw it again.')).toBeNull();
});
