// Defines the only error class for expected problems. Callers branch on its `reason`, never on its message.

/** The reasons of typed errors. */
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
  | 'paused'
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

/**
 * An error with a text for a person. `message` says what has happened, `action` advises the person. `retry`: set if the
 * same operation may succeed later without help by a person. Its `afterMs` is the requested pause in milliseconds, or
 * null if none was requested; its `isCharged` is true if the failed attempt may have cost as much as a successful one.
 * `usage`: the tokens that a failed question has used; null if they were not measured.
 */
export class SelfwareError extends Error {
  readonly reason: ErrorReason;
  readonly action: string | null;
  readonly retry: { readonly afterMs: number | null; readonly isCharged?: boolean } | null;
  readonly usage: {
    readonly input: number;
    readonly output: number;
    readonly cached: number;
    readonly estimated: boolean;
  } | null;

  constructor(
    reason: ErrorReason,
    message: string,
    options: {
      action?: string;
      cause?: unknown;
      retry?: SelfwareError['retry'];
      usage?: SelfwareError['usage'];
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'SelfwareError';
    this.reason = reason;
    this.action = options.action ?? null;
    this.retry = options.retry ?? null;
    this.usage = options.usage ?? null;
  }
}

/** Codes of errors of the system about a full disk and a used-up disk quota. */
const DISK_FULL_CODES = new Set<unknown>(['ENOSPC', 'EDQUOT']);

/** True if this error or one of its causes shows that the disk is full, or that a disk quota is used up. */
export function isDiskFull(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof SelfwareError && current.reason === 'diskFull') return true;
    if (DISK_FULL_CODES.has((current as { code?: unknown }).code)) return true;
  }
  return false;
}

/**
 * The advice for a full disk. It also says that no confirmed data is lost, because each store writes an item completely
 * or not at all. `place`: a path on that disk.
 */
export function diskFullAction(place: string | null = null): string {
  const location = place === null ? '' : ` on the disk that holds ${place}`;
  const reassurance = 'Nothing that was confirmed is lost: files, ledger, proposals and checkpoints are as they were.';
  return `${reassurance} Free some space${location}, then try again.`;
}

/**
 * Converts any error that a full disk has caused to a typed error with the reason `diskFull`. Returns every other error
 * unchanged.
 */
export function convertFullDiskError(error: unknown): unknown {
  if (!isDiskFull(error) || (error instanceof SelfwareError && error.reason === 'diskFull')) return error;
  const originalMessage = error instanceof SelfwareError ? `${error.message} ` : '';
  return new SelfwareError('diskFull', `${originalMessage}The disk is full.`, {
    action: diskFullAction(),
    cause: error,
  });
}

/** The text for a person: the message, then the action if there is one. Works for any thrown value. */
export function describeError(thrown: unknown): string {
  const error = convertFullDiskError(thrown);
  if (error instanceof SelfwareError) return error.action ? `${error.message} ${error.action}` : error.message;
  return error instanceof Error ? error.message : String(error);
}

/** Throws the typed `cancelled` error if the signal is aborted. */
export function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new SelfwareError('cancelled', 'Cancelled.');
}
