// How the tests of each runner are run with coverage.

import { expect, test } from 'vitest';
import { planCoverageRun } from '../../../server/src/core/verify/coverage/coverageRun.ts';
import type { DetectedCommand } from '../../../server/src/core/verify/detect/command.ts';
import { describeProject } from '../../../server/src/core/verify/detect/project.ts';
import { detectTests } from '../../../server/src/core/verify/detect/testCommand.ts';
import { detectRunner } from '../../../server/src/core/verify/detect/testRunner.ts';
import { createTestCommands } from '../../../server/src/core/verify/testing/testRun.ts';

/** The run of a repository with this test script. `installed`: packages of Vitest. */
function runOf(script: string, installed: readonly string[] = []) {
  const project = describeProject({ manifest: JSON.stringify({ scripts: { test: script } }) }, []);
  const command = detectTests(project, '')!;
  return planCoverageRun({
    command: createTestCommands(command, project).allTests,
    name: detectRunner(command, project)?.name ?? null,
    dir: '/tree',
    exists: async (path) => installed.some((name) => path === `node_modules/@vitest/${name}/package.json`),
  });
}

test.each([
  ['jest', 'istanbul', ['--coverage', '--coverageReporters=json']],
  ['pytest', 'lcov', ['--cov=.']],
  [
    'go test ./...',
    'go',
    ['-coverprofile=/tree/node_modules/.selfware/coverage/cover.out', '-covermode=atomic', '-coverpkg=./...'],
  ],
])('%s gets the words of its own tool behind those of the report', async (script, format, words) => {
  const run = (await runOf(script)) as { readonly command: DetectedCommand; readonly format: string };
  expect(run.format).toBe(format);
  expect(run.command.args?.words).toEqual(expect.arrayContaining(words));
  expect(run.command.report !== undefined).toBe(script !== 'go test ./...');
});

test('Vitest uses the provider that is installed, and says what is missing', async () => {
  expect(await runOf('vitest run', ['coverage-istanbul'])).toMatchObject({
    toolName: 'Vitest (istanbul)',
    path: 'node_modules/.selfware/coverage/coverage-final.json',
  });
  expect(await runOf('vitest run')).toEqual({ refused: expect.stringContaining('@vitest/coverage-v8') });
});

test.each(['mocha', 'node --test', 'node test.js'])('%s is counted by V8', async (script) => {
  expect(await runOf(script)).toMatchObject({
    format: 'v8',
    command: { env: { NODE_V8_COVERAGE: '/tree/node_modules/.selfware/coverage' } },
  });
});

test.each(['bun test', 'cargo test', 'go run ./test'])('%s is not counted', async (script) => {
  expect(await runOf(script)).toEqual({ refused: expect.stringContaining('is not measured') });
});
