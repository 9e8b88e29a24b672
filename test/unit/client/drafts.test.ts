// What is typed into a review is kept, saved or not, until the proposal is decided on.

import { expect, test } from 'vitest';
import { createDrafts } from '../../../client/src/review/drafts.ts';

/** The store of a workspace, which outlives the window. */
function createMemory() {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: <T>(key: string, otherwise?: T) => (values.get(key) ?? otherwise) as T,
    update: async (key: string, value: unknown) => void values.set(key, structuredClone(value)),
  };
}

test('what was typed and not saved is a draft after a restart, at the time of what was there', async () => {
  const memory = createMemory();
  const drafts = createDrafts(memory);
  await drafts.put('p-1', 'src/a.ts', 'saved');
  const { at } = drafts.get('p-1', 'src/a.ts')!;
  await drafts.storeUnsaved('p-1', 'src/a.ts', 'saved, and more');
  await drafts.storeUnsaved('p-1', 'src/b.ts', 'typed');
  expect(drafts.get('p-1', 'src/a.ts')?.text).toBe('saved');
  const again = createDrafts(memory);
  expect(again.get('p-1', 'src/a.ts')).toEqual({ text: 'saved, and more', at });
  expect(again.get('p-1', 'src/b.ts')).toEqual({ text: 'typed', at: 0 });
});

test('what was saved, closed unsaved or decided on does not come back as typed', async () => {
  const memory = createMemory();
  const drafts = createDrafts(memory);
  await drafts.storeUnsaved('p-1', 'src/a.ts', 'typed');
  await drafts.put('p-1', 'src/a.ts', 'saved');
  await drafts.storeUnsaved('p-2', 'src/b.ts', 'typed');
  await drafts.storeUnsaved('p-2', 'src/b.ts', null);
  await drafts.storeUnsaved('p-3', 'src/c.ts', 'typed');
  await drafts.forget('p-3');
  const again = createDrafts(memory);
  expect(again.get('p-1', 'src/a.ts')?.text).toBe('saved');
  expect([again.get('p-2', 'src/b.ts'), again.get('p-3', 'src/c.ts')]).toEqual([null, null]);
});
