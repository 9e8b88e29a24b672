// What the TypeScript compiler gets to see, and what it does not.

import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSourceTree } from '../../../server/src/adapters/files/sourceTree.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';

// The root is a package inside a larger folder, as in a repository of many packages.
let outer: TemporaryRepository;
let root: string;

beforeAll(async () => {
  outer = await createTemporaryRepository(
    {
      'packages/app/src/a.ts': 'export const a = 1;',
      'packages/app/.git/config': 'x',
      'packages/app/node_modules/own/index.d.ts': 'own',
      'packages/linked/index.ts': 'linked',
      'node_modules/shared/index.d.ts': 'shared',
      'secret.ts': 'secret',
    },
    { git: false },
  );
  root = join(outer.dir, 'packages/app');
  await writeFile(join(root, 'large.ts'), Buffer.alloc(4 * 1024 * 1024 + 1, 32));
  await writeFile(join(root, 'limit.ts'), Buffer.alloc(4 * 1024 * 1024, 32));
  await mkdir(join(root, 'node_modules/@scope'));
  await symlink(join(outer.dir, 'packages/linked'), join(root, 'node_modules/@scope/linked'));
  await symlink(outer.dir, join(root, 'node_modules/everything'));
  await symlink(join(outer.dir, 'secret.ts'), join(root, 'src/out.ts'));
  await symlink('a.ts', join(root, 'src/in.ts'));
  execFileSync('mkfifo', [join(root, 'src/pipe.ts')]);
});
afterAll(() => outer.dispose());

describe('createSourceTree', () => {
  const readable: readonly [string, string][] = [
    ['src/a.ts', 'export const a = 1;'],
    ['src/in.ts', 'export const a = 1;'],
    ['src/../src/a.ts', 'export const a = 1;'],
    ['node_modules/own/index.d.ts', 'own'],
    ['node_modules/@scope/linked/index.ts', 'linked'],
    ['../../node_modules/shared/index.d.ts', 'shared'],
  ];
  it.each(readable)('reads %s', (path, text) => {
    const tree = createSourceTree(root);
    expect(tree.read(join(root, path))).toBe(text);
    expect(tree.fileExists(join(root, path))).toBe(true);
  });

  const hidden = [
    'src/out.ts',
    '../../secret.ts',
    '../linked/index.ts',
    'node_modules/everything/secret.ts',
    'node_modules/../../../secret.ts',
    '.git/config',
    'gone.ts',
    'src/a.ts/x',
    'src',
    'src/pipe.ts',
  ];
  it.each(hidden)('does not read %s', (path) => {
    const tree = createSourceTree(root);
    expect(tree.read(join(root, path))).toBeUndefined();
    expect(tree.fileExists(join(root, path))).toBe(false);
    expect(tree.read(`${root}/${path}`)).toBeUndefined();
  });

  it('reads no relative path and no path with a NUL byte', () => {
    const tree = createSourceTree(root);
    expect(tree.read('src/a.ts')).toBeUndefined();
    expect(tree.read(`${root}/src/a.ts\0`)).toBeUndefined();
  });

  it('reads a linked package by its real path once the link was followed', () => {
    const tree = createSourceTree(root);
    const real = join(outer.dir, 'packages/linked/index.ts');
    expect(tree.read(real)).toBeUndefined();
    expect(tree.realPath(join(root, 'node_modules/@scope/linked/index.ts'))).toBe(real);
    expect(tree.read(real)).toBe('linked');
    expect(tree.read(join(outer.dir, 'secret.ts'))).toBeUndefined();
  });

  it('takes files up to 4 MB', () => {
    const tree = createSourceTree(root);
    expect(tree.read(join(root, 'large.ts'))).toBeUndefined();
    expect(tree.read(join(root, 'limit.ts'))).toHaveLength(4 * 1024 * 1024);
  });

  it('lists what can be seen', () => {
    const tree = createSourceTree(root);
    const names = (path: string): string[] =>
      tree
        .list(join(root, path))
        .map(({ name, kind }) => `${kind} ${name}`)
        .sort();
    expect(names('src')).toEqual(['file a.ts', 'file in.ts']);
    expect(names('.')).toEqual(['file large.ts', 'file limit.ts', 'folder node_modules', 'folder src']);
    expect(names('node_modules')).toEqual(['folder @scope', 'folder own']);
    expect(names('../..')).toEqual([]);
    expect(names('src/a.ts')).toEqual([]);
  });

  it('knows folders', () => {
    const tree = createSourceTree(root);
    expect(tree.folderExists(root)).toBe(true);
    expect(tree.folderExists(join(root, 'node_modules/@scope/linked'))).toBe(true);
    expect(tree.folderExists(outer.dir)).toBe(false);
    expect(tree.folderExists(join(root, 'src/a.ts'))).toBe(false);
  });

  it("reads the compiler's own libraries, wherever it is installed", () => {
    const library = join(dirname(createRequire(import.meta.url).resolve('typescript')), 'lib.es2023.d.ts');
    expect(createSourceTree(root).read(library)).toContain('lib="es2022"');
  });
});
