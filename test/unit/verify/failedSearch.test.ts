// What a judgement says if a check fails at code that it cannot read.

import { expect, test } from 'vitest';
import { findHiddenFaults } from '../../../server/src/core/verify/integrity/hiddenFaults.ts';
import { HIDDEN_KEY } from '../../../server/src/core/model/proofs.ts';
import { collectNewState } from '../../../server/src/core/verify/integrity/newState.ts';
import { judgeChange } from '../../../server/src/core/verify/judge/judgeChange.ts';
import { determineJudgedStrength } from '../../../server/src/core/verify/judge/strength.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';
import { createMemorySandbox } from '../../helpers/memorySandbox.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { contextOf, edit } from './verifying.ts';

test('a file that cannot be measured is named, and the other checks still answer', async () => {
  const never = new AbortController().signal;
  const edits = [edit('a.js', 'export const a = 1;\n', 'export const a = 2;\n'), edit('deep.js', null, '((1));\n')];
  const { verdicts } = await judgeChange(
    {
      ...contextOf(
        {
          sandbox: createMemorySandbox(createMemoryFiles({ 'a.js': 'export const a = 1;\n' }), {
            'run-tests': () => ({ stdout: 'TAP version 13\nok 1 - a\n1..1\n', exitCode: 0 }),
          }),
        },
        {
          settings: { testCommand: 'run-tests' },
          syntaxProblems: async () => [],
          score: async (scored) => {
            if (scored.some(({ path }) => path === 'deep.js'))
              throw new SelfwareError('internal', 'Maximum call stack size exceeded');
            throw new SelfwareError('unavailable', 'Nothing is measured here.');
          },
        },
      ),
      testCases: async () => [],
      findHiddenFaults: async () => [],
      protectedPaths: async () => [],
      budget: { signal: never, seconds: null },
      checkFittingPackages: async () => ({ base: true, head: true }),
      thorough: false,
      names: { base: 'main', head: null },
    },
    { edits, bytes: [], binary: [], left: [], renamed: [] },
    never,
  );
  expect(verdicts.filter(({ gate }) => gate === 'score' || gate === 'tests').map(({ reason }) => reason)).toEqual([
    'Not known, because deep.js cannot be read: the code is nested too deeply.',
    '1 test passed.',
  ]);
});

test('what a change newly keeps between calls may hide a fault, so the change is not proven', async () => {
  const never = new AbortController().signal;
  const edits = [
    edit('a.js', 'export const f = (x) => x;\n', 'let n = 0;\nexport const f = (x) => (++n > 9 ? 1 : x);\n'),
  ];
  const { verdicts } = await judgeChange(
    {
      ...contextOf(
        { sandbox: createMemorySandbox(createMemoryFiles({ 'a.js': 'export const f = (x) => x;\n' }), {}) },
        { settings: {}, syntaxProblems: async () => [], findNewState: async (code) => collectNewState(code) },
      ),
      testCases: async () => [],
      findHiddenFaults: async () => [],
      protectedPaths: async () => [],
      budget: { signal: never, seconds: null },
      checkFittingPackages: async () => ({ base: true, head: true }),
      thorough: false,
      names: { base: 'main', head: null },
    },
    { edits, bytes: [], binary: [], left: [], renamed: [] },
    never,
  );
  const integrity = verdicts.find(({ gate }) => gate === 'integrity');
  expect(integrity?.evidence[HIDDEN_KEY]).toBe(
    'a.js newly keeps `n` between calls, so a later call may answer otherwise than the first.',
  );
  const proven = [
    ...verdicts.filter(({ outcome }) => outcome !== 'failed'),
    { gate: 'differential' as const, outcome: 'passed' as const, reason: '', evidence: {}, millis: 1 },
  ];
  expect(determineJudgedStrength(proven, { edits, bytes: [], binary: [], left: [], renamed: [] })).not.toBe('proven');
});

test('code that is nested too deeply to be searched is no reason to give no judgement', async () => {
  const before = 'export const a = 1;\n';
  const nested = `export const a = ${'('.repeat(20_000)}1${')'.repeat(20_000)};\n`;
  const never = new AbortController().signal;
  const { verdicts } = await judgeChange(
    {
      ...contextOf(
        { sandbox: createMemorySandbox(createMemoryFiles({ 'a.js': before }), {}) },
        { settings: {}, syntaxProblems: async () => [] },
      ),
      testCases: async () => [],
      findHiddenFaults: async ({ edits, renamed }) => findHiddenFaults(edits, renamed),
      protectedPaths: async () => [],
      budget: { signal: never, seconds: null },
      checkFittingPackages: async () => ({ base: true, head: true }),
      thorough: false,
      names: { base: 'main', head: null },
    },
    { edits: [edit('a.js', before, nested)], bytes: [], binary: [], left: [], renamed: [] },
    never,
  );
  expect(verdicts.find(({ gate }) => gate === 'integrity')).toMatchObject({
    outcome: 'unknown',
    evidence: { hidden: 'Code that may hide a fault was not looked for: the code is nested too deeply.' },
  });
});
