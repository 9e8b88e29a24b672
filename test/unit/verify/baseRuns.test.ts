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
  expect(await commands.isStored(one, never)).toBe(false);
  await commands.base(one, read, never);
  expect(await commands.isStored(one, never)).toBe(true);
  await commands.dispose();
});

test('a change without text edits keeps its results of its own tree', async () => {
  const sandbox = createMemorySandbox(createMemoryFiles({ 'a.ts': '' }), { one: () => ({ exitCode: 0, stdout: '1' }) });
  const kept: (string | null)[] = [];
  const commands = createCommands(await sandbox.open(never), {
    sandbox,
    baseline: { find: async () => undefined, keep: async (tree) => void kept.push(tree) },
    treeKey: (_edits, side) => side,
    isJudge: () => false,
    edits: [],
    timeoutMs: 1_000,
    isStill: true,
  });
  await commands.candidate(one, () => [], never);
  await commands.keepCandidate([]);
  await commands.base(one, read, never);
  expect(kept).toEqual(['candidate', 'base']);
  await commands.dispose();
});

test('where the change alters the packages, each side has its own in its keys', async () => {
  const files = createMemoryFiles({ 'a.ts': '' });
  const sandbox = createMemorySandbox(files, { one: () => ({ exitCode: 0, stdout: '1' }) });
  const candidate = await sandbox.open(never);
  await candidate.write([{ path: 'node_modules/.package-lock.json', before: null, after: 'new' }]);
  const kept: string[] = [];
  const keysOf = async (hasOwnPackages: boolean) => {
    const commands = createCommands(candidate, {
      sandbox,
      baseline: { find: async () => undefined, keep: async (_tree, what) => void kept.push(what) },
      treeKey: () => 'tree',
      isJudge: () => false,
      edits: [],
      timeoutMs: 1_000,
      isStill: true,
      hasOwnPackages,
    });
    await commands.candidate(one, () => [], never);
    await commands.keepCandidate([]);
    await commands.base(one, read, never);
    await commands.dispose();
    return new Set(kept.splice(0)).size;
  };
  expect([await keysOf(false), await keysOf(true)]).toEqual([1, 2]);
});
