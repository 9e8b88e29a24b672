// Which claim edits of tests make by their form: tests that are only added to, or changed ones.

import { expect, test } from 'vitest';
import { chooseClaims } from '../../../server/src/core/session/propose/claims.ts';
import { findClaimsByForm } from '../../../server/src/core/verify/claims/claimsOf.ts';
import { explainConditionalTest, onlyAddsCases } from '../../../server/src/core/verify/claims/addedTests.ts';

const head = (names: string) => `import { it } from 'vitest';\nimport { ${names} } from './code';\n\n`;
const old = "it('one', () => expect(one()).toBe(1));\n";
const more = "\nit('two', () => expect(two()).toBe(2));\n";
const edits = (before: string, after: string) => [{ path: 'code.test.ts', before, after }];

test.each([
  ['a.ts', ['types', 'points']],
  ['a.js', ['points']],
  ['a.py', ['points']],
  ['a.go', ['points']],
])('code in %s claims exact types only if its language has them', (path, expected) => {
  expect(findClaimsByForm([{ path, before: 'a', after: 'b' }])).toEqual(expected);
});

test.each([['two'], ['one, two'], ['above, one, two']])(
  'tests with one more name than %s in an import are only added to',
  (names) => {
    const grown = edits(head(names) + old, head(`${names}, zero`) + old + more);
    expect(findClaimsByForm(grown)).toEqual(['tests']);
    expect(onlyAddsCases(grown)).toBe(true);
  },
);

test.each([
  ['a name that goes', head('one, two') + old, head('two, zero') + old + more],
  ['another module', head('one') + old, head('one, two').replace('./code', './other') + old + more],
  ['an import that goes', head('one') + old, `import { it } from 'vitest';\n\n${old}${more}`],
  ['another assertion', head('one') + old, head('one, two') + old.replace('toBe(1)', 'toBe(2)') + more],
  ['a call with more arguments', "run({ one } from './code');\n", "run({ one, two } from './code');\n"],
])('tests with %s are not', (_, before, after) => {
  expect(findClaimsByForm(edits(before, after))).toEqual(['points']);
});

test.each([
  ['only added', old + more, ['fix', 'tests', 'types', 'points']],
  ['rewritten', old.replace('toBe(1)', 'toBe(2)'), ['fix', 'types', 'points']],
])('tests beside code that are %s may show more than a fix', (_, after, expected) => {
  const code = { path: 'code.ts', before: 'a', after: 'b' };
  expect(chooseClaims({ recipe: 'brought' }, [code, ...edits(old, after)])).toEqual(expected);
});

test('a name that disturbs other tests does not come in by an import that grows', () => {
  expect(onlyAddsCases(edits(head('one') + old, head('one, mockAll') + old + more))).toBe(false);
});

test.each([
  ['in a title', "it('two after one', () => expect(two()).toBe(2));\n", true],
  ['as a call', 'after(() => two());\n', false],
  ['as a member', "two['after'](() => 2);\n", false],
  ['as an argument', "register('after', two);\n", false],
  ['in a title within a template that it ends', "const a = `\nit('`; after(() => two()); `', 1);`;\n", false],
  ['in a title within a text that it ends', "const a = 'x\\\nit(' + after(() => two()) + ', 1)';\n", false],
  ['in a title within a comment that it ends', "/*\nit(' */ after(() => two()); /* ',\n*/\n", false],
  ['in a title in double quotes within a comment', '/*\nit(" */ stub(two()); /* ",\n*/\n', false],
  ['in a title behind a sign of a comment', "it('two */ after /* one', () => expect(two()).toBe(2));\n", true],
  ['in a title with escapes', "it('two \\\\ after \\'one', () => expect(two()).toBe(2));\n", true],
  ['in such a title beside a description', "/**\n * Two.\n */\nit('two */ after', () => two());\n", true],
  ['in such a title beside a pattern', "one(/'/);\nit('two */ after', () => two());\n", false],
  ['behind a comment that a pattern seems to hide', "one(/'/*1); /*'\nit('*/ after(two)//', 1);\n", false],
  ['behind a comment in a comment of HTML', "<!-- /*\nit('*/ after(two)//', 1);\n", false],
  ['behind a comment after a lone return', "// '\r /*\nit('*/ after(two)//', 1);\n", false],
])('a word that disturbs other tests %s', (_, added, only) => {
  expect(onlyAddsCases(edits(head('one') + old, head('one') + old + added))).toBe(only);
});

test('a title may name lists of media types', () => {
  const added = `it('two of "/*" and ["text/html"]', () => expect(two('/*')).toBe(2));\n`;
  expect(onlyAddsCases(edits(head('one') + old, head('one') + old + added))).toBe(true);
});

test.each([
  ['a word in an address', "it('two', () => expect(two('http://a.b/?test=1')).toBe(2));\n", null],
  ['a choice', "process.pid > 9 ?test('x', () => {}) : '';\n", /does not run everywhere/],
  ['a choice between texts', "one('?test') ? it('two', two) : 'no';\n", /does not run everywhere/],
  ['a choice behind a pattern with a quote', "/'/.test(one()) ? it('two', two) : 1;\n", /does not run everywhere/],
  ['a choice behind a text that ends', "one('x\\\n') ? it('two', two) : '';\n", /does not run everywhere/],
  ['a choice within a template', "one(`\n'${one() ? it('two', two) : 1}'\n`);\n", /does not run everywhere/],
  ['a choice behind a template', "one(`\n'`) ? it('two', two) : 1;\n", /does not run everywhere/],
  [
    'a choice behind an apostrophe in a comment',
    "/* don't\nit's slow */ (slow ? it : one)('x', () => {});\n",
    /does not run everywhere/,
  ],
  ['a choice before an apostrophe in a comment', "slow ? it : one; /* 'tis */ one('x');\n", /does not run everywhere/],
])('%s as a condition of a test', (_, added, reason) => {
  const said = explainConditionalTest(edits(head('one') + old, head('one') + old + added));
  if (reason === null) expect(said).toBeNull();
  else expect(said).toMatch(reason);
});

test('a recipe whose finding the ruler does not count claims findings', () => {
  const before = 'try {\n  run();\n} catch (error) {\n  throw error;\n}\n';
  const edit = { path: 'a.js', before, after: 'run();\n' };
  expect(chooseClaims({ recipe: 'remove-catch' }, [edit])).toEqual(['findings']);
  expect(chooseClaims({ recipe: 'remove-else' }, [edit])).toEqual(['points']);
});
