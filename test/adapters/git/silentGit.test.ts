// A git that says nothing any more, as on a file system that hangs, and one that is stopped.

import { chmod, mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { createGitRunner, GitFailure, type GitRunner } from '../../../server/src/adapters/git/runGit.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';
import { sample } from '../../helpers/thorough.ts';

let place: TemporaryRepository;
afterEach(async () => {
  vi.unstubAllEnvs();
  await place.dispose();
});

/** Time enough for a shell to begin on a busy machine. */
const PATIENCE_MS = 6_000;
/** Needs a second to end, as a git that removes its locks. */
const ENDS_SLOWLY =
  "trap 'sleep 1; echo > ended; kill $!; exit 1' TERM\necho $$ > pid\nsleep 600 > /dev/null 2>&1 &\nwait";
const NEVER_ENDS = "trap '' TERM\necho $$ > pid\nexec sleep 600";

/** A runner whose git is this script. */
async function runnerOf(script: string): Promise<GitRunner> {
  place = await createTemporaryRepository({ 'bin/git': `#!/bin/sh\n${script}\n` }, { git: false });
  await chmod(join(place.dir, 'bin/git'), 0o755);
  await mkdir(join(place.dir, 'work'));
  vi.stubEnv('PATH', `${join(place.dir, 'bin')}${delimiter}${process.env['PATH']}`);
  return createGitRunner(join(place.dir, 'work'), PATIENCE_MS);
}

test.each(
  sample(
    [
      ['ends', ENDS_SLOWLY],
      ['is killed', NEVER_ENDS],
    ],
    1,
  ),
)('a silent one is given up, and its process %s', async (_, script) => {
  const git = await runnerOf(script);
  const failure = await git.text(['status']).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(GitFailure);
  expect((failure as GitFailure).message).toBe('git status said nothing for 6 s and was ended.');
  if (script === ENDS_SLOWLY) expect(await place.read('work/ended')).toBe('\n');
  const pid = Number(await place.read('work/pid'));
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), 120_000);
});

test('a cancelled one has ended before the caller learns of it', async () => {
  const git = await runnerOf(ENDS_SLOWLY);
  const cancel = new AbortController();
  const answer = git.text(['status'], { signal: cancel.signal });
  void vi
    .waitFor(async () => expect(await place.read('work/pid')).toMatch(/^\d+\n$/), PATIENCE_MS)
    .then(() => cancel.abort());
  await expect(answer).rejects.toMatchObject({ reason: 'cancelled' });
  expect(await place.read('work/ended')).toBe('\n');
});
