// Many small writes do not make the store grow without bound.

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLancedbStore } from '../../../server/src/adapters/lancedb/lancedbStore.ts';

const chunkAt = (at: number) => ({
  id: `c${at % 10}`,
  path: 'a.ts',
  startLine: at,
  endLine: at,
  symbol: null,
  text: 't',
  terms: `word${at}`,
  vector: Float32Array.from([1, 0]),
});

test('versions of many writes, in one run or in many short ones, are compacted', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'selfware-growth-'));
  const versions = async () =>
    (await readdir(dir, { recursive: true })).filter((name) => name.endsWith('.manifest')).length;
  for (let run = 0; run < 4; run++) {
    const store = await createLancedbStore(dir, { keepVersionsMs: 0 });
    await store.open('p', 2);
    for (let at = 0; at < (run === 0 ? 150 : 25); at++) await store.upsert([chunkAt(at)]);
    expect((await store.ids()).size).toBe(10);
    await store.close();
  }
  expect(await versions()).toBeLessThan(100);
  await rm(dir, { recursive: true, force: true });
});
