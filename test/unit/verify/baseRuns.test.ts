// When the base is opened and run: only for a result that is not kept, and, if nobody edits it meanwhile, only when
// asked.

import { expect, test } from 'vitest';
import { createBaselineCache } from '../../../server/src/core/verify/baseline.ts';
import { createCommands } from '../../../server/src/core/verify/commands.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';
import { createMemorySandbox } from '../../helpers/memorySandbox.ts';

const never = new AbortController().signal;
const one = { command: ['one'], source: 'a setting', shell: false };
const read = ({ stdout }: { readonly stdout: string }) => stdout;

async function commandsOn(isStill: boolean) {
  const sandbox = createMemorySandbox(createMemoryFiles({ 'a.ts': '' }), { one: () => ({ exitCode: 0, stdout: '1' }) });
  const commands = createCommands(await sandbox.open(never), {
    sandbox,
    baseline: createBaselineCache(),
    treeKey: () => 'tree',
    isJudge: () => false,
    edits: [],
    timeoutMs: 1_000,
    isStill,
  });
  return { sandbox, commands };
}

test('the base opens beside the candidate, because a person may edit it; one that stands still waits', async () => {
  for (const [isStill, open] of [
    [false, 2],
    [true, 1],
  ] as const) {
    const { sandbox, commands } = await commandsOn(isStill);
    await commands.candidate(one, read, never);
    expect(sandbox.openCount()).toBe(open);
    await commands.dispose();
  }
});

test('a result of the base is remembered once it has run', async () => {
  const { commands } = await commandsOn(true);
  expect(await commands.remembers(one, never)).toBe(false);
  await commands.base(one, read, never);
  expect(await commands.remembers(one, never)).toBe(true);
  await commands.dispose();
});
