// The words of `go test`: what the build gets, and what the test programs.

import { expect, test } from 'vitest';
import type { CommandAnswer } from '../../../../server/src/core/verify/commands.ts';
import { parseGoTestWords, addGoWords } from '../../../../server/src/core/verify/detect/goTest.ts';
import { describeProject } from '../../../../server/src/core/verify/detect/project.ts';
import { detectRunner } from '../../../../server/src/core/verify/detect/testRunner.ts';
import { parseGo } from '../../../../server/src/core/verify/parse/tests/go.ts';
import {
  chooseReachingCommand,
  computeTestSeconds,
} from '../../../../server/src/core/verify/testing/reachingCommand.ts';
import { createTestCommands, createTestKey } from '../../../../server/src/core/verify/testing/testRun.ts';
import { createPart } from '../../../helpers/createPart.ts';

const wordsOf = (line: string) => parseGoTestWords({ source: '', command: [line], shell: true });

test('flags of the build and of the test programs are kept apart', () => {
  expect(wordsOf("CGO_ENABLED=0 go test -v -race -tags 'a,b' -short --timeout=30s -count=1 ./... -args -x y")).toEqual({
    build: ['-race', '-tags=a,b'],
    test: ['-test.short', '-test.timeout=30s', '-test.count=1'],
    packages: ['./...'],
    args: ['-x', 'y'],
    env: { CGO_ENABLED: '0' },
  });
  expect(wordsOf('go test -coverprofile c.out -cover -run=TestA .')).toMatchObject({
    build: [],
    test: ['-test.run=TestA'],
    packages: ['.'],
  });
});

test.each(['make test', 'go vet ./... && go test ./...', 'go test -own-flag ./...', 'gotestsum', 'go test | tee a'])(
  '%s is not taken apart',
  (line) => {
    expect(wordsOf(line)).toBeNull();
  },
);

test('words that are added to the command count', () => {
  const command = { source: '', command: ['go', 'test', './...'], shell: false };
  expect(parseGoTestWords({ ...command, args: { words: ['-v', '-count=1'], depth: 0 } })).toMatchObject({
    test: ['-test.count=1'],
    packages: ['./...'],
  });
});

test('flags that are added stand before the words for the test programs', () => {
  const command = { source: '', command: ['go test ./... -args -x'], shell: true };
  expect(addGoWords(command, ['-v']).command).toEqual(['go test -v ./... -args -x']);
  expect(detectRunner(command, describeProject({}, []))?.withReport('R').command).toEqual([
    'go test -v -count=1 ./... -args -x',
  ]);
});

test.each(['go test ./... -args -x', 'cd sub && go test ./...'])('%s runs no single packages', (line) => {
  const runner = detectRunner({ source: '', command: [line], shell: true }, describeProject({}, []));
  expect(runner?.onFiles(['sub/a_test.go'], 'R')).toBeNull();
});

test('a test has its package in its key', () => {
  const output = '--- PASS: TestA (0.10s)\nok  \ta/b\t0.1s\n--- FAIL: TestA (0.10s)\nFAIL\nFAIL\ta/c\t0.1s\n';
  expect(parseGo(output)?.cases?.map(createTestKey)).toEqual(['a/b › TestA', 'a/c › TestA']);
});

test('all tests of Go can reach a change', async () => {
  const command = { source: '', command: ['go test ./...'], shell: true };
  const commands = createTestCommands(command, describeProject({}, []));
  const value = parseGo('--- PASS: TestA (0.10s)\nok  \ta\t0.1s\n');
  const answer = { outcome: 'exited', exitCode: 0 } as CommandAnswer;
  const run = createPart<Parameters<typeof chooseReachingCommand>[0]>({
    context: { reachingTests: async () => ['a_test.go'] },
    edits: [{ path: 'a_test.go', before: '', after: 'package a' }],
  });
  expect(await chooseReachingCommand(run, { command, commands, base: { answer, value, touched: [] } })).toBe(
    commands.allTests,
  );
});

test('the time of the tests is that of their programs, without building them', () => {
  const output =
    '=== RUN   TestA\n=== RUN   TestA/b\n--- PASS: TestA (1.50s)\n    --- PASS: TestA/b (1.50s)\n--- PASS: TestC (0.25s)\nPASS\nok  \ta\t9.1s\n';
  expect(computeTestSeconds({ value: parseGo(output), answer: { millis: 9_100 } })).toBe(1.75);
  expect(computeTestSeconds({ value: parseGo(output), answer: { millis: 1_600 } })).toBe(1.6);
  expect(computeTestSeconds({ value: null, answer: { millis: 9_100 } })).toBe(0);
});
