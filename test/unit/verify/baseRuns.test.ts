// Runs on the base that are asked for at the same time, as where it runs ahead of the gates that need it.

import { setTimeout as later } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBaselineCache } from '../../../server/src/core/verify/baseline.ts';
import { createCommands } from '../../../server/src/core/verify/commands.ts';
import type { Worktree } from '../../../server/src/core/ports/sandbox.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';
import { createMemorySandbox } from '../../helpers/memorySandbox.ts';

const never = new AbortController().signal;

test('the same run is made once, and different ones follow each other', async () => {
  const said = (stdout: string) => () => ({ exitCode: 0, stdout });
  const sandbox = createMemorySandbox(createMemoryFiles({ 'a.ts': '' }), { one: said('1'), two: said('2') });
  const log: string[] = [];
  const slow = (worktree: Worktree): Worktree => ({
    ...worktree,
    async run(request, signal) {
      const name = request.command[0]!;
      if (name === 'node') return worktree.run(request, signal);
      log.push(`${name} begins`);
      await later(5);
      log.push(`${name} ends`);
      return worktree.run(request, signal);
    },
  });
  const commands = createCommands(await sandbox.open(never), {
    sandbox: { ...sandbox, open: async (signal) => slow(await sandbox.open(signal)) },
    baseline: createBaselineCache(),
    treeKey: () => null,
    isJudge: () => false,
    edits: [],
    timeoutMs: 1_000,
  });
  const base = (name: string) =>
    commands.base({ command: [name], source: 'a setting', shell: false }, ({ stdout }) => stdout, never);
  const found = await Promise.all([base('one'), base('two'), base('one')]);
  expect(found.map(({ value }) => value)).toEqual(['1', '2', '1']);
  expect(log).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
  // Nothing is remembered here, so it runs again once the first has ended.
  await base('one');
  expect(log).toHaveLength(6);
  await commands.dispose();
});
