// Runs on the base that are asked for at the same time, as where it runs ahead of the gates that need it.

import { setTimeout as later } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBaselineCache } from '../../../server/src/core/verify/baseline.ts';
import { createCommands } from '../../../server/src/core/verify/commands.ts';
import type { Worktree } from '../../../server/src/core/ports/sandbox.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';
import { createMemorySandbox } from '../../helpers/memorySandbox.ts';

const never = new AbortController().signal;

test('what runs ahead is run once, in a sandbox that nothing else on the base sees', async () => {
  const sandbox = createMemorySandbox(createMemoryFiles({ 'a.ts': '' }), { one: () => ({ exitCode: 0, stdout: '1' }) });
  const log: string[] = [];
  const slow = (worktree: Worktree): Worktree => ({
    ...worktree,
    async run(request, signal) {
      const [name] = request.command;
      if (name === 'one') log.push(`${worktree.dir}: ${(await worktree.exists('built')) ? 'built' : 'as it was'}`);
      await later(5);
      await worktree.write([{ path: 'built', before: null, after: '' }]);
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
  const one = { command: ['one'], source: 'a setting', shell: false };
  const read = ({ stdout }: { readonly stdout: string }) => stdout;
  const ahead = commands.ahead(one, read, never);
  await later(1);
  expect((await commands.base(one, read, never)).value).toBe('1');
  expect((await ahead).value).toBe('1');
  expect((await commands.again('base', one, read, never)).value).toBe('1');
  expect(log).toEqual(['/sandboxes/2: as it was', '/sandboxes/3: as it was']);
  await commands.dispose();
  expect(sandbox.openCount()).toBe(1);
});
