// Which members of exported classes are called, with what, and why others are not.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ts } from 'ts-morph';
import { expect, onTestFinished, test } from 'vitest';
import { createSourceTree } from '../../../server/src/adapters/files/sourceTree.ts';
import { openProject } from '../../../server/src/core/propose/extraction/project.ts';
import { findOutsideName } from '../../../server/src/core/verify/counterexamples/outsideNames.ts';
import { planSearch } from '../../../server/src/core/verify/counterexamples/planSearch.ts';

function planned(code: string, tests: string | null) {
  const root = mkdtempSync(join(tmpdir(), 'selfware-members-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, 'tsconfig.json'), '{ "compilerOptions": { "strict": true, "target": "esnext" } }');
  writeFileSync(join(root, 'code.ts'), code);
  if (tests !== null) writeFileSync(join(root, 'code.test.ts'), tests);
  const named: Record<string, readonly string[]> = tests === null ? {} : { 'code.ts': ['code.test.ts'] };
  return planSearch(['code.ts'], named, createSourceTree(root), openProject);
}

const STACK = `
import { readFileSync } from 'node:fs';
export class Stack {
  #items: string[];
  constructor(items: string[], most?: number) { this.#items = items; }
  get size(): number { return this.#items.length; }
  has(item: string): boolean { return this.#find(item) >= 0; }
  #find(item: string): number { return this.#items.indexOf(item); }
  private hidden(): number { return 1; }
  protected kept(): number { return 1; }
  _internal(): number { return 1; }
  static count(): number { return 1; }
  clear(): void { this.#items = []; }
  set first(item: string) { this.#items[0] = item; }
  load(path: string): string { return this.read(path); }
  read(path: string): string { return readFileSync(path, 'utf8'); }
  age(): number { return Date.now(); }
  map(make: any): string { return make(this.#items); }
}
class Local { get one(): number { return 1; } }
`;

test('public members that return something are called on an instance that its constructor makes', () => {
  const { subjects, leftOut, laws } = planned(STACK, "new Stack(['a'], 2).has('b');\nlib.map(given);\n");
  expect(subjects.map(({ name }) => name)).toEqual(['Stack.size', 'Stack.has', 'Stack.age']);
  const [size, has, age] = subjects;
  expect(size).toMatchObject({
    exportedAs: 'Stack',
    access: 'Stack',
    member: { className: 'Stack', factory: null, name: 'size', kind: 'get' },
    range: { startLine: 6 },
    readsClock: false,
  });
  const list = (...of: unknown[]) => ({ $: 'array', of });
  expect(has!.examples).toEqual([[list(list('a'), 2), list('b')]]);
  expect(has!.parameters[0]!.shape).toMatchObject({ kind: 'tuple', of: [{ optional: false }, { optional: true }] });
  expect(age!.readsClock).toBe(true);
  expect(laws).toEqual([]);
  expect(leftOut.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
    'Stack.load: It uses `readFileSync`, which reaches outside or is shared.',
    'Stack.read: It uses `readFileSync`, which reaches outside or is shared.',
    'Stack.map: It takes `any`, which allows everything.',
  ]);
});

test('without tests that are named, as in a search for counterexamples, no member is called', () => {
  expect(planned(STACK, null)).toMatchObject({
    subjects: [],
    leftOut: [{ name: 'Stack', reason: 'It is a class.' }],
  });
});

test('arguments without types are those of the tests', () => {
  const code = 'export class Box { constructor(private of: any) {} get(at: any): string { return this.of[at]; } }\n';
  const { subjects } = planned(code, "new Box({ a: 'b' }).get('a');\n");
  expect(subjects).toMatchObject([{ name: 'Box.get', guided: true }]);
  expect(subjects[0]!.examples).toHaveLength(1);
  const { leftOut } = planned(code, "new Box(given).get('a');\n");
  expect(leftOut).toMatchObject([{ name: 'Box', reason: 'It takes `any`, which allows everything.' }]);
});

test('a factory makes the instance if the tests call it and not the constructor, or the constructor is private', () => {
  const code = (access: string) => `
    export class Range {
      ${access} constructor(readonly from: number) {}
      static read(text: string): Range { return new Range(text.length); }
      static size(text: string): number { return text.length; }
      get width(): number { return this.from; }
    }
  `;
  const factoryOf = (access: string, tests: string) => planned(code(access), tests).subjects[0]!.member!.factory;
  expect(factoryOf('private', '')).toBe('read');
  expect(factoryOf('public', '')).toBe(null);
  expect(factoryOf('public', "Range.read('a');\n")).toBe('read');
  expect(factoryOf('public', "Range.read('a');\nnew Range(1);\n")).toBe(null);
});

test('a class that is exported by its name and by default is called by its name', () => {
  const code = 'export class Box { get one(): number { return 1; } }\nexport default Box;\n';
  expect(planned(code, '').subjects).toMatchObject([{ name: 'Box.one', exportedAs: 'Box' }]);
});

test('a date that is made of an argument does not read the clock', () => {
  const clocks = planned(
    `
    const now = () => Date.now();
    export class Day {
      #at: Date;
      constructor(at: number) { this.#at = new Date(at); }
      isDate(one: string): boolean { return (one as unknown) instanceof Date; }
      year(): number { return Date.UTC(this.#at.getUTCFullYear()); }
      fresh(): number { return new Date().getTime(); }
      later(): number { return this.fresh() + 1; }
      behind(): number { return now(); }
    }
    `,
    '',
  ).subjects.flatMap(({ name, readsClock }) => (readsClock ? [name] : []));
  expect(clocks).toEqual(['Day.fresh', 'Day.later', 'Day.behind']);
});

test('an abstract or deprecated class is left out', () => {
  const { subjects, leftOut } = planned(
    `export abstract class Shape { area(): number { return 1; } }
    /** @deprecated */
    export class Old { get one(): number { return 1; } }
    `,
    '',
  );
  expect(subjects).toEqual([]);
  expect(leftOut.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
    'Shape: Nothing public makes an instance of it.',
    'Old: It is deprecated.',
  ]);
});

test('what code requires from modules that reach outside counts, at the top, in a function, or without a name', () => {
  const code = `
    const { readFileSync: read } = require('fs');
    const files = require('node:fs').promises;
    const { join } = require('path');
    function late() { const net = require('net'); return net; }
    function bare() { return require('child_process').execSync('ls'); }
  `;
  const file = ts.createSourceFile('code.cjs', code, ts.ScriptTarget.Latest, true);
  const outsideOf = (...names: string[]) => findOutsideName(new Set(names), file);
  expect(outsideOf('read')).toBe('read');
  expect(outsideOf('files')).toBe('files');
  expect(outsideOf('net')).toBe('net');
  expect(outsideOf('require')).toBe('require');
  expect(outsideOf('join', 'late', 'readFileSync')).toBe(null);
});

test('examples in comments are read whatever their line ends are', () => {
  const code = [
    '/**',
    ' * ```ts',
    " * shorten('long words', 4);",
    ' * ```',
    ' */',
    'export function shorten(text: any, most: any): string { return text.slice(0, most); }',
  ].join('\r\n');
  expect(planned(code, '').subjects[0]?.examples).toEqual([['long words', 4]]);
});

test('a common word that the file imports or declares is not the global one', () => {
  const code =
    "import { document, fetch } from './document.js';\nconst { history } = {} as any;\nfunction alert() {}\n";
  const file = ts.createSourceFile('a.ts', code, ts.ScriptTarget.Latest, true);
  const names = ['document', 'history', 'alert', 'window', 'fetch'];
  expect(names.map((name) => findOutsideName(new Set([name]), file))).toEqual([null, null, null, 'window', 'fetch']);
});

test('a parameter with the name of a global, and a member with one, reach nothing outside', () => {
  const code = `
export class Shelf {
  #items: string[] = [];
  constructor(document: string) { this.#items.push(document); }
  fetch(key: string): string { return this.#items.find((item) => item === key) ?? ''; }
  first(history: string[]): string { for (const document of history) return this.fetch(document); return ''; }
  title(): string { return document.title; }
}
declare const other: { readonly document: string };
export class Reader {
  last(): string { const { document: page } = other; return page; }
  both(document: string): string { return document + ((navigator) => navigator)('a'); }
}
`;
  const { subjects, leftOut } = planned(code, "new Shelf('a').fetch('b');\n");
  // One method reads the page of a browser, so the word keeps its meaning in the whole file.
  expect(leftOut.map(({ name }) => name)).toContain('Shelf.title');
  expect(subjects.map(({ name }) => name)).toEqual(['Reader.last']);
  const withoutTitle = planned(code.replace(/ {2}title.*\n/, ''), "new Shelf('a').fetch('b');\n");
  expect(withoutTitle.subjects.map(({ name }) => name)).toEqual([
    'Shelf.fetch',
    'Shelf.first',
    'Reader.last',
    'Reader.both',
  ]);
});

test('what a file only describes with `declare` is the global one', () => {
  const outsideOf = (code: string) => {
    const file = ts.createSourceFile('a.ts', code, ts.ScriptTarget.Latest, true);
    return findOutsideName(new Set(['navigator']), file);
  };
  const read = 'export const system = () => navigator.platform;\n';
  const globals = [
    'declare const navigator: { readonly platform: string };',
    'declare global { var navigator: { readonly platform: string } }',
    'declare class navigator { static readonly platform: string }',
    'declare namespace navigator { const platform: string }',
  ];
  expect(globals.map((code) => outsideOf(`${code}\n${read}`))).toEqual(globals.map(() => 'navigator'));
  const own = [
    "const navigator = { platform: 'a' };",
    "namespace navigator { export const platform = 'a'; }",
    "declare function sail(navigator: string): void; const navigator = { platform: 'a' };",
  ];
  expect(own.map((code) => outsideOf(`${code}\n${read}`))).toEqual([null, null, null]);
});

test('what the comment of a member states about its arguments belongs to it', () => {
  const code =
    'export class List {\n  /** The `at` must be positive. */\n  item(at: number): number { return at; }\n  /** Must be fast. */\n  last(at: number): number { return at; }\n}\n';
  const tests = 'new List().item(1);\nnew List().last(2);\n';
  expect(planned(code, tests).subjects.map(({ precondition }) => precondition)).toEqual([
    'The `at` must be positive.',
    undefined,
  ]);
});
