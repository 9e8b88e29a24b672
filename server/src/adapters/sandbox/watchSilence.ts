// Notices a command that has written its last file and then neither exits nor prints anything: an open timer or
// connection, for example, keeps its process alive. A silent command continues if it works, such as a build after the
// tests, or if one of its processes was started after that file was written: a next step, which may wait for a server.
// If the work of the processes is unknown, the command continues as well.

import { stat } from 'node:fs/promises';
import type { Clock } from '../../core/ports/system.ts';
import type { Work } from './cpuTime.ts';

/** Milliseconds between two checks of the file. */
const CHECK_EVERY_MS = 1_000;
/**
 * Minimum share of the time for which a command that works uses a processor. A command that only waits uses less, even
 * with timers.
 */
const BUSY_SHARE = 0.02;

/** The signs of life of a command. */
export interface CommandActivity {
  /** Real path of the file. The watch begins once it exists and is not empty. */
  readonly file: string;
  /** The time of `clock` at which the command printed something last; 0 if it printed nothing. */
  lastOutputAt(): number;
  /** The work of its processes; null if that is unknown. */
  measureWork(): Promise<Work | null>;
  readonly clock: Clock;
  /** Milliseconds of silence after which the watch calls `onSilent`. */
  readonly silenceMs: number;
}

/**
 * Number of checks in a row that must find the command silent. On a busy machine, one check may miss a process whose
 * environment could not be read.
 */
const SILENT_CHECKS = 2;

/**
 * Calls `onSilent` once, when all of this holds: the file has not changed and the command has printed nothing for
 * `silenceMs`, the command has hardly used the processor in the second half of this time, and all of its processes were
 * started before the file was last written. Returns a function that ends the watch.
 */
export function watchSilence(
  { file, lastOutputAt, measureWork, clock, silenceMs }: CommandActivity,
  onSilent: () => void,
): () => void {
  let lastState = '';
  let [changedAt, busyAt] = [0, 0];
  let atHalfTime: { readonly at: number; readonly work: Work | null } | null = null;
  let [isChecking, isStopped] = [false, false];
  let silentChecks = 0;
  const timer = setInterval(
    () => {
      if (isChecking) return;
      isChecking = true;
      // For instance, file handles may have run out; the next check makes up for it.
      void checkActivity().then(endCheck, endCheck);
    },
    Math.min(CHECK_EVERY_MS, silenceMs),
  );
  timer.unref();
  return stop;

  function stop(): void {
    isStopped = true;
    clearInterval(timer);
  }

  function endCheck(): void {
    isChecking = false;
  }

  async function checkActivity(): Promise<void> {
    const stats = await stat(file).catch(() => null);
    if (stats === null || stats.size === 0) return;
    const state = `${stats.size} ${stats.mtimeMs}`;
    if (state !== lastState) {
      lastState = state;
      changedAt = clock.now();
    }
    const now = clock.now();
    const silentFor = now - Math.max(changedAt, lastOutputAt(), busyAt);
    if (silentFor < silenceMs / 2) [atHalfTime, silentChecks] = [null, 0];
    else if (atHalfTime === null) atHalfTime = { at: now, work: await measureWork() };
    else if (silentFor >= silenceMs && now - atHalfTime.at >= silenceMs / 2) {
      const [before, after] = [atHalfTime.work, await measureWork()];
      const isBusy =
        before === null ||
        after === null ||
        after.lastStartAt > stats.mtimeMs ||
        Math.abs(after.cpuMs - before.cpuMs) > (now - atHalfTime.at) * BUSY_SHARE;
      silentChecks = isBusy ? 0 : silentChecks + 1;
      if (isBusy) [atHalfTime, busyAt] = [null, now];
      else if (silentChecks >= SILENT_CHECKS && !isStopped) {
        stop();
        onSilent();
      }
    }
  }
}
