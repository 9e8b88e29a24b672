// Pure parts of rules: where one is told, how a trial is judged, and that templates only grow.

import { expect, test } from 'vitest';
import { rulesFor } from '../../../server/src/core/learn/ruleRoutes.ts';
import { judgeTrial } from '../../../server/src/core/learn/ruleTrial.ts';
import { TEMPLATE_RULES, TEMPLATE_VERSION } from '../../../server/src/core/learn/ruleTemplates.ts';
import { reasonToRefuse, ruleBookOf } from '../../../server/src/core/learn/ruleBook.ts';
import { RULE_FILES } from '../../../server/src/core/model/feedback.ts';
import { broughtRulesOf, MAX_BROUGHT_CHARACTERS } from '../../../server/src/core/learn/broughtRules.ts';

const written = (rule: string, place?: string) => ({
  type: 'ruleWritten' as const,
  at: 1,
  sequence: 1,
  data: {
    file: rule.split(' ')[0] as 'CODE',
    rule,
    text: `The text of ${rule}`,
    by: 'person' as const,
    version: 'v',
    events: [],
    ...(place === undefined ? {} : { place }),
  },
});
const idsFor = (rules: readonly ReturnType<typeof written>[], task: Parameters<typeof rulesFor>[1]) =>
  rulesFor(ruleBookOf(rules), task).map(({ id }) => id);

test('a rule about a place is told for tasks there, and if the place is unknown', () => {
  const rules = [written('CODE a', 'src/'), written('CODE b', 'src/a.ts'), written('CODE c')];
  const task = { kind: 'opportunity', isAgent: false } as const;
  expect(idsFor(rules, { ...task, paths: ['src/b.ts'] })).toEqual(['CODE a', 'CODE c']);
  expect(idsFor(rules, { ...task, paths: ['src/a.ts'] })).toEqual(['CODE a', 'CODE b', 'CODE c']);
  expect(idsFor(rules, { ...task, paths: ['srcs/a.ts'] })).toEqual(['CODE c']);
  expect(idsFor(rules, { ...task, paths: [] })).toHaveLength(3);
});

test.each([
  ['opportunity', false, ['SOUL', 'USER', 'MEMORY', 'CODE', 'SECURITY']],
  ['tests', false, ['SOUL', 'USER', 'MEMORY', 'CODE']],
  ['fix', true, ['SOUL', 'TOOLS', 'USER', 'MEMORY', 'AGENTS', 'CODE', 'SECURITY']],
] as const)('a task of the kind %s, by an agent: %s, is told of %j', (kind, isAgent, files) => {
  const rules = RULE_FILES.map((file) => written(`${file} x`));
  expect(idsFor(rules, { kind, isAgent, paths: [] }).toSorted()).toEqual(files.map((file) => `${file} x`).toSorted());
});

const answers = (count: number, hits: number, unknown = 0) =>
  Array.from({ length: count }, (_, n) => ({
    id: `e${String(n).padStart(3, '0')}`,
    reply: null,
    logProbability: null,
    tokens: null,
    success: n >= count - unknown ? null : n < hits,
  }));

test.each([
  ['the same', answers(20, 12), answers(20, 12), 'notWorse'],
  ['none right with the rule', answers(20, 20), answers(20, 0), 'harmful'],
  ['all right with the rule', answers(20, 0), answers(20, 20), 'helpful'],
  ['one less, which may be noise', answers(20, 12), answers(20, 11), 'unknown'],
  ['too few tasks', answers(9, 9), answers(9, 0), 'unknown'],
  ['nothing could be judged', answers(20, 0, 20), answers(20, 0, 20), 'unknown'],
  ['right before, and unknown with the rule', answers(20, 20), answers(20, 0, 20), 'harmful'],
] as const)('a trial: %s', (_what, without, withRule, outcome) => {
  const trial = judgeTrial(without, withRule);
  expect(trial.outcome, trial.reason).toBe(outcome);
});

test('templates are rules, and version 1 keeps its lines', () => {
  for (const { text, file, since } of TEMPLATE_RULES) {
    expect(reasonToRefuse(text), text).toBeNull();
    expect(RULE_FILES).toContain(file);
    expect(since).toBeLessThanOrEqual(TEMPLATE_VERSION);
  }
  expect(TEMPLATE_RULES.filter(({ since }) => since === 1)).toHaveLength(6);
});

test('a text that is too long cannot be accepted, even if its hash was', () => {
  const text = 'x'.repeat(MAX_BROUGHT_CHARACTERS + 1);
  const { hash } = broughtRulesOf('AGENTS.md', text, new Map());
  expect(broughtRulesOf('AGENTS.md', text, new Map([['AGENTS.md', hash]])).state).toBe('tooLong');
});
