// What documents promise, on disk and in memory.

import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createDocuments } from '../../../server/src/adapters/files/documents.ts';
import { asOrdinaryUser } from '../../helpers/ordinaryUser.ts';
import { createMemoryDocuments } from '../../helpers/memoryState.ts';
import { createTemporaryRepository } from '../../helpers/temporaryRepository.ts';
import type { Documents } from '../../../server/src/core/ports/stores.ts';

const disposals: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const dispose of disposals.splice(0)) await dispose();
});

async function stateDir(): Promise<string> {
  const repository = await createTemporaryRepository({}, { git: false });
  disposals.push(repository.dispose);
  return repository.dir;
}

interface Made {
  readonly documents: Documents;
  /** On disk, the same documents as another process opens them. */
  readonly beside: Documents;
  damage(name: string): Promise<void>;
}

const makers: Readonly<Record<string, () => Promise<Made>>> = {
  'on disk': async () => {
    const dir = await stateDir();
    return {
      documents: createDocuments(dir),
      beside: createDocuments(dir),
      damage: (name) => writeFile(join(dir, 'documents', `${name}.json`), '{"half":'),
    };
  },
  'in memory': async () => {
    const documents = createMemoryDocuments();
    return { documents, beside: documents, damage: async (name) => documents.damage(name) };
  },
};

describe.each(Object.entries(makers))('Documents %s', (_name, make) => {
  it('holds nothing at first', async () => {
    expect(await (await make()).documents.read('run')).toBeNull();
  });

  it.each([{ a: [1, 'ü\n', null, { b: true }] }, [], 0, 'text', false])('gives %j back', async (value) => {
    const { documents } = await make();
    await documents.write('run', { old: 'value' });
    await documents.write('run', value);
    await documents.write('other.thing', 1);
    expect(await documents.read('run')).toEqual(value);
  });

  it('reports damage each time, until the document is written anew', async () => {
    const { documents, damage } = await make();
    await documents.write('run', 1);
    await damage('run');
    for (let round = 0; round < 2; round += 1)
      await expect(documents.read('run')).rejects.toMatchObject({ reason: 'damaged' });
    await documents.write('run', 2);
    expect(await documents.read('run')).toBe(2);
  });

  it.each(['../run', '', '.hidden', 'a/b', 'a\0b'])('takes no name like %j', async (name) => {
    const { documents } = await make();
    await expect(documents.read(name)).rejects.toMatchObject({ reason: 'internal' });
    await expect(documents.write(name, 1)).rejects.toMatchObject({ reason: 'internal' });
  });

  it('refuses what is no JSON', async () => {
    const { documents } = await make();
    await expect(documents.write('run', undefined)).rejects.toMatchObject({ reason: 'internal' });
  });

  it('holds one whole value when many are written at once', async () => {
    const { documents } = await make();
    const values = Array.from({ length: 20 }, (_value, index) => ({ index, text: 'x'.repeat(10_000 * index) }));
    await Promise.all(values.map((value) => documents.write('run', value)));
    expect(values).toContainEqual(await documents.read('run'));
  });

  it('loses no update when many run at once', async () => {
    const { documents, beside } = await make();
    const add = (item: string) => (before: readonly string[] | null) => [...(before ?? []), item];
    const items = Array.from({ length: 8 }, (_value, index) => `item ${index}`);
    await Promise.all(items.map((item, index) => (index % 2 ? documents : beside).update('run', add(item))));
    expect([...((await documents.read<string[]>('run')) ?? [])].sort()).toEqual(items);
  });

  it('keeps the document if the change fails, and updates it afterwards', async () => {
    const { documents } = await make();
    await documents.write('run', 1);
    const failing = documents.update('run', () => {
      throw new Error('no change');
    });
    await expect(failing).rejects.toThrow('no change');
    await documents.update<number>('run', (before) => (before ?? 0) + 1);
    expect(await documents.read('run')).toBe(2);
  });
});

describe('Documents on disk', () => {
  it('are for their owner alone, readable, and leave nothing beside them', async () => {
    const dir = await stateDir();
    await createDocuments(dir).write('run', { a: 1 });
    expect(await readdir(join(dir, 'documents'))).toEqual(['run.json']);
    expect((await stat(join(dir, 'documents', 'run.json'))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(dir, 'documents', 'run.json'), 'utf8')).toBe('{\n  "a": 1\n}\n');
  });

  it('say why they cannot be written', async () => {
    const dir = await stateDir();
    await createDocuments(dir).write('run', 1);
    await asOrdinaryUser(dir, async () => {
      await chmod(join(dir, 'documents'), 0o500);
      await expect(createDocuments(dir).write('run', 2)).rejects.toMatchObject({ reason: 'readOnly' });
      expect(await createDocuments(dir).read('run')).toBe(1);
      await chmod(join(dir, 'documents'), 0o700);
    });
  });
});
