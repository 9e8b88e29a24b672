// Limits an answer that arrives in pieces, by a deadline, a maximum silence and a maximum number of tokens.

import { estimateTokens, sizeOf } from '../../util/tokens.ts';
import type { ProposerReply, ProposerRequest } from '../../core/ports/proposers.ts';
import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';

/** Maximum number of milliseconds between two pieces of an answer. */
const MAX_SILENCE_MS = 120_000;
/** Maximum number of seconds before the first piece, if a request names none. */
const DEFAULT_BEGIN_SECONDS = 420;
/** The advice after a silence within an answer, whose limit no setting changes. */
const SILENCE_ACTION = 'Try again, or use a model on this machine or one that sends its thoughts while it has them.';
/** The advice if an answer has not begun in time. */
const BEGIN_ACTION = `Raise models.beginSeconds if the model thinks for that long, or use one that sends its thoughts.`;
/** Maximum number of characters of an answer whose tokens are not limited here. */
const MAX_CHARACTERS = 4_000_000;

/** The limit on the tokens of an answer. */
export interface TokenLimit {
  /**
   * Returns the number of estimated tokens up to which an answer may continue. `maxTokens`: the maximum in its request.
   */
  computeAllowed(maxTokens: number): number;
  /** True if the provider is told the maximum, so that a longer answer is the provider's mistake. */
  readonly tellsProvider: boolean;
}

/**
 * The limit for providers that are told the maximum, and usually keep it. It is generous because estimates are rough,
 * above all for few tokens.
 */
const TOLD_LIMIT: TokenLimit = {
  computeAllowed: (maxTokens) => Math.max(maxTokens * 1.5, maxTokens + 100),
  tellsProvider: true,
};

/** The proposer whose answer is limited. */
export interface AnsweringProposer {
  readonly name: string;
  /**
   * True if the model runs on this machine. Only the deadline limits the time before its first piece, because it may
   * take minutes to load the model and to read the question.
   */
  readonly isLocal: boolean;
}

/** The object through which the work reports its progress, and learns when it must end. */
export interface AnswerWatch {
  readonly signal: AbortSignal;
  /**
   * Adds a piece; an empty one changes nothing. If the answer is then longer than its limit, `signal` is aborted.
   * Throws `unavailable` if it has more than `MAX_CHARACTERS`.
   */
  onPiece(piece: string): void;
  /** Counts a piece that is not part of the text, such as a thought, towards the limits. */
  onHiddenPiece(piece: string): void;
  /** Until the next piece or `expectAnswer`, only the deadline limits the silence. */
  expectSilence(): void;
  /** Limits the silence again, from now on. */
  expectAnswer(): void;
  /** The text so far. */
  readonly text: string;
  /** True if a part of the answer has arrived, including hidden ones. */
  readonly hasBegun: boolean;
  /** The model that answers; null while it is unknown. */
  model: string | null;
}

/**
 * Runs `work`, which must end when the signal of its `watch` is aborted. `onText` receives the number of characters so
 * far. An answer that is longer than `limit` allows is ended: its reply is not finished, and its usage is estimated
 * from the part that has arrived. Throws `cancelled`, `timedOut` after the deadline or a silence, and the errors of
 * `work`.
 */
export async function watchAnswer(
  { name, isLocal }: AnsweringProposer,
  request: Pick<ProposerRequest, 'messages' | 'maxTokens' | 'deadline' | 'deadlineBudget' | 'beginSeconds'>,
  signal: AbortSignal,
  onText: (characters: number) => void,
  work: (watch: AnswerWatch) => Promise<ProposerReply>,
  limit = TOLD_LIMIT,
): Promise<ProposerReply> {
  const { beginSeconds = DEFAULT_BEGIN_SECONDS, deadlineBudget } = request;
  const endController = new AbortController();
  let timeout = null as { readonly reason: string; readonly action: string; readonly isOverBudget: boolean } | null;
  const endAnswer = (reason: string, action: string, isOverBudget = false) => {
    timeout = { reason, action, isOverBudget };
    endController.abort();
  };
  const remainingMs = Math.max(0, request.deadline - Date.now());
  const deadlineTimer = setTimeout(
    () =>
      endAnswer(
        `${name} did not answer in time.`,
        `Raise ${deadlineBudget ?? 'models.answerSeconds'}, or use another model.`,
        deadlineBudget !== undefined,
      ),
    remainingMs,
  );
  let silenceTimer: NodeJS.Timeout | undefined;
  const restartSilence = () => {
    clearTimeout(silenceTimer);
    if (watch.hasBegun)
      silenceTimer = setTimeout(
        () => endAnswer(`${name} has been silent for ${MAX_SILENCE_MS / 1000} s.`, SILENCE_ACTION),
        MAX_SILENCE_MS,
      );
    else if (!isLocal)
      silenceTimer = setTimeout(
        () => endAnswer(`${name} has not begun to answer for ${beginSeconds} s.`, BEGIN_ACTION),
        beginSeconds * 1000,
      );
  };
  let [text, hiddenText] = ['', ''];
  // Adds up the sizes, because a long answer arrives in thousands of pieces.
  let [textSize, hiddenSize] = [0, 0];
  const countAnswerTokens = () => estimateTokens(textSize) + estimateTokens(hiddenSize);
  const isTooLong = () => countAnswerTokens() > limit.computeAllowed(request.maxTokens);
  const checkGrowth = () => {
    restartSilence();
    if (text.length + hiddenText.length > MAX_CHARACTERS)
      throw new SelfwareError('unavailable', `The answer of ${name} does not end.`, {
        action: 'Use another model.',
      });
    onText(text.length);
    if (isTooLong()) endController.abort();
  };
  const watch: AnswerWatch = {
    signal: AbortSignal.any([signal, endController.signal]),
    onPiece(piece) {
      // A client may still deliver pieces of a cancelled answer.
      if (signal.aborted || piece === '') return;
      text += piece;
      textSize += sizeOf(piece);
      checkGrowth();
    },
    onHiddenPiece(piece) {
      if (signal.aborted || piece === '') return;
      hiddenText += piece;
      hiddenSize += sizeOf(piece);
      checkGrowth();
    },
    expectSilence: () => clearTimeout(silenceTimer),
    expectAnswer: restartSilence,
    get text() {
      return text;
    },
    get hasBegun() {
      return text !== '' || hiddenText !== '';
    },
    model: null,
  };
  restartSilence();
  const createCutReply = (): ProposerReply => {
    const refused =
      `The reply was cut off, so nothing of it is used: ${name} does not keep the limit of ` +
      `${request.maxTokens} tokens; some ${countAnswerTokens()} had come.`;
    const usage = { input: estimateInput(request.messages), output: countAnswerTokens(), cached: 0, estimated: true };
    return { text, finished: false, model: watch.model, usage, ...(limit.tellsProvider ? { refused } : {}) };
  };
  try {
    const reply = await work(watch);
    return isTooLong() ? createCutReply() : reply;
  } catch (error) {
    throwIfCancelled(signal);
    if (isTooLong()) return createCutReply();
    if (timeout !== null)
      throw new SelfwareError('timedOut', timeout.reason, {
        action: timeout.action,
        // An answer that has begun is too slow, and would be so again. Without remaining time, no answer would begin.
        retry: watch.hasBegun || timeout.isOverBudget ? null : { afterMs: null, isCharged: true },
        // Hosted models also charge for their thoughts.
        ...(timeout.isOverBudget ? { usage: createMaxUsage(request) } : {}),
      });
    throw error;
  } finally {
    clearTimeout(deadlineTimer);
    clearTimeout(silenceTimer);
    endController.abort();
  }
}

/**
 * The usage that is counted for a question whose answer is unknown: the estimated tokens of the question, and the
 * maximum of the answer.
 */
function createMaxUsage({ messages, maxTokens }: Pick<ProposerRequest, 'messages' | 'maxTokens'>) {
  return { input: estimateInput(messages), output: maxTokens, cached: 0, estimated: true };
}

/** The estimated tokens of a question. */
export function estimateInput(messages: ProposerRequest['messages']): number {
  return messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
}
