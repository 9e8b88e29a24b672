// Saved files reach the memory by the short way.

import { expect, test } from 'vitest';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import type { JobTable } from '../../../server/src/core/jobs.ts';

const never = new AbortController().signal;
const operation = { signal: never };
const source = (name: string) =>
  `/** About ${name}. */\nexport function ${name}(value: number): number {\n  return value + 1;\n}\n`;

test('a saved file is found while it is still being inspected, and by its new symbols afterwards', async () => {
  await using world = await createSessionWorld({ 'src/alpha.ts': source('alpha'), 'src/beta.ts': source('beta') });
  const found: (readonly string[])[] = [];
  const session = await world.session({
    change: ({ jobs }) => ({
      jobs: {
        ...jobs,
        async run<K extends keyof JobTable>(name: K, input: JobTable[K]['input'], signal: AbortSignal) {
          if (name === 'inspect') found.push((await session.memory.search('omega', 5, never)).map(({ path }) => path));
          return jobs.run(name, input, signal);
        },
      },
    }),
  });
  await session.memory.index(operation);
  let walks = 0;
  const { walk } = world.tree;
  Object.assign(world.tree, { walk: (...given: Parameters<typeof walk>) => (walks++, walk(...given)) });
  found.length = 0;
  world.tree.set('src/beta.ts', source('omega'));
  const report = await session.memory.update(['src/beta.ts'], operation);
  expect(found).toEqual([['src/beta.ts']]);
  expect(walks).toBe(0);
  expect(report).toMatchObject({ files: 2, embedded: 1 });
  expect((await session.memory.search('omega', 5, never))[0]).toMatchObject({ path: 'src/beta.ts', symbol: 'omega' });
  expect((await session.memory.search('beta', 5, never)).map(({ symbol }) => symbol)).not.toContain('beta');
});

test('many new files are found as they stand until the index comes to them', async () => {
  await using world = await createSessionWorld(
    Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`src/alpha${at}.ts`, source(`alpha${at}`)])),
  );
  const asked: string[] = [];
  const found: unknown[] = [];
  const session = await world.session({
    change: ({ jobs }) => ({
      jobs: {
        ...jobs,
        async run<K extends keyof JobTable>(name: K, input: JobTable[K]['input'], signal: AbortSignal) {
          asked.push(name);
          if (name === 'inspect') found.push((await session.memory.search('alpha99', 5, never))[0]);
          return jobs.run(name, input, signal);
        },
      },
    }),
  });
  await session.memory.index(operation);
  expect(found[0]).toMatchObject({ path: 'src/alpha99.ts', symbol: null, startLine: 1, endLine: 4 });
  const before = asked.length;
  expect((await session.memory.search('alpha99', 1, never))[0]?.symbol).toBe('alpha99');
  expect(asked.slice(before)).toEqual([]);
});

test('deleted, new, ignored-by-now and touched files', async () => {
  await using world = await createSessionWorld({ 'src/alpha.ts': source('alpha'), 'src/beta.ts': source('beta') });
  const session = await world.session();
  const first = await session.memory.index(operation);
  const same = await session.memory.update(['src/alpha.ts'], operation);
  expect([same.embedded, same.treeHash]).toEqual([0, first.treeHash]);
  world.tree.set('src/new.ts', source('fresh'));
  expect((await session.memory.update(['src/new.ts'], operation)).files).toBe(3);
  expect((await session.memory.search('fresh', 1, never))[0]?.path).toBe('src/new.ts');
  world.tree.set('src/beta.ts', null);
  const after = await session.memory.update(['src/beta.ts', 'src/never-there.ts'], operation);
  expect([after.files, after.treeHash === first.treeHash]).toEqual([2, false]);
  expect(await session.memory.search('beta', 5, never)).toEqual([]);
});

test('an update before the first index, and one that is cancelled, leave a session that can be indexed', async () => {
  await using world = await createSessionWorld({ 'src/alpha.ts': source('alpha') });
  const session = await world.session();
  expect((await session.memory.update(['src/alpha.ts'], operation)).files).toBe(1);
  world.tree.set('src/alpha.ts', source('omega'));
  await expect(session.memory.update(['src/alpha.ts'], { signal: AbortSignal.abort() })).rejects.toMatchObject({
    reason: 'cancelled',
  });
  await session.memory.index(operation);
  expect((await session.memory.search('omega', 1, never))[0]?.symbol).toBe('omega');
});

test('a stored index that turns out damaged is made again, and answers', async () => {
  await using world = await createSessionWorld({ 'src/alpha.ts': source('alpha') });
  const first = await world.session();
  await first.memory.index(operation);
  await first.close();
  let damaged = true;
  const session = await world.session({
    change: ({ chunks }) => ({
      chunks: {
        ...chunks,
        // As the stores do: what cannot be read throws once, and nothing is known to be stored then.
        async *rows(signal) {
          if (damaged) throw new SelfwareError('damaged', 'The chunks cannot be read.');
          yield* chunks.rows(signal);
        },
        async ids() {
          const known = damaged ? new Set<string>() : await chunks.ids();
          damaged = false;
          return known;
        },
      },
    }),
  });
  expect((await session.memory.index(operation)).embedded).toBe(1);
  expect((await session.memory.search('alpha', 1, never))[0]?.symbol).toBe('alpha');
  await session.memory.compact(operation);
});
