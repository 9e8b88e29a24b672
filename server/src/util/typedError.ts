// Unexpected trouble: one error class whose `reason` callers branch on (never on message text).

export type ErrorReason =
  | 'notARepository'
  | 'noCommit'
  | 'unreadable'
  | 'writeFailed'
  | 'diskFull'
  | 'readOnly'
  | 'stale'
  | 'conflict'
  | 'forbidden'
  | 'notFound'
  | 'illegalStep'
  | 'untrusted'
  | 'damaged'
  | 'locked'
  | 'unavailable'
  | 'timedOut'
  | 'cancelled'
  | 'usage'
  | 'internal';

/** `message` says what happened, `action` what the user can do about it. */
export class SelfwareError extends Error {
  readonly reason: ErrorReason;
  readonly action: string | null;

  constructor(reason: ErrorReason, message: string, options: { action?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'SelfwareError';
    this.reason = reason;
    this.action = options.action ?? null;
  }
}

/** One line for a person: message, then action when there is one. Works for any thrown value. */
export function describeError(error: unknown): string {
  if (error instanceof SelfwareError) return error.action ? `${error.message} ${error.action}` : error.message;
  return error instanceof Error ? error.message : String(error);
}

/** Throws the typed `cancelled` error when the signal is aborted. */
export function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new SelfwareError('cancelled', 'Cancelled.');
}
