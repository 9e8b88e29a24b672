// Tells a person something while nobody looks at the screen: runs a command of theirs, or posts to an address.

import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressProblem } from '../../util/webAddress.ts';
import { signalGroup } from '../sandbox/processes.ts';
import { ownPath } from '../system/ownPrograms.ts';
import { beforeCutOff } from '../system/ending.ts';
import { windowsProgram } from '../system/systemPrograms.ts';

/** Longer than any sensible command or answer; the run waits for it. */
const MAX_MS = 15_000;
/** Pauses before the second and the third try to reach an address. */
const PAUSES_MS = [1_000, 4_000];

type Environment = Readonly<Record<string, string | undefined>>;

export interface TellOptions {
  readonly env: Environment;
  readonly signal: AbortSignal;
  /** A repository whose programs are not started by their name. */
  readonly rootDir?: string;
  /** True: what the command prints is shown. */
  readonly shows?: boolean;
}

/**
 * Runs a person's command line in their shell, in their home folder, with one line of JSON on its input. Returns null,
 * or why the command failed. A command that takes longer than 15 s is ended with its children.
 */
export async function tellByCommand(command: string, notice: unknown, options: TellOptions): Promise<string | null> {
  const { env, signal, rootDir, shows = false } = options;
  if (signal.aborted) return 'The run is being ended.';
  const onWindows = process.platform === 'win32';
  const output = shows ? 'inherit' : 'ignore';
  const child = spawn(
    onWindows ? windowsProgram('cmd.exe') : '/bin/sh',
    onWindows ? ['/d', '/s', '/c', `"${command}"`] : ['-c', command],
    {
      cwd: homedir(),
      env: { ...env, ...ownPathIn(env, rootDir) },
      detached: !onWindows,
      windowsHide: true,
      windowsVerbatimArguments: true,
      stdio: ['pipe', output, output],
    },
  );
  const { pid } = child;
  const end = () => pid !== undefined && signalGroup(pid, 'SIGKILL');
  const forget = beforeCutOff(end);
  let cause: string | null = null;
  const endFor = (why: string) => {
    cause ??= why;
    end();
  };
  const timer = setTimeout(() => endFor(`It took longer than ${MAX_MS / 1000} s and was ended.`), MAX_MS);
  const abort = () => endFor('The run was ended.');
  signal.addEventListener('abort', abort, { once: true });
  // A command need not read its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(`${JSON.stringify(notice)}\n`);
  try {
    return await new Promise((resolve) => {
      child.once('error', (error: NodeJS.ErrnoException) => resolve(`It did not start (${error.code ?? 'unknown'}).`));
      child.once('exit', (code) =>
        resolve(cause ?? (code === 0 ? null : `It ended with the code ${code ?? 'unknown'}.`)),
      );
    });
  } finally {
    clearTimeout(timer);
    forget();
    signal.removeEventListener('abort', abort);
  }
}

/**
 * Posts JSON to an address, up to three times, without following a redirection. Returns null, or why it failed. The
 * answer is not read.
 */
export async function tellByAddress(
  address: string,
  notice: unknown,
  signal: AbortSignal,
  pausesMs: readonly number[] = PAUSES_MS,
): Promise<string | null> {
  const problem = addressProblem(address);
  if (problem !== null) return problem;
  const limited = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]);
  let failure = 'It was not tried.';
  for (const pause of [0, ...pausesMs]) {
    await sleep(pause, undefined, { signal: limited }).catch(() => undefined);
    if (limited.aborted) return signal.aborted ? 'The run was ended.' : failure;
    const answer = await postOnce(address, notice, limited);
    if (answer === null) return null;
    failure = answer.failure;
    if (answer.isFinal) return failure;
  }
  return failure;
}

async function postOnce(
  address: string,
  notice: unknown,
  signal: AbortSignal,
): Promise<{ readonly failure: string; readonly isFinal: boolean } | null> {
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(notice),
      redirect: 'error',
      signal,
    });
    await response.body?.cancel();
    if (response.ok) return null;
    // A busy or broken server may answer the next time; any other refusal would be repeated.
    const isFinal = response.status < 500 && response.status !== 429;
    return { failure: `It answered with the status ${response.status}.`, isFinal };
  } catch (error) {
    // The message may hold the address, which may be a secret.
    const { cause } = error as { readonly cause?: { readonly code?: unknown } };
    const code = typeof cause?.code === 'string' ? ` (${cause.code})` : '';
    return { failure: `It could not be reached${code}.`, isFinal: false };
  }
}

/** Windows may spell the name in another way, and its shell looks for programs in the home folder first anyway. */
function ownPathIn({ PATH }: Environment, rootDir: string | undefined): Environment {
  return PATH === undefined ? {} : { PATH: ownPath(PATH, rootDir === undefined ? [] : [rootDir]) };
}
