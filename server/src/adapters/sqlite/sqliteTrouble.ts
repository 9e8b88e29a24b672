// What SQLite says about a failed call, as a typed error with a way out.

import { SelfwareError, type ErrorReason } from '../../util/typedError.ts';

/** Primary result codes, see sqlite.org/rescode.html. */
const REASONS: Readonly<Record<number, readonly [ErrorReason, string, string]>> = {
  5: ['locked', 'another process keeps it busy', 'Try again in a moment.'],
  6: ['locked', 'another process keeps it busy', 'Try again in a moment.'],
  8: ['readOnly', 'it is read-only', 'Make the state folder writable for you.'],
  11: ['damaged', 'its pages are damaged', ''],
  13: ['diskFull', 'the disk is full', 'Free some space and try again.'],
  14: ['writeFailed', 'it cannot be opened', 'Check that the state folder exists and is writable.'],
  23: ['readOnly', 'access is denied', 'Make the state folder writable for you.'],
  26: ['damaged', 'it is no database', ''],
};

/** `action` is what to do when the file is damaged: that depends on what the file is for. */
export function sqliteTrouble(error: unknown, what: string, action: string): SelfwareError {
  if (error instanceof SelfwareError) return error;
  const [reason, because, remedy] = REASONS[resultCode(error) ?? 0] ?? (['writeFailed', 'the database reports an error', 'Look at the cause.'] as const);
  return new SelfwareError(reason, `${what} cannot be used: ${because}.`, { action: reason === 'damaged' ? action : remedy, cause: error });
}

/** Primary result code; null when the error does not come from SQLite. */
export function resultCode(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : null;
}
