// A run that finds nothing waits longer each time, also after its process was killed.

import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCommandLine } from '../helpers/commandLine.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';

const HOUR_MS = 3_600_000;

test('a run that was killed while it waited an hour waits four hours next', async () => {
  const repository = await createTemporaryRepository({ 'a.js': 'export const a = 1;\n' });
  const selfware = await createCommandLine(repository.dir);
  try {
    await writeFile(join(selfware.home, 'settings.json'), JSON.stringify({ 'approve.withoutTerminal': true }));
    for (let start = 1; start <= 2; start += 1) {
      const run = await selfware.start(['night', '--for', '30h'], 'Nothing is left to try');
      run.kill('SIGKILL');
      await once(run, 'exit');
    }
    const { value } = await selfware.json<{ at: number; data: { until: number } }[]>([
      ...['ledger', 'query', '--type', 'nightWaiting'],
    ]);
    expect(value.map(({ at, data }) => Math.round((data.until - at) / HOUR_MS))).toEqual([1, 4]);
  } finally {
    await selfware.dispose();
    await repository.dispose();
  }
});
