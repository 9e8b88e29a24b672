// Which declaration file states the types of a JavaScript file.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSourceTree } from '../../../server/src/adapters/files/sourceTree.ts';
import { openProject } from '../../../server/src/core/propose/extraction/project.ts';
import { filterAllowed } from '../../../server/src/core/verify/counterexamples/filterAllowed.ts';
import { planSearch } from '../../../server/src/core/verify/counterexamples/planSearch.ts';

function treeOf(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'selfware-declared-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return createSourceTree(root);
}

/** The functions of these files that are called, and those that are left out. */
function planned(files: Readonly<Record<string, string>>) {
  const scripts = Object.keys(files).filter((path) => /\.[cm]?js$/.test(path));
  const { subjects, leftOut } = planSearch(scripts, {}, treeOf(files), openProject);
  return {
    called: subjects.map(({ path, name, parameters }) => `${path} ${name}: ${parameters[0]!.shape.kind}`),
    leftOut: leftOut.map(({ path, name }) => `${path} ${name}`),
  };
}

const CODE = 'export function parse(text) { return text.trim(); }\n';
const TYPES = 'export function parse(text: string): string;\n';

test('`index.d.ts` is for `index.mjs`; `index.cjs` holds the same functions and is left out', () => {
  expect(
    planned({
      'pkg/package.json': '{ "main": "index.cjs", "module": "index.mjs", "types": "index.d.ts" }',
      'pkg/index.mjs': 'function only(list) { return list.slice(); }\nexport { only as default };\n',
      'pkg/index.cjs': 'module.exports = only;\nfunction only(list) { return list.slice(); }\n',
      'pkg/index.d.ts': 'export default function only<T>(list: T[]): T[];\n',
    }),
  ).toEqual({ called: ['pkg/index.mjs only: array'], leftOut: ['pkg/index.cjs only'] });
});

test('the types that a package names are for its entry, and for the source of an entry that was not built', () => {
  const entry = { 'package.json': '{ "main": "index.js", "types": "types/index.d.ts" }', 'types/index.d.ts': TYPES };
  expect(planned({ ...entry, 'index.js': CODE, 'other.js': CODE })).toEqual({
    called: ['index.js parse: string'],
    leftOut: ['other.js parse'],
  });
  const exported = {
    'package.json': '{ "exports": { ".": { "types": "./index.d.ts", "import": "./dist/index.mjs" } } }',
    'index.d.ts': TYPES,
    'src/index.js': CODE,
  };
  expect(planned(exported).called).toEqual(['src/index.js parse: string']);
  expect(planned({ ...exported, 'dist/index.mjs': CODE }).called).toEqual(['dist/index.mjs parse: string']);
});

test('calls are checked against the types that the package names', () => {
  const tree = treeOf({
    'package.json': '{ "main": "index.js", "types": "types/index.d.ts" }',
    'types/index.d.ts': TYPES,
    'index.js': CODE,
  });
  const find = (call: string) => ({ path: 'index.js', name: 'parse', exportedAs: 'parse', calls: [call] });
  const [right, wrong] = [find('parse("a")'), find('parse(1)')];
  expect(filterAllowed([right, wrong], tree, openProject)).toEqual([right]);
});
