// Makes inputs of several steps out of what tests do with an object: shorter ones, other orders, other arguments.

import fc from 'fast-check';
import type { Example, Sequence, Subject } from '../../../core/verify/counterexamples/plan.ts';
import type { DistinguishingCall } from '../../../core/verify/guard/distinguishingCalls.ts';
import type { ValueSpec } from '../messages.ts';
import { createChanges, drawFrom, DRAWS, type Draw, type Ground } from './variedExamples.ts';

/** Maximum number of steps in a test, the last one included, and of characters of a step. */
const [MAX_STEPS, MAX_STEP_LENGTH] = [6, 80];
/** Maximum number of inputs that are what tests do, from the start to some step. */
const MAX_OF_TESTS = 240;
/** Cost for a reader of each step that no test makes, and of each argument that no test passes there. */
const [STRANGE_STEP, STRANGE_ARGUMENT] = [10, 30];

type Input = readonly ValueSpec[];
type Steps = Sequence['steps'];

/**
 * What the tests do with one object, up to each of its steps, without earlier steps that only read a property; at most
 * `MAX_OF_TESTS`, the shortest first.
 */
export function testsSteps({ used, sequences = [] }: Subject): readonly Input[] {
  const inputs = sequences.flatMap(({ making, steps }) =>
    steps.map((_step, at) => inputOf(making, withoutReads(steps.slice(0, at), used).concat(steps[at]!))),
  );
  const unique = [...new Map(inputs.map((input) => [JSON.stringify(input), input])).values()];
  return unique.toSorted((one, other) => one.length - other.length).slice(0, MAX_OF_TESTS);
}

/**
 * The inputs of `testsSteps`, then `count` inputs that are made from them; the same for the same `seed`. None if the
 * tests have none.
 */
export function stepInputs(
  subject: Subject,
  constants: Pick<Ground, 'strings' | 'numbers'>,
  seed: number,
  count: number,
): readonly Input[] {
  const { used, sequences = [] } = subject;
  const own = testsSteps(subject);
  if (own.length === 0) return [];
  const all = sequences.flatMap(({ steps }) => steps);
  const examples = all.map(({ given }) => given);
  const ground = { ...constants, keys: [], signed: false, fixed: false };
  // No argument is added or left out.
  const changed = createChanges(examples, { ...ground, fixed: true });
  const draws = fc.sample(fc.array(fc.nat(), { minLength: DRAWS, maxLength: DRAWS }), { seed, numRuns: count });
  const varied = draws.map((numbers, turn): Input => {
    const draw = drawFrom(numbers);
    const { making, steps } = sequences[turn % sequences.length]!;
    let chosen = someSteps(steps, draw, used);
    const changes = draw(4);
    for (let at = 0; at < changes; at += 1) chosen = changedSteps(chosen, draw, all, changed);
    return inputOf(making, chosen);
  });
  return [...own, ...varied];
}

/** One of the steps, after a few of those before it. */
function someSteps(steps: Steps, draw: Draw, used: Subject['used']): Steps {
  const last = draw(steps.length);
  let before = withoutReads(steps.slice(0, last), used);
  const wanted = draw(MAX_STEPS);
  while (before.length > wanted) before = before.toSpliced(draw(before.length), 1);
  return [...before, steps[last]!];
}

function changedSteps(
  steps: Steps,
  draw: Draw,
  all: Steps,
  changed: (given: readonly Example[], draw: Draw) => readonly ValueSpec[],
): Steps {
  const at = draw(steps.length);
  const step = steps[at]!;
  switch (draw(7)) {
    case 0:
      return steps.length > 1 ? steps.toSpliced(at, 1) : steps;
    case 1:
      return steps.toSpliced(at, 0, all[draw(all.length)]!);
    case 2:
      // The last step is the one whose result is seen.
      return [...steps, all[draw(all.length)]!];
    case 3: {
      const other = all[draw(all.length)]!;
      const given = other.given.map((own, place) => (place < step.given.length ? step.given[place]! : own));
      return [...steps, { ...other, given }];
    }
    case 4: {
      const others = all.filter(({ use }) => use === step.use);
      return steps.with(at, others[draw(others.length)]!);
    }
    default:
      return steps.with(at, { ...step, given: changed(step.given, draw) as readonly Example[] });
  }
}

/** The steps without those that only read a property. */
function withoutReads(steps: Steps, used: Subject['used']): Steps {
  return steps.filter(({ use }) => used?.uses[use]?.kind !== 'get');
}

function inputOf(making: readonly Example[], steps: Steps): Input {
  return [
    { $: 'array', of: making },
    ...steps.map(({ use, given }): ValueSpec => ({ $: 'array', of: [use, ...given] })),
  ];
}

/** The cost for a reader of the steps that no test makes; arguments that no test passes at their place cost most. */
export function strangeSteps({ sequences = [] }: Subject, input: Input): number {
  const steps = sequences.flatMap(({ making, steps: own }) => inputOf(making, own));
  const known = new Set(steps.map((step) => JSON.stringify(step)));
  const passed = new Set(sequences.flatMap(({ making, steps: own }) => inputOf(making, own).flatMap(placedArguments)));
  return input
    .map((one, at) => ({ one, at }))
    .filter(({ one }) => !known.has(JSON.stringify(one)))
    .reduce((sum, { one, at }) => {
      const strange = placedArguments(one, at).filter((argument) => !passed.has(argument));
      return sum + STRANGE_STEP + STRANGE_ARGUMENT * strange.length;
    }, 0);
}

/** Each argument of a step with its place: its use (`making` for the first list of an input) and its position. */
function placedArguments(step: ValueSpec, at: number): readonly string[] {
  const parts = typeof step === 'object' && step?.$ === 'array' ? step.of : [];
  const [use, args] = at === 0 ? ['making', parts] : [parts[0], parts.slice(1)];
  return args.map((argument, place) => JSON.stringify([use, place, argument]));
}

/** The input without the steps that it does not need. `shows`: true if an input still shows what it should. */
export async function fewerSteps(
  input: Input,
  shows: (input: Input) => Promise<boolean>,
  maxTries: number,
): Promise<Input> {
  let best = input;
  let tries = 0;
  for (
    let size = Math.max(1, Math.floor((input.length - 2) / 2));
    size >= 1 && tries < maxTries;
    size = Math.floor(size / 2)
  )
    // The maker is the first one, and the last step is the call.
    for (let at = 1; at < best.length - 1 && tries < maxTries; ) {
      const next = best.toSpliced(at, Math.min(size, best.length - 1 - at));
      tries += 1;
      if (await shows(next)) best = next;
      else at += size;
    }
  return best;
}

/** True if a test can hold the steps of the call, before which the object is made. */
export function isShortEnough({ steps }: Pick<DistinguishingCall, 'steps'>): boolean {
  if (steps === undefined) return true;
  const lengthOf = ({ before, imported, after }: (typeof steps)[number]) =>
    before.length + (imported?.name.length ?? 0) + after.length;
  return steps.length <= MAX_STEPS + 1 && steps.every((step) => lengthOf(step) <= MAX_STEP_LENGTH);
}
