// The claim that a dependency is not needed: what has to be absent, what has to have run, and how strong that is.

import { expect, test } from 'vitest';
import { showRemoval } from '../../../server/src/core/verify/claims/removal.ts';
import { strengthMeaning, strengthOf } from '../../../server/src/core/verify/strength.ts';
import type { Verdict } from '../../../server/src/core/model.ts';
import { answerOf, spoken } from './inMemory.ts';

const manifest = (dependencies: object, scripts: object = {}) => JSON.stringify({ scripts, dependencies });
const edit = (scripts: object = {}) => ({
  path: 'package.json',
  before: manifest({ 'left-pad': '1' }, scripts),
  after: manifest({}, scripts),
});
const verdict = (gate: Verdict['gate'], outcome: Verdict['outcome'] = 'passed'): Verdict => ({
  gate,
  outcome,
  reason: '',
  evidence: {},
  millis: 0,
});

test('shown where the package is not installed and the tests pass', async () => {
  const answer = await answerOf(showRemoval, {
    files: { 'package.json': edit().before },
    edits: [edit()],
    verdicts: [verdict('tests')],
  });
  expect(spoken(answer)).toBe('passed: `left-pad` is not installed in the tree in which tests passed.');
  const verdicts = [verdict('tests'), { ...verdict('claim'), evidence: answer.evidence }];
  expect(strengthOf(verdicts)).toBe('tested');
  expect(strengthMeaning('tested', verdicts)).toBe('The tests pass where the package is not installed.');
});

test('a package that another one brings along is named, and the tests count for nothing', async () => {
  const answer = await answerOf(showRemoval, {
    files: { 'package.json': edit().before, 'node_modules/left-pad': '' },
    edits: [edit()],
    verdicts: [verdict('tests')],
  });
  expect(spoken(answer)).toContain('stays installed, because another package needs it (node_modules/left-pad)');
  expect(strengthOf([verdict('tests'), { ...verdict('claim'), evidence: answer.evidence }])).toBe('unchecked');
});

test('nothing is shown if nothing ran', async () => {
  const given = { files: { 'package.json': edit().before }, edits: [edit()], verdicts: [verdict('tests', 'unknown')] };
  expect((await answerOf(showRemoval, given)).outcome).toBe('unknown');
});

test.each([
  [0, 0, 'passed', 'tests, build passed.'],
  [1, 1, 'passed', 'The script `build` fails without the change, too.'],
  [0, 1, 'failed', 'The script `build` fails without the package.'],
])('a build that exits with %i before and %i after: %s', async (before, after, outcome, words) => {
  const scripts = { build: 'bundle' };
  const answer = await answerOf(showRemoval, {
    files: { 'package.json': edit(scripts).before },
    edits: [edit(scripts)],
    verdicts: [verdict('tests')],
    commands: { bundle: (texts) => ({ exitCode: texts.get('package.json')!.includes('left-pad') ? before : after }) },
  });
  expect(answer.outcome).toBe(outcome);
  expect(answer.reason).toContain(words);
});
