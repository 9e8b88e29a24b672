// Downloads of embedding models that end early, without the library that downloads (that is in the lane `inference`).

import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { downloadModel, findModelFolder } from '../../../server/src/adapters/embeddings/downloadModel.ts';
import type { TransformersLibrary } from '../../../server/src/adapters/embeddings/transformersLibrary.ts';
import { createPart } from '../../helpers/createPart.ts';

test('a download sweeps what a killed one has left, and leaves what another one is filling', async () => {
  const home = await mkdtemp(join(tmpdir(), 'selfware-download-'));
  const env = { SELFWARE_HOME: home };
  const owner = dirname(findModelFolder('owner/name', env)!);
  for (const name of ['name.partial-old', 'name.partial-young', 'kept'])
    await mkdir(join(owner, name), { recursive: true });
  const longAgo = new Date(Date.now() - 25 * 3_600_000);
  for (const name of ['name.partial-old', 'kept']) await utimes(join(owner, name), longAgo, longAgo);
  const library = createPart<TransformersLibrary>({
    env: { allowRemoteModels: false, allowLocalModels: true, fetch },
    pipeline: () => Promise.reject(new Error('no network')),
  });
  const host = 'http://127.0.0.1:9/';
  const { signal } = new AbortController();
  const downloading = downloadModel({ name: 'owner/name', env, library, host, signal, onBytes: () => undefined });
  await expect(downloading).rejects.toMatchObject({ reason: 'unavailable' });
  expect((await readdir(owner)).toSorted()).toEqual(['kept', 'name.partial-young']);
  await rm(home, { recursive: true, force: true });
});
