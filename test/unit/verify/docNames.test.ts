// Names in new documentation comments: what exists is left alone, what does not is named.

import { expect, test } from 'vitest';
import type { GateInput } from '../../../server/src/core/verify/gate.ts';
import { gate as integrity } from '../../../server/src/core/verify/gates/integrity/gate.ts';
import type { SessionContext } from '../../../server/src/core/session/context.ts';
import { findUnknownDocNames } from '../../../server/src/core/session/verify/unknownDocNames.ts';
import { collectUnknownDocNames } from '../../../server/src/core/verify/integrity/docNames.ts';
import { createPart } from '../../helpers/createPart.ts';

const CODE = `import { Basket, type Rate } from './basket.ts';

export function total(items: Basket, { discount, rounding = 'cents' }: { discount: number; rounding?: string }): number {
  if (discount > 100) throw new RangeError('discount');
  return computeTotal(items, discount, rounding);
}
export const twice = (value: number): number => value * 2;
`;
const found = (comment: string, { before = CODE, place = 'export function total' } = {}) =>
  collectUnknownDocNames([{ path: 'src/total.ts', before, after: CODE.replace(place, `${comment}\n${place}`) }]).map(
    ({ name, kind }) => `${kind} ${name}`,
  );

test.each([
  ['a parameter', '/** @param basket The basket. */', ['param basket']],
  ['a link', '/** See {@link ShoppingBasket}. */', ['name ShoppingBasket']],
  ['a link with words', '/** See {@link ShoppingBasket | the totals}. */', ['name ShoppingBasket']],
  ['a thrown type', '/** @throws {WholesaleError} if it is large. */', ['name WholesaleError']],
  [
    'a name in backquotes',
    '/** As `computeWholesaleTotal` does, or `makeWholesale()`. */',
    ['name computeWholesaleTotal', 'name makeWholesale'],
  ],
  [
    'a member of a destructured parameter',
    '/** @param items a @param options b @param options.vat c */',
    ['param vat'],
  ],
  ['two parameters too many', '/** @param items a @param options b @param more c */', ['param more']],
])('%s that does not exist is found', (_what, comment, expected) => {
  expect(found(comment).sort()).toEqual([...expected].sort());
});

test.each([
  ['what the function has', '/** @param items the items @param options how @param options.discount in per cent */'],
  ['what the file imports', '/** The {@link Rate} of a {@link Basket}; see `computeTotal`. @throws {RangeError} */'],
  [
    'what the language has',
    '/** `Array.prototype.map`, `Promise<number>`, `Object.keys()`, `ReadonlyMap`, `HTMLElement`, `Intl.NumberFormat`, `ENOENT`, `GET`. */',
  ],
  ['addresses and files', '/** See {@link https://example.com/Basket}, `src/other.ts`, `package.json`. */'],
  ['values and plain words', '/** `cents`, `utf8`, `a b`, `x < y`, `null`. */'],
  [
    'files, hosts and names of products',
    '/** `logo.svg`, `example.com`, {@link README.md}, `Makefile`, `GitHub`, `TypeScript`, `macOS`. */',
  ],
  ['headers, days and variables', '/** Sets `Authorization` on `Monday`, if `NODE_ENV`, `created_at`. */'],
  [
    'members and calls of browsers and Node',
    '/** `element.dataset`, `preventDefault()`, `response.statusCode`, `writeFile()`. */',
  ],
  ['settings of tools', '/** Needs `noUncheckedIndexedAccess` and `devDependencies`. */'],
  ['errors and types', '/** @throws {AbortError} if so @returns {React.ReactNode} @type {EventEmitter} */'],
  ['types of other tools', '/** @returns {int|bool|array} it */'],
  [
    'links to modules',
    '/** {@link module:foo} {@link ./other} {@link package#Name} {@link #anchor} {@link Basket.totals} */',
  ],
  ['a block of code', '/** ```ts\n * const `otherName` = 1;\n * ```\n */'],
  ['a comment that is no documentation', '// As `computeWholesaleTotal` does.'],
])('%s is left alone', (_what, comment) => {
  expect(found(comment)).toEqual([]);
});

test.each([
  ['a curried function', '@param a one @param b two', 'export const add = (a: number) => (b: number) => a + b;'],
  [
    'a function that returns one',
    '@param a one @param b two',
    'export function add(a: number) { return (b: number) => a + b; }',
  ],
  ['remaining properties', '@param options a @param options.other b', 'export function f({ a, ...rest }: Options) {}'],
  ['arguments', '@param {...number} numbers all', 'export function f() { return Math.max(...arguments); }'],
  ['overloads', '@param a x @param b y', 'export function f(a: 1): void;\nexport function f(a: 1, b?: 2): void {}'],
])('the parameters of %s are known', (_what, tags, code) => {
  expect(collectUnknownDocNames([{ path: 'a.ts', before: null, after: `/** ${tags} */\n${code}\n` }])).toEqual([]);
  const after = `/** @param nothing */\nexport const twice = (a: number) => (b: number) => a + b;\n`;
  expect(collectUnknownDocNames([{ path: 'a.ts', before: null, after }])).toHaveLength(1);
});

test('what any text of the repository has is known, comments and names of files included', async () => {
  const files: Record<string, string> = {
    'src/a.ts': '// Like oldTotal does.\n',
    'lint.json': '{"noStrangeThing": true}',
    'src/App.vue': '<script>export default { data: () => ({ itemsShown: 1 }) }</script>',
    'CHANGELOG.md': '',
  };
  const edits = [
    {
      path: 'src/b.ts',
      before: null,
      after: '/** `noStrangeThing`, `itemsShown`, `oldTotal`, {@link CHANGELOG}, `newTotal`. */\nexport const b = 1;\n',
    },
  ];
  const context = createPart<SessionContext>({
    ports: {
      files: { read: async (path: string) => (path in files ? new TextEncoder().encode(files[path]) : null) },
      jobs: { run: async () => collectUnknownDocNames(edits) },
    },
    state: { records: new Map(Object.keys(files).map((path) => [path, { symbols: [] }])), analyses: new Map() },
  });
  const names = await findUnknownDocNames(context, edits, new AbortController().signal);
  expect(names.map(({ name }) => name)).toEqual(['newTotal']);
});

test('a comment that was there, or moves, or is reworded with its old names is not new', () => {
  const old = '/** As {@link ShoppingBasket} does. */';
  const before = CODE.replace('export const twice', `${old}\nexport const twice`);
  expect(found(old, { before })).toEqual([]);
  expect(found('/** Does what {@link ShoppingBasket} did. */', { before })).toEqual([]);
  expect(found('/** @param basket a */', { before, place: 'export const twice' })).toEqual(['param basket']);
});

test('a comment may name what the same change adds to another file, and what a comment of JavaScript declares', () => {
  const edits = [
    {
      path: 'a.js',
      before: null,
      after: '/** @typedef {object} Shop */\n/** @param {Shop} shop @template T */\nexport function open(shop) {}\n',
    },
    { path: 'b.js', before: null, after: '/** As `openShop` of {@link Shop}. */\nexport const one = 1;\n' },
    { path: 'c.js', before: null, after: 'export const openShop = 1;\n' },
  ];
  expect(collectUnknownDocNames(edits)).toEqual([]);
  expect(collectUnknownDocNames(edits.slice(0, 2))).toEqual([{ path: 'b.js', name: 'openShop', kind: 'name' }]);
});

test.each([
  ...(['model', 'agent', 'client'] as const).map(
    (author) => [author, {}, /^failed: New comments name what does not exist/] as const,
  ),
  ['model', { isCorrected: true }, /^passed: .* New comments name what does not exist/],
  ...(['person', 'recipe'] as const).map(
    (author) => [author, {}, /^passed: .* New comments name what does not exist/] as const,
  ),
] as const)('by %s, %j', async (author, more, expected) => {
  const edits = [
    { path: 'a.ts', before: 'export const a = 1;\n', after: '/** See {@link Basket}. */\nexport const a = 1;\n' },
  ];
  const context = {
    isJudge: () => false,
    findUnreachedFiles: async () => [],
    inventory: async () => null,
    findUnknownDocNames: async () => collectUnknownDocNames(edits),
  };
  const proposal = { author, recipe: 'brought', ...more };
  const run = createPart<GateInput>({ edits, context, proposal });
  const { outcome, reason } = await integrity(run, new AbortController().signal);
  expect(`${outcome}: ${reason}`).toMatch(expected);
});
