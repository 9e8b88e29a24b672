// What a judgement shows of a verdict beyond its sentence.

import { expect, test } from 'vitest';
import type { Verdict } from '../../../server/src/core/model.ts';
import { createVerdictDetails } from '../../../server/src/core/verify/verdictDetails.ts';

const verdict = (evidence: Verdict['evidence'], outcome: Verdict['outcome'] = 'failed', gate = 'tests'): Verdict => ({
  gate: gate as Verdict['gate'],
  outcome,
  reason: 'Two tests fail.',
  evidence,
  millis: 1,
});
const textOf = (one: Verdict) => createVerdictDetails(one)?.text ?? null;
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');

test('messages of failing tests come before the output of the command', () => {
  expect(textOf(verdict({ messages: 'adds\n  1 is not 2', output: 'all kinds of things' }))).toBe('adds\n  1 is not 2');
});

test('without messages the end of the output is shown, without empty lines', () => {
  expect(textOf(verdict({ output: 'compiling\n\n  error TS1  \n' }))).toBe('compiling\n  error TS1');
  const shown = textOf(verdict({ output: numbered(100) }))!.split('\n');
  expect([shown.length, shown[0], shown[1], shown.at(-1)]).toEqual([25, '…', 'line 77', 'line 100']);
});

test('long messages are cut at the end', () => {
  const shown = textOf(verdict({ messages: numbered(100) }))!.split('\n');
  expect([shown[0], shown.at(-2), shown.at(-1)]).toEqual(['line 1', 'line 24', '…']);
});

test('nothing is shown of what has not failed, of other checks, and of silence', () => {
  expect(textOf(verdict({ output: 'x' }, 'unknown'))).toBeNull();
  expect(textOf(verdict({ output: 'x' }, 'failed', 'types'))).toBeNull();
  expect(textOf(verdict({ output: ' \n' }))).toBeNull();
  expect(textOf(verdict({}))).toBeNull();
});

test('mutants that no test notices are listed, whether or not the guard calls the tests strong', () => {
  const missed = 'src/a.ts:1 > → >=\nsrc/a.ts:2 0 → 1\nsrc/a.ts:3 log() → ;';
  expect(createVerdictDetails(verdict({ missed }, 'passed', 'guard'))).toEqual({
    title: 'No test notices',
    text: 'src/a.ts:1 if `>` becomes `>=`\nsrc/a.ts:2 if `0` becomes `1`\nsrc/a.ts:3 if `log()` is left out',
  });
  expect(textOf(verdict({ missed: numbered(9) }, 'unknown', 'guard'))!.split('\n')).toHaveLength(9);
  expect(textOf(verdict({ missed: '' }, 'passed', 'guard'))).toBeNull();
});
