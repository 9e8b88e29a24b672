// The keys of models in a secret storage.

import { expect, test } from 'vitest';
import { createKeyRing, SECRET_NAME } from '../../../client/src/models/keyRing.ts';

function memorySecrets(first?: string) {
  const texts = new Map(first === undefined ? [] : [[SECRET_NAME, first]]);
  let isBroken = false;
  return {
    texts,
    break: (broken: boolean) => (isBroken = broken),
    get: async (name: string) => texts.get(name),
    store: async (name: string, text: string) => {
      if (isBroken) throw new Error('No secrets here.');
      texts.set(name, text);
    },
    delete: async (name: string) => void texts.delete(name),
  };
}

test('changes at the same time lose no key', async () => {
  const ring = createKeyRing(memorySecrets());
  await Promise.all([
    ring.change((keys) => keys.set('a.example', '1')),
    ring.change((keys) => keys.set('b.example', '2')),
    ring.change((keys) => keys.delete('a.example')),
    ring.change((keys) => keys.set('c.example', '3')),
  ]);
  expect(await ring.read()).toEqual({ 'b.example': '2', 'c.example': '3' });
});

test('a change that fails says so, and the next one is made', async () => {
  const secrets = memorySecrets();
  const ring = createKeyRing(secrets);
  secrets.break(true);
  const failed = ring.change((keys) => keys.set('a.example', '1'));
  await expect(failed).rejects.toThrow('No secrets here.');
  secrets.break(false);
  await ring.change((keys) => keys.set('b.example', '2'));
  expect(await ring.read()).toEqual({ 'b.example': '2' });
});

test('the last key removes the secret', async () => {
  const secrets = memorySecrets('{"a.example":"1"}');
  await createKeyRing(secrets).change((keys) => keys.delete('a.example'));
  expect([...secrets.texts.keys()]).toEqual([]);
});

test.each(['no JSON', '[]', 'null', '{"a.example":1}'])('%s holds no key', async (text) => {
  expect(await createKeyRing(memorySecrets(text)).read()).toEqual({});
});
