// Exported functions of CommonJS, functions that functions return, and the options that a body reads.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ts } from 'ts-morph';
import { expect, onTestFinished, test } from 'vitest';
import { createSourceTree } from '../../../server/src/adapters/files/sourceTree.ts';
import { openProject } from '../../../server/src/core/propose/extraction/project.ts';
import { collectNotCalled } from '../../../server/src/core/session/analyse/unguarded/subjects.ts';
import { collectOptionNames } from '../../../server/src/core/verify/counterexamples/optionNames.ts';
import { planSearch } from '../../../server/src/core/verify/counterexamples/planSearch.ts';

function planned(files: Readonly<Record<string, string>>, path: string, tests: readonly string[]) {
  return planOf(files, path, tests).subjects;
}

function materialOf(files: Readonly<Record<string, string>>, path: string, tests: readonly string[]) {
  return planOf(files, path, tests).materials[path]!;
}

function planOf(
  files: Readonly<Record<string, string>>,
  path: string,
  tests: readonly string[],
  imports: Readonly<Record<string, readonly string[]>> = {},
) {
  const root = mkdtempSync(join(tmpdir(), 'selfware-exported-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  return planSearch([path], { [path]: tests }, createSourceTree(root), openProject, {}, imports);
}

test('methods of an exported object that read `this` are not called', () => {
  const { subjects, leftOut } = planOf(
    {
      'response.js': `module.exports = {
  /** @param {string} field */
  vary(field) { return this.headers + field; },
  /** @param {string[]} fields */
  all: function (fields) { return fields.map((field) => this.get(field)); },
  /** @param {string} text */
  upper(text) { return [text].map(function () { return this; }).length + text; },
};
`,
      'test.js': `require('./response').upper('a');
`,
    },
    'response.js',
    ['test.js'],
  );
  expect(subjects.map(({ name }) => name)).toEqual(['upper']);
  expect(leftOut.map(({ name, reason }) => [name, reason])).toEqual([
    ['vary', 'It needs a value for `this`.'],
    ['all', 'It needs a value for `this`.'],
  ]);
});

test('what `module.exports` is, and its members, are called as tests call them', () => {
  const one = planned(
    {
      'parse-version.js': `const parseVersion = (text, options) => options.loose ? text.trim() : text;
module.exports = parseVersion;
`,
      'test.js': `const read = require('./parse-version');
read(' 1.2.3', { loose: true });
`,
    },
    'parse-version.js',
    ['test.js'],
  );
  expect(one.map(({ name, exportedAs, guided, range }) => [name, exportedAs, guided, range.startLine])).toEqual([
    ['parseVersion', 'default', true, 1],
  ]);
  expect(one[0]!.examples).toEqual([[' 1.2.3', { $: 'record', fields: [['loose', true]] }]]);
  expect(one[0]!.keys).toEqual(['loose']);

  const several = planned(
    {
      'math.js': `function half(n) { return n / 2; }
exports.third = (n) => n / 3;
module.exports = { half, twice: (n) => n * 2, PI: 3 };
`,
      'test.js': `const { half, twice: double } = require('./math');
half(4); double(2); require('./math').third(9);
`,
    },
    'math.js',
    ['test.js'],
  );
  expect(several.map(({ name, exportedAs }) => [name, exportedAs])).toEqual([
    ['third', 'third'],
    ['half', 'half'],
    ['twice', 'twice'],
  ]);
});

test('a function that returns a function is called together with it', () => {
  const [subject, ...others] = planned(
    {
      'match.ts': `export function match(pattern: string, end = true): (path: string) => boolean {
  return (path) => (end ? path === pattern : path.startsWith(pattern));
}
`,
      'match.test.ts': `import { match } from './match';
const isA = match('/a', false);
isA('/a/b');
`,
    },
    'match.ts',
    ['match.test.ts'],
  );
  expect(others).toEqual([]);
  expect(subject!.member).toEqual({ className: 'match', factory: null, name: '', kind: 'returned' });
  expect(subject!.parameters.map(({ shape }) => shape.kind)).toEqual(['tuple', 'tuple']);
  const list = (...of: unknown[]) => ({ $: 'array', of });
  expect(subject!.examples).toContainEqual([list('/a', false), list('/a/b')]);
});

test('a function whose comment only says that it returns a function is called as the tests call it', () => {
  const code = `/**
 * @param {string} pattern
 * @return {Function=}
 */
const match = (pattern) => {
  if (pattern === '') return;
  const matcher = (text) => text.startsWith(pattern);
  matcher.pattern = pattern;
  return matcher;
};
module.exports = match;
`;
  const tests = "const match = require('./match');\nconst isMatch = match('/a');\nisMatch('/a/b');\n";
  const files = { 'match.js': code, 'match.test.js': tests };
  const [subject] = planned(files, 'match.js', ['match.test.js']);
  const list = (...of: unknown[]) => ({ $: 'array', of });
  expect(subject).toMatchObject({ guided: true, examples: [[list('/a'), list('/a/b')]] });
  expect(subject!.member?.kind).toBe('returned');
  const [uncalled] = planned({ ...files, 'match.test.js': "require('./match')('/a');\n" }, 'match.js', [
    'match.test.js',
  ]);
  expect(uncalled?.member).toBeUndefined();
});

test('calls in the README and in comments are examples', () => {
  const [subject] = planned(
    {
      'slug.ts': `/**
 * @example
 * \`\`\`js
 * slug('From Comment')
 * \`\`\`
 */
export function slug(text: string): string { return text.toLowerCase(); }
`,
      'README.md': "# slug\n\n```ts\nimport { slug } from 'slug';\nslug('From Readme');\n```\n",
    },
    'slug.ts',
    [],
  );
  expect(subject!.examples).toEqual([['From Comment'], ['From Readme']]);
});

test('the options that a body reads, or takes apart, are known by name', () => {
  const text = `function print(value, { indent = 2, quote: sign }, options, other) {
    const { width } = options || {};
    const wide = other.wide ? 1 : 2;
    value.trim();
    return options.length + wide + unrelated.color;
  }`;
  const file = ts.createSourceFile('a.js', text, ts.ScriptTarget.Latest, true);
  expect(collectOptionNames(file)).toEqual(['indent', 'quote', 'width', 'wide']);
});

test('the module through which tests load a file is known', () => {
  const files = {
    'index.js': "import './plugins.js';\nexport * from './blend.js';\n",
    'blend.js': 'export const blend = (text) => text;\n',
    'plugins.js': '',
    'blend.test.js': "import test from 'node:test';\nimport { blend } from './index.js';\nblend('red');\n",
    'own.test.js': "import { blend } from './blend';\nblend('red');\n",
  };
  const entryIn = (test: string) => materialOf(files, 'blend.js', [test]).entry;
  expect(entryIn('blend.test.js')).toBe('index.js');
  expect(entryIn('own.test.js')).toBe(undefined);
});

test('the module that tests load by the name of the package is known, too', () => {
  const files = {
    'index.js': "import './plugins.js';\nexport * from './blend.js';\n",
    'blend.js': 'export const blend = (text) => text;\n',
    'blend.test.js': "import { blend } from 'colours';\nblend('red');\n",
  };
  const imports = { 'blend.test.js': ['colours.json', 'help.test.js', 'index.js'] };
  expect(planOf(files, 'blend.js', ['blend.test.js'], imports).materials['blend.js']!.entry).toBe('index.js');
  expect(planOf(files, 'index.js', ['blend.test.js'], imports).materials['index.js']?.entry).toBe(undefined);
});

test('code that only asks whether a value is a date does not read the clock', () => {
  const plan = planOf(
    {
      'dates.ts': `const isPlain = (value: unknown) => !(value instanceof Date);
export function plain(values: readonly string[]): boolean { return values.every(isPlain); }
export const iso = (text: string): string => Date.prototype.toISOString.call(new Date(text));
const now = () => Date.now();
export function age(of: number): number { return now() - of; }
`,
    },
    'dates.ts',
    [],
  );
  expect(plan.subjects.map(({ name, readsClock }) => [name, readsClock])).toEqual([
    ['plain', false],
    ['age', true],
    ['iso', false],
  ]);
  expect(collectNotCalled(plan)).toEqual([{ path: 'dates.ts', name: 'age', reason: 'It reads the clock.' }]);
});

test('a default export has the name of its declaration, and without one that of its file', () => {
  const named = { 'index.js': 'export default function slugify(text) { return text.trim(); }\n' };
  const unnamed = { 'to-words.js': 'export default (text) => text.trim();\n' };
  const tests = (file: string) => ({ 'test.js': `import fn from './${file}';\nfn(' a');\n` });
  const nameOf = (files: Readonly<Record<string, string>>) => {
    const [file = ''] = Object.keys(files);
    return planned({ ...files, ...tests(file) }, file, ['test.js']).map(({ name, exportedAs }) => [name, exportedAs]);
  };
  expect(nameOf(named)).toEqual([['slugify', 'default']]);
  expect(nameOf(unnamed)).toEqual([['toWords', 'default']]);
});

test.each([
  [
    'a function that is called at once',
    `'use strict';
(function () {
  function helper(text) { return text + 's'; }
  function plural(text, count) { return count === 1 ? text : helper(text); }
  plural.isMany = function (count) { return count !== 1; };
  if (typeof define === 'function' && define.amd) {
    define(function () { return plural; });
  } else if (typeof module !== 'undefined' && module.exports) {
    module.exports = plural;
  } else this.plural = plural;
})();
`,
  ],
  [
    'a factory that returns what the module exports (UMD)',
    `;(function (root, factory) {
  if (typeof module === 'object') { module.exports = factory(); } else { root.plural = factory(); }
}(this, function () {
  function helper(text) { return text + 's'; }
  function plural(text, count) { return count === 1 ? text : helper(text); }
  plural.isMany = function (count) { return count !== 1; };
  return plural;
}));
`,
  ],
])('the functions of a module that wraps its code: %s', (_, code) => {
  const tests = "const plural = require('./plural');\nplural('a', 2);\nplural.isMany(3);\n";
  const subjects = planned({ 'plural.js': code, 'test.js': tests }, 'plural.js', ['test.js']);
  expect(subjects.map(({ name, exportedAs, examples }) => [name, exportedAs, examples])).toEqual([
    ['plural', 'default', [['a', 2]]],
    ['isMany', 'isMany', [[3]]],
  ]);
});

test('the call of a function among other statements wraps no module', () => {
  const code = 'exports.one = (a) => a;\n(function () { module.exports.two = (a) => a; })();\n';
  const subjects = planned({ 'a.js': code, 'test.js': "require('./a').one(1);\n" }, 'a.js', ['test.js']);
  expect(subjects.map(({ name }) => name)).toEqual(['one']);
});
