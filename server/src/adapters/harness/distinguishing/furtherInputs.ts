// Makes further inputs for the mutants that no call has distinguished so far. They are inputs that reach such a mutant,
// changed with values of the tests or of the code around the mutant.

import fc from 'fast-check';
import type { ExampleValue } from '../../../core/verify/counterexamples/plan.ts';
import type { Near } from '../../../core/verify/guard/distinguishingCalls.ts';
import type { ValueSpec } from '../messages.ts';
import { createChanges, DRAWS_PER_INPUT, createDraw, type Draw, type VariationValues } from './varyExamples.ts';

type Input = readonly ValueSpec[];

/** Maximum number of inputs that are kept for one mutant, the shortest ones. */
const MAX_KEPT = 12;
/** Maximum number of changes of one input. */
const MAX_CHANGES = 2;

/** The inputs of one function that reach mutants, and those that are derived from them. */
export interface FurtherInputs {
  /** Remembers that this input reaches these mutants. */
  noteReached(mutants: readonly number[], input: Input): void;
  /**
   * Makes at most `count` inputs, in turn for each mutant that an input has reached and that is open. Ends early if
   * there is none. The inputs depend only on the seed and on the inputs so far. `isOpen`: true if no call distinguishes
   * the mutant.
   */
  makeInputs(count: number, isOpen: (mutant: number) => boolean): Generator<Input>;
}

/** Creates the maker of further inputs. `nearValues`: the values in the code around each mutant, by mutant. */
export function createFurtherInputs(
  examples: readonly (readonly ExampleValue[])[],
  { fixed: keepsLength, ...rest }: VariationValues,
  nearValues: Readonly<Record<number, Near>>,
  seed: number,
): FurtherInputs {
  // Without examples, nothing shows which arguments may be added or omitted.
  const variationValues = { ...rest, fixed: keepsLength || examples.length === 0 };
  const inputsByMutant = new Map<number, { readonly input: Input; readonly length: number }[]>();
  const changeGenerally = createChanges(examples, variationValues);
  const changesByMutant = new Map<number, ReturnType<typeof createChanges>>();
  const provideChanges = (mutant: number) => {
    const { strings = [], numbers = [], keys = [] } = nearValues[mutant] ?? {};
    const matchingKeys = keys.filter((key) => variationValues.keys.includes(key));
    const changes =
      changesByMutant.get(mutant) ??
      createChanges(examples, { ...variationValues, numbers, keys: matchingKeys }, strings);
    changesByMutant.set(mutant, changes);
    return changes;
  };

  return {
    noteReached(mutants, input) {
      const length = JSON.stringify(input, (_, value: unknown) =>
        typeof value === 'bigint' ? `${value}` : value,
      ).length;
      for (const mutant of mutants) {
        const inputsOfMutant = inputsByMutant.get(mutant) ?? [];
        inputsByMutant.set(mutant, inputsOfMutant);
        if (inputsOfMutant.length >= MAX_KEPT && length >= inputsOfMutant.at(-1)!.length) continue;
        inputsOfMutant.push({ input, length });
        inputsOfMutant.sort((a, b) => a.length - b.length).splice(MAX_KEPT);
      }
    },
    *makeInputs(count, isOpen) {
      const drawnNumbers = fc.sample(fc.array(fc.nat(), { minLength: DRAWS_PER_INPUT, maxLength: DRAWS_PER_INPUT }), {
        seed,
        numRuns: count,
      });
      let turn = 0;
      while (turn < count) {
        const openMutants = [...inputsByMutant.keys()].filter(isOpen);
        if (openMutants.length === 0) return;
        for (const mutant of openMutants) {
          if (turn >= count) return;
          if (!isOpen(mutant)) continue;
          const draw = createDraw(drawnNumbers[turn]!);
          turn += 1;
          const inputsOfMutant = inputsByMutant.get(mutant)!;
          yield changeInput(
            inputsOfMutant[draw(inputsOfMutant.length)]!.input,
            draw,
            draw(3) === 0 ? changeGenerally : provideChanges(mutant),
          );
        }
      }
    },
  };
}

function changeInput(input: Input, draw: Draw, change: (input: Input, draw: Draw) => Input): Input {
  const changes = 1 + draw(MAX_CHANGES);
  return Array.from({ length: changes }).reduce<Input>((before) => change(before, draw), input);
}
