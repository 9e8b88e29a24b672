// Which exported names only their own package can import.

import { expect, test } from 'vitest';
import { createInternalNameTest } from '../../../server/src/core/analysis/project/internalNames.ts';
import type { Texts } from '../index/graphSupport.ts';
import { projectViewOf } from './projectCase.ts';

const CODE = 'export const one = (b: string) => b.length;\nexport const inner = (b: string) => b.length;\n';
const FILES: Texts = {
  'src/a.ts': `import { deep } from './deep';\n${CODE}export const b = deep;\n`,
  'src/deep.ts': 'export const deep = (b: string) => b.length;\n',
  'src/passed.ts': CODE,
  'src/starred.ts': CODE,
  'src/index.ts':
    "import { one as passed } from './passed';\nexport { one } from './a';\nexport * from './starred';\nexport { passed };\n",
};

async function internalIn(files: Texts): Promise<readonly string[]> {
  const isInternal = createInternalNameTest(await projectViewOf(files));
  return Object.keys(files).flatMap((path) =>
    ['one', 'inner', 'deep']
      .filter((name) => files[path]!.includes(`const ${name} `) && isInternal(path, name))
      .map((name) => `${path} ${name}`),
  );
}

test('a name is internal if the entry of its package does not lead to it', async () => {
  expect(await internalIn({ ...FILES, 'package.json': '{ "name": "x", "main": "./dist/index.js" }' })).toEqual([
    'src/a.ts inner',
    'src/deep.ts deep',
    'src/passed.ts inner',
  ]);
});

test('what an entry passes on through other files is exported', async () => {
  const files: Texts = {
    'package.json': '{ "name": "x", "main": "./dist/index.js", "exports": { "./deep/*": "./built/deep/*.js" } }',
    'src/index.ts': "export { default as tools } from './tools';\nexport * from './more';\nexport * from './old.js';\n",
    'src/tools.ts': "import { one } from './a';\nexport default { one };\n",
    'src/more.ts': "import { one as two } from './b';\nexport { two };\n",
    'src/old.js': "const { one } = require('./c.js');\nfunction inner() {}\nmodule.exports = { one, inner };\n",
    'src/deep/d.ts': "import { one } from '../e';\nexport const deep = () => one('');\n",
    ...Object.fromEntries(['a.ts', 'b.ts', 'c.js', 'e.ts'].map((name) => [`src/${name}`, CODE])),
  };
  expect(await internalIn(files)).toEqual(['src/a.ts inner', 'src/b.ts inner', 'src/c.js inner', 'src/e.ts inner']);
});

test.each([
  ['a program', '{ "name": "x", "private": true }', {}],
  ['a private package', '{ "name": "x", "private": true, "main": "./dist/index.js" }', {}],
  ['an extension of VS Code', '{ "name": "x", "engines": { "vscode": "^1" }, "main": "./dist/index.js" }', {}],
  ['a package whose entry exports nothing', '{ "main": "./dist/run.js" }', { 'src/run.ts': "import './a';\n" }],
  ['a package whose entry is a declaration file', '{ "types": "index.d.ts" }', { 'index.d.ts': CODE }],
  [
    'a package whose entry exports unknown names',
    '{ "main": "main.js" }',
    { 'main.js': 'module.exports = require("./src/a");\n' },
  ],
])('%s has no internal names', async (_what, manifest, more) => {
  expect(await internalIn({ ...FILES, ...more, 'package.json': manifest })).toEqual([]);
});
