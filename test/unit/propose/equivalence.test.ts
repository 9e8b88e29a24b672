// What counts as the same, and what looks alike and is not. Each row: before, after, whether it is proved.

import { describe, expect, test } from 'vitest';
import { openTypes } from '../../../server/src/core/propose/extraction/checkerTypes.ts';
import { provesFilesEquivalent } from '../../../server/src/core/propose/equivalence/proof.ts';
import { parseSource } from '../../../server/src/core/propose/syntax/parse.ts';
import { memoryTree } from './recipeCase.ts';

type Row = readonly [before: string, after: string, same: boolean];

function proves(before: string, after: string): boolean {
  const types = openTypes(memoryTree({ 'src/a.ts': before }), '/repository/src/a.ts', before);
  try {
    return provesFilesEquivalent(parseSource('src/a.ts', before)!, parseSource('src/a.ts', after)!, types);
  } finally {
    types.dispose();
  }
}

const tables: Readonly<Record<string, readonly Row[]>> = {
  'text and parentheses': [
    ['a(); // one', 'a();', true],
    ['const x = (a + b) * c;', 'const x = a + b * c;', false],
    ['const x = (a * b) + c;', 'const x = a * b + c;', true],
    ['(a?.b).c;', 'a?.b.c;', false],
    ["('use strict');", "'use strict';", false],
    ['a()', 'b()', false],
    ['f(a, b)', 'f(b, a)', false],
    ['import type { A } from "a";', 'import { A } from "a";', false],
    ['for (; a; ) b();', 'for (a; ; ) b();', false],
    ['async function f() { await a(); }', 'async function f() { a(); }', false],
  ],
  'nested ifs': [
    ['if (a) { if (b) { c(); } }', 'if (a && b) { c(); }', true],
    ['if (a || d) { if (b) { c(); } }', 'if ((a || d) && b) { c(); }', true],
    ['if (a || d) { if (b) { c(); } }', 'if (a || d && b) { c(); }', false],
    ['if (a) { if (b && d) c(); }', 'if (a && b && d) c();', true],
    ['if (a) { if (b) { if (d) c(); } }', 'if (a && b && d) c();', true],
    ['if (a) { if (b) c(); }', 'if (b && a) c();', false],
    ['if (a) { if (b) c(); else d(); }', 'if (a && b) c(); else d();', false],
    ['if (a) { x(); if (b) c(); }', 'if (a && b) c();', false],
    ['if (a) { if (b) c(); }', 'if (a || b) c();', false],
  ],
  'what does nothing': [
    ['if (a) b(); else { if (c) d(); }', 'if (a) b(); else if (c) d();', true],
    ['if (a) b(); else { if (c) d(); else e(); }', 'if (a) b(); else if (c) d(); else e();', true],
    ['if (a) b(); else { x(); if (c) d(); }', 'if (a) b(); else if (c) d();', false],
    ['if (a) b(); else { if (c) d(); }', 'if (a) b(); else if (d) c();', false],
    ['if (p) { if (a) b(); else { if (c) d(); } } else e();', 'if (p) if (a) b(); else if (c) d(); else e();', false],
    ['if (a) {} else { b(); }', 'if (!a) { b(); }', true],
    ['if (a === 1) {} else { b(); }', 'if (a !== 1) { b(); }', true],
    ['if (a) {} else { b(); }', 'if (a) { b(); }', false],
    ['if (a) { b(); } else {}', 'if (a) { b(); }', true],
    ['if (a) { b(); } else { c(); }', 'if (a) { b(); }', false],
    ['try { a(); } catch (e) { throw e; }', 'a();', true],
    ['try { a(); } catch (e) { throw e; } b();', 'a(); b();', true],
    ['try { a(); } catch (e) { throw f; }', 'a();', false],
    ['try { a(); } catch (e) { throw e; } finally { b(); }', 'try { a(); } finally { b(); }', true],
    ['try { a(); } catch (e) { throw e; } finally { b(); }', 'a(); b();', false],
    [
      'function f(x) { try { let x = 1; a(x); } catch (e) { throw e; } return x; }',
      'function f(x) { let x = 1; a(x); return x; }',
      false,
    ],
    ['try { let x = 1; } catch (e) { throw e; }', 'let x = 1;', false],
    [
      "function f() { try { 'use strict'; a(); } catch (e) { throw e; } }",
      "function f() { 'use strict'; a(); }",
      false,
    ],
    ['function f() { a(); return; }', 'function f() { a(); }', true],
    ['function f() { a(); return b; }', 'function f() { a(); }', false],
    ['function f() { if (a) { b(); return; } c(); }', 'function f() { if (a) { b(); } c(); }', false],
    ['for (const a of b) { c(a); continue; }', 'for (const a of b) { c(a); }', true],
    ['for (const a of b) { c(a); break; }', 'for (const a of b) { c(a); }', false],
    ['x: for (;;) { for (const a of b) { c(a); continue x; } }', 'x: for (;;) { for (const a of b) { c(a); } }', false],
  ],
  conditions: [
    ['if (!!a) b();', 'if (a) b();', true],
    ['const x = !!a;', 'const x = a;', false],
    ['const x = !!(a > b);', 'const x = a > b;', true],
    ['const x = !(a === b);', 'const x = a !== b;', true],
    ['const x = !(a < b);', 'const x = a >= b;', false],
    ['const x = !(a === b);', 'const x = a != b;', false],
    ['const x = a > b ? true : false;', 'const x = a > b;', true],
    ['const x = a ? true : false;', 'const x = a;', false],
    ['const x = a ? false : true;', 'const x = !a;', true],
    ['const x = a ? true : false;', 'const x = !a;', false],
    ['const x = a && b ? false : true;', 'const x = !a || !b;', true],
    ['while (a ? true : false) b();', 'while (a) b();', true],
    ['function f(a: boolean) { return a ? true : false; }', 'function f(a: boolean) { return a; }', true],
    ['function f(a: boolean) { if (a === true) g(); }', 'function f(a: boolean) { if (a) g(); }', true],
    ['function f(a?: boolean) { if (a === true) g(); }', 'function f(a?: boolean) { if (a) g(); }', true],
    ['function f(a?: boolean) { return a === true; }', 'function f(a?: boolean) { return a; }', false],
    ['function f(a?: boolean) { if (a === false) g(); }', 'function f(a?: boolean) { if (!a) g(); }', false],
    ['function f(a?: boolean) { return a !== true; }', 'function f(a?: boolean) { return !a; }', true],
    ['function f(a: boolean) { return a === false; }', 'function f(a: boolean) { return !a; }', true],
    ['function f(a: any) { if (a === true) g(); }', 'function f(a: any) { if (a) g(); }', false],
    ['function f(a: string) { if (a) return true; return false; }', 'function f(a: string) { return a; }', false],
    [
      "function f(a: string) { if (a === 'b') { return true; } else { return false; } }",
      "function f(a: string) { return a === 'b'; }",
      true,
    ],
    ['function f(a: string) { if (a) return false; return true; }', 'function f(a: string) { return !a; }', true],
    ['function f(a: string) { if (a) return true; return true; }', 'function f(a: string) { return !a; }', false],
  ],
  constants: [
    ['export {}; let a = 1; b(a);', 'export {}; const a = 1; b(a);', true],
    ['let a = 1; b(a);', 'const a = 1; b(a);', false],
    ['export let a = 1;', 'export const a = 1;', false],
    ['const a = 1; b(a);', 'let a = 1; b(a);', false],
    ['var a = 1; b(a);', 'const a = 1; b(a);', false],
    ['let a = 1; b(() => { a = 2; });', 'const a = 1; b(() => { a = 2; });', false],
    ['let a = 1; ({ a } = b);', 'const a = 1; ({ a } = b);', false],
    ['let a = 1; [, a = 2] = b;', 'const a = 1; [, a = 2] = b;', false],
    ['for (let a of b) c(a);', 'for (const a of b) c(a);', true],
    ['for (let a = 0; a < 3; a++) c(a);', 'for (const a = 0; a < 3; a++) c(a);', false],
  ],
  'unreachable code': [
    ['function f() { return 1; g(); }', 'function f() { return 1; }', true],
    ['function f() { if (a) return 1; g(); }', 'function f() { if (a) return 1; }', false],
    ['function f() { return g(); function g() {} }', 'function f() { return g(); }', false],
    ['function f() { return g(); h(); function g() {} }', 'function f() { return g(); function g() {} }', true],
    ['function f() { x = 1; return x; var x = 2; }', 'function f() { x = 1; return x; }', false],
    ['function f() { x = 1; return x; var x = 2; }', 'function f() { x = 1; return x; var x; }', true],
    ['function f() { for (;;) { g(); } h(); }', 'function f() { for (;;) { g(); } }', true],
    ['function f() { for (;;) { if (g()) break; } h(); }', 'function f() { for (;;) { if (g()) break; } }', false],
    ['function f() { return 1; g(); }', 'function f() { g(); return 1; }', false],
  ],
  chains: [
    [
      'function f(a?: { b: { c: 1 } }) { if (a && a.b && a.b.c) g(); }',
      'function f(a?: { b: { c: 1 } }) { if (a?.b?.c) g(); }',
      true,
    ],
    [
      'function f(a?: { b: { c: 1 } }) { if (a && a.b && a.b.c) g(); }',
      'function f(a?: { b: { c: 1 } }) { if (a?.b.c) g(); }',
      false,
    ],
    [
      'function f(a?: { b: { c: 1 } }) { if (a && a.b && a.b.c) g(); }',
      'function f(a?: { b: { c: 1 } }) { if (a?.c?.b) g(); }',
      false,
    ],
    ['function f(a: string) { if (a && a.length) g(); }', 'function f(a: string) { if (a?.length) g(); }', false],
    [
      'function f(a: { length: number }) { if (a && a.length) g(); }',
      'function f(a: { length: number }) { if (a?.length) g(); }',
      false,
    ],
    ['function f(a?: { b: 1 }) { if (a && a.b) g(); }', 'function f(a?: { b: 1 }) { if (a.b) g(); }', false],
    ['function f(a?: { b: 1 }) { if (a.b) g(); }', 'function f(a?: { b: 1 }) { if (a?.b) g(); }', false],
    ['function f(a?: { b: 1 }) { return a && a.b; }', 'function f(a?: { b: 1 }) { return a?.b; }', true],
    ['function f(a: { b: 1 } | null) { return a && a.b; }', 'function f(a: { b: 1 } | null) { return a?.b; }', false],
    [
      "function f(a?: { b(x: string): 1 }) { if (a && a.b('x?.y')) g(); }",
      "function f(a?: { b(x: string): 1 }) { if (a?.b('x.y')) g(); }",
      false,
    ],
    [
      "function f(a?: { b: 'c' }) { if (a && a.b === 'c') g(); }",
      "function f(a?: { b: 'c' }) { if (a?.b === 'c') g(); }",
      true,
    ],
    [
      "function f(a?: { b?: 'c' }) { if (a && a.b !== 'c') g(); }",
      "function f(a?: { b?: 'c' }) { if (a?.b !== 'c') g(); }",
      false,
    ],
    [
      'function f(a?: { b?: 1 }, c = undefined) { if (a && a.b === c) g(); }',
      'function f(a?: { b?: 1 }, c = undefined) { if (a?.b === c) g(); }',
      false,
    ],
    [
      "function f(a?: { b: 'c' }) { return a && a.b === 'c'; }",
      "function f(a?: { b: 'c' }) { return a?.b === 'c'; }",
      false,
    ],
    [
      'const f = (a: { b: 1 } | null | undefined) => (a !== null && a !== undefined ? a.b : undefined);',
      'const f = (a: { b: 1 } | null | undefined) => a?.b;',
      true,
    ],
    [
      'const f = (a: { b: 1 } | null | undefined) => (a !== null && a !== undefined ? a.b : null);',
      'const f = (a: { b: 1 } | null | undefined) => a?.b;',
      false,
    ],
    [
      'const f = (a?: { b: 1 } | null) => (a !== undefined ? a.b : undefined);',
      'const f = (a?: { b: 1 } | null) => a?.b;',
      false,
    ],
    ['const f = (a?: { b: 1 }) => (a !== undefined ? a.b : undefined);', 'const f = (a?: { b: 1 }) => a?.b;', true],
    ['const f = (a?: { b: 1 }) => (a === undefined ? a.b : undefined);', 'const f = (a?: { b: 1 }) => a?.b;', false],
    [
      'class A { get b(): { c: 1 } | undefined { return; } } function f(a: A) { if (a.b && a.b.c) g(); }',
      'class A { get b(): { c: 1 } | undefined { return; } } function f(a: A) { if (a.b?.c) g(); }',
      false,
    ],
  ],
  replacements: [
    ['const f = (a?: number | null) => (a == null ? 1 : a);', 'const f = (a?: number | null) => a ?? 1;', true],
    ['const f = (a?: number | null) => (a == null ? a : 1);', 'const f = (a?: number | null) => a ?? 1;', false],
    ['const f = (a?: number | null) => (a === undefined ? 1 : a);', 'const f = (a?: number | null) => a ?? 1;', false],
    ['const f = (a?: number) => (a === undefined ? 1 : a);', 'const f = (a?: number) => a ?? 1;', true],
    ['const f = (a?: number) => a || 1;', 'const f = (a?: number) => a ?? 1;', false],
    ['const f = (a?: { b: 1 }) => a || g();', 'const f = (a?: { b: 1 }) => a ?? g();', true],
    ['const f = (a: any) => a || g();', 'const f = (a: any) => a ?? g();', false],
    ['const f = (a: any) => a != null ? a : g();', 'const f = (a: any) => a ?? h();', false],
  ],
  loops: [
    [
      'function f(list: number[]) { for (let i = 0; i < list.length; i++) { const a = list[i]; g(a); } }',
      'function f(list: number[]) { for (const a of list) { g(a); } }',
      true,
    ],
    [
      'function f(list: number[]) { for (let i = 0; i < list.length; i++) { const a = list[i]; g(a); } }',
      'function f(list: number[]) { for (let a of list) { g(a); } }',
      false,
    ],
    [
      'function f(list: number[]) { for (let i = 0; i < list.length; i++) { const a = list[i]; g(a); } }',
      'function f(list: number[]) { for (const a of list) { h(a); } }',
      false,
    ],
    [
      'function f(list: number[], b: number[]) { for (let i = 0; i < list.length; i++) { const a = list[i]; g(a); } }',
      'function f(list: number[], b: number[]) { for (const a of b) { g(a); } }',
      false,
    ],
    [
      'function f(list: string) { for (let i = 0; i < list.length; i++) { const a = list[i]; g(a); } }',
      'function f(list: string) { for (const a of list) { g(a); } }',
      false,
    ],
    [
      'function f(list: number[]) { for (let i = 0; i < list.length; i++) { const a = list[i]; g(a, i); } }',
      'function f(list: number[]) { for (const a of list) { g(a, i); } }',
      false,
    ],
    [
      'function f(list: number[]) { for (let i = 0; i < list.length; i++) g(list[i]); }',
      'function f(list: number[]) { for (const item of list) g(item); }',
      true,
    ],
    [
      'function f(list: number[], item = 1) { for (let i = 0; i < list.length; i++) g(list[i], item); }',
      'function f(list: number[], item = 1) { for (const item of list) g(item, item); }',
      false,
    ],
    [
      'function f(list: number[]) { for (let i = 0; i < list.length; i++) { g(list[i]); h(list[i]); } }',
      'function f(list: number[]) { for (const item of list) { g(item); h(item); } }',
      false,
    ],
    [
      'function f(list: number[]) { for (let i = list.length; i > 0; i--) g(list[i]); }',
      'function f(list: number[]) { for (const item of list) g(item); }',
      false,
    ],
    [
      'async function f(list: number[]) { for (let i = 0; i < list.length; i++) g(list[i]); }',
      'async function f(list: number[]) { for await (const item of list) g(item); }',
      false,
    ],
  ],
  templates: [
    ["const f = (a: string) => 'x' + a + 'y';", 'const f = (a: string) => `x${a}y`;', true],
    ["const f = (a: string) => 'x' + a + 'y';", 'const f = (a: string) => `x${a}z`;', false],
    ["const f = (a: string) => 'x' + a + 'y';", 'const f = (a: string) => tag`x${a}y`;', false],
    ["const f = (a: number, b: number) => a + b + 'y';", 'const f = (a: number, b: number) => `${a}${b}y`;', false],
    ["const f = (a: number, b: number) => a + b + 'y';", 'const f = (a: number, b: number) => `${a + b}y`;', true],
    ["const f = (a: Date) => 'x' + a + 'y';", 'const f = (a: Date) => `x${a}y`;', false],
    ["const f = (a: symbol) => 'x' + a + 'y';", 'const f = (a: symbol) => `x${a}y`;', false],
    ["const f = (a: string, b: string) => 'x' + a + b;", 'const f = (a: string, b: string) => `x${b}${a}`;', false],
    ["const f = (a: number) => 'x' + (a + 1);", 'const f = (a: number) => `x${a}1`;', false],
    ["const f = (a: number) => 'x' + a + 1;", 'const f = (a: number) => `x${a}${1}`;', true],
  ],
  promises: [
    ['async () => { await Promise.resolve(a); }', 'async () => { await a; }', true],
    ['async () => { await Promise.resolve(a); }', 'async () => { a; }', false],
    ['async () => { await Promise.resolve(); }', 'async () => { await undefined; }', false],
    [
      'import { Promise } from "p"; async () => { await Promise.resolve(a); }',
      'import { Promise } from "p"; async () => { await a; }',
      false,
    ],
    ['async () => { return Promise.resolve(a); }', 'async () => { return a; }', false],
    ['async () => { await 1; }', 'async () => { 1; }', false],
  ],
};

describe.each(Object.entries(tables))('%s', (_, rows) => {
  test.each(rows)('%s → %s: %s', (before, after, same) => {
    expect(proves(before, after)).toBe(same);
  });
});
