// The words of `go test`: what the build gets, and what the test programs.

import { expect, test } from 'vitest';
import { goTestWords } from '../../../../server/src/core/verify/detect/goTest.ts';
import { parseGo } from '../../../../server/src/core/verify/parse/tests/go.ts';
import { secondsInTests } from '../../../../server/src/core/verify/testing/reachingCommand.ts';

const wordsOf = (line: string) => goTestWords({ source: '', command: [line], shell: true });

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
  expect(goTestWords({ ...command, args: { words: ['-v', '-count=1'], depth: 0 } })).toMatchObject({
    test: ['-test.count=1'],
    packages: ['./...'],
  });
});

test('the time of the tests is that of their programs, without building them', () => {
  const output =
    '=== RUN   TestA\n=== RUN   TestA/b\n--- PASS: TestA (1.50s)\n    --- PASS: TestA/b (1.50s)\n--- PASS: TestC (0.25s)\nPASS\nok  \ta\t9.1s\n';
  expect(secondsInTests({ value: parseGo(output), answer: { millis: 9_100 } })).toBe(1.75);
  expect(secondsInTests({ value: parseGo(output), answer: { millis: 1_600 } })).toBe(1.6);
  expect(secondsInTests({ value: null, answer: { millis: 9_100 } })).toBe(0);
});
