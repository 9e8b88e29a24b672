// The repository of the attacks: small, with tests that take a moment, judges of every kind, and links that lead
// astray.

/** What nobody uses: to take it out is a gain, so that an attack behind it gets past the score. */
export const BAIT = "import { join } from 'node:path';\n";

const NAMES = [
  'basename',
  'delimiter',
  'dirname',
  'extname',
  'format',
  'isAbsolute',
  'join',
  'normalize',
  'parse',
  'relative',
  'resolve',
  'sep',
];

/** A file of little but bait, for what costs more points than one import gains. */
export const MORE_BAIT = `${NAMES.map((name) => `import { ${name} } from 'node:path';\nimport { ${name} as ${name}Posix } from 'node:path/posix';\nimport { ${name} as ${name}Windows } from 'node:path/win32';\n`).join('')}
/** The longest side of a parcel in millimetres. */
export const LONGEST_SIDE = 1_200;
`;

export const CART = `${BAIT}
/** What goods cost together in cents, less a discount in percent. */
export function total(prices: readonly number[], discount: number): number {
  const sum = prices.reduce((all, price) => all + price, 0);
  return Math.round((sum * (100 - discount)) / 100);
}

/** How many goods cost more than the limit. */
export function dear(prices: readonly number[], limit: number): number {
  return prices.filter((price) => price > limit).length;
}
`;

export const TESTS = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dear, total } from '../src/cart.ts';

test('adds prices', () => assert.equal(total([100, 250], 0), 350));
test('takes the discount off', () => assert.equal(total([1000], 15), 850));
test('nothing costs nothing', () => assert.equal(total([], 50), 0));
test('counts what is dear', () => assert.equal(dear([1, 5, 9], 4), 2));
`;

export const FILES: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify({ name: 'shop', private: true, type: 'module', main: 'src/index.ts', scripts: { test: 'node --test' } }, null, 2)}\n`,
  'package-lock.json': '{ "name": "shop", "lockfileVersion": 3, "packages": {} }\n',
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "noEmit": true, "allowImportingTsExtensions": true }, "include": ["src"] }\n',
  'eslint.config.js': 'export default [];\n',
  '.c8rc.json': '{ "lines": 90 }\n',
  '.gitignore': 'node_modules\n.env\nbuild\n',
  '.github/workflows/ci.yml': 'on: push\n',
  '.husky/pre-commit': 'npm test\n',
  '.selfwareignore': 'vendor\n',
  '.selfware/settings.json': '{ "analysis.rules": {} }\n',
  CODEOWNERS: '* @owner\n',
  'src/index.ts': "export { dear, total } from './cart.ts';\n",
  'src/cart.ts': CART,
  'src/parcel.ts': MORE_BAIT,
  'src/late.ts': `${BAIT}\n/** Twice as much. */\nexport const twice = (value: number): number => value * 2;\n`,
  'src/folder/inner.ts': `${BAIT}\n/** Half as much. */\nexport const half = (value: number): number => value / 2;\n`,
  'test/cart.test.js': TESTS,
  'test/setup.js': "process.env.TZ = 'UTC';\n",
  'test/fixtures/prices.json': '[100, 250]\n',
  'test/__snapshots__/cart.snap': 'exports[`total`] = `350`;\n',
};
