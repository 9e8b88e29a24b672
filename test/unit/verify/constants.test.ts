// `let` that became `const`: proven where nothing writes to it, and never where something might.

import { expect, test } from 'vitest';
import { adoptConstants } from '../../../server/src/core/verify/differential/constants.ts';
import { emitJavaScript } from '../../../server/src/core/verify/differential/emitJavaScript.ts';

function proven(before: string, after: string, module = true): boolean {
  const [old, fresh] = [emitJavaScript('a.ts', before), emitJavaScript('a.ts', after)];
  return old !== fresh && adoptConstants(old, fresh, module) === fresh;
}

test.each([
  ['of the module', 'let a = 1;\nexport const b = () => a;\n', 'const a = 1;\nexport const b = () => a;\n'],
  [
    'taken apart',
    'export function f(s) {\n  let { a, b: [c] } = s;\n  return () => a + c;\n}\n',
    'export function f(s) {\n  const { a, b: [c] } = s;\n  return () => a + c;\n}\n',
  ],
  [
    'of a loop over values',
    'export function f(xs) { for (let x of xs) g(x); for (let k in xs) g(k); }\n',
    'export function f(xs) { for (const x of xs) g(x); for (const k in xs) g(k); }\n',
  ],
  [
    'one of two',
    'export function f() { let a = 1; let b = 2; b++; return a + b; }\n',
    'export function f() { const a = 1; let b = 2; b++; return a + b; }\n',
  ],
  [
    'with types and comments',
    'export function f(): number {\n  let a: number = 1;\n  return a;\n}\n',
    'export function f(): number {\n  // The one.\n  const a = 1;\n  return a;\n}\n',
  ],
  [
    'beside another of the same name that is written to',
    'export function f() { let a = 1; { let a = 2; a++; } return a; }\n',
    'export function f() { const a = 1; { let a = 2; a++; } return a; }\n',
  ],
  [
    'whose object is written to',
    'export function f() { let a = { b: 1 }; a.b = 2; return a; }\n',
    'export function f() { const a = { b: 1 }; a.b = 2; return a; }\n',
  ],
  [
    'inside a function of a script',
    'function f() { let a = 1; return a; }\n',
    'function f() { const a = 1; return a; }\n',
    false,
  ],
])('%s', (_what, before, after, module = true) => {
  expect(proven(before, after, module)).toBe(true);
});

test.each([
  ['assigned', 'export function f() { let a = 1; a = 2; return a; }\n'],
  ['counted up', 'export function f() { let a = 1; return a++; }\n'],
  ['assigned in a closure', 'export function f() { let a = 1; return () => { a ||= 2; }; }\n'],
  ['assigned by taking apart', 'export function f(s) { let a = 1; ({ a } = s); [a] = s; return a; }\n'],
  ['assigned by a loop', 'export function f(s) { let a = 1; for (a of s) g(); return a; }\n'],
  ['assigned in a default value', 'export function f(s) { let a = 1; const g = (b = (a = 2)) => b; return g; }\n'],
  ['assigned in JSX', 'export function f() { let a = 1; return <b onClick={() => (a = 2)} />; }\n'],
  ['written to by code in a text', "export function f() { let a = 1; eval('a = 2'); return a; }\n"],
  [
    'written to by code in a text, under another name',
    "export function f(run = eval) { let a = 1; run('a = 2'); return a; }\n",
  ],
])('not where it is %s', (_what, before) => {
  expect(proven(before, before.replace('let a', 'const a'))).toBe(false);
});

test.each([
  ['more differs', 'export let a = 1;\n', 'export const a = 2;\n'],
  ['const became let', 'export const a = 1;\n', 'export let a = 1;\n'],
  [
    'var became const',
    'export function f() { var a = 1; return a; }\n',
    'export function f() { const a = 1; return a; }\n',
  ],
  ['there is no value', 'export function f() { let a; return a; }\n', 'export function f() { const a; return a; }\n'],
  [
    'one of two is written to',
    'export function f() { let a = 1, b = 2; b++; return a + b; }\n',
    'export function f() { const a = 1, b = 2; b++; return a + b; }\n',
  ],
])('not where %s', (_what, before, after) => {
  expect(proven(before, after)).toBe(false);
});

test('other scripts see the names of a script', () => {
  expect(proven('let a = 1;\n', 'const a = 1;\n', false)).toBe(false);
});
