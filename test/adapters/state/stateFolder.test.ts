// Where the state of a repository lies, by platform and environment.

import { createHash } from 'node:crypto';
import { chmod, mkdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createStateFolder,
  throwIfStateInside,
  resolveStateFolder,
} from '../../../server/src/adapters/files/stateFolder.ts';
import { openLedger } from '../../../server/src/app/nights/sharedKnowledge.ts';
import { asOrdinaryUser } from '../../helpers/ordinaryUser.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';

let repository: TemporaryRepository;
beforeAll(async () => {
  repository = await createTemporaryRepository({ 'my repo!/a': '' }, { git: false });
  await symlink('my repo!', join(repository.dir, 'link'));
});
afterAll(() => repository.dispose());

describe('stateFolderFor', () => {
  const cases: readonly [NodeJS.Platform, Record<string, string>, string][] = [
    ['linux', { SELFWARE_HOME: '/own', XDG_DATA_HOME: '/xdg', HOME: '/home/u' }, '/own'],
    ['linux', { XDG_DATA_HOME: '/xdg', HOME: '/home/u' }, '/xdg/selfware'],
    ['linux', { XDG_DATA_HOME: 'relative', HOME: '/home/u' }, '/home/u/.local/share/selfware'],
    ['linux', { SELFWARE_HOME: '', HOME: '/home/u' }, '/home/u/.local/share/selfware'],
    ['darwin', { HOME: '/Users/u' }, '/Users/u/Library/Application Support/selfware'],
    ['win32', { LOCALAPPDATA: '/local', USERPROFILE: '/u' }, '/local/selfware'],
    ['win32', { USERPROFILE: '/u' }, '/u/AppData/Local/selfware'],
  ];
  it.each(cases)('on %s with %j is in %s', (platform, env, folder) => {
    const root = join(repository.dir, 'my repo!');
    const hash = createHash('sha256').update(root).digest('hex').slice(0, 12);
    expect(resolveStateFolder(root, env, platform)).toBe(`${folder}/my-repo--${hash}`);
    expect(resolveStateFolder(join(repository.dir, 'link'), env, platform)).toBe(`${folder}/my-repo--${hash}`);
  });

  it('differs for folders of one name', () => {
    const env = { SELFWARE_HOME: '/own' };
    expect(resolveStateFolder('/a/same', env)).not.toBe(resolveStateFolder('/b/same', env));
    expect(resolveStateFolder('/', env)).toMatch(/^\/own\/root-[0-9a-f]{12}$/);
  });
});

describe('refuseStateInside', () => {
  it.each([
    ['a folder of it', (root: string) => ({ SELFWARE_HOME: join(root, 'state') })],
    ['itself', (root: string) => ({ SELFWARE_HOME: root })],
    ['a home in it', (root: string) => ({ HOME: join(root, 'home') })],
    ['a place in it through a link', (root: string) => ({ XDG_DATA_HOME: join(root, '../link/data') })],
  ])('%s', (_, envIn) => {
    const root = join(repository.dir, 'my repo!');
    expect(() => throwIfStateInside(root, envIn(root))).toThrow('lies in the repository');
  });

  it('a place outside, and a repository that holds the home folder', () => {
    const root = join(repository.dir, 'my repo!');
    for (const folder of ['/own', `${root}-more`, join(root, '..')])
      expect(() => throwIfStateInside(root, { SELFWARE_HOME: folder })).not.toThrow();
    expect(() => throwIfStateInside('/', { SELFWARE_HOME: '/own' })).not.toThrow();
  });
});

describe('createStateFolder', () => {
  it('makes a folder for its owner alone, and closes one that was open', async () => {
    const dir = join(repository.dir, 'state/deep');
    await createStateFolder(dir);
    await chmod(dir, 0o755);
    await createStateFolder(dir);
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
  });

  it('says what to do in a place where no folder can be made', async () => {
    const places = process.platform === 'linux' ? ['/proc/x', '/proc/x/state', '/dev/null/state'] : ['/dev/null/state'];
    for (const make of [createStateFolder, (place: string) => openLedger(place, { write: () => undefined })])
      for (const place of places)
        await expect(make(place)).rejects.toMatchObject({
          reason: 'writeFailed',
          action: expect.stringContaining('SELFWARE_HOME'),
        });
  });

  it('says what to do where a file stands, and leaves the file as it is', async () => {
    const file = join(repository.dir, 'my repo!/a');
    await chmod(file, 0o644);
    await expect(createStateFolder(file)).rejects.toMatchObject({ reason: 'writeFailed' });
    expect((await stat(file)).mode & 0o777).toBe(0o644);
  });

  it('says what to do where it may not write', async () => {
    const closed = await createTemporaryRepository({}, { git: false });
    await mkdir(join(closed.dir, 'closed'));
    await asOrdinaryUser(closed.dir, async () => {
      await chmod(join(closed.dir, 'closed'), 0o500);
      await expect(createStateFolder(join(closed.dir, 'closed/state'))).rejects.toMatchObject({
        reason: 'readOnly',
        action: expect.stringContaining('SELFWARE_HOME'),
      });
    });
    await closed.dispose();
  });
});
