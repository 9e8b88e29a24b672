// A program that a shell does not find is no fault of the change: the verdict is unknown and names it.

import { expect, test } from 'vitest';
import { createBaselineCache } from '../../../server/src/core/verify/baseline.ts';
import { gate as lintGate } from '../../../server/src/core/verify/gates/lint/gate.ts';
import { gate as testsGate } from '../../../server/src/core/verify/gates/tests/gate.ts';
import { gate as timingGate } from '../../../server/src/core/verify/gates/timing/gate.ts';
import { gate as typesGate } from '../../../server/src/core/verify/gates/types/gate.ts';
import { findMissingProgram } from '../../../server/src/core/verify/parse/missingProgram.ts';
import type { Gate } from '../../../server/src/core/verify/gate.ts';
import { answerOf, counts, said, spoken, type Given, type Result } from './inMemory.ts';
import { edit } from './verifying.ts';

const LOST: Result = { exitCode: 127, stderr: 'sh: 1: vitest: not found\n' };

/** Answers of a command: each side one after the other, the last one stays. */
function sides(without: readonly Result[], withIt: readonly Result[]): NonNullable<Given['commands']>[string] {
  const turns = { old: 0, new: 0 };
  return (texts) => {
    const side = texts.get('a.ts') === 'new' ? 'new' : 'old';
    const results = side === 'new' ? withIt : without;
    return results[Math.min(turns[side]++, results.length - 1)]!;
  };
}

async function judged(gate: Gate, without: readonly Result[], withIt: readonly Result[], again = false) {
  const given: Given = {
    files: { 'a.ts': 'old' },
    edits: [edit('a.ts', 'old', 'new')],
    overrides: {
      settings: { testCommand: 'check', typesCommand: 'check', lintCommand: 'check', benchCommand: 'check' },
      baseline: createBaselineCache(),
      treeKey: (edits) => (again ? JSON.stringify(edits) : null),
    },
    commands: { check: sides(without, withIt) },
  };
  if (again) await answerOf(gate, { ...given, edits: [] });
  return spoken(await answerOf(gate, given));
}

test.each([
  ['dash', 'sh: 1: vitest: not found', 'vitest'],
  ['dash with a path', '/bin/sh: 12: ./tools/check: not found', './tools/check'],
  ['bash', 'bash: line 1: vitest: command not found', 'vitest'],
  ['bash with a path', 'bash: line 1: ./tools/check: No such file or directory', './tools/check'],
  ['a script', './check.sh: line 3: tsc: command not found', 'tsc'],
  ['BusyBox', 'sh: vitest: not found', 'vitest'],
  ['zsh', 'zsh:1: command not found: vitest', 'vitest'],
  ['yarn', 'command not found: vitest', 'vitest'],
  ['bun', 'bun: command not found: vitest', 'vitest'],
  ['env', '/usr/bin/env: ‘deno’: No such file or directory', 'deno'],
  ['npm, among what it prints', '> test\n> vitest run\n\nsh: 1: vitest: not found\n', 'vitest'],
])('%s says what it did not find', (_shell, output, name) => {
  expect(findMissingProgram(127, output)).toBe(name);
  expect(findMissingProgram(0, output)).toBeNull();
  expect(findMissingProgram(1, output)).toBeNull();
});

test('make and pnpm end with another number, and name this one', () => {
  const made = 'make: vitest: No such file or directory\nmake: *** [Makefile:2: test] Error 127\n';
  expect(findMissingProgram(2, made)).toBe('vitest');
  const managed = 'sh: 1: vitest: not found\n ELIFECYCLE  Command failed with exit code 127.\n';
  expect(findMissingProgram(1, managed)).toBe('vitest');
});

test('a program that ends with 127 itself, or only speaks of it, was found', () => {
  expect(findMissingProgram(127, 'oh')).toBeNull();
  expect(findMissingProgram(127, 'error: user not found')).toBeNull();
  expect(findMissingProgram(1, 'AssertionError: sh: 1: vitest: not found')).toBeNull();
});

const UNKNOWN = 'unknown: `check` cannot run: `vitest` was not found.';

test.each<[string, Gate, readonly Result[], readonly Result[], string]>([
  ['tests, on both sides', testsGate, [LOST], [LOST], UNKNOWN],
  ['tests, and without the change they were counted a moment ago', testsGate, [counts(3), LOST], [LOST], UNKNOWN],
  ['types', typesGate, [LOST], [LOST], UNKNOWN],
  ['lint', lintGate, [LOST], [LOST], UNKNOWN],
  ['a benchmark', timingGate, [LOST], [LOST], UNKNOWN],
  ['a benchmark that was there a moment ago', timingGate, [said(''), LOST], [LOST], UNKNOWN],
  ['what is there again', testsGate, [counts(3)], [LOST, counts(3)], 'passed: 3 tests passed.'],
  [
    'what only the change lacks',
    testsGate,
    [counts(3)],
    [LOST],
    'failed: `check` cannot run with the change, and can without it: `vitest` was not found.',
  ],
  [
    'types that only the change lacks',
    typesGate,
    [said('')],
    [LOST],
    'failed: `check` cannot run with the change, and can without it: `vitest` was not found.',
  ],
  [
    'a step behind tests that ran',
    testsGate,
    [counts(3, [], LOST)],
    [counts(3, [], LOST)],
    'passed: 3 tests passed; `check` ends with 127 all the same, as it does without the change.',
  ],
])('%s', async (_what, gate, without, withIt, expected) => {
  expect(await judged(gate, without, withIt)).toBe(expected);
});

test('a result that was remembered from when the program was there proves nothing against the change', async () => {
  expect(await judged(testsGate, [counts(3), LOST], [LOST], true)).toBe(UNKNOWN);
  expect(await judged(typesGate, [said(''), LOST], [LOST], true)).toBe(UNKNOWN);
});
