import { mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPackageTrees, TREE_FOLDER } from '../../../server/src/adapters/packages/packageTrees.ts';

const signal = new AbortController().signal;
const NAME = 'abcdef0123456789';

async function installed(): Promise<{ readonly stateDir: string; readonly from: string }> {
  const stateDir = await mkdtemp(join(tmpdir(), 'kept-'));
  const from = join(stateDir, 'scratch');
  await mkdir(join(from, 'packages', 'a', 'node_modules', 'native'), { recursive: true });
  await mkdir(join(from, 'node_modules', '@scope', 'plain'), { recursive: true });
  await writeFile(join(from, 'node_modules', '@scope', 'plain', 'package.json'), '{"name":"@scope/plain"}');
  const native = join(from, 'packages', 'a', 'node_modules', 'native');
  await writeFile(join(native, 'package.json'), '{"name":"native","scripts":{"install":"x"}}');
  await writeFile(join(from, 'package-lock.json'), '{}');
  await symlink('/etc', join(from, 'secrets'));
  return { stateDir, from };
}

const what = (entries: readonly string[]) => ({
  name: NAME,
  shape: 's',
  prefix: '',
  managerFolder: '.selfware-manager',
  entries,
});

test('package folders and named files are kept, links at their place are not', async () => {
  const { stateDir, from } = await installed();
  const kept = createPackageTrees(stateDir);
  const tree = await kept.keep(from, what(['package-lock.json', 'secrets', 'absent']), 1, signal);
  expect(tree.entries).toEqual(['node_modules', 'package-lock.json', 'packages/a/node_modules']);
  expect(tree.wantScripts).toEqual(['native']);
  await kept.share(NAME);
  expect((await createPackageTrees(stateDir).shared())?.contentHash).toBe(tree.contentHash);
});

test('packages that Yarn unplugs are kept with their folder, and those with scripts are named', async () => {
  const { stateDir, from } = await installed();
  const unplugged = join(from, '.yarn', 'unplugged', 'gyp-npm-7.0.0-9ae0', 'node_modules', 'gyp');
  await mkdir(unplugged, { recursive: true });
  await writeFile(join(unplugged, 'package.json'), '{"name":"gyp","scripts":{"postinstall":"x"}}');
  const tree = await createPackageTrees(stateDir).keep(from, what(['.yarn/unplugged']), 1, signal);
  expect(tree.entries).toEqual(['.yarn/unplugged', 'node_modules', 'packages/a/node_modules']);
  expect(tree.wantScripts).toEqual(['gyp', 'native']);
});

test('what was changed since it was kept is not lent', async () => {
  const { stateDir, from } = await installed();
  const kept = createPackageTrees(stateDir);
  await kept.keep(from, what([]), 1, signal);
  await kept.share(NAME);
  const file = join(kept.place(NAME), TREE_FOLDER, 'node_modules', '@scope', 'plain', 'package.json');
  // The same bytes again: the times differ, and the content decides.
  await writeFile(file, await readFile(file));
  expect(await createPackageTrees(stateDir).shared()).not.toBeNull();
  await writeFile(file, '{"name":"@scope/other"}');
  expect(await createPackageTrees(stateDir).shared()).toBeNull();
});

test('packages that were used last do not give way to others', async () => {
  const names = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(16));
  const { stateDir } = await installed();
  const kept = createPackageTrees(stateDir);
  const keep = async (name: string, now: number) =>
    kept.keep((await installed()).from, { ...what([]), name, shape: name }, now, signal);
  for (const [index, name] of names.slice(0, 3).entries()) await keep(name, index + 1);
  expect(await kept.fitting(async () => names[0]!)).toMatchObject({ name: names[0] });
  await keep(names[3]!, 10);
  const isKept = async (name: string) => (await createPackageTrees(stateDir).find(name)) !== null;
  expect(await Promise.all(names.map(isKept))).toEqual([true, false, true, true]);
});

test('a name that is no name of ours is not followed', async () => {
  const { stateDir } = await installed();
  await mkdir(join(stateDir, 'packages'), { recursive: true });
  await writeFile(join(stateDir, 'packages', 'lent.json'), '{"name":"../../etc"}');
  expect(await createPackageTrees(stateDir).shared()).toBeNull();
});
