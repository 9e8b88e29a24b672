// Measures how likely a model is to give a known answer to a question.

import type { ChatItem, ChatSession, Model, NextTokenOptions, TokenSequence } from './llamaLibrary.ts';
import type { MeasuredAnswer } from './messages.ts';

/** Options for the model's own probabilities, with which sampling excludes no token. */
const NEXT_TOKEN_OPTIONS: NextTokenOptions = {
  probabilities: true,
  options: { temperature: 1, topK: 0, topP: 1, minP: 0 },
};
/**
 * Number of tokens that are evaluated in one call. It is limited because the library creates a map of the whole
 * vocabulary for each.
 */
const TOKENS_PER_CALL = 16;
/** The probability that is assumed if the library rounds one to 0, because the logarithm of 0 is infinite. */
const MIN_PROBABILITY = 1e-12;

/** The tokens of a question, up to where the answer begins. */
export function tokenizeQuestion(session: ChatSession, model: Model, history: readonly ChatItem[]): readonly unknown[] {
  const chatHistory: readonly ChatItem[] = [...history, { type: 'model', response: [] }];
  return session.chatWrapper.generateContextState({ chatHistory }).contextText.tokenize(model.tokenizer);
}

/**
 * Measures how likely the answer is after the question; both are tokens. Afterwards, the sequence contains both. Throws
 * the reason of `signal`.
 */
export async function measureAnswer(
  sequence: TokenSequence,
  question: readonly unknown[],
  answer: readonly unknown[],
  signal: AbortSignal,
): Promise<MeasuredAnswer> {
  await sequence.clearHistory();
  await sequence.controlledEvaluate(question.slice(0, -1).map((token) => [token, {}]));
  // The last token of the question predicts the first token of the answer.
  const precedingTokens = [question.at(-1), ...answer.slice(0, -1)];
  let logProbability = 0;
  for (let startIndex = 0; startIndex < answer.length; startIndex += TOKENS_PER_CALL) {
    signal.throwIfAborted();
    const tokens = precedingTokens.slice(startIndex, startIndex + TOKENS_PER_CALL);
    const results = await sequence.controlledEvaluate(
      tokens.map((token) => [token, { generateNext: NEXT_TOKEN_OPTIONS }]),
    );
    for (const index of tokens.keys()) {
      const probability = results[index]?.next.probabilities?.get(answer[startIndex + index]);
      logProbability += Math.log(Math.max(probability ?? 0, MIN_PROBABILITY));
    }
  }
  return { logProbability, tokens: answer.length };
}
