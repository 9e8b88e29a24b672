// Which tests cannot fail for certain.

import { ts } from 'ts-morph';
import { expect, test } from 'vitest';
import { findVacuousTest } from '../../../server/src/core/analysis/shared/vacuousTests.ts';

const HEAD = "import { f } from '../src/a.ts';\nit('a', () => { expect(f(1)).toBe(2); });\n";

function kindsIn(code: string): string[] {
  const file = ts.createSourceFile('/r/test/a.test.ts', HEAD + code, ts.ScriptTarget.Latest, true);
  const kinds: string[] = [];
  const visit = (node: ts.Node): void => {
    const found = ts.isCallExpression(node) ? findVacuousTest(node, file) : null;
    if (found) kinds.push(found.kind);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return kinds;
}

test.each([
  ["it('b', () => { f(2); });", 'no assertion'],
  ["it('b', () => {});", 'empty'],
  ["it('b', () => { f(2); expect(true).toBe(true); });", 'literals'],
  ["let box; beforeEach(() => { box = f(1); });\nit('b', () => { f(2); });", 'no assertion'],
])('%j', (code, kind) => {
  expect(kindsIn(code)).toEqual([kind]);
});

test.each([
  'let out; afterEach(() => { expect(out).toBe(1); });\nit("b", () => { out = f(2); });',
  'let box; afterEach(() => { expect(box.closed).toBe(true); });\nit("closes", () => {});',
  "it('compiles', () => {});",
  "it('placeholder until #123', () => {});",
  "class Page { sees(x) { expect(x).toBe(1); } }\nconst p = new Page();\nit('opens', () => { p.sees(2); });",
  "const h = { sees(x) { expect(x).toBe(1); } };\nit('opens', () => { h.sees(2); });",
  "let sees; sees = (x) => { expect(x).toBe(1); };\nit('opens', () => { sees(2); });",
  "const sees = (x) => () => { expect(x).toBe(1); };\nconst doIt = sees(3);\nit('opens', () => { doIt(); });",
  "const { sees } = makeHelpers();\nit('opens', () => { sees(2); });",
  "import { given } from '@acme/dsl';\nit('opens', () => { given(1).when(2); });",
  "import { given } from '../dsl';\nit('opens', () => { given(1).when(2); });",
  "it('makes', () => { new Inspector(1); });",
])('unknown, so left alone: %j', (code) => {
  expect(kindsIn(code)).toEqual([]);
});
