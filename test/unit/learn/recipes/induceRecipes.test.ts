// Recipes from edits: what is learned from each shape, what is not, and why.

import { expect, test } from 'vitest';
import { induceRecipes, type InductionOptions } from '../../../../server/src/core/learn/recipes/induceRecipes.ts';
import { mineEdits, cacheTrees } from '../../../../server/src/core/learn/recipes/mineEdits.ts';
import { rewriteExpression } from '../../../../server/src/core/propose/patterns/jobs.ts';
import { parseForRecipes } from '../../../../server/src/core/propose/syntax/parse.ts';
import { shapes } from './shapes.ts';

type Edits = readonly (readonly [before: string, after: string])[];

function learnedFrom(edits: Edits, options: InductionOptions = {}) {
  const mined = edits.flatMap(([before, after], at) =>
    mineEdits({ commit: `c${at}`, subject: 'Edit', path: `src/f${at}.ts`, before, after }, parseForRecipes),
  );
  return induceRecipes(mined, rewriteExpression, options);
}

test.each(shapes.map((one) => [one.name, one] as const))('%s', (_, { edits, learned }) => {
  const { recipes, rejected } = learnedFrom(edits);
  const found = recipes.map(({ pattern, replacement }) => [pattern, replacement]);
  expect(found, JSON.stringify(rejected)).toEqual(learned ? [learned.map((side) => side)] : []);
});

test('the examples are kept, newest first, with their commit and line', () => {
  const [recipe] = learnedFrom(shapes[0]!.edits).recipes;
  expect(recipe).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f]{8}$/),
    edits: 2,
    commits: 2,
    files: 2,
    examples: [
      { commit: 'c0', path: 'src/f0.ts', line: 1, before: 'names.indexOf(n) !== -1', after: 'names.includes(n)' },
      { commit: 'c1', path: 'src/f1.ts', line: 1 },
    ],
  });
});

test('two edits of one file in one commit are one example, unless a person has just made them', () => {
  const both: Edits = [['f(a.indexOf(b) !== -1, c.indexOf(d) !== -1);', 'f(a.includes(b), c.includes(d));']];
  expect(learnedFrom(both).recipes).toEqual([]);
  expect(learnedFrom(both, { isRequested: true }).recipes).toHaveLength(1);
});

test('a person who renames a member in two places wants the rest', () => {
  const renames: Edits = [
    ['logger.warning(a);', 'logger.warn(a);'],
    ['logger.warning(b, c());', 'logger.warn(b, c());'],
    ['if (x) logger.warning(d.e);', 'if (x) logger.warn(d.e);'],
  ];
  expect(learnedFrom(renames).recipes).toEqual([]);
  expect(learnedFrom(renames, { isRequested: true }).recipes[0]).toMatchObject({
    pattern: 'logger.warning($a)',
    replacement: 'logger.warn($a)',
  });
});

test('what newer edits have undone is not learned', () => {
  const there: Edits = [
    ['a.sent = f(x.sent);', 'a.sent = f(x[kSent]);'],
    ['g(y.z.sent);', 'g(y.z[kSent]);'],
  ];
  const back = there.map(([before, after]) => [after, before] as const);
  const { recipes, rejected } = learnedFrom([...back, ...there]);
  expect(recipes.map(({ replacement }) => replacement)).toEqual(['$a.sent']);
  expect(rejected).toEqual([
    expect.objectContaining({ replacement: '$a[kSent]', reason: 'The opposite was done later.' }),
  ]);
});

test('a local name stays if it says what the value is, and becomes a hole if the shape is about the language', () => {
  const own: Edits = [
    ['function f(event) { return event.node.req.url; }', 'function f(event) { return event.path; }'],
    ['const g = (event) => use(event.node.req.url);', 'const g = (event) => use(event.path);'],
  ];
  expect(learnedFrom(own).recipes[0]?.pattern).toBe('event.node.req.url');
  const standard: Edits = [
    ['function f(list, x) { return list.indexOf(x) !== -1; }', 'function f(list, x) { return list.includes(x); }'],
    ['const g = (list, y) => use(list.indexOf(y) !== -1);', 'const g = (list, y) => use(list.includes(y));'],
  ];
  expect(learnedFrom(standard).recipes[0]?.pattern).toBe('$a.indexOf($b) !== -1');
});

test('functions of the same name from different modules are different', () => {
  const edits: Edits = [
    ["import { get } from 'a';\nuse(get(x, y));", "import { get } from 'a';\nuse(get(x, y, null));"],
    ["import { get } from 'b';\nuse(get(z, y));", "import { get } from 'b';\nuse(get(z, y, null));"],
  ];
  expect(learnedFrom(edits).recipes).toEqual([]);
});

test.each([
  ['a file that does not parse', 'const a = ;', 'const a = 1;'],
  ['no script', 'same', 'same'],
  ['a comment within the edit', 'f(a /* why */ .b());', 'f(a.c());'],
])('no edits: %s', (_, before, after) => {
  expect(mineEdits({ commit: null, subject: '', path: 'a.ts', before, after }, parseForRecipes)).toEqual([]);
});

test('a version that two commits in a row share is parsed once', () => {
  const parsed: string[] = [];
  const parse = cacheTrees((path, text) => {
    parsed.push(text);
    return parseForRecipes(path, text);
  });
  const texts = ['a.get(3);\n', 'a.get(2);\n', 'a.get(1);\n'];
  for (const [index, after] of texts.slice(0, 2).entries())
    mineEdits({ commit: `c${index}`, subject: '', path: 'a.ts', before: texts[index + 1]!, after }, parse);
  expect(parsed.toSorted()).toEqual(texts.toSorted());
  parse('b.ts', texts[2]!);
  expect(parsed).toHaveLength(4);
});
