// The claim that a dependency is not needed: what has to be absent, what has to have run, and how strong that is.

import { expect, test } from 'vitest';
import { checkRemoval } from '../../../server/src/core/verify/claims/removedDependency.ts';
import { explainStrength, determineStrength } from '../../../server/src/core/verify/strength.ts';
import type { Gate } from '../../../server/src/core/verify/gate.ts';
import type { Worktree } from '../../../server/src/core/ports/sandbox.ts';
import type { Verdict } from '../../../server/src/core/model.ts';
import { answerOf, spoken } from './inMemory.ts';
import { explainMissingGain } from '../../../server/src/core/verify/claims/claimVerdicts.ts';

const manifest = (dependencies: object, scripts: object = {}) => JSON.stringify({ scripts, dependencies });
const edit = (scripts: object = {}) => ({
  path: 'package.json',
  before: manifest({ 'left-pad': '1', kept: '1' }, scripts),
  after: manifest({ kept: '1' }, scripts),
});
const verdict = (gate: Verdict['gate'], outcome: Verdict['outcome'] = 'passed'): Verdict => ({
  gate,
  outcome,
  reason: '',
  evidence: {},
  millis: 0,
});

test('shown where the package is not installed and the tests pass', async () => {
  const answer = await answerOf(checkRemoval, {
    files: { 'package.json': edit().before },
    edits: [edit()],
    verdicts: [verdict('tests')],
  });
  expect(spoken(answer)).toBe('passed: `left-pad` is not installed in the tree in which tests passed.');
  const verdicts = [verdict('tests'), { ...verdict('claim'), evidence: answer.evidence }];
  expect(determineStrength(verdicts)).toBe('tested');
  expect(explainStrength('tested', verdicts)).toBe('The tests pass where the package is not installed.');
});

test('a package that stays in the tree is named, the tests count for nothing, and a person decides', async () => {
  const answer = await answerOf(checkRemoval, {
    files: { 'package.json': edit().before, 'node_modules/left-pad': '' },
    edits: [edit()],
    verdicts: [verdict('tests')],
  });
  expect(spoken(answer)).toContain('unknown: `left-pad` stays in the tree (node_modules/left-pad)');
  const claim = { ...verdict('claim', 'unknown'), evidence: answer.evidence ?? {} };
  expect(determineStrength([verdict('tests'), claim])).toBe('unchecked');
  const score = { ...verdict('score', 'unknown'), evidence: { judgedBy: 'claim', tried: 'request' } };
  expect(explainMissingGain([score, claim])).toBeNull();
  expect(explainMissingGain([score, { ...claim, evidence: {} }])).not.toBeNull();
});

test('nothing is shown if nothing ran', async () => {
  const given = { files: { 'package.json': edit().before }, edits: [edit()], verdicts: [verdict('tests', 'unknown')] };
  expect((await answerOf(checkRemoval, given)).outcome).toBe('unknown');
});

test.each([
  [0, 0, 'passed', 'tests, build passed.'],
  [1, 1, 'passed', 'The script `build` fails without the change, too.'],
  [0, 1, 'failed', 'The script `build` fails without the package.'],
])('a build that exits with %i before and %i after: %s', async (before, after, outcome, words) => {
  const scripts = { build: 'bundle' };
  const answer = await answerOf(checkRemoval, {
    files: { 'package.json': edit(scripts).before },
    edits: [edit(scripts)],
    verdicts: [verdict('tests')],
    commands: { bundle: (texts) => ({ exitCode: texts.get('package.json')!.includes('left-pad') ? before : after }) },
  });
  expect(answer.outcome).toBe(outcome);
  expect(answer.reason).toContain(words);
});

test.each([
  [{ outcome: 'timedOut', exitCode: null, millis: 60_000 }, 'was ended without the package, after 60 seconds.'],
  [
    { exitCode: null, exceeded: 'more than 4 GB of memory' },
    'was ended without the package: more than 4 GB of memory.',
  ],
] as const)('a build that does not end says nothing about the package: %o', async (run, words) => {
  const scripts = { build: 'bundle' };
  const answer = await answerOf(checkRemoval, {
    files: { 'package.json': edit(scripts).before },
    edits: [edit(scripts)],
    verdicts: [verdict('tests')],
    commands: { bundle: (texts) => (texts.get('package.json')!.includes('left-pad') ? {} : run) },
  });
  expect(spoken(answer)).toContain(`passed: \`left-pad\` is not installed in the tree in which tests passed.`);
  expect(answer.reason).toContain(words);
});

test('of a package in a folder, what ran there counts, and what ran at the root does not', async () => {
  const answerIn = (scripts: object) => {
    const inFolder = { ...edit(scripts), path: 'client/package.json' };
    return answerOf(checkRemoval, {
      files: { 'package.json': manifest({}, { build: 'bundle' }), 'client/package.json': inFolder.before },
      edits: [inFolder],
      verdicts: [verdict('types'), verdict('tests')],
      commands: { bundle: () => ({}), 'run-own': () => ({}) },
    });
  };
  const elsewhere = await answerIn({});
  expect(spoken(elsewhere)).toBe(
    'unknown: Neither types, linter, tests nor a build showed anything about `left-pad` in client.',
  );
  const built = await answerIn({ build: 'run-own' });
  expect(spoken(built)).toBe('passed: `left-pad` is not installed in the tree in which build passed.');
  const strengthWith = (evidence: Verdict['evidence'] = {}) =>
    determineStrength([verdict('tests'), { ...verdict('claim'), evidence }]);
  expect(strengthWith(built.evidence)).toBe('unchecked');
  const tested = await answerIn({ test: 'run-own' });
  expect(spoken(tested)).toBe('passed: `left-pad` is not installed in the tree in which tests passed.');
  expect(strengthWith(tested.evidence)).toBe('tested');
});

test('a build of the root that fails without the package of a folder refuses its removal', async () => {
  const inFolder = { ...edit({ test: 'run-own' }), path: 'client/package.json' };
  const answer = await answerOf(checkRemoval, {
    files: { 'package.json': manifest({}, { build: 'bundle' }), 'client/package.json': inFolder.before },
    edits: [inFolder],
    commands: {
      bundle: (texts) => ({ exitCode: texts.get('client/package.json')!.includes('left-pad') ? 0 : 1 }),
      'run-own': () => ({}),
    },
  });
  expect(spoken(answer)).toBe('failed: The script `build` fails without the package.');
});

test('a package at the top of git, above the root of the session, is still installed', async () => {
  const inTop = (worktree: Worktree): Worktree => ({
    ...worktree,
    prefix: 'apps/shop',
    exists: async (path) => path === '../../node_modules/left-pad' || worktree.exists(path),
  });
  const gate: Gate = (run, signal) => checkRemoval({ ...run, worktree: inTop(run.worktree) }, signal);
  const given = { files: { 'package.json': edit().before }, edits: [edit()], verdicts: [verdict('tests')] };
  expect(spoken(await answerOf(gate, given))).toContain('unknown: `left-pad` stays in the tree (../../node_modules');
});
