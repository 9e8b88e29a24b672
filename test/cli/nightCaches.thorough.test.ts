// State files are caches: a run that was killed continues from the ledger alone, whatever else of its state is gone.

import { once } from 'node:events';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { gradesProject } from '../helpers/gradesProject.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const NIGHT = ['night', '--for', '1h', '--no-wait', '--max-changes', '2'];
let repository: TemporaryRepository;
let selfware: CommandLine;

beforeEach(async () => {
  repository = await createTemporaryRepository(gradesProject(['double', 'half', 'square']));
  selfware = await createCommandLine(repository.dir);
});
afterEach(async () => {
  await selfware.dispose();
  await repository.dispose();
});

/** Files that belong to a ledger: its events, and the texts that they name. */
const LEDGER = /^(?:ledger|contents)\.db/;

/**
 * Deletes every file of the state folders but the ledgers. `within`: also the ledger of the run, which lies deeper than
 * that of the repository. Returns how many files are gone.
 */
async function deleteCaches(within: boolean): Promise<number> {
  let deleted = 0;
  for (const path of (await readdir(selfware.home, { recursive: true })).sort().reverse()) {
    const [, folder, , name] = /^([^/]+)(\/(.+))?$/.exec(path) ?? [];
    if (name === undefined || folder === undefined) continue;
    const isLedger = LEDGER.test(path.split('/').at(-1)!);
    if (isLedger && (!within || !name.includes('/'))) continue;
    const full = join(selfware.home, path);
    const isFolder = await stat(full).then(
      (one) => one.isDirectory(),
      () => false,
    );
    if (isFolder) continue;
    await rm(full, { force: true });
    deleted += 1;
  }
  return deleted;
}

for (const [what, within] of [
  ['every file but the ledgers', false],
  ["every file but the repository's ledger", true],
] as const) {
  const declare: typeof thoroughTest = within ? test : thoroughTest;
  declare(`a killed run continues without ${what}`, async () => {
    const child = await selfware.start([...NIGHT, '--json'], '"type":"committed"');
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(await deleteCaches(within)).toBeGreaterThan(20);
    const again = await selfware.run(NIGHT);
    expect(again.code, again.stderr).toBe(0);
    const { value: nights } = await selfware.json(['report', '--all']);
    expect(nights).toMatchObject([{ state: 'stopped', runs: [{ resumed: 1, committed: 2 }] }]);
    const [{ branch, changes }] = nights;
    const commits = (await repository.git('log', '--reverse', '--format=%H', `main..${branch}`)).trim().split('\n');
    expect(changes.map(({ commit }: { commit: string }) => commit)).toEqual(commits);
    expect(new Set(changes.flatMap(({ paths }: { paths: readonly string[] }) => paths)).size).toBe(2);
    expect(await repository.git('status', '--porcelain')).toBe('');
    expect((await selfware.json(['ledger', 'verify'])).value.intact).toBe(true);
  });
}
