// Makes further inputs for the mutants that no call has distinguished so far. They are inputs that reach such a mutant,
// changed with values of the tests or of the code around the mutant.

import fc from 'fast-check';
import type { ExampleValue } from '../../../core/verify/counterexamples/plan.ts';
import type { Near } from '../../../core/verify/guard/distinguishingCalls.ts';
import type { ValueSpec } from '../messages.ts';
import { createChanges, DRAWS_PER_INPUT, createDraw, type Draw, type Ground } from './varyExamples.ts';

type Input = readonly ValueSpec[];

/** Maximum number of inputs that are kept for one mutant, the shortest ones. */
const MAX_KEPT = 12;
/** Maximum number of changes of one input. */
const MAX_CHANGES = 2;

/** The inputs of one function that reach mutants, and those that are derived from them. */
export interface FurtherInputs {
  /** Remembers that this input reaches these mutants. */
  reaching(mutants: readonly number[], input: Input): void;
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
  { fixed, ...rest }: Ground,
  nearValues: Readonly<Record<number, Near>>,
  seed: number,
): FurtherInputs {
  // Without examples, nothing shows which arguments may be added or omitted.
  const ground = { ...rest, fixed: fixed || examples.length === 0 };
  const keptInputs = new Map<number, { readonly input: Input; readonly length: number }[]>();
  const general = createChanges(examples, ground);
  const special = new Map<number, ReturnType<typeof createChanges>>();
  const specialFor = (mutant: number) => {
    const { strings = [], numbers = [], keys = [] } = nearValues[mutant] ?? {};
    const matchingKeys = keys.filter((key) => ground.keys.includes(key));
    const changes = special.get(mutant) ?? createChanges(examples, { ...ground, numbers, keys: matchingKeys }, strings);
    special.set(mutant, changes);
    return changes;
  };

  return {
    reaching(mutants, input) {
      const length = JSON.stringify(input, (_, value: unknown) =>
        typeof value === 'bigint' ? `${value}` : value,
      ).length;
      for (const mutant of mutants) {
        const keptOfMutant = keptInputs.get(mutant) ?? [];
        keptInputs.set(mutant, keptOfMutant);
        if (keptOfMutant.length >= MAX_KEPT && length >= keptOfMutant.at(-1)!.length) continue;
        keptOfMutant.push({ input, length });
        keptOfMutant.sort((a, b) => a.length - b.length).splice(MAX_KEPT);
      }
    },
    *makeInputs(count, isOpen) {
      const numbers = fc.sample(fc.array(fc.nat(), { minLength: DRAWS_PER_INPUT, maxLength: DRAWS_PER_INPUT }), {
        seed,
        numRuns: count,
      });
      let turn = 0;
      while (turn < count) {
        const open = [...keptInputs.keys()].filter(isOpen);
        if (open.length === 0) return;
        for (const mutant of open) {
          if (turn >= count) return;
          if (!isOpen(mutant)) continue;
          const draw = createDraw(numbers[turn]!);
          turn += 1;
          const keptOfMutant = keptInputs.get(mutant)!;
          yield changeInput(
            keptOfMutant[draw(keptOfMutant.length)]!.input,
            draw,
            draw(3) === 0 ? general : specialFor(mutant),
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
