// The lines of a failed run of tests that a judgement shows.

import { expect, test } from 'vitest';
import type { Verdict } from '../../../server/src/core/model.ts';
import { failureOutput } from '../../../server/src/core/verify/failureOutput.ts';

const verdict = (evidence: Verdict['evidence'], outcome: Verdict['outcome'] = 'failed', gate = 'tests'): Verdict => ({
  gate: gate as Verdict['gate'],
  outcome,
  reason: 'Two tests fail.',
  evidence,
  millis: 1,
});
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');

test('messages of failing tests come before the output of the command', () => {
  expect(failureOutput(verdict({ messages: 'adds\n  1 is not 2', output: 'all kinds of things' }))).toBe(
    'adds\n  1 is not 2',
  );
});

test('without messages the end of the output is shown, without empty lines', () => {
  expect(failureOutput(verdict({ output: 'compiling\n\n  error TS1  \n' }))).toBe('compiling\n  error TS1');
  const shown = failureOutput(verdict({ output: numbered(100) }))!.split('\n');
  expect([shown.length, shown[0], shown[1], shown.at(-1)]).toEqual([25, '…', 'line 77', 'line 100']);
});

test('long messages are cut at the end', () => {
  const shown = failureOutput(verdict({ messages: numbered(100) }))!.split('\n');
  expect([shown[0], shown.at(-2), shown.at(-1)]).toEqual(['line 1', 'line 24', '…']);
});

test('nothing is shown of what has not failed, of other checks, and of silence', () => {
  expect(failureOutput(verdict({ output: 'x' }, 'unknown'))).toBeNull();
  expect(failureOutput(verdict({ output: 'x' }, 'failed', 'types'))).toBeNull();
  expect(failureOutput(verdict({ output: ' \n' }))).toBeNull();
  expect(failureOutput(verdict({}))).toBeNull();
});
