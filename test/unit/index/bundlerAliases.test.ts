// Aliases of Vite and Vitest lead to files.

import { expect, test } from 'vitest';
import { readBundlerAliases } from '../../../server/src/core/syntax/configuration/bundlerAliases.ts';
import { resolved } from './graphSupport.ts';

const read = (alias: string) => readBundlerAliases(`export default { resolve: { alias: ${alias} } }`);

test.each([
  ["{ shop: './src/index.js' }", 'shop', 'src/index.js'],
  ["{ 'shop/': path.resolve(__dirname, 'src/') }", 'shop/*', 'src/*'],
  ["[{ find: 'shop', replacement: fileURLToPath(new URL('./src', import.meta.url)) }]", 'shop/*', 'src/*'],
  ["[{ find: /^shop$/, replacement: resolve('./src/index.ts') }]", 'shop', 'src/index.ts'],
  ["[{ find: /^shop(.*)$/, replacement: resolve('./src/$1.ts') }]", 'shop/*', 'src/*.ts'],
  ['{ shop: `${__dirname}/src` }', 'shop', 'src'],
  ["{ /* 'it' */ other: x(1, 2), shop: './src' } // it's", 'shop', 'src'],
])('%s', (alias, pattern, target) => {
  expect(new Map(read(alias)).get(pattern)).toBe(target);
});

test.each([
  "{ shop: 'other-shop' }",
  "{ shop: resolve('../other') }",
  'aliases',
  "[{ find: /sh.p/, replacement: './src' }]",
])('not known: %s', (alias) => {
  expect(read(alias)).toEqual([]);
});

test('aliases inside of aliases are not read again, and many objects of aliases are not read at all', () => {
  expect(read("{ shop: './src', math: { alias: { inner: './inner' } } }").map(([name]) => name)).toEqual([
    'shop',
    'shop/*',
  ]);
  const projects = Array.from({ length: 40 }, (_, index) => `{ alias: { p${index}: './src' } }`).join(', ');
  const names = readBundlerAliases(`export default [${projects}]`).map(([name]) => name);
  expect([names.length, names.at(-1)]).toEqual([40, 'p19/*']);
});

test('an import by an alias leads to its file, and the paths of a compiler come first', async () => {
  const files = {
    'packages/a/vitest.config.mts': "export default { resolve: { alias: { shop: './src', math: './src/math.ts' } } }",
    'packages/a/tsconfig.json': '{ "compilerOptions": { "paths": { "math": ["./src/sums.ts"] } } }',
    'packages/a/src/price.ts': '',
    'packages/a/src/sums.ts': '',
    'packages/a/src/math.ts': '',
    'packages/a/test/price.test.ts': '',
  };
  expect(await resolved(files, 'packages/a/test/price.test.ts', 'shop/price')).toBe('packages/a/src/price.ts');
  expect(await resolved(files, 'packages/a/test/price.test.ts', 'math')).toBe('packages/a/src/sums.ts');
});
