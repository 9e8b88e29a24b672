// A damaged result of a search is reported with the command that makes it again.

import { expect, test } from 'vitest';
import { readStoredJson } from '../../../server/src/core/session/analyse/storedJson.ts';
import { createMemoryBlobs } from '../../helpers/memoryState.ts';

test('a damaged blob is reported once, with the command that stores it again', async () => {
  const blobs = createMemoryBlobs();
  await blobs.write('unguarded.json', new TextEncoder().encode('{broken'));
  await blobs.write('hot.json', new TextEncoder().encode('{"of":"tests"}'));
  const messages: string[] = [];
  const log = { write: (level: string, message: string) => void messages.push(`${level}: ${message}`) };
  const context = { ports: { blobs, log } } as unknown as Parameters<typeof readStoredJson>[0];
  expect(await readStoredJson(context, 'unguarded.json', '`selfware unguarded`')).toBeNull();
  expect(await readStoredJson(context, 'unguarded.json', '`selfware unguarded`')).toBeNull();
  expect(await readStoredJson(context, 'hot.json', '`selfware hot`')).toEqual({ of: 'tests' });
  expect(await readStoredJson(context, 'coverage.json', '`selfware coverage`')).toBeNull();
  expect(messages).toEqual([
    'error: The stored unguarded.json is damaged, so its results are missing. Run `selfware unguarded` again.',
  ]);
});
