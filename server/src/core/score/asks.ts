// Gains that no ruler can judge, because the code may only look better. A person judges them.

/** Sums of both trees, the second as the comparison counts it. `decisions`: branches and loops that are gone. */
export interface Compared {
  readonly was: ReadonlyMap<string, number>;
  readonly is: ReadonlyMap<string, number>;
  readonly decisions: number;
  /** Measures that decisions cost. */
  readonly decided: readonly string[];
}

/** Sentences, none when all of the gain can be judged. */
export function asksOf({ was, is, decisions, decided }: Compared): readonly string[] {
  const rise = (measure: string): number => (is.get(measure) ?? 0) - (was.get(measure) ?? 0);
  const fall = (measure: string): number => -rise(measure);
  const flatter = decided.some((measure) => fall(measure) > 0);
  const asks: string[] = [];
  if (rise('api.documented') > 0) {
    asks.push('There is more documentation; whether it is true and of use is not measured.');
  }
  if (fall('script.nonNull') > Math.max(0, rise('script.guards'))) {
    asks.push('A non-null mark went, and no check that leaves came in its place.');
  }
  if (fall('script.swallowedError') > Math.max(0, rise('script.told'))) {
    asks.push('An error counts as swallowed no more, but it is neither thrown nor given to a method.');
  }
  if (fall('script.floatingPromise') > 0) {
    asks.push('A promise counts as waited for; whether its failure reaches anybody is not measured.');
  }
  if (flatter && decisions > 0) {
    asks.push('Branches went, and complexity with them; whether the rest decides the same is not measured.');
  }
  if (flatter && fall('script.loops') > 0) {
    asks.push('A loop went, and nesting with it; whether what is in its place is simpler is not measured.');
  }
  return asks;
}
