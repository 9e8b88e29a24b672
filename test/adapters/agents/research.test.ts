// A search program in its enclosure: what it answers, what it sees, and how it is ended.

import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createResearch, type ResearchSettings } from '../../../server/src/adapters/agents/research.ts';
import { computeMachineLimits } from '../../../server/src/adapters/sandbox/limits.ts';
import { createEmptyContent } from '../../../server/src/adapters/sandbox/repositoryContent.ts';
import { createSandbox } from '../../../server/src/adapters/sandbox/sandbox.ts';
import { createIds, systemClock } from '../../../server/src/adapters/system/system.ts';
import { chooseIsolationUnderAttack } from '../../helpers/isolation.ts';
import { createTemporaryRepository } from '../../helpers/temporaryRepository.ts';
import { livingIn, never, silentLog, until } from '../sandbox/sandboxOf.ts';

const KEY = 'key-0123456789-abcdefghijk';

interface Tried extends Partial<ResearchSettings> {
  readonly signal?: AbortSignal;
  readonly words?: string;
}

/** A repository, and a search program that does what `script` says, as a module of Node. */
async function createWorld() {
  const repository = await createTemporaryRepository({ 'src/secret.mjs': 'export const margin = 0.3;\n' });
  const temporary = await realpath(await mkdtemp(join(tmpdir(), 'selfware-research-')));
  const [stateDir, programs] = [join(temporary, 'state'), join(temporary, 'programs')];
  for (const folder of [stateDir, programs]) await mkdir(folder);
  return {
    repository,
    stateDir,
    async search(script: string, { signal = never, words = '', ...settings }: Tried = {}) {
      const place = join(programs, 'search.mjs');
      await writeFile(place, script);
      const command = `node ${place} ${words}`;
      const defaults = { command, hosts: [], keys: [], seconds: 60, questions: 1 };
      const research = createResearch(
        { ...defaults, ...settings },
        {
          rootDir: repository.dir,
          env: { PATH: process.env['PATH'], SEARCH_KEY: KEY, OTHER_KEY: KEY },
          sandbox: (shown) =>
            createSandbox(repository.dir, stateDir, {
              clock: systemClock,
              ids: createIds(systemClock),
              log: silentLog,
              shownFolders: shown,
              empty: true,
              limits: { ...computeMachineLimits(), outputBytes: 1024 ** 2 },
              chooseMechanism: () => chooseIsolationUnderAttack({ stateDir, repository: repository.dir }),
            }),
        },
      );
      return research!.search('how to round?', signal);
    },
    async [Symbol.asyncDispose]() {
      await repository.dispose();
      await rm(temporary, { recursive: true, force: true });
    },
  };
}

const ARGUMENTS = 'console.log(JSON.stringify(process.argv.slice(2)));';

test('the query is one argument, in its place or at the end', async () => {
  await using world = await createWorld();
  expect(JSON.parse(await world.search(ARGUMENTS))).toEqual(['how to round?']);
  const words = '--data "q={query}" -s';
  expect(JSON.parse(await world.search(ARGUMENTS, { words }))).toEqual(['--data', 'q=how to round?', '-s']);
});

test('it sees neither the repository nor its history, other keys or the network, and its key is not repeated', async () => {
  await using world = await createWorld();
  const seen = await world.search(
    `import fs from 'node:fs';
import { connect } from 'node:net';
const read = (place) => { try { return fs.readdirSync(place); } catch { return null; } };
const reached = await new Promise((done) =>
  connect(443, '1.1.1.1').on('connect', () => done(true)).on('error', () => done(false)));
console.log(JSON.stringify({ here: read('.'), repository: read(${JSON.stringify(world.repository.dir)}), reached,
  objects: read(${JSON.stringify(join(world.repository.dir, '.git', 'objects'))}),
  key: process.env.SEARCH_KEY, other: process.env.OTHER_KEY ?? null }));`,
    { keys: ['SEARCH_KEY'] },
  );
  expect(seen).not.toContain(KEY);
  expect(JSON.parse(seen)).toMatchObject({ here: [], reached: false, key: '…', other: null });
  expect([null, []]).toContainEqual(JSON.parse(seen).repository);
  expect([null, []]).toContainEqual(JSON.parse(seen).objects);
});

test('with a folder opened, the outermost repository around it is hidden', async () => {
  await using world = await createWorld();
  const { dir } = world.repository;
  await mkdir(join(dir, 'src', '.git'));
  expect((await createEmptyContent(join(dir, 'src'))).top).toBe(await realpath(dir));
});

test('one that fails, prints without end or is late is ended with a reason', async () => {
  await using world = await createWorld();
  await expect(world.search("console.error('No such index.'); process.exit(3);")).rejects.toMatchObject({
    reason: 'unavailable',
    message: 'node ended with 3. It said last: No such index.',
  });
  const endless = "import fs from 'node:fs'; for (;;) fs.writeSync(1, 'x'.repeat(1 << 16));";
  await expect(world.search(endless)).rejects.toMatchObject({ message: expect.stringContaining('MB of output') });
  await expect(world.search('setInterval(() => undefined, 1000);', { seconds: 1 })).rejects.toMatchObject({
    reason: 'timedOut',
    message: 'node gave no answer within 1 seconds.',
  });
  await expect(world.search('', { command: 'no-such-program' })).rejects.toMatchObject({ reason: 'unavailable' });
});

test('cancelling ends one that is deaf to signals, and leaves no process', async () => {
  await using world = await createWorld();
  const stop = new AbortController();
  const asked = world.search("process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000);", {
    signal: stop.signal,
    words: 'deaf-search',
  });
  asked.catch(() => undefined);
  await until(
    async () => (await livingIn(world.stateDir)).filter(({ command }) => command.includes('deaf-search')).length > 0,
  );
  stop.abort();
  await expect(asked).rejects.toMatchObject({ reason: 'cancelled' });
  expect(await livingIn(world.stateDir)).toEqual([]);
});

test('without a command line there is no research', () => {
  const settings = { command: ' ', hosts: [], keys: [], seconds: 30, questions: 2 };
  expect(createResearch(settings, { rootDir: '/', env: {}, sandbox: () => expect.unreachable() })).toBeUndefined();
});
