// Turns LanceDB's errors, which differ only by their text, into typed errors.

import { setTimeout } from 'node:timers/promises';
import { diskFullAction, SelfwareError } from '../../util/typedError.ts';
import { removeSecrets } from './storePlace.ts';
import type { Environment } from '../../util/values/environment.ts';

/**
 * Matches the error of a full disk. The numbers in this and the following patterns are those of the operating system
 * (first of errno.h, then of Windows), as Rust prints them.
 */
const DISK_FULL_PATTERN = /os error (28|122|112|39)\b|No space left|quota exceeded/i;
/** Matches the error of a place that may not be written to. */
const READ_ONLY_PATTERN = /os error (13|30|1|5|19)\b|Permission denied|Read-only file system/i;
/** Matches the error of a file that exceeds the limit on the size of files. */
const TOO_LARGE_PATTERN = /os error 27\b|File too large/i;

/** Maximum number of attempts. A longer run of conflicts is unlikely to be chance. */
const MAX_ATTEMPTS = 10;
/** Milliseconds before the second attempt. The pause grows each time, so that one of the writers finishes. */
const FIRST_PAUSE_MS = 50;

/** Converts an error of LanceDB. `message`: a complete sentence about the action that failed. */
export function toStoreError(cause: unknown, message: string, env: Environment): SelfwareError {
  if (cause instanceof SelfwareError) return cause;
  const text = removeSecrets(cause instanceof Error ? cause.message : String(cause), env);
  const shortenedCause = new Error(text.slice(0, 2_000));
  if (DISK_FULL_PATTERN.test(text))
    return new SelfwareError('diskFull', `${message} The disk is full.`, {
      action: diskFullAction(),
      cause: shortenedCause,
    });
  if (TOO_LARGE_PATTERN.test(text))
    return new SelfwareError('writeFailed', `${message} A file may not become that large here.`, {
      action: 'Raise the limit (ulimit -f) and try again.',
      cause: shortenedCause,
    });
  if (READ_ONLY_PATTERN.test(text))
    return new SelfwareError('readOnly', `${message} Permission denied.`, {
      action: 'Make the state folder writable, or set SELFWARE_HOME.',
      cause: shortenedCause,
    });
  return new SelfwareError('unavailable', message, { cause: shortenedCause });
}

/**
 * True if the cause lies in the environment (such as a full disk), and not in the bytes of the table, so that creating
 * the table again would not help.
 */
export function isEnvironmentError(error: unknown): boolean {
  const text = error instanceof Error ? error.message : String(error);
  return (
    DISK_FULL_PATTERN.test(text) ||
    READ_ONLY_PATTERN.test(text) ||
    /os error (24|23|12)\b|Too many open files/i.test(text)
  );
}

/** True if a shared place lists a table that does not exist: another machine is still creating it. */
export function isUnfinishedTableError(error: unknown): boolean {
  return /was not found/i.test(String(error));
}

/**
 * Runs `work`, and repeats it if another writer interfered, up to `MAX_ATTEMPTS` times. Then the conflict is thrown;
 * `isLastTry` is true in the last attempt.
 */
export async function retryOnConflict<T>(work: (isLastTry: boolean) => Promise<T>): Promise<T> {
  for (let time = 1; ; time++) {
    try {
      return await work(time === MAX_ATTEMPTS);
    } catch (error) {
      if (
        time === MAX_ATTEMPTS ||
        !(
          isUnfinishedTableError(error) ||
          /Incompatible transaction|Commit conflict|concurrent (commit|transaction)/i.test(String(error))
        )
      )
        throw error;
      await setTimeout(FIRST_PAUSE_MS * time);
    }
  }
}

/** The result of `work`; throws `unavailable` if it takes longer than `timeoutMs`. The work itself continues. */
export async function withTimeout<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const finishedSignal = new AbortController();
  const timeout = setTimeout(timeoutMs, undefined, { signal: finishedSignal.signal }).then(() => {
    throw new SelfwareError('unavailable', `There was no answer within ${timeoutMs / 1000} s.`);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    finishedSignal.abort();
    timeout.catch(() => undefined);
    work.catch(() => undefined);
  }
}
