// The two processes that hold the old and the new code: if one of them dies at any moment, the caller gets an answer
// and does not crash.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SideStart } from '../../../server/src/adapters/harness/messages.ts';
import { startSide } from '../../../server/src/adapters/harness/sideProcesses.ts';

let dir: string;
beforeEach(async () => (dir = await mkdtemp(join(tmpdir(), 'selfware-sides-'))));
afterEach(() => rm(dir, { recursive: true, force: true }));

test.each([
  ['as soon as it has answered', "process.on('message', () => process.send({ ready: true }, () => process.exit()));"],
  [
    'when its pipe is closed already',
    "process.on('message', () => process.send({ ready: true }, () => { process.channel.unref(); process.disconnect(); }));",
  ],
])('a process that ends %s', async (_when, code) => {
  const entry = join(dir, 'entry.cjs');
  await writeFile(entry, code);
  for (let time = 0; time < 8; time++) {
    const side = await startSide(pathToFileURL(entry), { rootDir: dir } as SideStart);
    if ('obstacle' in side) throw new Error(side.obstacle);
    // The first may still be on its way into the pipe.
    const answers = await Promise.all(Array.from({ length: 4 }, () => side.ask(0, { seed: 1 } as never)));
    expect(answers).toEqual(Array(4).fill({ broken: 'the process ended' }));
    side.end();
  }
});
