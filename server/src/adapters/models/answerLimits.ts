// Limits an answer that arrives in pieces: a deadline, a longest silence, and a size.

import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';

/** Maximum number of milliseconds before the first piece, and between two pieces. */
const MAX_SILENCE_MS = 120_000;
/** Maximum number of characters of an answer: more than any limit of tokens allows. */
const MAX_CHARACTERS = 4_000_000;

/** Through this, the work reports its progress, and learns when it must end. */
export interface AnswerWatch {
  readonly signal: AbortSignal;
  /** Adds a piece. Throws `unavailable` if the answer is endless. */
  onPiece(piece: string): void;
  /** Until the next piece or `expectAnswer`, only the deadline limits the silence. */
  expectSilence(): void;
  /** Limits the silence again, from now on. */
  expectAnswer(): void;
  readonly text: string;
}

/**
 * Runs `work`, which must end when the signal of its `watch` is aborted. `deadline`: milliseconds since 1970.
 * `onText` receives the number of characters so far. Throws `cancelled`, `timedOut` after the deadline or a silence,
 * and the errors of `work`.
 */
export async function watchAnswer<T>(
  name: string,
  deadline: number,
  signal: AbortSignal,
  onText: (characters: number) => void,
  work: (watch: AnswerWatch) => Promise<T>,
): Promise<T> {
  const endController = new AbortController();
  let timeoutReason: string | null = null;
  const end = (reason: string) => {
    timeoutReason = reason;
    endController.abort();
  };
  const remainingMs = Math.max(0, deadline - Date.now());
  const deadlineTimer = setTimeout(() => end(`${name} did not answer in time.`), remainingMs);
  const startSilenceTimer = () =>
    setTimeout(() => end(`${name} has been silent for ${MAX_SILENCE_MS / 1000} s.`), MAX_SILENCE_MS);
  let silence = startSilenceTimer();
  const restartSilence = () => {
    clearTimeout(silence);
    silence = startSilenceTimer();
  };
  let text = '';
  try {
    return await work({
      signal: AbortSignal.any([signal, endController.signal]),
      onPiece(piece) {
        restartSilence();
        text += piece;
        if (text.length > MAX_CHARACTERS)
          throw new SelfwareError('unavailable', `The answer of ${name} does not end.`, {
            action: 'Use another model.',
          });
        onText(text.length);
      },
      expectSilence: () => clearTimeout(silence),
      expectAnswer: restartSilence,
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
    endController.abort();
  }
}
