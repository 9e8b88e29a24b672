// Notifies a person who is not at the screen: runs a command of theirs, or posts to an address.

import { homedir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { explainAddressProblem } from '../../util/webAddress.ts';
import { runPersonCommand } from './personCommand.ts';
import type { Environment } from '../../util/values/environment.ts';

/** Maximum milliseconds for which a run waits for a command or an answer. Both usually take less. */
const MAX_MS = 15_000;
/** Pauses in milliseconds before the second and the third try to reach an address. */
const PAUSES_MS = [1_000, 4_000];

/** Options for running a command of the person. */
export interface NoticeOptions {
  readonly env: Environment;
  readonly signal: AbortSignal;
  /** A repository whose programs are not found by their name. */
  readonly rootDir?: string;
  /** True if the output of the command is shown. */
  readonly shows?: boolean;
}

/**
 * Runs a person's command line in their shell, in their home folder, with one line of JSON on its input. Returns null,
 * or the reason why the command failed, as a sentence. A command that takes longer than `MAX_MS` is stopped with its
 * children.
 */
export async function sendNoticeByCommand(
  command: string,
  notice: unknown,
  options: NoticeOptions,
): Promise<string | null> {
  const { env, signal, rootDir, shows = false } = options;
  return runPersonCommand({
    command,
    cwd: homedir(),
    env,
    rootDir,
    input: `${JSON.stringify(notice)}\n`,
    maxMs: MAX_MS,
    limit: `${MAX_MS / 1000} s`,
    signal,
    ...(shows ? { output: 'show' } : {}),
  });
}

/**
 * Posts JSON to an address, up to three times, without following a redirection. Returns null, or the reason why it
 * failed, as a sentence. The answer is not read.
 */
export async function sendNoticeByAddress(
  address: string,
  notice: unknown,
  signal: AbortSignal,
  pausesMs: readonly number[] = PAUSES_MS,
): Promise<string | null> {
  const problem = explainAddressProblem(address);
  if (problem !== null) return problem;
  const limitedSignal = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]);
  let failure = 'It was not tried.';
  for (const pause of [0, ...pausesMs]) {
    await sleep(pause, undefined, { signal: limitedSignal }).catch(() => undefined);
    if (limitedSignal.aborted) return signal.aborted ? 'The run was ended.' : failure;
    const answer = await postOnce(address, notice, limitedSignal);
    if (answer === null) return null;
    failure = answer.failure;
    if (answer.isFinal) return failure;
  }
  return failure;
}

/**
 * Posts once. Returns null if the server has accepted the notice, otherwise the reason why not. `isFinal`: true if
 * trying again is useless.
 */
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
    // The message may contain the address, which may be a secret.
    const { cause } = error as { readonly cause?: { readonly code?: unknown } };
    const code = typeof cause?.code === 'string' ? ` (${cause.code})` : '';
    return { failure: `It could not be reached${code}.`, isFinal: false };
  }
}
