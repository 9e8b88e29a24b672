// Implements the worker's side of supervision: beats from the main thread, and an end of its own when its supervisor is
// gone.

import { SUPERVISION_RULES, type WorkerStep } from '../../core/run/supervision.ts';
import { descendantsOf, killStillRunning } from '../system/processTree.ts';
import { isDrain, type BeatMessage } from './messages.ts';
import { guardAgainstOrphaning } from './orphanGuard.ts';

/**
 * Time in ms for an orderly end after the supervisor is gone. Five seconds are promised; the rest is for a busy
 * machine.
 */
export const ORDERLY_END_MS = 3_500;
const MB = 1024 * 1024;

/** What a worker reports, and how often. */
export interface BeatOptions {
  /** The present step of the worker. Called for each beat, so it must be quick and must not throw. */
  step(): WorkerStep;
  /** Called when the supervisor asks to complete the current step and then to exit with `WORKER_EXIT.drained`. */
  onDrain?(): void;
  /** Time in ms between two beats. */
  readonly everyMs?: number;
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
 * Sends beats to the supervisor, the first at once. From now on, this process ends within five seconds after its
 * supervisor has ended: in order if it listens to SIGTERM, else at once, with all processes below it.
 */
export function sendBeats({ step, onDrain, everyMs = SUPERVISION_RULES.beatMs }: BeatOptions): Beats {
  if (!process.connected) return { isSupervised: false, beat: () => undefined, stop: () => undefined };
  const beat = (): void => {
    if (!process.connected) return;
    const message: BeatMessage = { type: 'beat', ...step(), rssMb: Math.round(process.memoryUsage.rss() / MB) };
    // A supervisor that has just ended cannot be reached; `disconnect` follows.
    process.send?.(message, undefined, undefined, () => undefined);
  };
  process.on('message', (message) => isDrain(message) && onDrain?.());
  process.once('disconnect', endWithGroup);
  guardAgainstOrphaning(ORDERLY_END_MS);
  // Neither the channel nor the timer keeps a worker alive that has finished.
  process.channel?.unref();
  const timer = setInterval(beat, everyMs).unref();
  beat();
  return { isSupervised: true, beat, stop: () => clearInterval(timer) };
}

function endWithGroup(): void {
  if (process.listenerCount('SIGTERM') === 0) return killOwnGroup();
  process.once('exit', killOwnGroup);
  setTimeout(killOwnGroup, ORDERLY_END_MS);
  process.kill(process.pid, 'SIGTERM');
}

/**
 * Ends this process and its children. It leads its group, so the children in the group end with it; others are found by
 * their parents.
 */
function killOwnGroup(): void {
  killStillRunning(descendantsOf(process.pid));
  try {
    if (process.platform !== 'win32') process.kill(-process.pid, 'SIGKILL');
  } catch (error) {
    // The process does not lead a group.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
  process.kill(process.pid, 'SIGKILL');
}
