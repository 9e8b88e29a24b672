// State that a change newly keeps between calls is found, whatever its form.

import { expect, test } from 'vitest';
import { newState } from '../../../server/src/core/verify/integrity/newState.ts';

const namesIn = (after: string, before: string | null = 'export const f = (x) => x;\n', path = 'a.js') =>
  newState([{ path, before, after }]).map(({ name }) => name);

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
])('%s is no such state', (_, after) => {
  expect(namesIn(after)).toEqual([]);
});

test('other languages and deleted files are left out', () => {
  expect(namesIn('n = 0\n', 'n = 1\n', 'a.py')).toEqual([]);
  expect(newState([{ path: 'a.js', before: 'let n = 0;', after: null }])).toEqual([]);
});
