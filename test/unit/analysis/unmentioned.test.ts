// What is told without the checker is what the checker tells.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ts } from 'ts-morph';
import { analyseSource } from '../../../server/src/core/analysis/analyse.ts';
import { bindScript } from '../../../server/src/core/analysis/script/bindings.ts';
import { forEachNode } from '../../../server/src/core/analysis/script/deadCode.ts';
import { parseScript } from '../../../server/src/core/analysis/script/parseScript.ts';
import { ReferenceCount } from '../../../server/src/core/analysis/script/unusedDeclarations.ts';
import { detectLanguage } from '../../../server/src/core/index/parse/language.ts';

const root = join(import.meta.dirname, '..', '..', '..');
/** A name may be written with an escape, so a text that holds one is the checker's. */
const ESCAPE = '\n// \\u0041\n';

function found(path: string, text: string): unknown {
  const { opportunities, measures, trouble } = analyseSource({
    path,
    text,
    language: detectLanguage(path),
    tree: null,
    symbols: null,
    generated: false,
  });
  return { opportunities, measures, trouble };
}

/** Whether the checker had to be asked. */
function asksChecker(path: string, text: string): boolean {
  const sourceFile = parseScript(path, text, detectLanguage(path))!;
  bindScript(sourceFile);
  const references = new ReferenceCount();
  forEachNode(sourceFile, (node) => references.visit(node));
  // The checker keeps what it knows with the symbols of the file.
  references.findUnused(sourceFile);
  let asked = false;
  forEachNode(sourceFile, (node) => {
    asked ||= ((node as ts.Node & { readonly id?: number }).id ?? 0) > 0;
  });
  return asked;
}

const cases: readonly (readonly [what: string, path: string, text: string, asks: boolean])[] = [
  ['all of an import', 'a.ts', "import { one, two } from './one';\nexport const three = 3;\n", false],
  [
    'a part of an import',
    'a.ts',
    "import one, { two, three as _three } from './one';\nexport const four = two;\n",
    false,
  ],
  ['an import of the name of its module', 'a.ts', "import path from 'path';\nexport {};\n", false],
  ['a namespace', 'a.ts', "import * as all from './all';\nimport old = require('./old');\nexport {};\n", false],
  [
    'variables of one statement',
    'a.ts',
    'const one = 1, two = 2;\nlet three = 3, four = 4;\nexport const five = four;\n',
    false,
  ],
  [
    'patterns',
    'a.ts',
    'const { one, two: _two, three: four } = load();\nconst { five, ...rest } = load();\nconst [six, _seven] = load();\nconst { eight } = load();\nexport const all = rest;\ndeclare function load(): any;\n',
    false,
  ],
  [
    'functions, classes and types',
    'a.ts',
    'function one(): void {}\nclass Two {}\ninterface Three {}\ntype Four = 4;\nenum Five {}\nexport {};\n',
    false,
  ],
  [
    'overloads',
    'a.ts',
    'function one(a: string): void;\nfunction one(a: number): void;\nfunction one(): void {}\nexport {};\n',
    false,
  ],
  [
    'a chain',
    'a.ts',
    'export {};\nfunction one(): number { return two(); }\nfunction two(): number { return three; }\nconst three = 3;\n',
    false,
  ],
  [
    'names of other things',
    'a.ts',
    "const size = 1;\nexport function f(list: { size: number }): string { const other = { size: 2 }; return `size ${list.size} ${other.size} 'size'`; } // size\n",
    false,
  ],
  [
    'an inner name',
    'a.ts',
    'const inner = 1;\nexport function f(): number { const inner = 2; return inner + 1; }\n',
    false,
  ],
  ['a link', 'a.ts', "import { Linked } from './linked';\n/** See {@link Linked}. */\nexport const one = 1;\n", true],
  [
    'a type in a comment',
    'a.js',
    "import { Typed } from './typed';\n/** @type {Typed} */\nexport const one = null;\n",
    true,
  ],
  ['a factory of JSX', 'a.tsx', "import React, { useState } from 'react';\nexport const a = <p />;\n", true],
  [
    'a factory of JSX alone',
    'a.tsx',
    "import React from 'react';\nconst unused = 1;\nexport const a = <p />;\n",
    false,
  ],
  ['written to only', 'a.ts', 'let one = 1;\none = 2;\nexport {};\n', true],
  ['written to in an expression', 'a.ts', 'let one = 1;\nconst two = 2;\nexport const three = (one = 3);\n', true],
  ['written to by a pattern', 'a.ts', 'let one = 1;\nconst two = 2;\n[one] = [2];\nexport {};\n', true],
  [
    'disposed of',
    'a.ts',
    'export function f(): void { using one = open(); }\ndeclare function open(): Disposable;\n',
    true,
  ],
  [
    'a parameter before a local of its name',
    'a.ts',
    'const one = 1;\nexport function f(a = one): number { var one = 2; return a + one; }\n',
    true,
  ],
  ['recursion', 'a.ts', 'export {};\nfunction one(): void { one(); }\n', true],
  ['no module', 'a.js', 'var one = 1;\nfunction two() { var three = 3; }\n', false],
  [
    'CommonJS',
    'a.js',
    "var one = require('one');\nvar { two, three } = require('two');\nmodule.exports = two;\n",
    false,
  ],
];

describe('unused names without the checker', () => {
  for (const [what, path, text, asks] of cases) {
    test(what, () => {
      expect(found(path, text)).toEqual(found(path, text + ESCAPE));
      expect(asksChecker(path, text)).toBe(asks);
      expect(asksChecker(path, text + ESCAPE)).toBe(true);
    });
  }

  test('nothing ambient is unused', () => {
    const text = 'declare namespace other {\n  interface Options {}\n}\nconst one = 1;\nexport {};\n';
    expect(found('a.ts', text)).toEqual(found('a.ts', text + ESCAPE));
    expect(JSON.stringify(found('a.ts', text))).not.toContain('Options');
  });

  test('in our own sources, with a line taken out here and there', () => {
    const folder = join(root, 'server', 'src', 'core', 'analysis');
    let suspicious = 0;
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .sort()) {
      const lines = readFileSync(join(folder, name), 'utf8').split('\n');
      const text = lines
        .filter((line, at) => at % 7 !== 3 || !/^ {2}[\w.]+\(.*\);$|^ {2}return /.test(line))
        .join('\n');
      if (text.includes('\\u')) continue;
      const [own, asked] = [found(name, text), found(name, text + ESCAPE)];
      expect(own, name).toEqual(asked);
      if (JSON.stringify(own).includes('"rule":"unused-')) suspicious++;
    }
    expect(suspicious).toBeGreaterThan(5);
  });
});
