// Small right fixes keep within the price of a claim in repositories of any size and form, and worse code does not.

import { describe, expect, test } from 'vitest';
import { scoreEdits } from '../../../server/src/core/session/analyse/scoring.ts';
import { contextOf, type Tree } from '../../helpers/contextOfTree.ts';

const ROUNDING = 1e-9;
const never = new AbortController().signal;

const FLAT = `/** The share of a part in percent. */
export function share(part, all) {
  const ratio = part / all;
  return Math.round(100 * ratio);
}
`;
const NESTED = `/** The first match in a table. */
export function firstMatch(rows, wanted) {
  for (const row of rows) {
    for (const cell of row) {
      if (cell.name === wanted) {
        const found = cell.value;
        return found.text;
      }
    }
  }
  return null;
}
`;
const KINDS = Array.from({ length: 18 }, (_, at) => `  if (kind === ${at}) size += ${at + 2} * scale;`).join('\n');
const COMPLEX = `/** The size of a thing. */
export function sizeOf(kind, scale) {
  let size = 0;
${KINDS}
  return size;
}
`;
const PYTHON = 'def share(part, all):\n    ratio = part / all\n    return round(100 * ratio)\n';
const FILES: Tree = { 'src/flat.js': FLAT, 'src/nested.js': NESTED, 'src/complex.js': COMPLEX, 'src/share.py': PYTHON };

const numbered = (text: string, at: number) => text.replace(/function (\w+)/, `function $1${at}`);
/** More of the same sources, up to thousands of statements. */
const more = (sources: readonly string[], copies: number): Tree =>
  Object.fromEntries(
    Array.from({ length: copies }, (_, at) => [
      `src/more${at}.js`,
      sources.map((text) => numbered(text, at).replaceAll(/\b(ratio|found|size)\b/g, `$1${at}`)).join('\n'),
    ]),
  );
const REPOSITORIES: Readonly<Record<string, Tree>> = {
  small: FILES,
  'large and simple': { ...FILES, ...more([FLAT], 700) },
  'large and complex': { ...FILES, ...more([NESTED, COMPLEX], 60) },
};
const contexts = Object.entries(REPOSITORIES).map(([name, tree]) => [name, contextOf(tree)] as const);

type Change = readonly [name: string, path: string, from: string, to: string];

const CHECK = "\n  if (!all) throw new RangeError('Nothing is no whole.');";
const FIXES: readonly Change[] = [
  ['a guard', 'src/flat.js', 'all) {', 'all) {\n  if (all === 0) return 0;'],
  ['a guard of three lines', 'src/flat.js', 'all) {', 'all) {\n  if (all === 0) {\n    return 0;\n  }'],
  ['a guard with two conditions', 'src/flat.js', 'all) {', 'all) {\n  if (Number.isNaN(part) || all === 0) return 0;'],
  ['an error', 'src/flat.js', 'all) {', `all) {${CHECK}`],
  ['a guard, and a line changed', 'src/flat.js', 'const ratio =', 'if (all === 0) return 0;\n  const ratio = 1 *'],
  ['a default', 'src/flat.js', 'const ratio = part', 'const ratio = (part ?? 0)'],
  ['a choice', 'src/flat.js', '100 * ratio', '100 * (all === 0 ? 0 : ratio)'],
  ['a condition', 'src/nested.js', 'cell.name === wanted', 'cell && cell.name === wanted'],
  ['a turn that is passed over', 'src/nested.js', 'row) {', 'row) {\n      if (cell === null) continue;'],
  [
    'a guard in the deepest place',
    'src/nested.js',
    'return found',
    "if (found === null) return '';\n        return found",
  ],
  ['an assignment in the deepest place', 'src/nested.js', 'return found', 'cell.seen = true;\n        return found'],
  [
    'a guard in an over-complex function',
    'src/complex.js',
    '  let size',
    '  if (!scale || scale < 0) return 0;\n  let size',
  ],
  ['one more case', 'src/complex.js', '  return size', '  if (kind === 99) size += 7;\n  return size'],
  ['a removed line', 'src/complex.js', '  if (kind === 3) size += 5 * scale;\n', ''],
  [
    'a removed statement',
    'src/nested.js',
    '        const found = cell.value;\n        return found.text',
    '        return cell.text',
  ],
  ['a guard in Python', 'src/share.py', '    ratio =', '    if all == 0:\n        return 0\n    ratio ='],
];

const WORSE: readonly Change[] = [
  [
    'ifs within each other on one line',
    'src/flat.js',
    'all) {',
    'all) {\n  if (all) { if (part) { if (all < part) return 0; } }',
  ],
  [
    'guards side by side on one line',
    'src/flat.js',
    'all) {',
    'all) {\n  if (all === 0) return 0; if (part < 0) return 1; if (part > all) return 2;',
  ],
  ['a chain of choices', 'src/flat.js', '100 * ratio', '(all === 0 ? 0 : all === 1 ? 1 : all === 2 ? 2 : ratio)'],
  [
    'conditions that alternate',
    'src/flat.js',
    'all) {',
    'all) {\n  if ((part && all) || (part > 1 && all > 2) || (part > 3 && all > 4) || (part > 5 && all > 6)) return 0;',
  ],
  [
    'an if around all cases, not indented',
    'src/complex.js',
    '  let size = 0;\n',
    '  let size = 0;\n  if (scale)\n  for (const one of [1]) {\n',
  ],
  ['a swallowed error', 'src/flat.js', 'all) {', 'all) {\n  try { part.check(); } catch {}'],
  [
    'a promise that nobody waits for',
    'src/flat.js',
    'all) {',
    "all) {\n  import('./nested.js').then((nested) => nested.firstMatch([], part));",
  ],
  [
    'a loop in the deepest place',
    'src/nested.js',
    'return found',
    'for (const one of found.all) { if (one) { if (one.text) return one.text; } }\n        return found',
  ],
  ['code that is evaluated', 'src/flat.js', 'all) {', "all) {\n  if (eval('all === 0')) return 0;"],
  [
    'a variable that nobody reads',
    'src/flat.js',
    'all) {',
    'all) {\n  if (all === 0) { const unread = part; return 0; }',
  ],
];

function editOf(tree: Tree, [, path, from, to]: Change) {
  const before = tree[path]!;
  expect(before).toContain(from);
  let after = before.replace(from, to);
  if (to.endsWith('for (const one of [1]) {\n')) after = after.replace('  return size', '  }\n  return size');
  return { path, before, after };
}

async function costAndPrice(context: Awaited<ReturnType<typeof contextOf>>, tree: Tree, changes: readonly Change[]) {
  const edits = changes.map((change) => editOf(tree, change));
  const { gain, price = 0 } = await scoreEdits(context, edits, never);
  return { cost: -gain, price };
}

describe.each(contexts)('in a repository that is %s', (name, made) => {
  const tree = REPOSITORIES[name]!;

  test.each(FIXES)('%s keeps within the price', async (...change) => {
    const { cost, price } = await costAndPrice(await made, tree, [change]);
    expect(cost).toBeLessThanOrEqual(price + ROUNDING);
  });

  test.each(WORSE)('%s costs more than its price', async (...change) => {
    const { cost, price } = await costAndPrice(await made, tree, [change]);
    expect(cost).toBeGreaterThan(price + ROUNDING);
  });

  test('a line in a deep function makes no room for nesting in a flat one', async () => {
    const [nested] = WORSE;
    const deep = FIXES.find(([what]) => what === 'a turn that is passed over')!;
    const { cost, price } = await costAndPrice(await made, tree, [nested!, deep]);
    expect(cost).toBeGreaterThan(price + ROUNDING);
  });
});

test('files that only seem to be gone, because they are marked as generated, pay for nothing', async () => {
  const tree = REPOSITORIES['large and complex']!;
  const swallow = WORSE.find(([what]) => what === 'a swallowed error')!;
  const marked = Object.keys(tree)
    .filter((path) => /more\d+\.js$/.test(path))
    .map((path) => ({ path, before: tree[path]!, after: `// @generated\n${tree[path]!}` }));
  const { gain, price = 0 } = await scoreEdits(await contextOf(tree), [editOf(tree, swallow), ...marked], never);
  expect(-gain).toBeGreaterThan(price + ROUNDING);
});

const UNDOCUMENTED = FLAT.replace(/\/\*\*.*\n/, '');
const exported = (count: number) =>
  Array.from({ length: count }, (_, at) => `export function half${at}(part) {\n  return part / 2;\n}\n`).join('');

/** The cost and the price of new exports without documentation, with as many documented and undocumented ones there. */
async function costOfExports(documented: number, undocumented: number, added: number) {
  const tree = { ...more([FLAT], documented - 1), 'src/flat.js': FLAT, ...renamed(more([UNDOCUMENTED], undocumented)) };
  return costAndPrice(await contextOf(tree), tree, [['', 'src/flat.js', FLAT, `${FLAT}${exported(added)}`]]);
}
const renamed = (tree: Tree): Tree =>
  Object.fromEntries(Object.entries(tree).map(([path, text]) => [path.replace('more', 'other'), text]));

test.each([
  [2, 8, 1],
  [5, 5, 1],
  [1, 19, 4],
] as const)('%i documented and %i other exports: %i more without documentation', async (documented, others, added) => {
  const { cost, price } = await costOfExports(documented, others, added);
  expect(cost).toBeLessThanOrEqual(price + ROUNDING);
  expect(cost).toBeGreaterThan(0);
});

test.each([
  [10, 0, 1],
  [6, 4, 1],
  [5, 5, 3],
] as const)('%i documented and %i other exports: %i more have to be documented', async (documented, others, added) => {
  const { cost, price } = await costOfExports(documented, others, added);
  expect(cost).toBeGreaterThan(price + ROUNDING);
});

test('a whole function that is copied for a fix costs more than its price', async () => {
  const tree = { ...FILES, 'src/long.js': COMPLEX };
  const copy: Change = ['', 'src/long.js', COMPLEX, `${COMPLEX}\n${COMPLEX.replace('sizeOf', 'rightSizeOf')}`];
  const { cost, price } = await costAndPrice(await contextOf(tree), tree, [copy]);
  expect(cost).toBeGreaterThan(price + ROUNDING);
});
