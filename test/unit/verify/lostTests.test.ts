// Changes after which another command runs the tests, or none: they would otherwise look like repositories that have no
// other tests.

import { expect, test } from 'vitest';
import { withLostTests } from '../../../server/src/core/verify/judge/lostTests.ts';
import { passed, unknown } from '../../../server/src/core/verify/answer.ts';
import { answerOf, spoken } from './inMemory.ts';
import { edit } from './verifying.ts';

const manifest = (scripts: object, more: object = {}) => JSON.stringify({ name: 'a', scripts, ...more });
const WITH_TESTS = manifest({ test: 'vitest run' });

async function said(before: string, after: string, files: Readonly<Record<string, string>> = {}, none = false) {
  return spoken(
    await answerOf(async (run) => withLostTests(run, none ? unknown('No tests were found.') : passed('Fine.')), {
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

test('a script that is renamed or written anew runs the tests as before', async () => {
  expect(await said(WITH_TESTS, manifest({ 'test:unit': 'vitest run' }))).toBe('passed: Fine.');
  expect(await said(WITH_TESTS, manifest({ test: 'node --test' }))).toBe('passed: Fine.');
  expect(await said(manifest({}), WITH_TESTS)).toBe('passed: Fine.');
});
