// Programs that we start on our own account are never those of a repository, whatever its owner or the search path
// says.

import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createGitRunner } from '../../../server/src/adapters/git/runGit.ts';
import { createUserGit } from '../../../server/src/adapters/git/userGit.ts';
import {
  distrustPrograms,
  removeUntrustedFolders,
  findTrustedProgram,
} from '../../../server/src/adapters/system/ownPrograms.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';

let repository: TemporaryRepository;
let elsewhere: TemporaryRepository;
beforeEach(async () => {
  repository = await createTemporaryRepository({ 'a.txt': 'a' });
  elsewhere = await createTemporaryRepository({ 'b.txt': 'b' }, { git: false });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await repository.dispose();
  await elsewhere.dispose();
});

/** Leaves a mark where it runs, and answers like nothing. */
async function plant(place: string): Promise<void> {
  await mkdir(dirname(place), { recursive: true });
  await writeFile(place, `#!/bin/sh\ntouch '${join(elsewhere.dir, 'ran')}'\n`);
  await chmod(place, 0o755);
}

const places = {
  'the current folder, as a dot': () => ['.', 'git'],
  'the current folder, as an empty entry': () => ['', 'git'],
  'a relative folder': () => ['bin', 'bin/git'],
  'the repository itself': () => [repository.dir, 'git'],
  'a folder of the repository': () => [join(repository.dir, 'bin'), 'bin/git'],
  'its installed packages': () => [join(repository.dir, 'node_modules/.bin'), 'node_modules/.bin/git'],
} as const satisfies Record<string, () => readonly [string, string]>;

test.each(Object.entries(places))('git in %s is not run', async (_where, place) => {
  const [entry, file] = place();
  await plant(join(repository.dir, file));
  vi.stubEnv('PATH', `${entry}${delimiter}${process.env['PATH']}`);
  vi.spyOn(process, 'cwd').mockReturnValue(repository.dir);
  const { dir } = repository;
  expect((await createGitRunner(dir).text(['rev-parse', '--is-inside-work-tree'])).trim()).toBe('true');
  expect((await createUserGit(dir, process.env).text(['rev-parse', '--is-inside-work-tree'])).trim()).toBe('true');
  expect(await elsewhere.read('ran')).toBeNull();
});

test("a link in a folder of one's own that leads into the repository is none", async () => {
  await plant(join(repository.dir, 'tool'));
  await mkdir(join(elsewhere.dir, 'bin'));
  await symlink(join(repository.dir, 'tool'), join(elsewhere.dir, 'bin', 'git'));
  const path = `${join(elsewhere.dir, 'bin')}${delimiter}${process.env['PATH']}`;
  expect(findTrustedProgram('git', path, [repository.dir])).not.toContain(elsewhere.dir);
});

test('a repository that is open is closed for every other folder too, such as its sandbox', async () => {
  await plant(join(repository.dir, 'bin', 'git'));
  const path = `${join(repository.dir, 'bin')}${delimiter}/usr/bin`;
  expect(findTrustedProgram('git', path)).toBe(join(repository.dir, 'bin', 'git'));
  distrustPrograms(repository.dir);
  expect(findTrustedProgram('git', path)).toBe('/usr/bin/git');
  expect(removeUntrustedFolders(path)).toBe('/usr/bin');
});

test('of a folder that is opened, the repository around it is closed too', async () => {
  await plant(join(repository.dir, 'bin', 'git'));
  await mkdir(join(repository.dir, 'packages/a'), { recursive: true });
  distrustPrograms(join(repository.dir, 'packages/a'));
  expect(removeUntrustedFolders(`${join(repository.dir, 'bin')}${delimiter}/usr/bin`)).toBe('/usr/bin');
});

test('where there is none outside, there is none', () => {
  expect(findTrustedProgram('git', [repository.dir, '.', 'bin'].join(delimiter), [repository.dir])).toBeNull();
});
