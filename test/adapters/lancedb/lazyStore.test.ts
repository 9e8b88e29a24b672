// A store that is loaded when something is first asked of it, while other processes come and go.

import { expect, test } from 'vitest';
import { createLazyStore } from '../../../server/src/adapters/lancedb/lazyStore.ts';
import { createLexicalStore } from '../../../server/src/adapters/lexical/lexicalStore.ts';

/** `told`: what stands on disk at each look, the last one from then on. */
function lazy(...told: ({ readonly kind: 'lancedb'; readonly revision: string } | null)[]) {
  let chosen = 0;
  const store = createLazyStore({
    async choose() {
      chosen += 1;
      return { store: await createLexicalStore(':memory:'), notice: null };
    },
    onNotice: () => undefined,
    expect: async () => (told.length > 1 ? told.shift()! : told[0]!),
  });
  return { store, chosen: () => chosen };
}

const table = { kind: 'lancedb', revision: '7' } as const;

test('what it will be like is told without loading it', async () => {
  const { store, chosen } = lazy(table);
  await store.open('profile', 2);
  expect([store.kind, store.shared, await store.revision(), chosen()]).toEqual(['lancedb', false, '7', 0]);
});

test('a table that another process makes after it was opened is known as well', async () => {
  const { store, chosen } = lazy(null, table);
  await store.open('profile', 2);
  expect([await store.revision(), store.kind, store.shared, chosen()]).toEqual(['7', 'lancedb', false, 0]);
});

test('where nothing stands, it is loaded once, and says itself what it is like', async () => {
  const { store, chosen } = lazy(null);
  await store.open('profile', 2);
  await Promise.all([store.revision(), store.ids()]);
  expect([store.kind, store.shared, chosen()]).toEqual(['lexical', false, 1]);
  await store.close();
});

test('before it is opened it says so', async () => {
  const { store } = lazy(table);
  await expect(store.revision()).rejects.toMatchObject({ reason: 'internal' });
  expect(() => store.kind).toThrow('not open');
});
