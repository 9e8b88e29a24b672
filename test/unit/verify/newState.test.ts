// State that a change newly keeps between calls is found, whatever its form.

import { expect, test } from 'vitest';
import type { GateInput } from '../../../server/src/core/verify/gate.ts';
import { gate } from '../../../server/src/core/verify/gates/integrity/gate.ts';
import { collectNewState } from '../../../server/src/core/verify/integrity/newState.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { never } from '../../adapters/sandbox/sandboxOf.ts';
import { createInProcessRunner } from '../../helpers/inProcessRunner.ts';
import { contextOf, edit, proposalOf } from './verifying.ts';
import { createPart } from '../../helpers/createPart.ts';

const namesIn = (after: string, before: string | null = 'export const f = (x) => x;\n', path = 'a.js') =>
  collectNewState([{ path, before, after }]).map(({ name }) => name);

test.each([
  ['a counter', 'let calls = 0;\nexport function f(x) { calls += 1; return calls === 2 ? 1 : x; }', 'calls'],
  ['a counter that is read where it is raised', 'let n = 0;\nexport const f = (x) => (n++ > 3 ? 1 : x);', 'n'],
  ['a key of a table', 'let n = 0;\nexport function f(x) { n += 1; return { 2: 1 }[n] ?? x; }', 'n'],
  ['a list', 'const seen = [];\nexport function f(x) { seen.push(x); return seen.length; }', 'seen'],
  [
    'a map',
    'const seen = new Map();\nexport function f(x) { if (seen.has(x)) return 1; seen.set(x, 1); return x; }',
    'seen',
  ],
  [
    'a property of the function',
    'export function f(x) { f.calls = (f.calls ?? 0) + 1; return f.calls > 1 ? 1 : x; }',
    'f',
  ],
  ['a closure', 'export const f = (() => { let n = 0; return (x) => { n += 1; return n > 1 ? 1 : x; }; })();', 'n'],
  ['a static field', 'class C { static n = 0; }\nexport function f(x) { C.n += 1; return C.n > 1 ? 1 : x; }', 'C'],
  ['an iterator', 'const ids = [1, 2][Symbol.iterator]();\nexport const f = (x) => ids.next().value ?? x;', 'ids'],
  ['a pattern that remembers', 'const odd = /x/g;\nexport const f = (x) => (odd.test(x) ? 1 : 2);', 'odd'],
  ['an imported object', "import { s } from './s.js';\nexport const f = (x) => (s.n++ > 2 ? 1 : x);", 's'],
  ['an imported list', "import all from './all.js';\nexport const f = (x) => (all.push(x) > 2 ? 1 : x);", 'all'],
  [
    'a closure of a factory',
    'function counter() { let n = 0; return () => ++n; }\nconst next = counter();\nexport const f = (x) => (next() > 2 ? 1 : x);',
    'n',
  ],
  [
    'a closure of a factory in an arrow',
    'const counter = () => { let n = 0; return () => ++n; };\nconst next = counter();\nexport const f = (x) => (next() > 2 ? 1 : x);',
    'n',
  ],
  [
    'a static field by `this`',
    'export class C { static n = 0; static f(x) { this.n++; return this.n > 2 ? 1 : x; } }',
    'C',
  ],
  [
    'the only object of a class',
    'class C { n = 0; bump() { this.n++; return this.n; } }\nconst c = new C();\nexport const f = (x) => (c.bump() > 2 ? 1 : x);',
    'C',
  ],
  ['a field of an object by `this`', 'export const o = { n: 0, f(x) { this.n++; return this.n > 2 ? 1 : x; } };', 'o'],
  [
    'an object that others are assigned to',
    'const s = { n: 0 };\nexport function f(x) { Object.assign(s, { n: s.n + 1 }); return s.n > 2 ? 1 : x; }',
    's',
  ],
  [
    'a local alias',
    'const s = { n: 0 };\nexport function f(x) { const state = s; state.n++; return state.n > 2 ? 1 : x; }',
    's',
  ],
  [
    'a part that is taken out',
    'const s = { all: [] };\nexport function f(x) { const { all } = s; all.push(x); return all.length > 2 ? 1 : x; }',
    's',
  ],
  ['a pattern of variables', 'let n = 0;\nexport function f(x) { [n] = [n + 1]; return n > 2 ? 1 : x; }', 'n'],
  ['a pattern of an object', 'let n = 0;\nexport function f(x) { ({ n } = { n: n + 1 }); return n > 2 ? 1 : x; }', 'n'],
])('%s', (_, after, name) => {
  expect(namesIn(after)).toEqual([name]);
  expect(namesIn(after, after)).toEqual([]);
  expect(namesIn(after, null, 'a.ts')).toEqual([name]);
});

test.each([
  ['a local variable', 'export function f(x) { let n = 0; n += x; return n; }'],
  ['a parameter of the same name', 'let n = 0;\nexport function f(n) { n += 1; return n; }'],
  [
    'a list that nothing changes in a function',
    'const all = [];\nall.push(1);\nexport const f = (x) => all.includes(x);',
  ],
  ['a count that nothing reads', 'let n = 0;\nexport function f(x) { n += 1; return x; }'],
  ['a constant', 'const limit = 3;\nexport const f = (x) => (x > limit ? 1 : x);'],
  ['a pattern without memory', 'const odd = /x/;\nexport const f = (x) => (odd.test(x) ? 1 : 2);'],
  ['state of each object', 'export class C { #n = 0; f(x) { this.#n += 1; return this.#n + x; } }'],
  ['state of each result', 'export function make() { let n = 0; return () => { n += 1; return n; }; }'],
  ['a copy of a value', 'const limit = 3;\nexport function f(x) { let n = limit; n += x; return n; }'],
  [
    'a copy of an object',
    'const s = { n: 0 };\nexport function f(x) { const t = Object.assign({}, s); t.n++; return t.n; }',
  ],
  ['a method of a package', "import api from 'api';\nexport const f = (x) => api.delete(x);"],
  ['a local list', 'export function f(x) { const s = { all: [] }; const { all } = s; all.push(x); return all; }'],
])('%s is no such state', (_, after) => {
  expect(namesIn(after)).toEqual([]);
});

test('other languages and deleted files are left out', () => {
  expect(namesIn('n = 0\n', 'n = 1\n', 'a.py')).toEqual([]);
  expect(collectNewState([{ path: 'a.js', before: 'let n = 0;', after: null }])).toEqual([]);
});

test('where the time is over, nobody knows whether something is kept', async () => {
  const late = Promise.reject<never>(new SelfwareError('timedOut', 'The job newState took longer than 30 s.'));
  const context = contextOf({ sandbox: createInProcessRunner({}) }, { findNewState: () => late });
  const edits = [edit('a.js', 'export const f = 1;\n', 'export const f = 2;\n')];
  const answer = await gate(createPart<GateInput>({ context, edits, proposal: proposalOf(edits) }), never);
  expect(answer).toMatchObject({ outcome: 'unknown', evidence: { dependsOnTime: 1 } });
  expect(answer.reason).toContain('There was no time to find out');
});
