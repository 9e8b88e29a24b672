// Time, load, names, the log and locks.

import type { Millis } from '../model.ts';

export interface Clock {
  now(): Millis;
}

/** The load of the machine. */
export interface Machine {
  /** How many processes ran or waited to run in the last minute, on average; null where the system does not say. */
  load(): { readonly running: number; readonly cores: number } | null;
}

export interface Ids {
  /** Unique, sortable by time, 1–64 characters of [a-z0-9-]. */
  next(kind: 'proposal' | 'checkpoint' | 'event' | 'sandbox' | 'ask' | 'run'): string;
}

/** Diagnostics for developers; never the only place for what a user must know, and never the ledger. */
export interface Log {
  write(level: 'debug' | 'info' | 'warn' | 'error', message: string, cause?: unknown): void;
}

/** One writer per repository state; released when its process dies. */
export interface Lock {
  /** Null when another live process holds it. */
  acquire(name: 'index' | 'apply' | 'probation' | `verifying-${string}`): Promise<{ release(): Promise<void> } | null>;
}
