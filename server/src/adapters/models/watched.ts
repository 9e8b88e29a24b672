// Limits an answer that arrives in pieces: a deadline, a longest silence, and a size.

import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';

/** The longest silence before the first piece and between two pieces. */
const SILENCE_MS = 120_000;
/** Maximum number of characters of an answer: more than any limit of tokens allows. */
const MAX_CHARACTERS = 4_000_000;

/** What the work does while it is watched. */
export interface Watched {
  readonly signal: AbortSignal;
  /** Adds a piece. Throws `unavailable` if the answer is endless. */
  onPiece(piece: string): void;
  /** Until the next piece, only the deadline limits the silence. */
  expectSilence(): void;
  readonly text: string;
}

/**
 * Runs `work`, which must end with `watched.signal`. Throws `cancelled`, `timedOut` after the deadline or a silence,
 * and the errors of `work`.
 */
export async function watched<T>(
  name: string,
  deadline: number,
  signal: AbortSignal,
  onText: (characters: number) => void,
  work: (watched: Watched) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  let timeoutReason: string | null = null;
  const end = (reason: string) => {
    timeoutReason = reason;
    ended.abort();
  };
  const remainingMs = Math.max(0, deadline - Date.now());
  const deadlineTimer = setTimeout(() => end(`${name} did not answer in time.`), remainingMs);
  const startSilenceTimer = () =>
    setTimeout(() => end(`${name} has been silent for ${SILENCE_MS / 1000} s.`), SILENCE_MS);
  let silence = startSilenceTimer();
  let text = '';
  try {
    return await work({
      signal: AbortSignal.any([signal, ended.signal]),
      onPiece(piece) {
        clearTimeout(silence);
        silence = startSilenceTimer();
        text += piece;
        if (text.length > MAX_CHARACTERS)
          throw new SelfwareError('unavailable', `The answer of ${name} does not end.`, {
            action: 'Use another model.',
          });
        onText(text.length);
      },
      expectSilence: () => clearTimeout(silence),
      get text() {
        return text;
      },
    });
  } catch (error) {
    throwIfCancelled(signal);
    if (timeoutReason !== null)
      throw new SelfwareError('timedOut', timeoutReason, {
        action: 'Raise models.answerSeconds, or use another model.',
      });
    throw error;
  } finally {
    clearTimeout(deadlineTimer);
    clearTimeout(silence);
    ended.abort();
  }
}
