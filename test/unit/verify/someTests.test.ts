// The tests as they are, of the whole repository or of the files that matter.

import { expect, test } from 'vitest';
import { withUnchangedTests } from '../../../server/src/core/verify/testing/unchangedTests.ts';
import { never } from '../../adapters/sandbox/sandboxOf.ts';
import { createInProcessRunner } from '../../helpers/inProcessRunner.ts';
import { contextOf } from './verifying.ts';

const testOf = (name: string, holds: boolean) =>
  `import { test } from 'node:test';\nimport assert from 'node:assert/strict';\ntest('${name}', () => assert.equal(1, ${holds ? 1 : 2}));\n`;
const files = {
  'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }',
  'a.test.js': testOf('a', true),
  'b.test.js': testOf('b', true),
  'red.test.js': testOf('red', false),
};

async function ran(testFiles?: readonly string[]): Promise<readonly string[]> {
  const context = contextOf({ sandbox: createInProcessRunner(files) }, {});
  const names = await withUnchangedTests(
    context,
    'Runs the tests',
    never,
    async ({ chosen }) => chosen.base.value?.cases?.map(({ name }) => name) ?? [],
    testFiles,
  );
  return 'refused' in names ? [names.refused] : names;
}

test('without files, all tests run', async () => {
  expect(await ran()).toEqual(['a', 'b', 'red']);
});

test('with files, these alone run', async () => {
  expect(await ran(['b.test.js'])).toEqual(['b']);
});

test('if none of the files passes, all tests run', async () => {
  expect(await ran(['red.test.js'])).toEqual(['a', 'b', 'red']);
});
