// What the quick parser's tree tells is what the compiler's tells: every figure, name, place, import and finding, on real sources.

import { expect, test } from 'vitest';
import { lazyParser } from '../../server/src/adapters/oxc/lazyParser.ts';
import { isUnseen } from '../../server/src/core/analysis/unseen.ts';
import { lineStartsOf, rangeOf, type LineStarts } from '../../server/src/core/analysis/lines.ts';
import { opportunitiesOf, type Scope } from '../../server/src/core/analysis/opportunities.ts';
import type { RawAnalysis } from '../../server/src/core/analysis/rawAnalysis.ts';
import { WALK_RULES } from '../../server/src/core/analysis/rules.ts';
import { findOnWalk } from '../../server/src/core/analysis/script/findOnWalk.ts';
import { parseScript } from '../../server/src/core/analysis/script/parseScript.ts';
import { scopesOf } from '../../server/src/core/analysis/script/scopes.ts';
import { scriptImports } from '../../server/src/core/analysis/script/scriptImports.ts';
import { createSkim } from '../../server/src/core/analysis/skim/skimScript.ts';
import { languageOf } from '../../server/src/core/index/language.ts';
import { cases } from './cases.ts';
import { realSources, type Source } from './sources.ts';

const LEAST_FUNCTIONS = 10_000;
const LEAST_FINDINGS = 300;
/** Files that are left to the compiler; more would cost what the quick parser saves. */
const MOST_LEFT = 5;
const skim = createSkim(lazyParser);

/** Each is read as the compiler reads it. */
const ODD_CODE: readonly string[] = [
  '',
  '#!/usr/bin/env node\n"use strict"; "use asm"\nfunction f() { "use strict"; \'a\'; return 1; }',
  '"no directive" + f(() => { "also none".x; });',
  'class A { static constructor() {} "constructor"() {} ["constructor"]() {} async "a b"() {} 0x10() {} 1n() {} 1.50() {} }',
  'class A { static async *[/* [ */ Symbol.iterator /* ] */]() { return a ? b : c; } get #p() { return 1; } set p(v) {} }',
  '@d(() => a ? b : c) export class A { @d private readonly x = (a: string) => { if (a) {} }; @d() accessor y = function () {}; }',
  'export default @d class { m = class { n = a ? b : c; static { if (a) {} } } }',
  'export default class A { m(this: A, ...rest: string[]) {} n(a = 1, @d() b, ...[c]) {} constructor(public a, protected b, readonly c, d?, e?, f?, g?) {} }',
  'const a = (() => 1) as F, b = (function () {}) satisfies G, c = (((x) => x)), { d = () => 1 } = e, [f = () => 2] = g;',
  'a.b = () => 1; a["b"] = () => 1; a.#b = () => 1; (c) = () => 1; d = (() => 1); e = (() => 1) as F; f ??= () => 1; [g = () => 1] = h; ({ i = () => 1, j: k = () => 1 } = l);',
  'const o = { a: () => 1, "b": () => 1, 3: () => 1, [c]: () => 1, d: (() => 1), e: class { f() {} }, get g() { return () => 1; }, async *h() {}, "i"() {} };',
  'const f = async /* => */ <T,>(/* ) => */ a: (b: T) => T, ...c: ((d: T) => T)[]): /* => */ Promise<() => T> /* => */ => /* x */ a;',
  'for (const x of (() => { if (a) {} })()) {} for (let i = function () {}, j = 0; ; ) { break; } for (var k in a ? b : c);',
  'namespace A.B { export namespace C { const x = () => { if (a) {} }; } } declare module "m" { function f(): void } declare global { interface I { m(): void } }',
  'enum E { A = (() => a ? 1 : 2)() } abstract class F { abstract m(): void; n?(): void; o!: string; static p = 1; declare q; [key: string]: unknown }',
  'function f(a: string): void; function f(a: number): void; function f(a: unknown) { if (a) {} } export { f as default, g }; const g = function () { a; b; c; };',
  'export = f; function f() { a; b; c; }',
  'import a, { type b } from "a"; import * as c from "b"; import d = require("c"); import e = D.E; export * from "d"; export * as f from "e"; export { g } from "f"; import("g"); require("h"); import type i from "i"; export import j = require("j");',
  '// first\n/** doc */\n\nexport function a() { b; c; d; } // trails\n// said above it, in words\nexport function e() { b; c; d; }\n/* block of some words here */\nexport const f = () => { b; c; d; }, g = 1;\n/** @internal */ export function h() { b; c; d; }',
  'export default function () { a; b; c; }\n// some words that say a thing\nexport class K {} export abstract class L {} export interface M {} export type N = 1; export enum O {}',
  '/* ä € 😀 */ export const ä = (ö = "😀", ü = a ? b : c) => { if (ö) { for (;;) { if (ü) {} } } };\r\n// ß\r\nexport function é() { "ù"; return a?.b; }',
  'if (a) if (b) c; else if (d) e; else f; else g; if (a) {} else { if (b) {} else if (c) {} }',
  'switch (a && b) { case (c ? d : e): switch (f) { default: if (g) {} } case h: case i && j: }',
  'x = a?.b?.[c?.d]?.(e?.f) ?? (a?.b)?.c!?.d; y = a?.b<T>; delete a?.b; new (a?.b)(); a?.[b ? c : d];',
  'x = (a && b) || (c && (d && e)) && !(f && g); z = j ?? (h || (i)); y = a && b && c || d && e;',
  'l: for (;;) { m: do { if (a) continue l; else break m; } while (b && c); break l; }',
  'with (a) { if (b) {} } debugger; ;;; throw a ? b : c;',
  'using a = b; async function f() { await using c = d; for await (using e of g) {} }',
  'class A extends mixin(B, C) { m() { if (a) {} } } class D<T extends { a?: (b: T) => T }> extends E<T, { c?: () => void }> implements F<G> {}',
  'try { a(); } catch ({ b = c ? d : e }) { if (b) {} } finally { if (f) {} }',
];

/** Mixes what must not be mixed. */
const BROKEN_CASE = 'a && b || c && a ?? (b && c)';

const sources: readonly Source[] = [...cases.filter(({ text }) => !text.includes(BROKEN_CASE)), ...ODD_CODE.map((text) => ({ path: /^#!|with \(/.test(text) ? 'odd.js' : 'odd.ts', text })), { path: 'odd.jsx', text: '<A b={c && d} {...(e && f)}>{g && <H />}{(i && j)}{k ? l : m && n}{...(o && p)} it\'s {q && r || s}</A>;' }];

test.each(sources)('$path: $text', (source) => {
  const both = readBoth(source);
  expect(both.quick).toEqual(both.compiler);
});

test('real sources', { timeout: 600_000 }, () => {
  const [left, totals] = [[] as string[], { functions: 0, findings: 0 }];
  for (const source of realSources()) {
    const { quick, compiler } = readBoth(source);
    if (quick === null) left.push(source.path);
    else expect({ path: source.path, ...quick }).toEqual({ path: source.path, ...compiler });
    totals.functions += compiler.units.length;
    totals.findings += compiler.found.length;
  }
  expect(left.filter((path) => !path.startsWith('test/fixtures/')).length, left.join('\n')).toBeLessThanOrEqual(MOST_LEFT);
  expect(totals.functions).toBeGreaterThan(LEAST_FUNCTIONS);
  expect(totals.findings).toBeGreaterThan(LEAST_FINDINGS);
});

test.each(['function f( {', 'const a = ;', BROKEN_CASE, 'class A { m() {', 'class A extends (a ? B : C) { m() {} }', 'class A extends mixin(() => { if (a) {} }) {}', 'function f(...[a = b ? c : d]) {}', `${'a + '.repeat(30_000)}a;`])('%.60s is left to the compiler', (text) => {
  expect(skim({ path: 'a.ts', text, language: 'typescript', lines: () => lineStartsOf(text), asked: WALK_RULES })).toBeNull();
});

test('for cognitive complexity alone, a file without a finding comes without its functions, and one with a finding whole', () => {
  const asked = new Set(['cognitive-complexity']);
  let told = 0;
  for (const { path, text } of realSources().filter(({ path }) => !isUnseen(path, false))) {
    const [one, all] = [asked, WALK_RULES].map((rules) => skim({ path, text, language: languageOf(path)!, lines: () => lineStartsOf(text), asked: rules }));
    if (!one || !all) continue;
    const hard = all.findings.filter(({ rule }) => rule === 'cognitive-complexity');
    expect({ path, findings: one.findings.filter(({ rule }) => rule === 'cognitive-complexity'), units: one.units }).toEqual({ path, findings: hard, units: hard.length > 0 ? all.units : [] });
    told += hard.length;
  }
  expect(told).toBeGreaterThan(100);
});

function readBoth({ path, text }: Source) {
  const [lines, language] = [lineStartsOf(text), languageOf(path)!];
  const tree = parseScript(path, text, language, { parents: false, docs: false })!;
  const read = findOnWalk(tree, lines, WALK_RULES);
  const compiler = { units: read.units, imports: scriptImports(tree), found: foundIn({ path, text }, lines, read, (around) => scopesOf(tree, around)) };
  const skimmed = skim({ path, text, language, lines: () => lines, asked: WALK_RULES });
  return { compiler, quick: skimmed && { units: skimmed.units, imports: skimmed.imports, found: foundIn({ path, text }, lines, skimmed, () => skimmed.scopes) } };
}

/** With their ids, ranges and symbols. */
function foundIn({ path, text }: Source, lines: LineStarts, { findings }: RawAnalysis, scopes: (around: readonly number[]) => readonly { readonly path: string; readonly start: number; readonly end: number }[]) {
  const asked = findings.filter(({ rule }) => WALK_RULES.has(rule));
  const symbols = scopes(asked.map(({ nameStart }) => nameStart)).map((scope): Scope => ({ path: scope.path, range: rangeOf(lines, scope.start, scope.end) }));
  return opportunitiesOf({ path, text, lines, symbols }, asked);
}
