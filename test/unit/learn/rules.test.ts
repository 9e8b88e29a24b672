// Pure parts of rules: where one is told, how a trial is judged, and that templates only grow.

import { expect, test } from 'vitest';
import { selectRules } from '../../../server/src/core/learn/ruleRoutes.ts';
import { judgeTrial, computeSignTest } from '../../../server/src/core/learn/ruleTrial.ts';
import { normalisePlace, explainRefusedPlace } from '../../../server/src/core/learn/rulePlace.ts';
import { addViolations } from '../../../server/src/core/learn/ruleViolations.ts';
import { TEMPLATE_RULES, TEMPLATE_VERSION } from '../../../server/src/core/learn/ruleTemplates.ts';
import { foldRuleBook } from '../../../server/src/core/learn/ruleBook.ts';
import { explainRefusedText } from '../../../server/src/core/learn/checkRuleText.ts';
import { formatRuleLine } from '../../../server/src/core/learn/renderRules.ts';
import { RULE_FILES } from '../../../server/src/core/model/feedback.ts';
import {
  findRuleFileFolder,
  parseRepositoryRules,
  MAX_RULE_FILE_CHARACTERS,
} from '../../../server/src/core/learn/repositoryRules.ts';

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
const idsFor = (rules: readonly ReturnType<typeof written>[], task: Parameters<typeof selectRules>[1]) =>
  selectRules(foldRuleBook(rules), task).map(({ id }) => id);

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
  ['right before, and unknown with the rule', answers(20, 20), answers(20, 0, 20), 'unknown'],
  ['half of them unknown with the rule, the others right', answers(30, 30), answers(30, 30, 15), 'notWorse'],
  ['five losses and no gain', answers(20, 20), answers(20, 15), 'unknown'],
  ['six losses and no gain', answers(20, 20), answers(20, 14), 'harmful'],
  ['five gains and no loss', answers(20, 15), answers(20, 20), 'notWorse'],
  ['six gains and no loss', answers(20, 14), answers(20, 20), 'helpful'],
] as const)('a trial: %s', (_what, without, withRule, outcome) => {
  const trial = judgeTrial(without, withRule);
  expect(trial.outcome, trial.reason).toBe(outcome);
});

test('the sign test is the share of coin tosses that are at least as uneven', () => {
  expect([computeSignTest(5, 0), computeSignTest(6, 0), computeSignTest(7, 1), computeSignTest(0, 0)]).toEqual([
    1 / 32,
    1 / 64,
    9 / 256,
    1,
  ]);
});

test.each([
  ['./legacy', 'legacy'],
  ['src\\a', 'src/a'],
  ['src//a/', 'src/a'],
  ['.', null],
])('the place %s is %s', (place, path) => {
  expect(normalisePlace(place)).toBe(path);
  expect(explainRefusedPlace(place)).toBeNull();
});

test.each(['/etc', 'C:\\work', '../other', 'src/../../x', 'a\n# Task', 'x'.repeat(201)])('no place: %j', (place) => {
  expect(explainRefusedPlace(place)).not.toBeNull();
});

test('a rule is told with its place, which a person may change', () => {
  const lineAfter = (...places: string[]) =>
    formatRuleLine(foldRuleBook(places.map((place) => written('CODE a', place)))[0]!);
  expect(lineAfter('src')).toMatch(/^The text of CODE a \(About src\.\)$/);
  expect(lineAfter('src', './lib/')).toContain('(About lib.)');
  expect(lineAfter('src', '.')).not.toContain('About');
});

test('a rule that is written again while it is off gets no date', () => {
  const off = { type: 'ruleSwitched' as const, at: 2, sequence: 2, data: { rule: 'CODE a', state: 'off' as const } };
  const again = { ...written('CODE a'), at: 3, sequence: 3 };
  expect(foldRuleBook([written('CODE a'), off, again])[0]?.dates).toEqual([1]);
  expect(foldRuleBook([written('CODE a'), again])[0]?.dates).toEqual([1, 3]);
});

test('a rule was broken by a refused change that was asked for while it was on', () => {
  const first = { ...written('CODE a'), sequence: 5 };
  const rules = foldRuleBook([{ ...first, data: { ...first.data, events: [2] } }]);
  const decided = (sequence: number, asked: number | null, dimension = 'nesting') => ({
    sequence,
    at: sequence,
    dimension,
    questionSequence: asked,
  });
  const all = [decided(2, 1), decided(8, 4), decided(9, null), decided(10, 7, 'names'), decided(11, 6)];
  const [rule] = addViolations(rules, all);
  expect(rule?.broken).toEqual([{ sequence: 11, at: 11 }]);
  expect(formatRuleLine(rule!)).toMatch(/Important: corrected once although this rule was on: 1970-01-01\.\)$/);
});

test('templates are rules, and version 1 keeps its lines', () => {
  for (const { text, file, sinceVersion } of TEMPLATE_RULES) {
    expect(explainRefusedText(text), text).toBeNull();
    expect(RULE_FILES).toContain(file);
    expect(sinceVersion).toBeLessThanOrEqual(TEMPLATE_VERSION);
  }
  expect(TEMPLATE_RULES.filter(({ sinceVersion }) => sinceVersion === 1)).toHaveLength(6);
});

test('a text that is too long cannot be accepted, even if its hash was', () => {
  const text = 'x'.repeat(MAX_RULE_FILE_CHARACTERS + 1);
  const { hash } = parseRepositoryRules('AGENTS.md', text, new Map());
  expect(parseRepositoryRules('AGENTS.md', text, new Map([['AGENTS.md', hash]])).state).toBe('tooLong');
});

test.each([
  ['AGENTS.md', null],
  ['src/AGENTS.md', 'src'],
  ['.claude/CLAUDE.md', null],
  ['packages/a/.claude/CLAUDE.md', 'packages/a'],
  ['.cursor/rules/tabs.md', null],
])('%s is about %s', (path, folder) => {
  expect(findRuleFileFolder(path)).toBe(folder);
});
