// The ports for time, load, ids, the log, locks and the measurements of this process.

import type { Millis } from '../model.ts';

/** The current time. */
export interface Clock {
  now(): Millis;
}

/** The load of the machine. */
export interface Machine {
  /**
   * The average number of processes that ran or waited to run in the last minute; null if the system does not report
   * it.
   */
  load(): { readonly running: number; readonly cores: number } | null;
}

/** Creates ids. */
export interface Ids {
  /** A unique id that can be sorted by time: 1–64 characters of [a-z0-9-]. */
  next(kind: 'proposal' | 'checkpoint' | 'event' | 'sandbox' | 'ask' | 'run' | 'rule'): string;
}

/**
 * Diagnostics for developers. A message for users must also appear in another place, because users do not read the log.
 */
export interface Log {
  write(level: 'debug' | 'info' | 'warn' | 'error', message: string, cause?: unknown): void;
}

/**
 * Locks of one state folder, so that only one process at a time does a kind of work. A lock is released when the
 * process of its holder ends.
 */
export interface Lock {
  /** Takes the lock; null if another live process holds it. */
  acquire(
    name: 'index' | 'apply' | 'probation' | 'inbox' | 'trying-rule' | 'trying-recipe' | `verifying-${string}`,
  ): Promise<{ release(): Promise<void> } | null>;
}

/** The source of a machine's power. */
export type PowerSource = 'mains' | 'battery';

/**
 * Measures the resources that this process uses. An optional function is absent, or returns null, if the figure is not
 * measured.
 */
export interface ProcessMeter {
  /** Peak resident memory of this process so far, in MiB. */
  peakRssMb(): number;
  /** Processor time of this process so far, in seconds. */
  cpuSeconds?(): number;
  /** Number of cores that this process may use. */
  readonly cores?: number;
  /** Size of the databases and the index in the state folder, in MB. */
  databaseMb?(): Promise<number | null>;
  /** Number of database files of the state folder that this process has open. */
  connections?(): Promise<number | null>;
}
