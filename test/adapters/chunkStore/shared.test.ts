// An index that machines share: several processes at one bucket, a place out of reach, credentials, age. The bucket is
// a small
// S3-compatible server of these tests. A db:// server cannot be tried here: only how it would be reached is held.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRepositoryKey } from '../../../server/src/adapters/git/repositoryKey.ts';
import { createChunkStore } from '../../../server/src/adapters/lancedb/chunkStore.ts';
import { createLancedbStore, type StoreOptions } from '../../../server/src/adapters/lancedb/lancedbStore.ts';
import {
  createBucketOptions,
  createServerOptions,
  resolveRepositoryUri,
  removeSecrets,
} from '../../../server/src/adapters/lancedb/storePlace.ts';
import { startS3Server, type S3Server } from '../../helpers/s3Server.ts';
import type { ChunkStore } from '../../../server/src/core/ports/search.ts';

const DAY_MS = 86_400_000;
const place = 's3://bucket/team/repository';
const environment = { ...process.env };
const cleanups: (() => Promise<unknown>)[] = [];
let server: S3Server;

beforeEach(async () => {
  server = await startS3Server();
  Object.assign(process.env, server.env);
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  for (const name of Object.keys(server.env)) {
    if (environment[name] === undefined) delete process.env[name];
    else process.env[name] = environment[name];
  }
  await server.close();
});

async function opened(options: StoreOptions = {}): Promise<ChunkStore> {
  const store = await createLancedbStore(place, options);
  cleanups.push(() => store.close());
  await store.open('p', 2);
  return store;
}

const chunk = (id: string) => ({
  id,
  path: `${id}.ts`,
  startLine: 1,
  endLine: 1,
  symbol: null,
  text: '',
  terms: `word ${id}`,
  vector: Float32Array.from([1, 0]),
});
const script = join(import.meta.dirname, 'sharedProcess.ts');

describe('several processes at one bucket', () => {
  test('one reads what the other writes, while it writes', async () => {
    const reader = await opened();
    expect(reader.shared).toBe(true);
    const writer = spawn(process.execPath, ['--no-warnings', script, place, 'w', '5'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let told = 0;
    for await (const text of writer.stdout.setEncoding('utf8')) {
      told += String(text).split('\n').length - 1;
      // What was acknowledged is there for every reader.
      const ids = await reader.ids();
      for (let at = 0; at < told; at++) expect(ids.has(`w${at}`)).toBe(true);
    }
    expect(told).toBe(5);
    const { lexical } = await reader.search({ terms: 'w3', vector: Float32Array.from([1, 0]), limit: 5 });
    expect(lexical.map(({ id }) => id)).toEqual(['w3']);
  });

  test('several write at once: nothing is lost, nothing is there twice', async () => {
    const names = ['a', 'b', 'c'];
    await Promise.all(
      names.map((name) => promisify(execFile)(process.execPath, ['--no-warnings', script, place, name, '8'])),
    );
    const store = await opened();
    const rows: string[] = [];
    for await (const batch of store.rows(new AbortController().signal)) rows.push(...batch.map(({ id }) => id));
    const expected = [...names, 'common'].flatMap((name) => Array.from({ length: 8 }, (_, at) => `${name}${at}`));
    expect(rows.sort()).toEqual(expected.sort());
  });

  test('a writer that is killed leaves what it has acknowledged, and nobody is kept from writing', async () => {
    const writer = spawn(process.execPath, ['--no-warnings', script, place, 'k', '500'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let told = 0;
    for await (const text of writer.stdout.setEncoding('utf8')) {
      told += String(text).split('\n').length - 1;
      if (told >= 3) writer.kill('SIGKILL');
    }
    if (writer.exitCode === null && writer.signalCode === null) await once(writer, 'exit');
    const store = await opened();
    const ids = await store.ids();
    for (let at = 0; at < told; at++) expect(ids.has(`k${at}`)).toBe(true);
    await store.upsert([chunk('after')]);
    await store.optimise();
    expect((await store.ids()).has('after')).toBe(true);
  });
});

test('a row that nobody has written for long is asked for again, and later goes', async () => {
  let day = 20_000;
  const store = await opened({ now: () => day * DAY_MS });
  await store.upsert([chunk('needed'), chunk('forgotten')]);
  day += 59;
  expect((await store.ids()).size).toBe(2);
  day += 2;
  expect([...(await store.ids())]).toEqual([]);
  await store.upsert([chunk('needed')]);
  day += 30;
  await store.optimise();
  expect([...(await store.ids())]).toEqual(['needed']);
  expect((await store.get(['needed', 'forgotten'])).map(({ id }) => id)).toEqual(['needed']);
});

describe('a place that does not serve', () => {
  async function choose(uri: string, lines: string[] = []) {
    const dir = await mkdtemp(join(tmpdir(), 'selfware-shared-'));
    cleanups.push(() => rm(dir, { recursive: true, force: true }));
    const log = { write: (_level: string, message: string, cause?: unknown) => void lines.push(message, shown(cause)) };
    const chosen = await createChunkStore(dir, log, { uri, repository: 'repository', env: process.env });
    cleanups.push(() => chosen.store.close());
    return chosen;
  }
  /** As a log would write it, causes included. */
  const shown = (error: unknown): string => (error instanceof Error ? `${error.stack} ${shown(error.cause)}` : '');

  async function serves(store: ChunkStore): Promise<void> {
    await store.open('p', 2);
    await store.upsert([chunk('a')]);
    expect([...(await store.ids())]).toEqual(['a']);
  }

  test('one that answers serves, without a notice', async () => {
    const { store, notice } = await choose('s3://bucket/team/');
    expect([store.shared, notice]).toEqual([true, null]);
    await serves(store);
    expect(server.keys('bucket').every((key) => key.startsWith('team/repository/'))).toBe(true);
  });

  test('nobody there: the local index serves, and the user is told', async () => {
    await server.close();
    const { store, notice } = await choose('s3://bucket/team');
    expect(store.shared).toBe(false);
    expect(notice).toMatchObject({
      severity: 'warning',
      message: expect.stringContaining('The local index is used instead'),
    });
    await serves(store);
  });

  test('an address that is none, or that carries a secret: the same, and the secret is not repeated', async () => {
    for (const uri of ['ftp://host/x', 's3://', 's3://KEY:SECRET@bucket/x', 'db://']) {
      const { store, notice } = await choose(uri);
      expect([uri, store.shared, notice?.severity]).toEqual([uri, false, 'warning']);
      expect(notice?.message).not.toContain('SECRET');
      await serves(store);
    }
  });

  test('refused credentials: the same, and no log repeats them, though the server does', async () => {
    process.env['AWS_ACCESS_KEY_ID'] = 'WRONGACCESSKEY';
    const lines: string[] = [];
    const { store, notice } = await choose('s3://bucket/team', lines);
    expect(store.shared).toBe(false);
    expect(server.requests.length).toBeGreaterThan(0);
    const said = `${lines.join('\n')}${notice?.message}`;
    expect(said).toContain('InvalidAccessKeyId');
    for (const secret of ['WRONGACCESSKEY', 'TESTSECRETKEY']) expect(said).not.toContain(secret);
  });

  test('one that ignores conditional puts is refused with the reason, every time, and nothing is in it', async () => {
    await server.close();
    server = await startS3Server({ conditionalPuts: 'ignored' });
    Object.assign(process.env, server.env);
    for (let time = 0; time < 5; time++) {
      const message = expect.stringMatching(/conditional puts .*of 5 rows that it had confirmed, [1-4] were left/);
      await expect(createLancedbStore(place)).rejects.toMatchObject({ reason: 'unavailable', message });
    }
    const { store, notice } = await choose('s3://bucket/team');
    expect(store.shared).toBe(false);
    expect(notice?.message).toMatch(/It ignores conditional puts.*The local index is used instead/);
    await serves(store);
    expect(server.keys('bucket').filter((key) => key.includes('chunks-'))).toEqual([]);
  });

  test('the trial of a bucket leaves no table behind', async () => {
    await opened();
    expect(server.keys('bucket').filter((key) => key.includes('probe'))).toEqual([]);
    expect(server.refusedPuts()).toBeGreaterThan(0);
  });

  test('one that fails later says so with a reason', async () => {
    const store = await opened();
    await store.upsert([chunk('a')]);
    server.fail(503);
    await expect(store.ids()).rejects.toMatchObject({ reason: 'unavailable' });
    server.fail(null);
    expect([...(await store.ids())]).toEqual(['a']);
  });
});

describe('how a place is reached', () => {
  test.each([
    ['s3://bucket', 's3://bucket/repo'],
    ['s3://bucket/a/b/', 's3://bucket/a/b/repo'],
    ['db://name', 'db://name'],
  ])('%s', (uri, expected) => expect(resolveRepositoryUri(uri, 'repo')).toBe(expected));

  test('a bucket: endpoint and region from the standard variables; keys stay where they are', () => {
    expect(createBucketOptions({ AWS_DEFAULT_REGION: 'eu-west-1', AWS_SECRET_ACCESS_KEY: 'secret' })).toMatchObject({
      region: 'eu-west-1',
    });
    expect(
      createBucketOptions({ AWS_ENDPOINT_URL_S3: 'http://here:9000', AWS_ENDPOINT_URL: 'http://there' }),
    ).toMatchObject({
      endpoint: 'http://here:9000',
      allow_http: 'true',
      region: 'us-east-1',
    });
    expect(createBucketOptions({ AWS_ENDPOINT_URL: 'https://here' })).toMatchObject({ allow_http: 'false' });
    expect(
      JSON.stringify(createBucketOptions({ AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'secret' })),
    ).not.toContain('secret');
  });

  test('a server: region and host from the environment; without a key it is said', () => {
    expect(createServerOptions({ LANCEDB_API_KEY: 'key' })).toMatchObject({ region: 'us-east-1' });
    expect(
      createServerOptions({ LANCEDB_API_KEY: 'key', LANCEDB_REGION: 'eu', LANCEDB_HOST_OVERRIDE: 'http://host' }),
    ).toMatchObject({ region: 'eu', hostOverride: 'http://host' });
    expect(() => createServerOptions({})).toThrow(expect.objectContaining({ reason: 'unavailable' }));
    expect(removeSecrets('the key abc is refused', { LANCEDB_API_KEY: 'abc' })).toBe('the key … is refused');
  });

  test('a repository has one name on every machine', () => {
    const keys = [
      'https://me:token@host.org/Owner/Name.git',
      'git@host.org:owner/name',
      'ssh://git@host.org:22/owner/name.git',
      'https://host.org/owner/name/',
    ].map((origin) => createRepositoryKey(origin, '', '/somewhere'));
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^name-[0-9a-f]{12}$/);
    expect(createRepositoryKey('https://host.org/owner/name', 'packages/a/', '/x')).not.toBe(keys[0]);
    expect(createRepositoryKey('', '', '/home/me/My Project')).toBe('my-project');
  });
});
