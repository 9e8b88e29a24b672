// Which names a file brings in, passes on and uses.

import { expect, test } from 'vitest';
import { recordOf } from './graphSupport.ts';

const bindings = async (path: string, text: string) =>
  (await recordOf(path, text)).references!.bindings.map(
    ([from, name, as]) => `${from} ${name === '' ? '.' : name} ${as}`,
  );
const exported = async (path: string, text: string) =>
  (await recordOf(path, text)).references!.exports.map(([from, name, as]) =>
    `${from} ${name === '' ? '.' : name} ${as}`.trim(),
  );
const uses = async (path: string, text: string) => {
  const { symbols, references } = await recordOf(path, text);
  return Object.fromEntries(references!.uses.map((names, at) => [symbols[at]?.path ?? '', names]));
};

test.each<readonly [path: string, text: string, expected: readonly string[]]>([
  [
    'a.ts',
    `import a, { b, type c as d } from './x';\nimport * as e from "y";\nimport type F from 'z';\nimport './side';\nimport g = require('g');\nimport type from './t';\n`,
    ['./x default a', './x b b', './x c d', 'y * e', 'z default F', 'g * g', './t default type'],
  ],
  ['a.ts', `import {\n  // a comment, with a comma\n  a,\n  b, /* and b */\n} from './x';\n`, ['./x a a', './x b b']],
  [
    'a.js',
    `const a = require('./a');\nconst { b, c: d } = require("./b");\nconst e = require('./c').e;\nconst f = await import('./f.js');\n`,
    ['./a * a', './b b b', './b c d', './c e e', './f.js * f'],
  ],
  [
    'a.py',
    `import a.b as c, d.e\nfrom .f import (g,\n    h as i,  # why\n)\nfrom . import j\nfrom ..k import *\n`,
    ['a.b * c', 'd.e * d.e', '.f g g', '.f h i', '. j j', '..k * *'],
  ],
  [
    'a.rs',
    `use crate::a::{b as c, d::{self, E}, f::*};\nuse std::io::Read as _;\nmod g;\nmod h { }\n`,
    ['crate::a::b . c', 'crate::a::d . d', 'crate::a::d::E . E', 'crate::a::f * *', 'self::g * g'],
  ],
  [
    'a.go',
    `package p\nimport (\n\t"fmt"\n\tx "example.com/m/y"\n\t. "dot"\n\t_ "side"\n\t"example.com/go-z/v2"\n)\n`,
    ['fmt * fmt', 'example.com/m/y * x', 'dot * *', 'example.com/go-z/v2 * z'],
  ],
  ['A.java', `package p;\nimport a.b.C;\nimport static d.E.f;\nimport g.*;\n`, ['a.b.C . C', 'd.E.f . f', 'g.* * *']],
])('%s brings in: %s', async (path, text, expected) => {
  expect(await bindings(path, text)).toEqual(expected);
});

test.each<readonly [path: string, text: string, expected: readonly string[]]>([
  [
    'a.ts',
    `export { a, b as c } from './x';\nexport * from './y';\nexport * as z from './z';\nexport type { T } from './t';\n`,
    ['./x a a', './x b c', './y * *', './z * z', './t T T'],
  ],
  ['a.ts', `const a = 1;\nexport { a as b };\nexport default a;\n`, ['a b', 'a default']],
  ['a.ts', `export default class Thing {}\n`, ['Thing default']],
  [
    'a.ts',
    `export default function f() {\n  throw new Error("not import x from" + "the outside");\n}\n`,
    ['f default'],
  ],
  ['a.js', `module.exports = require('./x');\nexports.y = require('./y');\n`, ['./x * *', './y * y']],
  [
    'a.rs',
    `pub use crate::a::B;\npub(crate) use self::c::*;\nuse d::e;\npub mod f;\n`,
    ['crate::a::B . B', 'self::c * *', 'self::f * f'],
  ],
])('%s passes on: %s', async (path, text, expected) => {
  expect(await exported(path, text)).toEqual(expected);
});

test.each<readonly [string, path: string, text: string, expected: Readonly<Record<string, string>>]>([
  [
    'members with what they belong to',
    'a.ts',
    `import { join } from './path';\nimport * as ns from './ns';\nexport function run(list: Thing[]) {\n  return join(ns.deep.call(list.map(String)), helper()?.close());\n}\nfunction helper() { return null; }\nclass Thing {}\n`,
    { run: '.close .map Thing helper join ns ns.deep ns.deep.call', helper: '', Thing: '', '': '' },
  ],
  [
    'no local names, no keys, no globals',
    'a.ts',
    `import { value, other, third } from './x';\nexport function f(value: number) {\n  const other = Math.max(value, 1);\n  return { value, other: third, key: other };\n}\n`,
    { f: 'third', '': '' },
  ],
  [
    'this',
    'a.ts',
    `class A {\n  one() { return this.two() + this.field.three(); }\n  two() { return 1; }\n}\n`,
    { A: '', 'A.one': '.three this.field this.two', 'A.two': '', '': '' },
  ],
  [
    'code outside of definitions',
    'a.test.ts',
    `import { test } from 'vitest';\nimport { f } from './f';\ntest('f', () => { f(); });\n`,
    { '': 'f test' },
  ],
  [
    'components',
    'a.tsx',
    `import { Button } from './Button';\nexport const Page = () => <Button.Big onClick={go} />;\nfunction go() {}\n`,
    { Page: 'Button Button.Big go', go: '', '': '' },
  ],
  [
    'python: self, imports, keyword arguments',
    'a.py',
    `from m import helper, name\nclass A:\n    def one(self, helper2):\n        return self.two(helper(name=1)).three\n    def two(self, x) -> "A":\n        return x\n`,
    { A: '', 'A.one': '.three helper this.two', 'A.two': '', '': '' },
  ],
  [
    'go: the receiver by its name',
    'a.go',
    `package p\nfunc (s *Store) Get(key string) int { return s.find(key) }\nfunc (s *Store) find(key string) int { return helper(len(key)) }\nfunc helper(n int) int { return n }\ntype Store struct{}\n`,
    {
      'Store.Get': 'Store int string this.find',
      'Store.find': 'Store helper int len string',
      helper: 'int',
      Store: '',
      '': 'p',
    },
  ],
])('%s', async (_name, path, text, expected) => {
  expect(await uses(path, text)).toEqual(expected);
});

test('names that overflow are cut, not endless', async () => {
  const text = `import * as big from './big';\nexport function f() { return [${Array.from({ length: 5_000 }, (_, at) => `big.n${at}`).join(', ')}]; }\n`;
  expect((await uses('a.ts', text)).f!.split(' ')).toHaveLength(2_000);
});

test.each([
  ['a.rb', 'class A\n  def valid?(n)\n    n\n  end\n\n  def save!\n    valid?(1) and save!\n  end\nend\n', 'valid?'],
  ['a.ex', 'defmodule A do\n  def valid?(n), do: n\n  def save(n), do: valid?(n)\nend\n', 'valid?'],
])('%s: a mark at the end belongs to a name', async (path, text, name) => {
  const { symbols, references } = await recordOf(path, text);
  expect(symbols.map((symbol) => symbol.name)).toContain(name);
  expect(references!.uses.join(' ').split(' ')).toContain(name);
});
