// Calls of functions that are recorded while the tests run, and what the search makes of them.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSourceTree } from '../../../server/src/adapters/files/sourceTree.ts';
import { openProject } from '../../../server/src/core/propose/extraction/project.ts';
import { planSearch } from '../../../server/src/core/verify/counterexamples/planSearch.ts';
import { readRecordedCalls } from '../../../server/src/core/verify/guard/recordedCalls.ts';
import { canBeRecorded } from '../../../server/src/core/session/analyse/unguarded/recording.ts';
import { insertRecorders } from '../../../server/src/core/verify/guard/recorders.ts';

const CODE = `'use strict';
const glob = (pattern, options = {}) => pattern + options.end;
glob.test = (text, pattern) => text === pattern;
function rank(name) { 'use strict'; return name.length; }
/** @private */
function hidden(name) { return name; }
const all = ({ name }) => name;
module.exports = glob;
module.exports.rank = rank;
module.exports.hidden = hidden;
module.exports.all = all;
`;

/** Folders as in a sandbox. */
const ENV = { ...process.env, HOME: '/sandbox/home', TMPDIR: '/sandbox/tmp' };

/** Runs these statements with the recorded code as `glob`. */
function recordedBy(statements: string) {
  const root = mkdtempSync(join(tmpdir(), 'selfware-recorded-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const calls = join(root, 'node_modules', 'calls');
  mkdirSync(join(root, 'node_modules'));
  writeFileSync(calls, '');
  writeFileSync(join(root, 'glob.js'), insertRecorders('glob.js', CODE, calls)!);
  writeFileSync(join(root, 'run.js'), `const glob = require('./glob');\n${statements}`);
  const output = execFileSync(process.execPath, ['run.js'], { cwd: root, encoding: 'utf8', env: ENV });
  writeFileSync(join(root, 'glob.js'), CODE);
  const recorded = readRecordedCalls(readFileSync(calls, 'utf8'), Date.now());
  const plan = planSearch(['glob.js'], { 'glob.js': [] }, createSourceTree(root), openProject, recorded);
  return { output, recorded, plan };
}

test('functions without types are called as the tests were seen to call them', () => {
  const { plan, output } = recordedBy(`
console.log(glob('a*', { end: '$', deep: [1, null] }), Object.keys(globalThis).includes('__selfwareCalls'));
glob('b'); glob('b');
glob.test('a', 'b');
glob.rank('one', undefined);
glob.hidden('x');
glob.all({ name: 'y' });
`);
  expect(output).toBe('a*$ false\n');
  expect(plan.subjects.map(({ name, exportedAs, access, examples }) => [name, exportedAs, access, examples])).toEqual([
    [
      ...['glob', 'default', 'glob'],
      [
        ['b', { $: 'record', fields: [] }],
        [
          'a*',
          {
            $: 'record',
            fields: [
              ['end', '$'],
              ['deep', { $: 'array', of: [1, null] }],
            ],
          },
        ],
      ],
    ],
    ['rank', 'rank', 'rank', [['one']]],
    ['all', 'all', 'all', []],
    ['test', 'test', 'glob.test', [['a', 'b']]],
  ]);
  // A maintainer tests no private function.
  expect(plan.leftOut.map(({ name }) => name)).toEqual(['hidden']);
});

test('values that no test can write out are not recorded, and none of their code runs', () => {
  const { recorded, output } = recordedBy(`
const got = [];
glob.rank({ get length() { got.push('getter'); return 1; } });
glob.rank(new Map());
glob.rank(Object.assign(() => {}, { of: 1 }));
glob.rank([undefined]);
glob.rank([NaN]);
glob.rank('a'.repeat(500));
const cycle = []; cycle.push(cycle);
glob.rank(cycle);
console.log(got.length);
`);
  expect(output).toBe('1\n');
  expect(recorded).toEqual({});
});

test('lists that only look plain are not recorded, and none of their code runs', () => {
  const { recorded, output } = recordedBy(`
const ran = [];
class Words extends Array { constructor(...all) { super(...all); ran.push('class'); } }
const words = new Words('a', 'b');
const trap = { getPrototypeOf(of) { ran.push('proxy'); return Object.getPrototypeOf(of); } };
const getter = ['a'];
Object.defineProperty(getter, 0, { enumerable: true, get() { ran.push('getter'); return 'a'; } });
const before = ran.length;
for (const one of [words, new Proxy({}, trap), getter, /a/.exec('a'), [, 'a']]) glob.rank(one);
console.log(ran.length - before);
`);
  expect(output).toBe('0\n');
  expect(recorded).toEqual({});
});

test('texts that name a folder of the sandbox are not recorded, since no other machine has it', () => {
  const { recorded } = recordedBy(`
for (const one of [__dirname + '/a.txt', { in: [process.env.HOME + '/.cache'] }, 'to ' + process.env.TMPDIR]) glob.rank(one);
glob.rank('/usr/lib');
`);
  expect(Object.values(recorded['glob.js']!)).toEqual([[['/usr/lib']]]);
});

test('addresses of servers that the tests started and the current time are not recorded, since the next run has others', () => {
  const now = Date.parse('2026-12-01T12:00:00Z');
  const written = (value: string | number) => JSON.stringify(['a.js', 1, [value]]);
  const stays = [
    'http://localhost:3000/a',
    'https://example.com:44359/',
    1_612_345_678_901,
    '2021-02-03T09:47:58.901Z',
  ];
  const passes = [
    ...['http://127.0.0.1:44359/foo', 'http://localhost:49152/', 'http://[::1]:50000'],
    ...[now + 5, `a-${now - 5}`, '2026-12-01T11:59:59.123Z'],
  ];
  const recorded = readRecordedCalls([...stays, ...passes].map(written).join('\n'), now);
  expect(recorded['a.js']![1]!.flat().toSorted()).toEqual(stays.toSorted());
});

test('a large value is not read to its end', () => {
  const { recorded, output } = recordedBy(`
const list = Array.from({ length: 100_000 }, (_, at) => ({ at }));
const before = process.cpuUsage().user;
for (let at = 0; at < 2_000; at += 1) glob.rank(list);
console.log(process.cpuUsage().user - before < 5e6);
`);
  expect(output).toBe('true\n');
  expect(recorded).toEqual({});
});

test('recorded calls have the same order whichever process wrote first, and lines that are no calls are left out', () => {
  const lines = ['["a.js",1,["b"]]', '["a.js",1,["long"]]', '["a.js",1,["a"]]'];
  const inOrder = [['a'], ['b'], ['long']];
  for (const text of [lines.join('\n'), lines.toReversed().join('\n')])
    expect(readRecordedCalls(text, 0)).toEqual({ 'a.js': { 1: inOrder } });
  const forged = [
    '5',
    '{}',
    '["a.js",1]',
    '["a.js",1,["b"]',
    '["a.js",1,[{"$":"global","name":"process.exit"}]]',
    '["a.js",1,[{"$":"array","of":[{"then":1}]}]]',
    '["a.js",1,[{"$":"record","fields":[[1,2]]}]]',
  ];
  expect(readRecordedCalls(forged.join('\n'), 0)).toEqual({});
});

test('functions of TypeScript are recorded, too, because their types do not say which texts make sense', () => {
  expect(['src/size.ts', 'size.mjs', 'size.tsx'].filter(canBeRecorded)).toHaveLength(3);
  expect(['size.d.ts', 'internal/size.ts', 'size.py'].filter(canBeRecorded)).toEqual([]);
  const root = mkdtempSync(join(tmpdir(), 'selfware-recorded-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const code = `export function size<T extends string>(text: T, unit?: 'px' | 'em'): string { return text.length + (unit ?? ''); }
export const twice = (count: number): number => count * 2;
`;
  const calls = join(root, 'calls');
  writeFileSync(join(root, 'size.ts'), insertRecorders('size.ts', code, calls)!);
  writeFileSync(join(root, 'run.mjs'), "import { size, twice } from './size.ts'; size('ab', 'em'); twice(3);\n");
  execFileSync(process.execPath, ['--no-warnings', 'run.mjs'], { cwd: root, env: ENV });
  expect(Object.values(readRecordedCalls(readFileSync(calls, 'utf8'), Date.now())['size.ts']!)).toEqual([
    [['ab', 'em']],
    [[3]],
  ]);
});
