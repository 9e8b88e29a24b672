// Chooses the calls that are made again, and their order, so that code that keeps state between calls shows a
// difference.

/** Number of calls that are made again, twice each. */
const MAX_REPEATED = 200;

/** The first of these calls, twice each, in an order that depends only on the seed. */
export function chooseRepeatedCalls<T>(calls: readonly T[], seed: number): readonly T[] {
  const first = calls.slice(0, MAX_REPEATED);
  return shuffle([...first, ...first], seed);
}

/** Shuffles by the algorithm of Fisher and Yates, with a linear congruential generator. */
function shuffle<T>(elements: readonly T[], seed: number): readonly T[] {
  const items = [...elements];
  let state = seed >>> 0;
  for (let last = items.length - 1; last > 0; last -= 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const swapIndex = state % (last + 1);
    [items[last], items[swapIndex]] = [items[swapIndex]!, items[last]!];
  }
  return items;
}
