// Trees of runs that git could not read: the doctor names them, and nothing removes them.

import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { resolveNightFolders } from '../../../server/src/app/nights/nightFolders.ts';
import { createSetAsideFolder, listSetAsideTrees } from '../../../server/src/app/nights/open/setAsideTrees.ts';
import { createCommandLine, type CommandLine } from '../../helpers/commandLine.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';

const DAY_MS = 86_400_000;
let repository: TemporaryRepository;
let selfware: CommandLine;

beforeEach(async () => {
  repository = await createTemporaryRepository({ 'src/a.txt': 'one\n' });
  selfware = await createCommandLine(repository.dir);
});
afterEach(async () => {
  await selfware.dispose();
  await repository.dispose();
});

test('the doctor names such a tree with its size and age, and neither a run nor a stop removes it', async () => {
  const { folder } = resolveNightFolders(repository.dir, { SELFWARE_HOME: selfware.home });
  const at = Date.now() - 9.5 * DAY_MS;
  const tree = createSetAsideFolder(join(folder, 'tree'), new Date(at));
  await mkdir(join(tree, 'src'), { recursive: true });
  await mkdir(join(folder, 'tree-unreadable-yesterday'));
  await writeFile(join(tree, 'src/a.txt'), 'one\n');
  expect(await listSetAsideTrees(folder)).toEqual([{ folder: tree, at: Math.floor(at), bytes: 4 }]);
  expect(await listSetAsideTrees(join(folder, 'none'))).toEqual([]);
  const { value: findings } = await selfware.json(['doctor']);
  expect(findings).toContainEqual(
    expect.objectContaining({
      name: 'old tree',
      detail: expect.stringContaining(`${tree} (0.0 MB, 9 days old)`),
      action: expect.stringContaining('Selfware never removes it'),
    }),
  );
  const night = await selfware.run(['night', '--for', '1m', '--no-wait', '--max-changes', '1']);
  expect(night.code, night.stderr).toBe(0);
  await selfware.run(['stop']);
  expect(await readdir(join(tree, 'src'))).toEqual(['a.txt']);
});
