// The configurations with aliases are read once for all files of a tree.

import { expect, test } from 'vitest';
import { findConfigFolder, readCompilerOptions } from '../../../server/src/core/propose/extraction/compilerOptions.ts';
import { memoryTree } from './recipeCase.ts';

function countReads() {
  const tree = memoryTree({
    'package.json': '{ "name": "shop", "exports": "./src/a.js" }',
    'vite.config.js': "export default { resolve: { alias: { own: './src' } } }",
    'src/tsconfig.json': '{}',
    'src/a.js': '',
    'src/deep/b.js': '',
  });
  const reads: string[] = [];
  const read = (path: string) => {
    reads.push(path.slice(tree.rootDir.length + 1));
    return tree.read(path);
  };
  return { tree: { ...tree, read }, reads, pathOf: (path: string) => `${tree.rootDir}/${path}` };
}

test('two files of a tree share what its folders declare', () => {
  const { tree, reads, pathOf } = countReads();
  const [a, b] = ['src/a.js', 'src/deep/b.js'].map((path) => readCompilerOptions(tree, pathOf(path)).options.paths);
  expect(a).toMatchObject({ own: [pathOf('src')], shop: [pathOf('src/a.js')] });
  expect(b).toEqual(a);
  expect(reads.filter((path) => /^(?:vite|package)/.test(path)).toSorted()).toEqual(['package.json', 'vite.config.js']);
});

test('the folder of a configuration is found without reading any file', () => {
  const { tree, reads, pathOf } = countReads();
  expect(findConfigFolder(tree, pathOf('src/deep/b.js'))).toBe(pathOf('src'));
  expect(findConfigFolder(tree, pathOf('c.js'))).toBe(tree.rootDir);
  expect(reads).toEqual([]);
});

test('the name of a package leads to the declarations beside its JavaScript', () => {
  const tree = memoryTree({
    'package.json': '{ "name": "shop", "exports": "./index.js" }',
    'index.js': '',
    'index.d.ts': 'export type Price = number;',
    'a.js': '',
  });
  const { options } = readCompilerOptions(tree, `${tree.rootDir}/a.js`);
  expect(options.paths).toEqual({ shop: [`${tree.rootDir}/index.d.ts`] });
});
