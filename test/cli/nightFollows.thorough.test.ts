// A run follows the branch on which it was started, not HEAD; what does not fit on its new commits is kept by a ref.

import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { gradesProject } from '../helpers/gradesProject.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

const FILES = gradesProject(['double', 'half']);
let repository: TemporaryRepository;
let selfware: CommandLine;
let other: string;

beforeAll(async () => {
  repository = await createTemporaryRepository(FILES);
  selfware = await createCommandLine(repository.dir);
  await selfware.decide();
  other = `${repository.dir}-other`;
});
afterAll(async () => {
  await selfware.dispose();
  await repository.dispose();
  await rm(other, { recursive: true, force: true });
});

const newest = async () => (await selfware.json(['report', '--all'])).value.at(-1);
const moves = async () => (await selfware.json(['ledger', 'query', '--type', 'nightMoved'])).value;

test('another commit that is checked out moves nothing; a commit on the branch does, and what is left out is kept', async () => {
  await repository.write('README.md', 'Grades.\n');
  await repository.git('add', '--all');
  await repository.git('commit', '--quiet', '--message', 'Say what it is');
  const arguments_ = ['night', '--for', '1h', '--max-changes', '9', '--set', 'night.searchFurther=false'];
  const child = await selfware.start(arguments_, 'Nothing is left to try');
  const { changes } = await newest();
  expect(changes).toHaveLength(2);
  const status = (await selfware.run(['status'])).stdout;
  expect(status).toMatch(/^Unattended run on selfware\/night-.* until .*, 2 changes\. /m);

  await repository.git('checkout', '--quiet', 'HEAD~1');
  // Meanwhile the branch gets a commit that does not go with the change of `double`.
  await repository.git('worktree', 'add', '--quiet', other, 'main');
  await writeFile(
    join(other, 'src/double.js'),
    FILES['src/double.js']!.replace("return 'A'", "return 'A+'.slice(0, 1)"),
  );
  await repository.git('-C', other, 'commit', '--quiet', '--all', '--message', 'Another grade');
  const tip = (await repository.git('rev-parse', 'main')).trim();
  await expect.poll(async () => (await moves()).length, { timeout: 240_000, interval: 1_000 }).toBe(1);
  const [{ data }] = await moves();
  expect(data).toMatchObject({ base: tip, commits: [{}], left: [{ lost: true }] });
  const lost = changes.find(({ proposal }: { proposal: string }) => proposal === data.left[0].proposal);
  expect(lost.paths).toEqual(['src/double.js']);
  const kept = await repository.git('for-each-ref', '--format=%(objectname)', 'refs/selfware/left');
  expect(kept.trim()).toBe(lost.commit);

  child.kill('SIGKILL');
  await once(child, 'exit');
  const report = (await selfware.run(['report'])).stdout;
  expect(report).toContain(`git cherry-pick ${lost.commit.slice(0, 12)}`);
  expect(report).toMatch(/^# .*interrupted at .*`selfware night` continues it/);
  expect(report).not.toContain('selfware stop');
});
