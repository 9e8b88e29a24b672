// Random numbers from a seed, the same in every run.

export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** Exponentially distributed with this mean. */
  wait(mean: number): number;
  between(least: number, most: number): number;
}

export function createRandom(seed: number): Random {
  let state = Math.imul(seed, 2_654_435_761) >>> 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
  return {
    next,
    wait: (mean) => -Math.log(1 - next()) * mean,
    between: (least, most) => least + next() * (most - least),
  };
}
