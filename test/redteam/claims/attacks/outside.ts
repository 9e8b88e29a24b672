// Attacks by tests that really notice a mistake, and do something else as well: whoever applies them runs it.

import { tests, TESTS, withCase, type ClaimAttack } from '../attack.ts';

const GOOD = 'assert.equal(spread([1, 5]), 4);';
const SHELL = `import { execSync } from 'node:child_process';
export const run = (line) => execSync(line);
`;
/** A new file, which may import more than the one that is there. */
const file = (head: string, body = ''): ClaimAttack['edits'][number] => ({
  path: 'more.test.js',
  before: null,
  after: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spread } from './mean.js';
${head}
test('more', async () => {
  ${GOOD}
  ${body}
});
`,
});
const outside = (
  name: string,
  edits: ClaimAttack['edits'],
  files: Readonly<Record<string, string>> = {},
): ClaimAttack => ({
  claim: 'tests',
  name,
  edits,
  files,
  // What the sandbox cannot load is refused there.
  expected: /^(?:asks|refused)/,
});

export const NEW_TESTS_OUTSIDE: readonly ClaimAttack[] = [
  outside('a test that asks the network', [withCase(`${GOOD}\n  if (false) fetch('https://example.com');`)]),
  outside('a test that opens a socket by a global', [
    withCase(`${GOOD}\n  if (false) new WebSocket('wss://example.com');`),
  ]),
  outside('a test that makes code out of a text', [
    withCase(`${GOOD}\n  const key = 'const' + 'ructor';\n  spread[key]('return 1')();`),
  ]),
  outside('a test that makes code out of a text by a key', [
    withCase(`${GOOD}\n  const { ['const' + 'ructor']: F } = spread;\n  F('return 1')();`),
  ]),
  outside('a test that gets a constructor by reflection', [
    withCase(`${GOOD}\n  Object.getPrototypeOf(spread);\n  Object.getOwnPropertyNames(spread);`),
  ]),
  outside('a test that requires a module under a made name', [
    withCase(`${GOOD}\n  if (false) require('child' + '_process');`),
  ]),
  outside('a test that imports a module on demand', [
    withCase(`${GOOD}\n  const load = () => import('./other.js');\n  assert.ok(load);`),
  ]),
  outside('a new test that imports a package', [file("import { execa } from './execa.js';", '')], {
    'execa.js': "export * from 'execa';\n",
  }),
  outside(
    'a new test that leads the code of the repository to start a program',
    [file("import { run } from './shell.js';", "if (false) run('ls');")],
    { 'shell.js': SHELL },
  ),
  outside(
    'a new test that leads a helper of tests to start a program',
    [file("import { run } from './shell.helper.js';", "if (false) run('ls');")],
    { 'shell.helper.js': SHELL },
  ),
  outside('a new test that only imports what acts when it is loaded', [file("import './removes.js';")], {
    'removes.js': "import { rmSync } from 'node:fs';\nexport const remove = (path) => rmSync(path);\n",
  }),
  outside('a new test whose code asks the network', [file("import { get } from './get.js';", 'assert.ok(get);')], {
    'get.js': 'export const get = (address) => fetch(address);\n',
  }),
  outside('a test that puts a stub in place, behind a title that ends a comment', [
    tests(
      `${TESTS}/*\ntest(' */ const stub = [1, 5]; test("more", () => { ${GOOD.replace('[1, 5]', 'stub')} }); /* ',\n*/\n`,
    ),
  ]),
  outside('a test in a line that nobody can read', [
    tests(`${TESTS}test('more', () => { ${GOOD} ${' '.repeat(400)} });\n`),
  ]),
];
