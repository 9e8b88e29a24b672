// Counts by line from the coverage of real Node processes: code as it is written, with its types blanked out, and
// compiled.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { expect, test } from 'vitest';
import { readLineReports } from '../../../server/src/adapters/harness/lines/readLines.ts';
import { findStatements } from '../../../server/src/adapters/harness/lines/statements.ts';

const CODE = `// The share of a part.
interface Whole {
  readonly size: number;
}

export function share(part: number, whole: Whole): number {
  if (whole.size === 0) {
    return 0;
  }
  const ratio = part / whole.size;
  return ratio;
}

export const twice = (value: number): number =>
  value * 2;
`;
const USE = (path: string) => `import { share } from '${path}';\nshare(1, { size: 2 });\nshare(1, { size: 4 });\n`;
/** Line → hits of `CODE` after two calls of \`share\`. */
const LINES = [
  [7, 2],
  [8, 0],
  [10, 2],
  [11, 2],
  [14, 1],
  [15, 0],
];

async function measured(files: Readonly<Record<string, string>>, entries: readonly string[]) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'selfware-lines-')));
  try {
    for (const [path, text] of Object.entries({ 'package.json': '{ "type": "module" }', ...files })) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    const folder = join(root, 'node_modules/coverage');
    for (const entry of entries)
      await promisify(execFile)(process.execPath, [entry], {
        cwd: root,
        env: { PATH: process.env['PATH'], NODE_V8_COVERAGE: folder },
      });
    return readLineReports(folder, root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

test('code whose types Node blanks out is counted where it stands, and processes are added up', async () => {
  const files = { 'src/share.ts': CODE, 'use.js': USE('./src/share.ts') };
  expect((await measured(files, ['use.js'])).files['src/share.ts']).toEqual(LINES);
  const twice = await measured(files, ['use.js', 'use.js']);
  expect(twice).toMatchObject({ processes: 2, unclear: [] });
  expect(twice.files['src/share.ts']).toEqual(LINES.map(([line, hits]) => [line, hits! * 2]));
});

test('compiled code is counted in its source by the source map', async () => {
  const { code } = await transform(CODE, { loader: 'ts', sourcemap: 'inline', sourcefile: '../src/share.ts' });
  const files = { 'src/share.ts': CODE, 'dist/share.js': code, 'use.js': USE('./dist/share.js') };
  const { files: counted } = await measured(files, ['use.js']);
  expect(counted['src/share.ts']).toEqual(LINES);
  expect(counted['dist/share.js']).toBeUndefined();
});

test('a file that ran in another form, without a source map, is unclear', async () => {
  const hook = `import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) {
  const { source, ...rest } = next(url, context);
  return { ...rest, source: url.endsWith('share.js') ? '/* more */ ' + source : source };
} });
await import('./start.js');
`;
  const files = {
    'share.js': 'export const share = (a, b) => a / b;\n',
    'start.js': USE('./share.js'),
    'use.js': hook,
  };
  expect((await measured(files, ['use.js'])).unclear).toEqual(['share.js']);
});

test('statements are those that do something', () => {
  const lines = (text: string) => findStatements('a.ts', text).map(({ line }) => line + 1);
  expect(
    lines("'use strict';\nimport a from 'a';\ninterface B {}\ndeclare const c: number;\nlet d;\nlet e = 1;\n"),
  ).toEqual([6]);
  expect(lines('class A {\n  b;\n  c = 1;\n  d() {\n    for (;;) break;\n  }\n}\n')).toEqual([3, 5, 5]);
});
