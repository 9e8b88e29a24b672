// Small texts on which tools that count complexity are known to differ: JSX, defaults, optional chains, nested
// functions, classes.

import type { Source } from './sources.ts';

const typescript = [
  'function f(a = 1, { b = 2, c: [d = 3] } = {}) {}',
  'function f() { let a; [a = 1] = x; ({ a = 2, b: a = 3 } = x); for ({ a = 4 } of y) {} }',
  'const f = (a?: { b?: () => void }) => a?.b?.() ?? a!.b?.["c"];',
  'function f(a: unknown) { return (a as string) && (a! && f(a)); }',
  'function f(a, b, c) { return a && b || c && a ?? (b && c); }',
  'function f(a, b) { return !(a && b) && !(a || b) && a; }',
  'function f(a) { if (a) { return () => { if (a) { for (;;) {} } }; } }',
  'function f(a) { if (a) { function g() { while (a) {} } class B { m() { if (a) {} } x = a ? 1 : 2; static { if (a) {} } } } }',
  'class A { x = () => a ? 1 : 2; #y = a && b; static z = class { w = a || b; }; }',
  'class A { @d(() => a && b) m(@d(a || b) p: string) {} [a ? "x" : "y"]() {} get [a && b]() { return 1; } }',
  'abstract class A { abstract m(): void; over(a: string): void; over(a: number): void; over(a) { if (a) {} } }',
  'class A { constructor(private readonly a = b || c) { super(); } declare y: string; z?: number; }',
  'namespace N { export function f(a) { if (a) {} } if (f) f(1); }',
  'enum E { A = 1, B = f(() => a ? 1 : 2) }',
  'function f(a) { outer: for (const x of a) { for (const y of x) { if (y) continue outer; else break outer; } } }',
  'function f(a) { switch (a) { case 1: case 2: if (a) {} break; default: { a &&= 1; a ||= 2; a ??= 3; } } }',
  'function f(a) { try { a(); } catch { if (a) {} } finally { if (a) {} } }',
  'async function* f(a) { for await (const x of a) { yield* x ?? []; await (x && a); } }',
  'function f(a) { type T = a extends 1 ? 2 : 3; let b: T extends infer U ? U : never; return b; }',
  'const f = function named(a) { return a ? b ? 1 : 2 : c ? 3 : 4; }, g = (a) => (b) => (c) => a && b && c;',
  'export default function (a) { if (a) {} }',
  'function f(a) { if (a) {} else if (b) {} else { if (c) {} } if (a) {} else for (;;) {} }',
  'function f(a) { do { if (a) {} } while (a && b); while (a || b) a(); for (let i = a ? 1 : 2; i < 3 && a; i++) {} }',
  'const o = { get a() { return b && c; }, set a(v) { v ? 1 : 2; }, m() { if (a) {} }, async *g() {}, p: function () { if (a) {} }, [a && b]: () => 1 };',
  'function f() { return `${a ? `${b && c}` : d}`; }',
  'const f = <T,>(a: T) => a satisfies T && (a as T) ? 1 : 2;',
];
const tsx = [
  'const A = () => <b>{a && <i/>}</b>;',
  'const A = () => <b>{(a && <i/>)}</b>;',
  'const A = () => <b>{a && b && <i/>}</b>;',
  'const A = () => <b>{a || b && <i/>}</b>;',
  'const A = () => <b>{a && (b ? <i/> : null)}</b>;',
  'const A = () => <b c={a && b} d={(a || b) && c} {...(a && b)}/>;',
  'const A = () => <b>{list.map((x) => x && <i key={x}/>)}</b>;',
  'const A = () => <b>{list.map((x) => { return x && <i onClick={() => x && y()}/>; })}</b>;',
  'function Component({ a = 1 }) { const f = () => { if (a) { g(); } }; return <b onClick={f}>{a ? <i/> : <u/>}</b>; }',
  'function Component(a) { if (a) { return <></>; } const f = function () { for (;;) { if (a) {} } }; return <>{f && a}</>; }',
];
const javascript = [
  'module.exports = function (a) { if (a) { return; } (function () { if (a && b) {} })(); };',
  'var f = a ? 1 : 2; function g() { with_(a || b); }',
  'label: for (;;) { break label; } (() => { if (a) {} })(); !function () { a && b; }();',
  'function F() {} F.prototype.m = function () { return this.a ? this.b && this.c : null; };',
];

export const cases: readonly Source[] = [
  ...typescript.map((text) => ({ path: 'case.ts', text })),
  ...tsx.flatMap((text) => [
    { path: 'case.tsx', text },
    { path: 'case.jsx', text },
  ]),
  ...javascript.map((text) => ({ path: 'case.js', text })),
];
