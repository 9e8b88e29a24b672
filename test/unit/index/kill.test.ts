// kill -9 in the middle of indexing, at every step: the next run ends with the index that a clean run makes.

import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findBundledScript } from '../../helpers/bundledScript.ts';
import { sharedCode } from '../../helpers/compiledCode.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';
import { openIndex } from './indexing.ts';
import { isThorough } from '../../helpers/thorough.ts';

const source = (name: string) =>
  `export function ${name}(value: number): number {\n${`  value += Math.sqrt(value) * ${name.length};\n`.repeat(60)}  return value;\n}\n`;
/** Milliseconds; some dozens of processes, on a machine that may be busy. */
const TIME = 240_000;
/** Enough for several writes. */
const FILES = 80;
/** Every second step: each costs a process, and a write has three, so that two writes meet each of them. */
const STRIDE = 2;
/** With one answer each: among equals the store's own search may choose by rows that wait on the shelf. */
const queries = ['alpha3', 'omega8', 'alpha51'];

let folder: string;
let repository: TemporaryRepository;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfware-kill-'));
  repository = await createTemporaryRepository(
    Object.fromEntries(Array.from({ length: FILES }, (_, at) => [`src/alpha${at}.ts`, source(`alpha${at}`)])),
    { git: false },
  );
});
afterEach(async () => {
  await repository.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** Runs the indexing process; its number of steps, or null when it was killed. */
async function runProcess(state: string, store: string, step: number): Promise<number | null> {
  const script = await findBundledScript(join(import.meta.dirname, 'entries', 'indexAndDie.ts'));
  return new Promise((resolve, reject) => {
    const args = [script, repository.dir, state, store, String(step)];
    execFile(process.execPath, args, { env: { ...process.env, ...sharedCode } }, (error, stdout, stderr) => {
      if (!error) resolve(Number(stdout.trim()));
      else if (error.signal === 'SIGKILL') resolve(null);
      else reject(new Error(stderr));
    });
  });
}

/** Everything that can be seen of an index, brought up to date. */
async function outcome(state: string, store: 'lancedb' | 'lexical') {
  const index = await openIndex(repository.dir, state, { store });
  const { records, embedded } = await index.refresh();
  const second = await index.refresh();
  // What a record was replaced by waits on the shelf, and its chunks with it.
  const findReplacedRecord = await index.context.catalogue.trimShelf();
  const live = new Set(records.flatMap((record) => record.chunks.map(({ id }) => id)));
  const seen = {
    records,
    ids: [...(await index.context.chunks.ids())].filter((id) => live.has(id) || !findReplacedRecord.has(id)).sort(),
    answers: await Promise.all(
      queries.map(async (query) => (await index.search(query, 1)).map(({ path, startLine }) => [path, startLine])),
    ),
    second: second.embedded,
  };
  await index.close();
  return { seen, embedded };
}

describe.each(isThorough ? (['lexical', 'lancedb'] as const) : (['lancedb'] as const))('%s', (store) => {
  test('a first run, killed at each step', { timeout: TIME }, async () => {
    const clean = join(folder, `${store}-clean`);
    const steps = (await runProcess(clean, store, 0))!;
    expect(steps).toBeGreaterThan(12);
    const expected = await outcome(clean, store);

    for (let step = 1; step <= steps; step += STRIDE) {
      const state = join(folder, `${store}-${step}`);
      expect(await runProcess(state, store, step)).toBeNull();
      const { seen, embedded } = await outcome(state, store);
      expect({ step, ...seen }).toEqual({ step, ...expected.seen });
      expect(embedded).toBeLessThanOrEqual(expected.seen.ids.length);
      await rm(state, { recursive: true, force: true });
    }
  });

  test('an update of an existing index, killed at each step', { timeout: TIME }, async () => {
    const before = join(folder, `${store}-before`);
    await runProcess(before, store, 0);
    for (let at = 0; at < FILES; at += 2) await repository.write(`src/alpha${at}.ts`, source(`omega${at}`));
    await rm(join(repository.dir, 'src/alpha79.ts'));
    const clean = join(folder, `${store}-fresh`);
    await runProcess(clean, store, 0);
    const expected = await outcome(clean, store);
    const trial = join(folder, `${store}-trial`);
    await cp(before, trial, { recursive: true });
    const steps = (await runProcess(trial, store, 0))!;
    expect(steps).toBeGreaterThan(8);
    for (let step = 1; step <= steps; step += STRIDE) {
      const state = join(folder, `${store}-update-${step}`);
      await cp(before, state, { recursive: true });
      expect(await runProcess(state, store, step)).toBeNull();
      const { seen } = await outcome(state, store);
      expect({ step, ...seen }).toEqual({ step, ...expected.seen });
      await rm(state, { recursive: true, force: true });
    }
  });
});
