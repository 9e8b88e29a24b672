// Turns SQLite's errors into typed errors with advice.

import { dirname } from 'node:path';
import { diskFullAction, isDiskFull, SelfwareError, type ErrorReason } from '../../util/typedError.ts';
import { isDiskFullAt } from '../files/diskSpace.ts';

const INPUT_OUTPUT = 10,
  SQLITE_FULL = 13,
  CANNOT_OPEN = 14;

/** The reason, the explanation and the advice for each primary result code of SQLite (sqlite.org/rescode.html). */
const REASON_BY_CODE: Readonly<Record<number, readonly [ErrorReason, string, string]>> = {
  5: ['locked', 'another process keeps it busy', 'Try again in a moment.'],
  6: ['locked', 'another process keeps it busy', 'Try again in a moment.'],
  8: ['readOnly', 'it is read-only', 'Make the state folder writable for you.'],
  11: ['damaged', 'its pages are damaged', ''],
  14: ['writeFailed', 'it cannot be opened', 'Check that the state folder exists and is writable.'],
  23: ['readOnly', 'access is denied', 'Make the state folder writable for you.'],
  26: ['damaged', 'it is no database', ''],
};

/**
 * Converts the error of a call on `file`. `message`: the subject of the message. `action`: the advice for a damaged
 * file, which depends on the purpose of the file.
 */
export function toSqliteError(
  error: unknown,
  message: string,
  action: string,
  file: string,
  full = isDiskFullAt,
): SelfwareError {
  if (error instanceof SelfwareError) return error;
  if (isOutOfSpace(error, file, full))
    return new SelfwareError('diskFull', `${message} cannot be used: the disk is full.`, {
      action: diskFullAction(file),
      cause: error,
    });
  const listedReason = REASON_BY_CODE[findResultCode(error) ?? 0];
  const [reason, explanation, advice] =
    listedReason ?? (['writeFailed', 'the database reports an error', 'Look at the cause.'] as const);
  return new SelfwareError(reason, `${message} cannot be used: ${explanation}.`, {
    action: reason === 'damaged' ? action : advice,
    cause: error,
  });
}

/**
 * True if the disk is full. SQLite reports this for the database file only. For the files next to it (the log and its
 * index), it reports only that they could not be written or opened; then the disk itself is tested.
 */
export function isOutOfSpace(error: unknown, file: string, full = isDiskFullAt): boolean {
  const code = findResultCode(error);
  if (code === SQLITE_FULL || isDiskFull(error)) return true;
  return (code === INPUT_OUTPUT || code === CANNOT_OPEN) && file !== ':memory:' && full(dirname(file));
}

/** The primary result code of SQLite in an error; null if the error does not come from SQLite. */
export function findResultCode(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : null;
}
