// Which program a run in the background starts from, and what it does not take over: no code of a repository runs.

import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readOpenOffer, takeOffer, writeOffer } from '../../../server/src/adapters/run/versionOffers.ts';
import { supervisorLogPath, startSupervised } from '../../../server/src/app/nights/supervised.ts';
import { ensureCopy, resolveVersionsFolder } from '../../../server/src/app/nights/takeOver/versionStore.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';

let repository: TemporaryRepository;
let other: TemporaryRepository;
beforeEach(async () => {
  repository = await createTemporaryRepository({ 'a.js': '' });
  other = await createTemporaryRepository({ 'a.js': '' });
});
afterEach(async () => {
  await repository.dispose();
  await other.dispose();
});

const homeIn = ({ dir }: TemporaryRepository) => ({ ...process.env, SELFWARE_HOME: join(dir, '.sw') });
const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a run whose data folder lies in its repository is refused before anything is made', async () => {
  const started = startSupervised({ rootDir: repository.dir, args: [], env: homeIn(repository) });
  await expect(started).rejects.toMatchObject({ reason: 'usage', action: expect.stringContaining('SELFWARE_HOME') });
  expect(existsSync(join(repository.dir, '.sw'))).toBe(false);
  await expect(ensureCopy(repository.dir, homeIn(repository))).rejects.toMatchObject({ reason: 'usage' });
});

test('a run whose data folder lies in another repository starts from the installed program', async () => {
  const env = homeIn(other);
  expect(resolveVersionsFolder(repository.dir, env)).toBe(null);
  const pid = await startSupervised({ rootDir: repository.dir, args: [], env });
  // Without a command, the process ends at once.
  await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
  expect(readFileSync(supervisorLogPath(repository.dir, env), 'utf8')).toContain(
    'No other version of Selfware can take over',
  );
  expect(existsSync(join(other.dir, '.sw', 'versions'))).toBe(false);
});

test('an offer is taken if its hash is one, and an offer that cannot be removed is none', async () => {
  const version = { version: '2.0.0', hash: '0123456789abcdef', folder: '' };
  await writeOffer(other.dir, version, false);
  expect(readOpenOffer(other.dir)?.offer).toEqual(version);
  expect(takeOffer(other.dir)?.offer).toEqual(version);
  expect(takeOffer(other.dir)).toBe(null);
  await writeOffer(other.dir, { ...version, hash: '../../repository' }, false);
  expect(takeOffer(other.dir)).toBe(null);
  await mkdir(join(other.dir, 'offer.json'));
  expect(takeOffer(other.dir)).toBe(null);
});
