// The watch over the limits of a command also works while no thread of this process answers.

import { execFileSync } from 'node:child_process';
import { open } from 'node:fs/promises';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { computeMachineLimits } from '../../../server/src/adapters/sandbox/limits.ts';
import type { TaskGroup } from '../../../server/src/adapters/sandbox/taskGroup.ts';
import { watchLimits } from '../../../server/src/adapters/sandbox/watchLimits.ts';
import { createPart } from '../../helpers/createPart.ts';

/** More than libuv has. */
const THREADS = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4) + 1;

test('a fork bomb that keeps a check from ending is seen by the next one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'selfware-watch-'));
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  // Each waits in a thread until somebody writes.
  const readers = Array.from({ length: THREADS }, () => open(pipe, 'r'));
  let looks = 0;
  const group = createPart<TaskGroup>({ hasRefused: () => (looks += 1) > 2, countTasks: () => 1, members: () => [] });
  try {
    const exceeded = await new Promise<string>((resolve) => {
      watchLimits({ leader: process.pid, mark: 'none', group, folder }, computeMachineLimits(), ({ text }) =>
        resolve(text),
      );
    });
    expect(exceeded).toMatch(/processes$/);
  } finally {
    const writer = openSync(pipe, constants.O_RDWR);
    for (const reader of readers) await (await reader).close();
    closeSync(writer);
    rmSync(folder, { recursive: true });
  }
});
