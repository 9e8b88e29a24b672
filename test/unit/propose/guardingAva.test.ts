// Tests that record calls for AVA, where a package has one test file for each member of its default export.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSourceTree } from '../../../server/src/adapters/files/sourceTree.ts';
import type { Case } from '../../../server/src/core/propose/characterization/caseText.ts';
import { createGuardingTest } from '../../../server/src/core/propose/characterization/guardingTest.ts';
import { openProject } from '../../../server/src/core/propose/extraction/project.ts';

const BASE = 'export function parseUrl(url) {\n  return { url };\n}\nexport const pick = (url) => url;\n';
const testOf = (call: string) => `import test from 'ava';
import queryString from '../index.js';

test('as it is', t => {
	t.deepEqual(queryString.${call}('a'), {url: 'a'});
});
`;
const TESTS = { 'test/all.js': testOf('parseUrl'), 'test/parse-url.js': testOf('parseUrl') };
const BARE: Case = { given: ['"b"'], result: { value: '{ url: "b" }', promised: false, bare: true } };

function written(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'selfware-guarding-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries({ 'base.js': BASE, ...TESTS, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const guarded = {
    path: 'base.js',
    name: 'parseUrl',
    qualifiedName: 'parseUrl',
    exportedAs: 'parseUrl',
    cases: [BARE],
  };
  const made = createGuardingTest(
    guarded,
    { tests: Object.keys(TESTS), runner: 'ava' },
    createSourceTree(root),
    openProject,
  );
  return 'edit' in made ? [made.edit.path, made.edit.after] : made;
}

test.each([
  ['a namespace', { 'index.js': "import * as queryString from './base.js';\n\nexport default queryString;\n" }],
  ['an object', { 'index.js': "import { parseUrl } from './base.js';\nexport default { parseUrl };\n" }],
  [
    'a namespace with declarations',
    {
      'index.js': "import * as queryString from './base.js';\n\nexport default queryString;\n",
      'index.d.ts': "export * as default from './base.js';\n",
      'base.d.ts': 'export function parseUrl(url: string): { url: string };\n',
    },
  ],
])('a member of %s goes into the file that is named after it, without another import', (_, files) => {
  expect(written(files)).toEqual([
    'test/parse-url.js',
    `${testOf('parseUrl')}
// Records what parseUrl does now.
test('parseUrl returns { url: "b" } for "b"', t => {
	t.deepEqual(queryString.parseUrl('b'), {url: 'b'});
});
`,
  ]);
});

test('a member of the same name that is another function is not called', () => {
  const files = { 'index.js': 'export default { parseUrl: (url) => ({ url: `${url}!` }) };\n' };
  expect(written(files)).toEqual(['test/base.js', expect.stringContaining("import {parseUrl} from '../base.js';")]);
});
