// Changes after which another command runs the tests, or none: they would otherwise look like repositories that have no
// other tests.

import { expect, test } from 'vitest';
import { failIfCheckRemoved, checkLostTests } from '../../../server/src/core/verify/judge/lostChecks.ts';
import { noSuchCheck, passed, unknown } from '../../../server/src/core/verify/answer.ts';
import { answerOf, spoken } from './inMemory.ts';
import { edit } from './verifying.ts';

const manifest = (scripts: object, more: object = {}) => JSON.stringify({ name: 'a', scripts, ...more });
const WITH_TESTS = manifest({ test: 'vitest run' });

async function said(before: string, after: string, files: Readonly<Record<string, string>> = {}, none = false) {
  return spoken(
    await answerOf(async (run) => checkLostTests(run, none ? unknown('No tests were found.') : passed('Fine.')), {
      files: { 'package.json': before, ...files },
      edits: [edit('package.json', before, after)],
    }),
  );
}

test('the tests of a script that is deleted are lost, whatever else runs', async () => {
  expect(await said(WITH_TESTS, manifest({}), {}, true)).toBe(
    'failed: Without the change `npm run test` runs the tests; with it nothing does.',
  );
  expect(await said(WITH_TESTS, manifest({}), { 'go.mod': 'module a\n' })).toBe(
    'failed: Without the change `npm run test` runs the tests; with it that is gone, and only `go test -v ./...` runs.',
  );
});

test('workspaces never stand in for a script that is deleted', async () => {
  const files = { 'packages/b/package.json': manifest({ test: 'exit 0' }) };
  expect(await said(WITH_TESTS, manifest({}, { workspaces: ['packages/*'] }), files)).toContain('failed: ');
});

test('a script that is put before the tests of another kind is for a person to look at', async () => {
  expect(await said(manifest({}), WITH_TESTS, { 'Cargo.toml': '' })).toBe(
    'unknown: Without the change `cargo test --no-fail-fast --offline` runs the tests; with it `npm run test` does. Fine.',
  );
  expect(await said(WITH_TESTS, manifest({ test: 'vitest run', 'test:unit': 'exit 0' }))).toContain('unknown: ');
});

test('a script that is renamed runs the tests as before', async () => {
  expect(await said(WITH_TESTS, manifest({ 'test:unit': 'vitest run' }))).toBe('passed: Fine.');
  expect(await said(manifest({}), WITH_TESTS)).toBe('passed: Fine.');
  expect(await said(WITH_TESTS, manifest({ test: 'vitest run', build: 'tsc' }))).toBe('passed: Fine.');
});

test('a script that is written anew may only say that tests pass, so a person looks at it', async () => {
  expect(await said(WITH_TESTS, manifest({ test: 'node report.js' }))).toBe(
    'unknown: The change edits how the tests run: `vitest run` became `node report.js`. Fine.',
  );
});

test('a type check or a linter whose command is deleted is lost, and one that was never there is not', async () => {
  const told = async (gate: 'types' | 'lint', before: string, after: string) =>
    spoken(
      await answerOf(async (run) => failIfCheckRemoved(run, gate, noSuchCheck('Nothing was found.')), {
        files: { 'package.json': before, 'a.js': '' },
        edits: [edit('package.json', before, after), edit('a.js', '', '1')],
      }),
    );
  const checked = manifest({ typecheck: 'tsc --noEmit', lint: 'eslint .' });
  expect(await told('types', checked, manifest({}))).toBe(
    'failed: Without the change `npm run typecheck` checks the types; with it nothing does.',
  );
  expect(await told('lint', checked, manifest({}))).toBe(
    'failed: Without the change the package script lints; with it nothing does.',
  );
  expect(await told('types', checked, checked)).toBe('unknown: Nothing was found.');
  expect(await told('lint', manifest({}), manifest({ a: 'b' }))).toBe('unknown: Nothing was found.');
});
