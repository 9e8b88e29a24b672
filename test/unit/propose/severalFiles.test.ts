// Recipes that look at or change several files: small trees before and after, and why they refuse.

import { expect, test } from 'vitest';
import { applyRecipe } from '../../../server/src/core/propose/applyRecipe.ts';
import { memoryTree, opportunityAt, type Marker } from './recipeCase.ts';

type Tree = Readonly<Record<string, string>>;

interface Case {
  readonly name: string;
  readonly recipe: string;
  readonly path: string;
  readonly marker: Marker & { readonly related?: readonly string[] };
  readonly before: Tree;
  /** What the edited files become, or a part of the refusal. */
  readonly after: Tree | string;
}

const money =
  "import { round } from './round.ts';\n\nexport function net(n: number) {\n  return round(n / 1.19);\n}\n\nexport const gross = (n: number) => n * 1.19;\n";
const withoutNet = 'export const gross = (n: number) => n * 1.19;\n';
const unexport = (name: string, others: Tree, after: Tree | string, source = money): Case => ({
  name,
  recipe: 'unexport',
  path: 'src/money.ts',
  marker: { line: 3, endLine: 5, symbol: 'net' },
  before: { 'src/money.ts': source, ...others },
  after,
});

const cases: readonly Case[] = [
  unexport(
    'others import other names',
    { 'src/a.ts': "import { gross } from './money.ts';\ngross(1);\n" },
    { 'src/money.ts': withoutNet },
  ),
  unexport(
    'a list passes it on',
    { 'src/index.ts': "export { gross, net } from './money.ts';\n" },
    { 'src/money.ts': withoutNet, 'src/index.ts': "export { gross } from './money.ts';\n" },
  ),
  unexport(
    'lists pass it on under other names',
    {
      'src/index.ts': "export {\n  net as toNet,\n  gross,\n} from './money.ts';\n",
      'src/api/index.ts': "export { other } from './other';\nexport { toNet } from '..';\n",
    },
    {
      'src/money.ts': withoutNet,
      'src/index.ts': "export {\n  gross,\n} from './money.ts';\n",
      'src/api/index.ts': "export { other } from './other';\n",
    },
  ),
  unexport(
    'a star passes it on',
    { 'src/index.ts': "export * from './money.ts';\n", 'src/a.ts': "import { gross } from './index.ts';\ngross(1);\n" },
    { 'src/money.ts': withoutNet },
  ),
  unexport(
    'it is imported after all',
    { 'src/a.ts': "import { net as n } from './money';\nn(1);\n" },
    'src/a.ts imports it',
  ),
  unexport(
    'it is imported through a star',
    { 'src/index.ts': "export * from './money';\n", 'src/a.ts': "import type { net } from '.';\n" },
    'src/a.ts imports it',
  ),
  unexport(
    'an alias may mean the file',
    { 'src/a.ts': "import { net } from '#lib/money';\nnet(1);\n" },
    'src/a.ts imports it, or something of that name',
  ),
  unexport(
    'it is loaded later',
    { 'src/a.ts': "export const f = async () => (await import('./money')).net(1);\n" },
    'loads the file in a way that may use it',
  ),
  unexport(
    'it is required',
    { 'src/a.cjs': "const { net } = require('./money');\nnet(1);\n" },
    'loads the file in a way that may use it',
  ),
  unexport(
    'a component may use it',
    { 'src/A.vue': "<script setup>\nimport { net } from './money'\n</script>\n" },
    'src/A.vue may use it',
  ),
  unexport(
    'a namespace may hold it',
    { 'src/a.ts': "import * as money from './money';\nmoney.net(1);\n" },
    'src/a.ts imports it',
  ),
  unexport(
    'everything is passed on as one object',
    { 'src/index.ts': "export * as money from './money';\n" },
    'passes on everything',
  ),
  unexport(
    'the list alone loads a file that acts',
    { 'src/index.ts': "export { net } from './money.ts';\nexport const a = 1;\n" },
    'would no longer load the file',
    `${money}\nconsole.log(gross(1));\n`,
  ),
  unexport('documentation tells people of it', { 'README.md': 'Use `net(12)` for that.\n' }, 'README.md speaks of it'),
  unexport(
    'documentation imports it',
    { 'docs/use.md': "```js\nimport { gross, net } from 'money';\n```\n" },
    'docs/use.md speaks of it',
  ),
  unexport(
    'documentation has the word',
    { 'README.md': 'Catch a net of fish.\n', 'CHANGELOG.md': 'Fixed `net`.\n' },
    { 'src/money.ts': withoutNet },
  ),
  unexport(
    'a comment elsewhere names it',
    { 'src/a.ts': '// Like net of money, for shops.\nexport const a = 1;\n' },
    'src/a.ts speaks of it',
  ),
  unexport(
    'a like-named variable elsewhere',
    { 'src/a.ts': 'const net = 1; // a constant\nexport const a = net;\n' },
    { 'src/money.ts': withoutNet },
  ),
];

const wrapper =
  'function wrapper(window, noGlobal) {\n  // The code is put here.\n  return window.lib;\n}\n\nexport const lib = wrapper(window, true);\n';
const wrapped = { 'src/wrapper.js': wrapper.replace(', noGlobal', '').replace(', true', '') };
const parameter = (name: string, others: Tree, after: Tree | string): Case => ({
  name,
  recipe: 'remove-parameter',
  path: 'src/wrapper.js',
  marker: { line: 1, symbol: 'noGlobal' },
  before: { 'src/wrapper.js': wrapper, ...others },
  after,
});
const parameters: readonly Case[] = [
  parameter(
    'what is put into the function reads it',
    { 'src/global.js': "if (typeof noGlobal === 'undefined') window.lib = lib;\n" },
    'src/global.js reads noGlobal without declaring it',
  ),
  parameter(
    'another function has one of that name',
    { 'src/b.js': 'export const f = (noGlobal) => noGlobal;\n' },
    wrapped,
  ),
  parameter('others have a property of that name', { 'src/b.js': 'export const f = (o) => o.noGlobal;\n' }, wrapped),
];

const clamp = '/** Within the bounds. */\nfunction clamp(n: number): number {\n  return round(Math.max(0, n));\n}\n';
const importing = "import { round } from './round.ts';\n";
const a = `${importing}\n${clamp}\nexport const a = (n: number) => clamp(n);\n`;
const b = `${importing}import { c } from './c.ts';\n\nexport const b = (n: number) => clamp(n) + c;\n\n${clamp}`;
const kept = a.replace('function clamp', 'export function clamp');
const taken =
  "import { c } from './c.ts';\nimport { clamp } from './a.ts';\n\nexport const b = (n: number) => clamp(n) + c;\n";
const both = { 'src/a.ts': a, 'src/b.ts': b };
const dedupe = (name: string, before: Tree, after: Tree | string, others: readonly string[] = ['src/b.ts']): Case => ({
  name,
  recipe: 'deduplicate',
  path: 'src/a.ts',
  marker: { line: 3, endLine: 6, symbol: '/**', related: others },
  before,
  after,
});

const duplicates: readonly Case[] = [
  dedupe(
    'one exports, the other imports',
    { ...both, 'src/x.ts': "import { a } from './a.ts';\n" },
    { 'src/a.ts': kept, 'src/b.ts': taken },
  ),
  dedupe(
    'who is imported keeps it',
    { 'src/a.ts': `import { b } from './b.ts';\n${a}`, 'src/b.ts': b },
    {
      'src/a.ts': "import { b, clamp } from './b.ts';\n\nexport const a = (n: number) => clamp(n);\n",
      'src/b.ts': b.replace('function clamp', 'export function clamp'),
    },
  ),
  dedupe(
    'an exported one stays exported',
    {
      'src/a.ts': a,
      'src/b.ts': b.replace('function clamp', 'export function clamp'),
      'src/x.ts': "import { a } from './a.ts';\n",
    },
    { 'src/a.ts': "import { clamp } from './b.ts';\n\nexport const a = (n: number) => clamp(n);\n" },
  ),
  dedupe(
    'what it needs comes along',
    {
      'src/a.ts': `${a.replace('round(', 'half(')}\nconst half = (n: number) => round(n / 2);\n`,
      'src/b.ts': `${b.replace('round(', 'half(')}\nconst half = (n: number) => round(n / 2);\n`,
      'src/x.ts': "import { a } from './a.ts';\n",
    },
    {
      'src/a.ts': `${kept.replace('round(', 'half(')}\nconst half = (n: number) => round(n / 2);\n`,
      'src/b.ts': taken,
    },
  ),
  dedupe(
    'a name means something else',
    { 'src/a.ts': a, 'src/b.ts': b.replace('./round.ts', './other.ts') },
    'No function is the same',
  ),
  dedupe(
    'another name is needed',
    { 'src/a.ts': a, 'src/b.ts': b.replace('max(0', 'max(1') },
    'No function is the same',
  ),
  dedupe(
    'loading it does something',
    { 'src/a.ts': `${a}\nconsole.log(a(1));\n`, 'src/b.ts': `${b}\nconsole.log(b(1));\n` },
    'has other effects than its declarations',
  ),
  dedupe(
    'they import each other',
    { 'src/a.ts': `import { b } from './b.ts';\n${a}`, 'src/b.ts': `import { a } from './a.ts';\n${b}` },
    'Each of the files imports the other',
  ),
  dedupe(
    'different packages',
    {
      ...both,
      'src/package.json': '{}',
      'lib/package.json': '{}',
      'lib/b.ts': b.replace('./round.ts', '../src/round.ts'),
    },
    'different packages',
    ['lib/b.ts'],
  ),
  dedupe(
    'TypeScript and JavaScript',
    { 'src/a.ts': a.replaceAll(': number', ''), 'src/b.js': b.replaceAll(': number', '') },
    'One of the files is TypeScript',
    ['src/b.js'],
  ),
];

const untyped = (name: string, line: string, others: Tree, after: string): Case => ({
  name,
  recipe: 'modern-call',
  path: 'src/a.js',
  marker: { line: 2, symbol: /\S+\.substr/.exec(line)![0] },
  before: { 'src/a.js': `// Text.\n${line}\n`, ...others },
  after: after.startsWith('the types') ? after : { 'src/a.js': `// Text.\n${after}\n` },
});
const head = 'export const head = (rope) => rope.substr(0, rope.limit);';
const named = 'the types say nothing, and a file names a `substr`';
const foreign = 'the types say nothing, and it may be an object';
const untypedValues: readonly Case[] = [
  untyped(
    'calls elsewhere are no definitions',
    head,
    { 'src/b.js': 'export const b = (c) => c.substr(1);\n' },
    'export const head = (rope) => rope.substring(0, rope.limit);',
  ),
  untyped(
    'variables elsewhere are no members',
    head,
    {
      'src/b.js':
        'export function b(c) {\n  var substr = c.slice(1);\n  return same(substr) == same(c) && substr;\n}\n',
    },
    'export const head = (rope) => rope.substring(0, rope.limit);',
  ),
  ...[
    'export class Rope { substr(from) {} }',
    'export class Rope { *substr(from) {} }',
    'export class Rope {\n  substr = cut;\n}',
    'var substr = function (from) {}; addMethod(substr);',
    'export const substr = cut;',
    'var own = { substr: cut };',
    "module.exports = { 'substr': function (from) {} };",
    'module.exports = { substr };',
    "Rope.prototype['substr'] = cut;",
    'Rope.prototype.substr = cut;',
    "Object.defineProperty(Rope.prototype, 'substr', { value: cut });",
  ].map((rope) => untyped(`another file has \`${rope}\``, head, { 'src/rope.js': `${rope}\n` }, named)),
  untyped('a generic method', head, { 'src/rope.ts': 'export class Rope { substr<T>(from: T) {} }\n' }, named),
  ...[
    "import { Rope } from 'ropes'; new Rope(['a']).substr(2);",
    "import { Rope } from 'ropes'; const rope = new Rope(['a']); rope.substr(2);",
    "import { rope } from 'ropes'; rope.substr(2);",
    "import ropes from 'ropes'; ropes.make('a').substr(2);",
    "const ropes = require('ropes'); const made = ropes('a'); made.substr(2);",
    "const { rope } = require('ropes'); rope.substr(2);",
    "for (const rope of require('ropes').all) rope.substr(2);",
    "let rope; function f() { rope.substr(2); } rope = require('ropes')();",
  ].map((line) => untyped(line, line, {}, foreign)),
];

test('where the types say nothing, the reason says that the value has to be a string', () => {
  const { path, marker, before } = untypedValues[0]!;
  const outcome = applyRecipe(opportunityAt('modern-call', path, before[path]!, marker), memoryTree(before));
  expect(outcome).toMatchObject({ rationale: expect.stringMatching(/^If the value is a string/) });
});

test.each([...cases, ...parameters, ...duplicates, ...untypedValues])(
  '$recipe: $name',
  ({ recipe, path, marker, before, after }) => {
    const opportunity = opportunityAt(recipe, path, before[path]!, marker);
    const related = (marker.related ?? []).map((other) => ({ path: other, range: opportunity.range, message: '' }));
    const outcome = applyRecipe({ ...opportunity, related }, memoryTree(before));
    if (typeof after === 'string') expect(outcome).toEqual({ refused: expect.stringContaining(after) });
    else
      expect(
        'refused' in outcome ? outcome : Object.fromEntries(outcome.edits.map((edit) => [edit.path, edit.after])),
      ).toEqual(after);
  },
);
