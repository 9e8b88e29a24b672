// Notices a command that has written its last file and then neither exits nor prints anything: something that it left
// open, such as a timer or a connection, keeps its process alive.

import { stat } from 'node:fs/promises';
import type { Clock } from '../../core/ports/system.ts';

/** Milliseconds between two looks at the file. */
const LOOK_EVERY_MS = 1_000;

/** What counts as a sign of life. */
export interface Signs {
  /** Real path of the file. The watch begins once it exists and is not empty. */
  readonly file: string;
  /** The time of `clock` at which the command printed something last; 0 if it printed nothing. */
  lastOutputAt(): number;
  readonly clock: Clock;
  /** Milliseconds of silence after which the watch calls. */
  readonly silenceMs: number;
}

/**
 * Calls `onSilent` once, when the file has not changed and the command has printed nothing for `silenceMs`. Returns a
 * function that ends the watch.
 */
export function watchSilence({ file, lastOutputAt, clock, silenceMs }: Signs, onSilent: () => void): () => void {
  let seen = '';
  let changedAt = 0;
  const timer = setInterval(() => void look(), Math.min(LOOK_EVERY_MS, silenceMs));
  timer.unref();
  return () => clearInterval(timer);

  async function look(): Promise<void> {
    const found = await stat(file).catch(() => null);
    if (found === null || found.size === 0) return;
    const state = `${found.size} ${found.mtimeMs}`;
    if (state !== seen) {
      seen = state;
      changedAt = clock.now();
    }
    if (clock.now() - Math.max(changedAt, lastOutputAt()) < silenceMs) return;
    clearInterval(timer);
    onSilent();
  }
}
