// Calls the functions in a result, because the values in their closures are part of the behaviour.

import { createDescriber, describeThrown } from '../describe.ts';
import { sources } from '../createValue.ts';
import type { ControlledEnvironment } from '../controlledEnvironment.ts';

/** Lists of arguments. Each returned function is called once with each list. */
const PROBE_ARGUMENTS: readonly (readonly unknown[])[] = [[], [1, 2], ['a', 'b'], [[3, 1, 2]]];
/** Maximum number of functions of one result that are called. */
const MAX_FUNCTIONS = 4;

/** Calls the functions that the result is or directly contains, and adds their results to the call log. */
export async function callReturnedFunctions(returned: unknown, environment: ControlledEnvironment): Promise<void> {
  const functions = collectFunctions(returned).slice(0, MAX_FUNCTIONS);
  for (const [place, fn] of functions) {
    for (const args of PROBE_ARGUMENTS) {
      let text: string;
      try {
        const answer: unknown = Reflect.apply(fn, undefined, structuredClone(args) as unknown[]);
        const settledPromises = await environment.settle([answer]);
        text = createDescriber(settledPromises)(answer, 'it').text;
      } catch (error) {
        text = `throws ${describeThrown(error)}`;
      }
      environment.note(`${place}(${args.map((part) => JSON.stringify(part)).join(', ')}) → ${text}`);
    }
  }
}

/**
 * The functions that the result is or directly contains, each with its place as text. Functions that were created as
 * arguments are skipped.
 */
function collectFunctions(value: unknown): [string, (...all: unknown[]) => unknown][] {
  const isFunctionOfCode = (value: unknown): value is (...all: unknown[]) => unknown =>
    typeof value === 'function' && !sources.has(value);
  if (isFunctionOfCode(value)) return [['the result', value]];
  if (typeof value !== 'object' || value === null || sources.has(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    isFunctionOfCode(member) ? [[`the result's ${key}`, member] as [string, (...all: unknown[]) => unknown]] : [],
  );
}
