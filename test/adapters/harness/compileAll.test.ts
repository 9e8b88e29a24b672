// Data and declarations among the compared files are not compiled; a module may require another one.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { expect, test } from 'vitest';
import { compileAll } from '../../../server/src/adapters/harness/compile.ts';
import { createPart } from '../../helpers/createPart.ts';

test('JSON that tests import, and declarations, do not end the search', () => {
  const rootDir = mkdtempSync(join(tmpdir(), 'selfware-compile-'));
  try {
    writeFileSync(join(rootDir, 'map.json'), '{"a": 1}');
    writeFileSync(join(rootDir, 'types.d.ts'), 'export declare const b: number;\n');
    writeFileSync(join(rootDir, 'code.ts'), "import type { b } from './types.d.ts';\nexport const c: number = 1;\n");
    const targets = ['map.json', 'types.d.ts', 'code.ts'].map((path) => ({ path }));
    const emit = { compiler: {}, paths: {}, pathsBase: '' };
    const request = createPart<Parameters<typeof compileAll>[0]>({ targets, files: [], emit });
    expect(Object.keys(compileAll(request, rootDir, true).newCode)).toEqual(['code.ts']);
  } finally {
    rmSync(rootDir, { recursive: true, force: true });
  }
});

/** The export `all` of a module with this text, which is compiled and loaded; its lines keep their numbers. */
function loadCompiled(text: string): string {
  const rootDir = mkdtempSync(join(tmpdir(), 'selfware-compile-'));
  try {
    writeFileSync(join(rootDir, 'code.js'), text);
    const emit = { compiler: {}, paths: {}, pathsBase: '', baseUrl: null };
    const request = createPart<Parameters<typeof compileAll>[0]>({ targets: [{ path: 'code.js' }], files: [], emit });
    const { code, format } = compileAll(request, rootDir, false).newCode['code.js']!;
    expect([format, code.split('\n').length]).toEqual(['module', text.split('\n').length]);
    writeFileSync(join(rootDir, 'compiled.mjs'), code);
    const printed = `process.stdout.write((await import('./compiled.mjs')).all)`;
    const words = ['--input-type=module', '--eval', printed];
    return execFileSync(process.execPath, words, { cwd: rootDir, encoding: 'utf8' });
  } finally {
    rmSync(rootDir, { recursive: true, force: true });
  }
}

const usual =
  "import { join } from 'node:path';\nconst { sep } = require('node:path');\nexport const all = join('a', sep);\n";

test.each([
  ['a module that requires another one, as Babel allows,', usual],
  ['one that begins with the name of its program', `#!/usr/bin/env node\n${usual}`],
  ['one with a `require` in a function', `${usual}export const load = (require) => require('b');\n`],
])('%s loads', (_what, text) => {
  expect(loadCompiled(text)).toBe(join('a', sep));
});

const call = "const a = require('a');";

test.each([
  ['a comment', `#!/usr/bin/env node\n/*\n${call}\n*/\nexport const all = 'a';\n`],
  ['a text', `#!/usr/bin/env node\nexport const all = \`\n${call}\n\`.slice(7, 8);\n`],
  ['a function of that name', `${call}\nfunction require(name) {\n  return name;\n}\nexport const all = a;\n`],
  ['an import of that name', `import { basename as require } from 'node:path';\n${call}\nexport const all = a;\n`],
  ['a hoisted variable', `if (true) var require = (name) => name;\n${call}\nexport const all = a;\n`],
])('a module with a call of `require` and %s loads as it is', (_what, text) => {
  expect(loadCompiled(text)).toBe('a');
});
