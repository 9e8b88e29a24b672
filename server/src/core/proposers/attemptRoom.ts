// How much of a question its earlier attempts may fill before the question shows fewer files.

/** The part of the budget by which the room grows. */
const STEP_SHARE = 0.1;

/**
 * The tokens that are set aside for attempts of this size, out of `budget`. They grow in large steps, and the first step
 * is free for every task: so the repairs of a task show the same files as its first question, and a provider finds the
 * beginning of the question in its cache.
 */
export function reserveForAttempts(tokens: number, budget: number): number {
  const step = Math.max(1, Math.floor(budget * STEP_SHARE));
  return Math.max(1, Math.ceil(tokens / step)) * step;
}
