// Chooses the notation in which a question asks for its answer.

import { ATTEMPTS_PER_PROPOSER } from './accounts.ts';

/** `function`: the whole function as code. `blocks`: search/replace blocks. */
export type AnswerFormat = 'json' | 'function' | 'blocks';

/** Proposers whose models are mostly small: these write code better than code in strings of JSON. */
const SMALL_MODELS_PATTERN = /^(?:ollama|gguf):/;

/**
 * The notation for the next attempt. Each approach has another notation: a model may fail because of the notation
 * alone. `rounds`: the number of attempts so far. `isOneFunction`: the task is about a function that the question
 * shows.
 */
export function chooseAnswerFormat(proposer: string, rounds: number, isOneFunction: boolean): AnswerFormat {
  const approach = Math.floor(rounds / ATTEMPTS_PER_PROPOSER);
  if (approach === 1) return 'blocks';
  return approach === 0 && isOneFunction && SMALL_MODELS_PATTERN.test(proposer) ? 'function' : 'json';
}
