// Chooses the calls that are made again, and their order. Repetition reveals code that keeps state between calls.

/** Maximum number of calls that are repeated, twice each. */
const MAX_REPEATED_CALLS = 200;

/** The first `MAX_REPEATED_CALLS` of these calls, each of them twice, in an order that depends only on the seed. */
export function chooseRepeatedCalls<T>(calls: readonly T[], seed: number): readonly T[] {
  const firstCalls = calls.slice(0, MAX_REPEATED_CALLS);
  return shuffle([...firstCalls, ...firstCalls], seed);
}

/** The Fisher–Yates shuffle, with a linear congruential generator. */
function shuffle<T>(items: readonly T[], seed: number): readonly T[] {
  const shuffled = [...items];
  let state = seed >>> 0;
  for (let lastIndex = shuffled.length - 1; lastIndex > 0; lastIndex -= 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const swapIndex = state % (lastIndex + 1);
    [shuffled[lastIndex], shuffled[swapIndex]] = [shuffled[swapIndex]!, shuffled[lastIndex]!];
  }
  return shuffled;
}
