// Which functions of a file with an imported file system are called: those that do not reach it.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSourceTree } from '../../../server/src/adapters/files/sourceTree.ts';
import { openProject } from '../../../server/src/core/propose/extraction/project.ts';
import { planSearch } from '../../../server/src/core/verify/counterexamples/planSearch.ts';

const CODE = `
const fs = require('fs')
function parse (text) { return split(text).length }
function split (text) { return text.split('=') }
function load (path) { return api.parse(fs.readFileSync(path, 'utf8')) }
function config (path) { return api.load(path) }
const api = { load, config, parse }
module.exports.load = api.load
module.exports.config = api.config
module.exports.parse = api.parse
module.exports = api
`;
const TYPES = `
export function parse(text: string): number;
export function load(path: string): number;
export function config(path: string): number;
`;

function planned(code: string, types: string, test = '') {
  const root = mkdtempSync(join(tmpdir(), 'selfware-exported-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, 'tsconfig.json'), '{ "compilerOptions": { "strict": true, "target": "esnext" } }');
  writeFileSync(join(root, 'code.js'), code);
  writeFileSync(join(root, 'code.d.ts'), types);
  writeFileSync(join(root, 'code.test.js'), test);
  const { subjects } = planSearch(['code.js'], { 'code.js': ['code.test.js'] }, createSourceTree(root), openProject);
  return subjects.map(({ name, exportedAs }) => `${name} as ${exportedAs}`);
}

test('a function that an object collects is called if neither it nor what it calls reaches the file system', () => {
  expect(planned(CODE, TYPES)).toEqual(['parse as parse']);
});

test('nothing is called if the object may be changed, because then the function may be another one', () => {
  for (const change of [
    'api.parse = api.load',
    "api['parse'] = load",
    '({ load: api.parse } = api)',
    'Object.assign(api, { parse: load })',
    'delete api.parse',
  ])
    expect(planned(`${CODE}${change}\n`, TYPES), change).toEqual([]);
  expect(planned(CODE.replace('const api', 'let api'), TYPES)).toEqual([]);
  expect(planned(CODE.replace('parse }', '...fs, parse }'), TYPES)).toEqual([]);
});

test('a function that `export =` names is called beside the members of its namespace', () => {
  const types = `
declare namespace slug { export function size(text: string): number;
  const _default: typeof slug; export { _default as default }; }
declare function slug(text: string): string;
export = slug;
`;
  expect(planned('module.exports = (text) => text + 1\n', types)).toEqual(['slug as default', 'size as size']);
});
