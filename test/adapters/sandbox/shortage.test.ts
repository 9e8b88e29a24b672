// A command on a machine that lacks room: its end says nothing about the command, so there is no result.

import { expect, test } from 'vitest';
import { createErrorIfShort } from '../../../server/src/adapters/sandbox/shortageError.ts';
import { findMemoryLimit } from '../../../server/src/adapters/sandbox/watchLimits.ts';
import { never, sandboxOf } from './sandboxOf.ts';

/** More free room than any machine has. */
const NEVER_ENOUGH = { freeDiskBytes: 2 ** 60 };
const full = { reason: 'diskFull', message: expect.stringContaining('nearly full') };
const node = (script: string) => ({ command: ['node', '-e', script] as const, timeoutMs: 60_000 });
const WRITES = `
const file = require('node:fs').openSync('large', 'w');
setInterval(() => require('node:fs').writeSync(file, Buffer.alloc(16 * 1024 ** 2)), 100);
`;
const MEETS_FULL_DISK = "console.error('Error: ENOSPC: no space left on device, write'); process.exit(1)";

test('a command that takes from the last free room of the disk has no result', async () => {
  await using given = await sandboxOf({ 'a.txt': 'a\n' }, { limits: NEVER_ENOUGH });
  const worktree = await given.open();
  await expect(worktree.run(node(WRITES), never)).rejects.toMatchObject(full);
});

test('a command that meets a full disk has no result; with room, what it says is its own affair', async () => {
  await using short = await sandboxOf({ 'a.txt': 'a\n' }, { limits: NEVER_ENOUGH });
  await expect((await short.open()).run(node(MEETS_FULL_DISK), never)).rejects.toMatchObject(full);
  await using roomy = await sandboxOf({ 'a.txt': 'a\n' });
  expect(await (await roomy.open()).run(node(MEETS_FULL_DISK), never)).toMatchObject({ exitCode: 1 });
});

const GIB = 1024 ** 3;
const LIMITS = { memoryBytes: 10 * GIB, freeMemoryBytes: GIB / 4 };
const someFree = { freeAtStart: 6 * GIB, free: GIB / 5 };

test.each([
  ['a command that uses most of the memory that is gone has exceeded a limit', 5 * GIB, someFree, {}, false],
  ['one that uses little of it has no result', 2 * GIB, someFree, {}, true],
  ['one that uses little memory at all has none', GIB, { ...someFree, freeAtStart: GIB }, {}, true],
  ['a mutant has exceeded a limit, whatever it uses', 0, someFree, { isMutant: true }, false],
  ['nothing has a result where memory was short', GIB, { ...someFree, freeAtStart: GIB / 3 }, { isMutant: true }, true],
] as const)('%s', (_what, bytes, free, request, isShortage) => {
  const limit = findMemoryLimit({ bytes, ...free }, LIMITS);
  expect(limit?.machineShortage).toBeDefined();
  expect(createErrorIfShort(limit!, request, '/')?.reason).toBe(isShortage ? 'unavailable' : undefined);
});

test('enough free memory is no limit, and neither a shortage nor a mutant matters beyond that of the command', () => {
  expect(findMemoryLimit({ bytes: GIB, freeAtStart: 6 * GIB, free: 5 * GIB }, LIMITS)).toBeNull();
  const tooMuch = findMemoryLimit({ bytes: 11 * GIB, ...someFree }, LIMITS);
  expect(createErrorIfShort(tooMuch!, {}, '/')).toBeNull();
});
