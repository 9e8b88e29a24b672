// Which names a statement declares, and which identifiers name a property.

import { ts } from 'ts-morph';
import { expect, test } from 'vitest';
import { findNameStillUsed } from '../../../server/src/core/propose/equivalence/unreachable.ts';
import { collectDescendants } from '../../../server/src/core/propose/syntax/locate.ts';
import { parseSource } from '../../../server/src/core/propose/syntax/parse.ts';
import { collectDeclaredInside, isPropertyName } from '../../../server/src/core/propose/syntax/scopes.ts';

test.each([
  [
    '{ function a() { let x; } class B { c = 1; } enum D { E } interface F {} type G = 1; let h; }',
    ['a', 'B', 'D', 'F', 'G', 'h'],
  ],
  ['function a() { var b; }', ['a']],
  ['class A { b() { var c; } }', ['A']],
  ['if (a) { for (var [b, { c: d }] of e) { function f() {} } }', ['b', 'd', 'f']],
  ['a(function b() {}, class C {});', []],
])('%s declares %j', (text, names) => {
  const [statement] = parseSource('src/a.ts', text)!.statements;
  expect([...collectDeclaredInside(statement!)].toSorted()).toEqual(names.toSorted());
});

test('code that is removed must not declare a function that other code calls, in whichever block', () => {
  const source = parseSource('src/a.js', 'function outer() { inner(); return; { function inner() {} } }')!;
  const { body } = source.statements[0] as ts.FunctionDeclaration;
  expect(findNameStillUsed([body!.statements[2]!])).toBe('inner');
});

test.each([
  ['enum A { x }', true],
  ['enum A { B = x }', false],
  ['class A { get x() { return 1; } }', true],
  ['const a = { set x(value) {} };', true],
  ['class A { x = 1; }', true],
  ['const x = 1;', false],
  ['function a(x) {}', false],
])('%s: x names a property: %j', (text, isProperty) => {
  const source = parseSource('src/a.ts', text)!;
  const node = collectDescendants(source).find((one): one is ts.Identifier => ts.isIdentifier(one) && one.text === 'x');
  expect(isPropertyName(node!)).toBe(isProperty);
});
