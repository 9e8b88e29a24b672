// The worker's side of supervision: sends heartbeats from the main thread, and exits after its supervisor has exited.

import { SUPERVISION_RULES, type WorkerStep } from '../../core/run/supervision.ts';
import { findDescendants, killStillRunning } from '../system/processTree.ts';
import { isDrain, type BeatMessage } from './messages.ts';
import { guardAgainstOrphaning } from './orphanGuard.ts';

/**
 * Milliseconds for a graceful shutdown after the supervisor has exited. Five seconds are promised; the difference is a
 * margin for a busy machine.
 */
export const GRACEFUL_SHUTDOWN_MS = 3_500;
const BYTES_PER_MB = 1024 * 1024;

/** The reports of a worker, and their interval. */
export interface BeatOptions {
  /** The present step of the worker. Called for each beat, so it must be quick and must not throw. */
  step(): WorkerStep;
  /**
   * Called when the supervisor asks the worker to complete its current step and then to exit with
   * `WORKER_EXIT.drained`.
   */
  onDrain?(): void;
  /** Milliseconds between two beats. */
  readonly intervalMs?: number;
}

/** The beats of this worker. */
export interface Beats {
  /** True if a supervisor has started this process. If false, no beats are sent. */
  readonly isSupervised: boolean;
  /** Sends a beat now, for example with a new step. */
  beat(): void;
  /** Sends no more beats. The process still ends with its supervisor. */
  stop(): void;
}

/**
 * Sends beats to the supervisor, the first one immediately. From now on, this process ends within five seconds after
 * its supervisor has ended, with all processes below it: gracefully if it handles SIGTERM, otherwise immediately.
 */
export function sendBeats({ step, onDrain, intervalMs = SUPERVISION_RULES.beatMs }: BeatOptions): Beats {
  if (!process.connected) return { isSupervised: false, beat: () => undefined, stop: () => undefined };
  const beat = (): void => {
    if (!process.connected) return;
    const message: BeatMessage = {
      type: 'beat',
      ...step(),
      rssMb: Math.round(process.memoryUsage.rss() / BYTES_PER_MB),
    };
    // A supervisor that has just ended cannot be reached; `disconnect` follows.
    process.send?.(message, undefined, undefined, () => undefined);
  };
  process.on('message', (message) => isDrain(message) && onDrain?.());
  process.once('disconnect', shutDownWithGroup);
  guardAgainstOrphaning(GRACEFUL_SHUTDOWN_MS);
  // Neither the channel nor the timer keeps a worker alive that has finished.
  process.channel?.unref();
  const timer = setInterval(beat, intervalMs).unref();
  beat();
  return { isSupervised: true, beat, stop: () => clearInterval(timer) };
}

function shutDownWithGroup(): void {
  if (process.listenerCount('SIGTERM') === 0) return killOwnGroup();
  process.once('exit', killOwnGroup);
  setTimeout(killOwnGroup, GRACEFUL_SHUTDOWN_MS);
  process.kill(process.pid, 'SIGTERM');
}

/**
 * Kills this process and all processes below it: those in its group, which it leads, and others, which are found by
 * their parents.
 */
function killOwnGroup(): void {
  killStillRunning(findDescendants(process.pid));
  try {
    if (process.platform !== 'win32') process.kill(-process.pid, 'SIGKILL');
  } catch (error) {
    // The process does not lead a group.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
  process.kill(process.pid, 'SIGKILL');
}
