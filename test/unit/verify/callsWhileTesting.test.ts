// Calls of functions that are recorded while the tests run, and what the search makes of them.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSourceTree } from '../../../server/src/adapters/files/sourceTree.ts';
import { openProject } from '../../../server/src/core/propose/extraction/project.ts';
import { planSearch } from '../../../server/src/core/verify/counterexamples/planSearch.ts';
import { recordedCalls } from '../../../server/src/core/verify/guard/recordedCalls.ts';
import { withRecorders } from '../../../server/src/core/verify/guard/recorders.ts';

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

/** Runs these statements with the recorded code as `glob`. */
function recordedBy(statements: string) {
  const root = mkdtempSync(join(tmpdir(), 'selfware-recorded-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const calls = join(root, 'calls');
  writeFileSync(calls, '');
  writeFileSync(join(root, 'glob.js'), withRecorders('glob.js', CODE, calls)!);
  writeFileSync(join(root, 'run.js'), `const glob = require('./glob');\n${statements}`);
  const output = execFileSync(process.execPath, ['run.js'], { cwd: root, encoding: 'utf8' });
  writeFileSync(join(root, 'glob.js'), CODE);
  const recorded = recordedCalls(readFileSync(calls, 'utf8'));
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
        ['b', { $: 'record', fields: [] }],
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
