// A git that says nothing any more, as on a file system that hangs.

import { chmod, mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createGitRunner, GitFailure } from '../../../server/src/adapters/git/runGit.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';

let place: TemporaryRepository;
beforeEach(async () => {
  place = await createTemporaryRepository({ 'bin/git': '#!/bin/sh\necho $$ > pid\nexec sleep 600\n' }, { git: false });
  await chmod(join(place.dir, 'bin/git'), 0o755);
  await mkdir(join(place.dir, 'work'));
  vi.stubEnv('PATH', `${join(place.dir, 'bin')}${delimiter}${process.env['PATH']}`);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await place.dispose();
});

/** Time enough for a shell to begin on a busy machine. */
const PATIENCE_MS = 6_000;

test('it is given up, and its process ends', async () => {
  const failure = await createGitRunner(join(place.dir, 'work'), PATIENCE_MS)
    .text(['status'])
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(GitFailure);
  expect((failure as GitFailure).message).toBe('git status said nothing for 6 s and was ended.');
  const pid = Number(await place.read('work/pid'));
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), 120_000);
});
