// A trainer by command: its limits, its log, and what it leaves behind.

import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runEvaluator } from '../../../server/src/adapters/training/evaluator.ts';
import { runTrainer, type TrainerRun } from '../../../server/src/adapters/training/trainer.ts';

let folder: string;
/** For files that stay; the folder of a training is tidied up. */
let elsewhere: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfware-trainer-'));
  elsewhere = await mkdtemp(join(tmpdir(), 'selfware-pid-'));
});
afterEach(async () => {
  for (const one of [folder, elsewhere]) await rm(one, { recursive: true, force: true });
});

const run = (command: string, more: Partial<TrainerRun> = {}): TrainerRun => ({
  command,
  folder,
  env: { PATH: process.env.PATH },
  variables: { SELFWARE_OUTPUT: join(folder, 'output') },
  rootDir: folder,
  minutes: 1,
  signal: new AbortController().signal,
  output: join(folder, 'output'),
  maxBytes: 1e9,
  ...more,
});

test('a trainer that takes too long is ended with its limit in words', async () => {
  const result = await runTrainer(run('sleep 1000', { minutes: 0.001 }));
  expect(result).toEqual({ refused: expect.stringContaining('took longer than 0.001 minutes and was ended') });
});

test('a trainer that is ended ends with its children', async () => {
  const pidFile = join(elsewhere, 'pid');
  const ending = new AbortController();
  const running = runTrainer(
    run(`sleep 1000 & echo $! > ${pidFile}.new; mv ${pidFile}.new ${pidFile}; wait`, { signal: ending.signal }),
  );
  await expect.poll(() => existsSync(pidFile)).toBe(true);
  ending.abort();
  expect(await running).toEqual({ refused: expect.stringContaining('was ended') });
  const pid = Number(await readFile(pidFile, 'utf8'));
  await expect.poll(() => isAlive(pid)).toBe(false);
});

test('children that a trainer leaves behind end with it', async () => {
  const pidFile = join(elsewhere, 'pid');
  await runTrainer(run(`sleep 1000 & echo $! > ${pidFile}`));
  const pid = Number(await readFile(pidFile, 'utf8'));
  await expect.poll(() => isAlive(pid)).toBe(false);
});

test('checkpoints beside the result count, and do not stay', async () => {
  const wide = 'mkdir work && head -c 3000000 /dev/zero > work/checkpoint';
  const result = await runTrainer(run(`${wide}; sleep 1000`, { maxBytes: 2_000_000 }));
  expect(result).toEqual({ refused: expect.stringContaining('more than learn.modelGigabytes allows') });
  expect((await readdir(folder)).toSorted()).toEqual(['output', 'train.log']);
});

test('what it prints is kept up to 10 MB, and does not block it', async () => {
  const result = await runTrainer(run('yes line | head -c 30000000; exit 4'));
  expect(result).toEqual({ refused: expect.stringMatching(/code 4\. It printed last: (?:line )+line$/) });
  expect((await readFile(join(folder, 'train.log'))).byteLength).toBe(10 * 1024 * 1024);
});

test.each([
  ['a link', 'ln -s /etc/passwd "$SELFWARE_OUTPUT/model.gguf"', 'not a regular file'],
  ['both kinds', 'touch "$SELFWARE_OUTPUT/model.gguf" "$SELFWARE_OUTPUT/adapter.gguf"', 'wrote 2 of them'],
  [
    'an unknown version',
    String.raw`printf 'GGUF\011\0\0\0\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0' > "$SELFWARE_OUTPUT/model.gguf"`,
    'version 9',
  ],
  [
    'no weights',
    String.raw`printf 'GGUF\003\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0' > "$SELFWARE_OUTPUT/model.gguf"`,
    'no weights',
  ],
])('as a result, %s is refused', async (_what, command, reason) => {
  expect(await runTrainer(run(command))).toEqual({ refused: expect.stringContaining(reason) });
});

test.each([
  ['no file', 'true', 'wrote nothing'],
  ['no JSON', 'echo hello > "$SELFWARE_RESULTS"', 'Line 1 of its results is unusable: it is not an object'],
  ['no id', `echo '{"reply":"x"}' > "$SELFWARE_RESULTS"`, 'it has no id'],
  ['a probability above 1', `echo '{"id":"a","logProbability":0.1,"tokens":3}' > "$SELFWARE_RESULTS"`, 'above 0'],
  ['a probability without tokens', `echo '{"id":"a","logProbability":-1}' > "$SELFWARE_RESULTS"`, 'belong together'],
  ['no tokens', `echo '{"id":"a","logProbability":-1,"tokens":0}' > "$SELFWARE_RESULTS"`, 'above 0'],
  ['an infinite figure', `echo '{"id":"a","logProbability":-1e999,"tokens":1}' > "$SELFWARE_RESULTS"`, 'not a number'],
  ['an example twice', `printf '{"id":"a"}\\n{"id":"a"}\\n' > "$SELFWARE_RESULTS"`, 'Line 2 of its results repeats'],
])('an evaluator that writes %s is refused', async (_what, command, reason) => {
  await expect(runEvaluator(run(command), 'current', ['a'])).rejects.toMatchObject({
    reason: 'unavailable',
    message: expect.stringContaining(reason),
  });
});

test('an example that the evaluator leaves out is unknown, and results of an earlier run do not count', async () => {
  await writeFile(join(folder, 'current.jsonl'), '{"id":"old","reply":"x"}\n');
  const command = `echo '{"id":"b","reply":"y"}' > "$SELFWARE_RESULTS"`;
  expect(await runEvaluator(run(command), 'current', ['a', 'b'])).toEqual([
    { id: 'a', reply: null, logProbability: null, tokens: null },
    { id: 'b', reply: 'y', logProbability: null, tokens: null },
  ]);
});

/** A process that has ended and that nobody has waited for yet (Z) is not alive. */
function isAlive(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && !/\) Z /.test(readFileSync(stat, 'utf8'));
}
