// Chooses the notation in which a question asks for its answer.

import { ATTEMPTS_PER_PROPOSER } from './accounts.ts';

/**
 * The notation of an answer. `json`: an object with edits. `function`: the whole function as code. `blocks`:
 * search/replace blocks.
 */
export type AnswerFormat = 'json' | 'function' | 'blocks';

/** Matches proposers whose models are mostly small. Such models write plain code better than code in JSON strings. */
const SMALL_MODELS_PATTERN = /^(?:ollama|gguf):/;

/**
 * Chooses the notation for the next attempt. It changes with each approach, because the notation alone may make a model
 * fail. `rounds`: the number of attempts so far. `isOneFunction`: true if the task is about a function that the
 * question shows as a whole.
 */
export function chooseAnswerFormat(proposer: string, rounds: number, isOneFunction: boolean): AnswerFormat {
  const approach = Math.floor(rounds / ATTEMPTS_PER_PROPOSER);
  if (approach === 1) return 'blocks';
  return approach === 0 && isOneFunction && SMALL_MODELS_PATTERN.test(proposer) ? 'function' : 'json';
}
