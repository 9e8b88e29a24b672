// Trees of runs that git could not read: they are removed once they are old, unless a file of them is nowhere else.

import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cleanTrees } from '../../../server/src/app/nights/open/cleanTrees.ts';
import { resolveNightFolders } from '../../../server/src/app/nights/nightFolders.ts';
import { createSetAsideFolder, measureSetAsideTrees } from '../../../server/src/app/nights/open/setAsideTrees.ts';
import { openLedger } from '../../../server/src/app/nights/sharedKnowledge.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';

const DAY = 86_400_000;
const at = Date.UTC(2026, 10, 1);
const silent = { write() {} };
let repository: TemporaryRepository;
let request: Parameters<typeof cleanTrees>[0];
let folder: string;
let tree: string;

beforeEach(async () => {
  repository = await createTemporaryRepository({ 'src/a.txt': 'one\n', '.gitignore': 'node_modules\n' });
  request = { rootDir: repository.dir, env: { SELFWARE_HOME: `${repository.dir}-home` }, log: silent };
  ({ folder } = resolveNightFolders(repository.dir, request.env));
  tree = createSetAsideFolder(join(folder, 'tree'), new Date(at));
  await mkdir(join(tree, 'src'), { recursive: true });
  await mkdir(join(tree, 'node_modules/big'), { recursive: true });
  // As after a power failure: git cannot read anything of the tree itself.
  await mkdir(join(tree, '.git'));
  await writeFile(join(tree, '.git/HEAD'), '');
  await writeFile(join(tree, 'src/a.txt'), 'one\n');
  await writeFile(join(tree, '.gitignore'), 'node_modules\n');
  await writeFile(join(tree, 'node_modules/big/index.js'), 'installed');
});
afterEach(async () => {
  await rm(`${repository.dir}-home`, { recursive: true, force: true });
  await repository.dispose();
});

test('a tree whose files are all committed is removed after a week, or when a person stops Selfware', async () => {
  expect(await cleanTrees(request, at + 6 * DAY)).toEqual([]);
  expect(await measureSetAsideTrees(folder)).toEqual([{ folder: tree, at, bytes: 4 + 13 + 9 }]);
  expect(await cleanTrees(request, at + 8 * DAY)).toEqual([tree]);
  expect(await readdir(folder)).toEqual([]);
  await mkdir(tree);
  await writeFile(join(tree, 'a.txt'), 'one\n');
  expect(await cleanTrees(request, null)).toEqual([tree]);
});

test('a tree with a text that only it has stays, until a ledger or a commit that a ref reaches has the text', async () => {
  await writeFile(join(tree, 'src/b.txt'), 'two\n');
  expect(await cleanTrees(request, null)).toEqual([]);
  // An object that no ref reaches may be gone tomorrow.
  await repository.write('b.txt', 'two\n');
  await repository.git('add', 'b.txt');
  await repository.git('rm', '--quiet', '--cached', 'b.txt');
  expect(await cleanTrees(request, null)).toEqual([]);
  const ledger = await openLedger(resolveNightFolders(repository.dir, request.env).state, silent);
  await ledger.contents.put('two\n');
  await ledger.close();
  expect(await cleanTrees(request, null)).toEqual([tree]);
});

test('what cannot be read, such as a nested repository, keeps the tree', async () => {
  const nested = join(tree, 'nested');
  await repository.git('init', '--quiet', nested);
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  await repository.git('-C', nested, ...identity, 'commit', '--quiet', '--allow-empty', '--message', 'Its own');
  expect(await cleanTrees(request, null)).toEqual([]);
});

test('a link counts by its target, and other folders of the runs stay', async () => {
  await symlink('a.txt', join(tree, 'src/link'));
  await mkdir(join(folder, 'tree-unreadable-yesterday'));
  expect(await cleanTrees(request, null)).toEqual([]);
  await symlink('a.txt', join(repository.dir, 'src/link'));
  await repository.git('add', '--all');
  await repository.git('commit', '--quiet', '--message', 'A link');
  expect(await cleanTrees(request, null)).toEqual([tree]);
  expect(await readdir(folder)).toEqual(['tree-unreadable-yesterday']);
});
