// Which code new tests reach, for the question whether it acts on anything outside.

import { expect, test } from 'vitest';
import { findTestedSources } from '../../../server/src/core/session/verify/testedSources.ts';
import { findOutsideEffect, MAX_EXAMINED } from '../../../server/src/core/verify/claims/outsideEffects.ts';
import { contextOf, type Tree } from '../../helpers/contextOfTree.ts';

const never = new AbortController().signal;

async function outside(tree: Tree, edited: Tree, changed: Tree = {}): Promise<string | null> {
  const context = await contextOf(tree);
  const { files } = context.ports;
  const changing = { ...files, read: async (path: string) => bytesOf(changed[path]) ?? files.read(path) };
  const edits = Object.entries(edited).map(([path, after]) => ({ path, before: null, after }));
  return findOutsideEffect(
    await findTestedSources({ ...context, ports: { ...context.ports, files: changing } }, edits, never),
  );
}

function bytesOf(text: string | undefined): Uint8Array | null {
  return text === undefined ? null : new TextEncoder().encode(text);
}

const TEST = "import { one } from './one.js';\nimport './two.test.js';\nif (one !== 1) throw new Error();\n";
const ACTS = "import { rmSync } from 'node:fs';\nrmSync('all');\n";

test('what a test imports is examined, however far away', async () => {
  const tree = { 'one.js': "import './deep.js';\nexport const one = 1;\n", 'deep.js': 'export const deep = 1;\n' };
  const edited = { 'one.test.js': TEST, 'two.test.js': 'export {};\n' };
  expect(await outside(tree, edited)).toBe(null);
  expect(await outside({ ...tree, 'deep.js': ACTS }, edited)).toBe('`node:fs`, in deep.js');
});

test('a file that has changed since its analysis is not taken for harmless', async () => {
  const tree = { 'one.js': 'export const one = 1;\n' };
  expect(await outside(tree, { 'one.test.js': TEST }, { 'one.js': ACTS })).toBe('one.js, which was not examined');
});

test('a list that was cut is refused, also if one of its files is new', async () => {
  const chain = Array.from({ length: MAX_EXAMINED }, (_, at) => [
    at === 0 ? 'one.js' : `m${at}.js`,
    at === MAX_EXAMINED - 1 ? ACTS : `import './m${at + 1}.js';\nexport const one = 1;\n`,
  ]);
  const edited = { 'one.test.js': TEST, 'two.test.js': 'export {};\n' };
  expect(await outside(Object.fromEntries(chain) as Tree, edited)).toBe(`${MAX_EXAMINED} files or more`);
});

test('what is not analysed, such as build output, is not taken for harmless, and data is', async () => {
  const tree = { 'one.js': "import table from './table.json' with { type: 'json' };\nexport const one = table.one;\n" };
  const built = "import { one } from './one.js';\nimport '../dist/cli.js';\nif (one !== 1) throw new Error();\n";
  const plain = "import { one } from './one.js';\nif (one !== 1) throw new Error();\n";
  expect(await outside(tree, { 'one.test.js': plain })).toBe(null);
  expect(await outside(tree, { 'one.test.js': built })).toBe('../dist/cli.js, which was not examined');
  const far = { 'one.js': "import '../dist/cli.js';\nexport const one = 1;\n" };
  expect(await outside(far, { 'one.test.js': plain })).toBe('../dist/cli.js, which was not examined');
});
