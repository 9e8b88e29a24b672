// Notices a command that has written its last file and then neither exits nor prints anything: something that it left
// open, such as a timer or a connection, keeps its process alive. A silent command that works, such as a build after the
// tests, goes on.

import { stat } from 'node:fs/promises';
import type { Clock } from '../../core/ports/system.ts';

/** Milliseconds between two looks at the file. */
const LOOK_EVERY_MS = 1_000;
/** Share of the time for which a command that works uses a processor. What only waits uses less, also with timers. */
const BUSY_SHARE = 0.02;

/** What counts as a sign of life. */
export interface Signs {
  /** Real path of the file. The watch begins once it exists and is not empty. */
  readonly file: string;
  /** The time of `clock` at which the command printed something last; 0 if it printed nothing. */
  lastOutputAt(): number;
  /** Milliseconds for which its processes have used the processor; 0 where that is unknown. */
  cpuTime(): Promise<number>;
  readonly clock: Clock;
  /** Milliseconds of silence after which the watch calls. */
  readonly silenceMs: number;
}

/**
 * Calls `onSilent` once, when the file has not changed, the command has printed nothing for `silenceMs`, and it has hardly
 * used the processor in the second half of this time. Returns a function that ends the watch.
 */
export function watchSilence(
  { file, lastOutputAt, cpuTime, clock, silenceMs }: Signs,
  onSilent: () => void,
): () => void {
  let seen = '';
  let [changedAt, busyAt] = [0, 0];
  let half: { readonly at: number; readonly cpu: number } | null = null;
  let [isLooking, isStopped] = [false, false];
  const timer = setInterval(
    () => {
      if (isLooking) return;
      isLooking = true;
      // For instance, file handles may have run out; the next look makes up for it.
      void look().then(looked, looked);
    },
    Math.min(LOOK_EVERY_MS, silenceMs),
  );
  timer.unref();
  return stop;

  function stop(): void {
    isStopped = true;
    clearInterval(timer);
  }

  function looked(): void {
    isLooking = false;
  }

  async function look(): Promise<void> {
    const found = await stat(file).catch(() => null);
    if (found === null || found.size === 0) return;
    const state = `${found.size} ${found.mtimeMs}`;
    if (state !== seen) {
      seen = state;
      changedAt = clock.now();
    }
    const now = clock.now();
    const silentFor = now - Math.max(changedAt, lastOutputAt(), busyAt);
    if (silentFor < silenceMs / 2) half = null;
    else if (half === null) half = { at: now, cpu: await cpuTime() };
    else if (silentFor >= silenceMs && now - half.at >= silenceMs / 2) {
      const isBusy = Math.abs((await cpuTime()) - half.cpu) > (now - half.at) * BUSY_SHARE;
      half = null;
      if (isBusy) busyAt = now;
      else if (!isStopped) {
        stop();
        onSilent();
      }
    }
  }
}
