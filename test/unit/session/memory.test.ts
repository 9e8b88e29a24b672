// What a session keeps in mind: files that are looked at, notes, what happened; and what it tells of the repository.

import { expect, test } from 'vitest';
import { addFailover } from '../../../server/src/adapters/embeddings/failover.ts';
import type { Ports } from '../../../server/src/core/ports.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import type { Embedder } from '../../../server/src/core/ports/search.ts';

const never = new AbortController().signal;
const operation = { signal: never };
const files = {
  'src/cookie.ts':
    "import { sign } from './sign.ts';\n\n/** Writes the session cookie. */\nexport function writeCookie(value: string): string {\n  return sign(value);\n}\n",
  'src/sign.ts':
    '/** Signs a text with the secret. */\nexport function sign(text: string): string {\n  return `${text}.signed`;\n}\n',
  'src/menu.ts': `/** Draws the menu. */\nexport function drawMenu(): string {\n  return '${'x'.repeat(800)}';\n}\n`,
  'package.json': '{ "name": "sample", "main": "src/cookie.ts" }\n',
};

test('a small window shows what the task is about, a large one everything', async () => {
  await using world = await createSessionWorld(files);
  const session = await world.session();
  await session.memory.index(operation);
  const small = await session.tasks.context(
    { task: 'how is the session cookie signed', taskType: 'CodeGeneration', budget: 400 },
    never,
  );
  const shown = small.items.filter(({ resolution }) => resolution === 'body').map(({ symbol }) => symbol);
  expect(shown.includes('writeCookie') || shown.includes('sign')).toBe(true);
  expect(shown).not.toContain('drawMenu');
  expect(small.tokens).toBeLessThanOrEqual(400);
  const large = await session.tasks.context({ task: 'anything', taskType: 'CodeGeneration', budget: 100_000 }, never);
  expect(large.items.every(({ resolution }) => resolution === 'body')).toBe(true);
  expect(await session.tasks.render(large, never)).toContain('return sign(value);');
});

test('a file that is looked at comes whole, a note comes back, and the way back of both is in the ledger', async () => {
  await using world = await createSessionWorld(files);
  const session = await world.session();
  await session.memory.index(operation);
  session.tasks.lookAt('src/menu.ts');
  session.tasks.lookAt('src/not-there.ts');
  await session.tasks.remember({ text: 'The session cookie must never be signed with an empty secret.', tier: 'high' });
  await expect(session.tasks.remember({ text: '  ', tier: 'high' })).rejects.toMatchObject({ reason: 'usage' });
  const pack = await session.tasks.context(
    { task: 'sign the session cookie', taskType: 'Debugging', budget: 20_000 },
    never,
  );
  expect(
    pack.items.filter(({ layer }) => layer === 'working').map(({ path, resolution }) => [path, resolution]),
  ).toEqual([['src/menu.ts', 'body']]);
  expect(pack.notes?.filter(({ layer }) => layer === 'episodic').map(({ text }) => text)).toContain(
    'The session cookie must never be signed with an empty secret.',
  );
  const text = await session.tasks.render(pack, never);
  expect(text).toContain('never be signed with an empty secret');
  const [packed] = await session.ledger.query({ types: ['packed'] });
  expect(packed?.data).toMatchObject({ taskType: 'Debugging', budgetTokens: 20_000, recalled: [expect.any(String)] });

  // Another session on the same repository remembers what was written, not what was looked at.
  const later = await world.session();
  await later.memory.index(operation);
  const again = await later.tasks.context(
    { task: 'sign the session cookie', taskType: 'Debugging', budget: 20_000 },
    never,
  );
  expect(again.items.some(({ layer }) => layer === 'working')).toBe(false);
  expect(again.notes?.some(({ text: note }) => note.includes('empty secret'))).toBe(true);
});

test('the shares of a kind of task follow what its packs used', async () => {
  await using world = await createSessionWorld(files);
  const session = await world.session();
  await session.memory.index(operation);
  const ask = () => session.tasks.context({ task: 'sign the cookie', taskType: 'Learning', budget: 300 }, never);
  const first = await ask();
  for (let round = 0; round < 6; round++) await ask();
  const last = await ask();
  expect(last.layers.episodic.budget).toBeLessThan(first.layers.episodic.budget);
  expect(last.layers.episodic.budget).toBeGreaterThanOrEqual(first.layers.episodic.budget * 0.75 - 1);
});

test('imports are resolved by the configuration of the project, and the model says what leans on what', async () => {
  await using world = await createSessionWorld({
    ...files,
    'tsconfig.json': '{ "compilerOptions": { "paths": { "the-cookie": ["./src/cookie.ts"] } } }',
    'src/main.ts': "import { writeCookie } from 'the-cookie';\n\nwriteCookie('a');\n",
  });
  const session = await world.session();
  await session.memory.index(operation);
  const dependents = await session.memory.graph({ question: 'dependents', target: 'src/cookie.ts' }, never);
  expect(JSON.stringify(dependents)).toContain('src/main.ts');
  const model = await session.memory.model(never);
  expect(model).toMatchObject({
    name: 'sample',
    entryPoints: expect.arrayContaining([expect.objectContaining({ file: 'src/cookie.ts' })]),
  });
  world.tree.set('tsconfig.json', '{ "compilerOptions": {} }');
  await session.memory.index(operation);
  expect(
    JSON.stringify(await session.memory.graph({ question: 'dependents', target: 'src/cookie.ts' }, never)),
  ).not.toContain('src/main.ts');
});

test('a model that dies in the middle is replaced within the same run, and a question is answered without it', async () => {
  await using world = await createSessionWorld(files);
  let failing = false;
  const session = await world.session({
    change: ({ embedder: plain, chunks }) => {
      const model: Embedder = {
        profile: 'model-256',
        source: 'model',
        dimensions: plain.dimensions,
        embed: (texts, signal) =>
          failing ? Promise.reject(new SelfwareError('unavailable', 'The model is gone.')) : plain.embed(texts, signal),
      };
      const pair = addFailover({ embedder: model, fallback: plain, store: chunks, onFailure: () => undefined });
      return { embedder: pair.embedder, chunks: pair.store };
    },
  });
  expect(await session.memory.index(operation)).toMatchObject({ embedder: 'model-256', files: 4 });
  failing = true;
  expect((await session.memory.search('sign', 3, never)).map(({ path }) => path)).toContain('src/sign.ts');
  world.tree.set('src/sign.ts', '/** Signs anew. */\nexport function signAnew(): void {}\n');
  const report = await session.memory.index(operation);
  expect(report.embedder).toMatch(/^hashed-/);
  expect(report.notices.map(({ message }) => message).join()).toMatch(/embedding model failed/);
  expect((await session.memory.search('signAnew', 1, never))[0]?.symbol).toBe('signAnew');
});

test('a repository too large for memory is searched in the store, and follows edits there', async () => {
  await using world = await createSessionWorld(files);
  const session = await world.session({ chunksInMemory: 2 });
  const report = await session.memory.index(operation);
  expect(report.notices.map(({ message }) => message).join()).toMatch(/more than 2 chunks/);
  expect((await session.memory.search('sign a text', 5, never))[0]?.path).toBe('src/sign.ts');
  world.tree.set('src/sign.ts', '/** Seals a letter. */\nexport function sealLetter(): void {}\n');
  await session.memory.update(['src/sign.ts'], operation);
  expect((await session.memory.search('seal the letter', 5, never))[0]).toMatchObject({
    path: 'src/sign.ts',
    symbol: 'sealLetter',
  });
  expect((await session.memory.search('sign a text', 5, never)).map(({ symbol }) => symbol)).not.toContain('sign');
});

test('one that is known to be too large is not read into memory again by the next start', async () => {
  await using world = await createSessionWorld(files);
  const first = await world.session({ chunksInMemory: 2 });
  await first.memory.index(operation);
  await first.close();
  let read = 0;
  const change = ({ chunks }: Ports): Partial<Ports> => ({
    chunks: {
      ...chunks,
      rows(signal) {
        read++;
        return chunks.rows(signal);
      },
    },
  });
  const second = await world.session({ chunksInMemory: 2, change });
  expect((await second.memory.index(operation)).notices.map(({ message }) => message).join()).toMatch(
    /more than 2 chunks/,
  );
  expect((await second.memory.search('sign a text', 5, never))[0]?.path).toBe('src/sign.ts');
  expect(read).toBe(0);
  await second.close();
  // What fits is read.
  await (await world.session({ change })).memory.index(operation);
  expect(read).toBe(1);
});
