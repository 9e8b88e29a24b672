// Finds gains in points that only a person can judge, because the code may only look better.

/**
 * The sums of the measures of both trees, by measure. `sumsAfter`: the sums as `comparePoints` counts them.
 * `decisions`: number of removed branches and loops.
 */
export interface ComparedSums {
  readonly sumsBefore: ReadonlyMap<string, number>;
  readonly sumsAfter: ReadonlyMap<string, number>;
  readonly decisions: number;
  /** Measures that decisions raise. */
  readonly decided: readonly string[];
}

/** Sentences for a person; empty if the complete gain can be judged automatically. */
export function findQuestionsForPerson({ sumsBefore, sumsAfter, decisions, decided }: ComparedSums): readonly string[] {
  // A measure without an entry was not found in the tree, so it counts as 0.
  const increaseIn = (measure: string): number => (sumsAfter.get(measure) ?? 0) - (sumsBefore.get(measure) ?? 0);
  const decreaseIn = (measure: string): number => -increaseIn(measure);
  const isSimpler = decided.some((measure) => decreaseIn(measure) > 0);
  const sentences: string[] = [];
  if (increaseIn('api.documented') > 0) {
    sentences.push('There is more documentation; whether it is true and useful is not measured.');
  }
  if (decreaseIn('script.nonNull') > Math.max(0, increaseIn('script.guards'))) {
    sentences.push('A non-null mark was removed, and no check that exits replaces it.');
  }
  if (decreaseIn('script.swallowedError') > Math.max(0, increaseIn('script.told'))) {
    sentences.push('An error no longer counts as swallowed, but it is neither thrown nor passed to a method.');
  }
  if (decreaseIn('script.floatingPromise') > 0) {
    sentences.push('A promise now counts as awaited; whether anybody learns of its failure is not measured.');
  }
  if (isSimpler && decisions > 0) {
    sentences.push(
      'Branches were removed, and complexity with them; whether the rest decides the same is not measured.',
    );
  }
  if (isSimpler && decreaseIn('script.loops') > 0) {
    sentences.push('A loop was removed, and nesting with it; whether its replacement is simpler is not measured.');
  }
  return sentences;
}
