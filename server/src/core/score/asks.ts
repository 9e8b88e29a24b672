// Finds gains that no ruler can judge, because the code may only look better. A person judges them.

/**
 * Sums of both trees; those of the second as the comparison counts them. `decisions`: number of removed branches and
 * loops.
 */
export interface Compared {
  readonly sumsBefore: ReadonlyMap<string, number>;
  readonly sumsAfter: ReadonlyMap<string, number>;
  readonly decisions: number;
  /** Measures that are raised by decisions. */
  readonly decided: readonly string[];
}

/** Sentences for a person; none if the whole gain can be judged automatically. */
export function asksOf({ sumsBefore, sumsAfter, decisions, decided }: Compared): readonly string[] {
  const increase = (measure: string): number => (sumsAfter.get(measure) ?? 0) - (sumsBefore.get(measure) ?? 0);
  const decrease = (measure: string): number => -increase(measure);
  const isSimpler = decided.some((measure) => decrease(measure) > 0);
  const asks: string[] = [];
  if (increase('api.documented') > 0) {
    asks.push('There is more documentation; whether it is true and useful is not measured.');
  }
  if (decrease('script.nonNull') > Math.max(0, increase('script.guards'))) {
    asks.push('A non-null mark was removed, and no check that exits replaces it.');
  }
  if (decrease('script.swallowedError') > Math.max(0, increase('script.told'))) {
    asks.push('An error no longer counts as swallowed, but it is neither thrown nor passed to a method.');
  }
  if (decrease('script.floatingPromise') > 0) {
    asks.push('A promise now counts as awaited; whether anybody learns of its failure is not measured.');
  }
  if (isSimpler && decisions > 0) {
    asks.push('Branches were removed, and complexity with them; whether the rest decides the same is not measured.');
  }
  if (isSimpler && decrease('script.loops') > 0) {
    asks.push('A loop was removed, and nesting with it; whether its replacement is simpler is not measured.');
  }
  return asks;
}
