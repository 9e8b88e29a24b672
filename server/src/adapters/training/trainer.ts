// Runs a person's trainer, with limits on its time, its files and its output.

import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { runPersonCommand } from '../run/personCommand.ts';
import { findArtifact, type Artifact } from './artifact.ts';
import type { Environment } from '../../util/values/environment.ts';

/** One call of the person's trainer or evaluator. */
export interface TrainingCommand {
  readonly command: string;
  /** The folder of this training: the log is written there, and the command begins there. */
  readonly folder: string;
  readonly env: Environment;
  /** Variables that the command gets in addition to the variables of the person. */
  readonly variables: Readonly<Record<string, string>>;
  readonly rootDir: string;
  readonly minutes: number;
  readonly signal: AbortSignal;
}

/** One call of the trainer. */
export interface TrainerRun extends TrainingCommand {
  /** An empty folder for the result, named `output` in the folder of the training. */
  readonly output: string;
  /** Maximum number of bytes in the folder of the training. */
  readonly maxBytes: number;
}

/** Maximum number of bytes of the log. Later output is not kept. */
const MAX_LOG_BYTES = 10 * 1024 * 1024;
/** Number of characters at the end of the output that the message about a failure quotes. */
const MAX_QUOTED_CHARACTERS = 600;
/** Milliseconds between two checks of the size of the folder. */
const SIZE_CHECK_INTERVAL_MS = 2_000;

/**
 * The name of the file that marks a result which is not evaluated yet. It is so unusual that no trainer uses it by
 * chance.
 */
export const RESULT_MARK_FILE = '.selfware-result';

/** Names of the entries that stay in the folder of a training: those that Selfware writes there, and the result. */
const KEPT_NAMES = new Set(['dataset', 'output', RESULT_MARK_FILE, 'train.log']);
for (const name of ['current', 'candidate'])
  for (const extension of ['log', 'jsonl']) KEPT_NAMES.add(`${name}.${extension}`);

/**
 * Removes all entries of the folder of a training except `KEPT_NAMES`: checkpoints of a trainer, and held-out examples,
 * which no trainer may find.
 */
export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => []))
    if (!KEPT_NAMES.has(name)) await rm(join(folder, name), { recursive: true, force: true });
}

/**
 * Runs the trainer and returns its result. If there is none, `refused` is the reason, as a sentence. All files in the
 * folder of the training count towards `maxBytes`.
 */
export async function runTrainer(run: TrainerRun): Promise<Artifact | { readonly refused: string }> {
  await mkdir(run.output, { recursive: true, mode: 0o700 });
  let sizeTimer: NodeJS.Timeout | undefined;
  const failure = await runLogged(run, 'train.log', (end) => {
    const endIfTooLarge = async () => {
      if ((await measureFolder(run.folder)) > run.maxBytes) end('It wrote more than learn.modelGigabytes allows.');
    };
    sizeTimer = setInterval(() => void endIfTooLarge(), SIZE_CHECK_INTERVAL_MS);
  });
  clearInterval(sizeTimer);
  const bytes = await measureFolder(run.folder);
  await removeLeftovers(run.folder);
  if (failure !== null) return { refused: `The trainer failed. ${failure}` };
  if (bytes > run.maxBytes) return { refused: 'The trainer wrote more than learn.modelGigabytes allows.' };
  return findArtifact(run.output);
}

/**
 * Runs a command and writes its output to the file `logName`. Returns null if it succeeds; otherwise the reason for its
 * failure and the end of its output.
 */
export async function runLogged(
  { command, folder, env, variables, rootDir, minutes, signal }: TrainingCommand,
  logName: string,
  onStart: (end: (reason: string) => void) => void = () => undefined,
): Promise<string | null> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const log = createWriteStream(join(folder, logName), { mode: 0o600 });
  log.on('error', () => undefined);
  let [bytes, lastOutput] = [0, ''];
  const failure = await runPersonCommand({
    command,
    cwd: folder,
    env: { ...env, ...variables },
    rootDir,
    maxMs: minutes * 60_000,
    limit: `${minutes} minutes`,
    signal,
    endsChildren: true,
    onStart,
    output: (data) => {
      if (bytes < MAX_LOG_BYTES) log.write(data.subarray(0, MAX_LOG_BYTES - bytes));
      bytes += data.byteLength;
      lastOutput = (lastOutput + data.toString('utf8')).slice(-MAX_QUOTED_CHARACTERS);
    },
  });
  log.end();
  await finished(log).catch(() => undefined);
  if (failure === null) return null;
  const words = lastOutput.replace(/\s+/g, ' ').trim();
  return `${failure}${words === '' ? '' : ` It printed last: ${words}`}`;
}

/** The number of bytes of all files in a folder, without following links; 0 if the folder does not exist. */
async function measureFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries)
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size;
  return bytes;
}
