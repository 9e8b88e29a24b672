// Makes inputs of several steps from the steps that tests perform on an object: shorter sequences, other orders, other
// arguments. Also rates and shortens such inputs.

import fc from 'fast-check';
import type { ExampleValue, CallSequence, Subject } from '../../../core/verify/counterexamples/plan.ts';
import type { DistinguishingCall } from '../../../core/verify/guard/distinguishingCalls.ts';
import type { ValueSpec } from '../messages.ts';
import { createChanges, createDraw, DRAWS_PER_INPUT, type Draw, type VariationValues } from './varyExamples.ts';

/**
 * `MAX_STEPS`: the maximum number of steps in a test, the last one included. `MAX_STEP_LENGTH`: the maximum number of
 * characters of a step.
 */
const [MAX_STEPS, MAX_STEP_LENGTH] = [6, 80];
/** Maximum number of inputs that consist of the first steps of a test. */
const MAX_OF_TESTS = 240;
/**
 * `STRANGE_STEP_COST`: the cost for a reader of a step that no test makes. `STRANGE_ARGUMENT_COST`: the cost of each argument of
 * such a step that no test passes there.
 */
const [STRANGE_STEP_COST, STRANGE_ARGUMENT_COST] = [10, 30];

type Input = readonly ValueSpec[];
type Steps = CallSequence['steps'];

/**
 * For each step of a test: an input that ends with this step, after the earlier ones without those that only read a
 * property, and inputs that end with a check of the calls of a recorder. At most `MAX_OF_TESTS`, the shortest first.
 */
export function collectTestSteps({ used, sequences = [] }: Subject): readonly Input[] {
  const inputs = sequences.flatMap(({ making, steps }) =>
    steps.flatMap((step, index) => {
      const earlierSteps = removeReads(steps.slice(0, index), used);
      // A step that only reads calls no recorder.
      const stepsWithEffects = used?.uses[step.use]?.kind === 'get' ? earlierSteps : [...earlierSteps, step];
      return [
        createInput(making, [...earlierSteps, step]),
        ...listRecorders(making, stepsWithEffects).map((id) =>
          createInput(making, appendCalls(stepsWithEffects, id, used)),
        ),
      ];
    }),
  );
  const uniqueInputs = [...new Map(inputs.map((input) => [JSON.stringify(input), input])).values()];
  return uniqueInputs.toSorted((a, b) => a.length - b.length).slice(0, MAX_OF_TESTS);
}

/**
 * The inputs of `collectTestSteps`, then `count` inputs that are made from them and depend on `seed`. None if the tests
 * have no steps.
 */
export function createStepInputs(
  subject: Subject,
  constants: Pick<VariationValues, 'strings' | 'numbers'>,
  seed: number,
  count: number,
): readonly Input[] {
  const { used, sequences = [] } = subject;
  const stepsOfTests = collectTestSteps(subject);
  if (stepsOfTests.length === 0) return [];
  const allSteps = sequences.flatMap(({ steps }) => steps);
  const examples = allSteps.map(({ given }) => given);
  const ground = { ...constants, keys: [], isSigned: false, fixed: false };
  // No argument is added or removed.
  const changeArguments = createChanges(examples, { ...ground, fixed: true });
  const draws = fc.sample(fc.array(fc.nat(), { minLength: DRAWS_PER_INPUT, maxLength: DRAWS_PER_INPUT }), {
    seed,
    numRuns: count,
  });
  const variedInputs = draws.map((numbers, turn): Input => {
    const draw = createDraw(numbers);
    const { making: makerArguments, steps } = sequences[turn % sequences.length]!;
    let chosenSteps = chooseSteps(steps, draw, used);
    const changes = draw(4);
    for (let index = 0; index < changes; index += 1)
      chosenSteps = changeSteps(chosenSteps, draw, allSteps, changeArguments);
    const recorders = listRecorders(makerArguments, chosenSteps);
    if (recorders.length === 0 || draw(3) === 0) return createInput(makerArguments, chosenSteps);
    return createInput(
      makerArguments,
      appendCalls(removeReads(chosenSteps, used), recorders[draw(recorders.length)]!, used),
    );
  });
  return [...stepsOfTests, ...variedInputs];
}

/** Chooses one of the steps, and a few of those before it. */
function chooseSteps(steps: Steps, draw: Draw, used: Subject['used']): Steps {
  const lastIndex = draw(steps.length);
  let earlierSteps = removeReads(steps.slice(0, lastIndex), used);
  const wantedCount = draw(MAX_STEPS);
  while (earlierSteps.length > wantedCount) earlierSteps = earlierSteps.toSpliced(draw(earlierSteps.length), 1);
  return [...earlierSteps, steps[lastIndex]!];
}

function changeSteps(
  steps: Steps,
  draw: Draw,
  allSteps: Steps,
  changeArguments: (args: readonly ExampleValue[], draw: Draw) => readonly ValueSpec[],
): Steps {
  const index = draw(steps.length);
  const step = steps[index]!;
  switch (draw(7)) {
    case 0:
      return steps.length > 1 ? steps.toSpliced(index, 1) : steps;
    case 1:
      return steps.toSpliced(index, 0, allSteps[draw(allSteps.length)]!);
    case 2:
      // Adds a last step, whose result is compared.
      return [...steps, allSteps[draw(allSteps.length)]!];
    case 3: {
      const otherStep = allSteps[draw(allSteps.length)]!;
      const args = otherStep.given.map((argument, position) =>
        position < step.given.length ? step.given[position]! : argument,
      );
      return [...steps, { ...otherStep, given: args }];
    }
    case 4: {
      const stepsOfUse = allSteps.filter(({ use }) => use === step.use);
      return steps.with(index, stepsOfUse[draw(stepsOfUse.length)]!);
    }
    default:
      return steps.with(index, { ...step, given: changeArguments(step.given, draw) as readonly ExampleValue[] });
  }
}

/** The steps without those that only read a property. */
function removeReads(steps: Steps, used: Subject['used']): Steps {
  return steps.filter(({ use }) => used?.uses[use]?.kind !== 'get');
}

/** The numbers of the recorders that are arguments of the maker or of the steps. */
function listRecorders(making: readonly ExampleValue[], steps: Steps): readonly number[] {
  const recorderIds = new Set<number>();
  const visit = (value: ExampleValue): void => {
    if (typeof value !== 'object' || value === null) return;
    if (value.$ === 'recorder') recorderIds.add(value.id);
    if (value.$ === 'array') value.of.forEach(visit);
    if (value.$ === 'record') value.fields.forEach(([, part]) => visit(part));
  };
  [making, ...steps.map(({ given }) => given)].flat().forEach(visit);
  return [...recorderIds];
}

/** The steps, and a last one that looks at the calls of this recorder. */
function appendCalls(steps: Steps, id: number, used: Subject['used']): Steps {
  return [...steps, { use: used!.uses.findIndex(({ kind }) => kind === 'calls'), given: [id] }];
}

function createInput(makerArguments: readonly ExampleValue[], steps: Steps): Input {
  return [
    { $: 'array', of: makerArguments },
    ...steps.map(({ use, given }): ValueSpec => ({ $: 'array', of: [use, ...given] })),
  ];
}

/**
 * The cost for a reader of the steps that no test makes. The arguments of such steps that no test passes at their place
 * cost most.
 */
export function computeStepCost({ used, sequences = [] }: Subject, input: Input): number {
  const steps = sequences.flatMap(({ making, steps: sequenceSteps }) => createInput(making, sequenceSteps));
  const knownSteps = new Set(steps.map((step) => JSON.stringify(step)));
  const passedArguments = new Set(
    sequences.flatMap(({ making, steps: sequenceSteps }) =>
      createInput(making, sequenceSteps).flatMap(listArgumentsWithPosition),
    ),
  );
  return input
    .map((step, position) => ({ step, position }))
    .filter(
      ({ step, position }) =>
        !knownSteps.has(JSON.stringify(step)) && !(position > 0 && checksRecordedCalls(used, step)),
    )
    .reduce((sum, { step, position }) => {
      const strangeArguments = listArgumentsWithPosition(step, position).filter(
        (argument) => !passedArguments.has(argument),
      );
      return sum + STRANGE_STEP_COST + STRANGE_ARGUMENT_COST * strangeArguments.length;
    }, 0);
}

/** True for a step that looks at the calls of a recorder. */
export function checksRecordedCalls(used: Subject['used'], step: ValueSpec): boolean {
  if (typeof step !== 'object' || step?.$ !== 'array') return false;
  return used?.uses[step.of[0] as number]?.kind === 'calls';
}

/** Each argument of a step with its place: its use (`making` for the first list of an input) and its position. */
function listArgumentsWithPosition(step: ValueSpec, index: number): readonly string[] {
  const parts = typeof step === 'object' && step?.$ === 'array' ? step.of : [];
  const [use, args] = index === 0 ? ['making', parts] : [parts[0], parts.slice(1)];
  return args.map((argument, position) => JSON.stringify([use, position, argument]));
}

/**
 * The input without steps that it does not need. `shows`: returns true if an input still shows the difference; it is
 * called at most `maxTries` times.
 */
export async function removeNeedlessSteps(
  input: Input,
  shows: (input: Input) => Promise<boolean>,
  maxTries: number,
): Promise<Input> {
  let best = input;
  let tries = 0;
  for (
    let removedCount = Math.max(1, Math.floor((input.length - 2) / 2));
    removedCount >= 1 && tries < maxTries;
    removedCount = Math.floor(removedCount / 2)
  )
    // The first element is the maker and the last one is the call, so both stay.
    for (let index = 1; index < best.length - 1 && tries < maxTries; ) {
      const next = best.toSpliced(index, Math.min(removedCount, best.length - 1 - index));
      tries += 1;
      if (await shows(next)) best = next;
      else index += removedCount;
    }
  return best;
}

/**
 * True if the call has at most `MAX_STEPS` steps after the creation of the object, and each statement is short enough
 * for a test. Always true for a call without steps.
 */
export function isShortEnough({ steps }: Pick<DistinguishingCall, 'steps'>): boolean {
  if (steps === undefined) return true;
  const lengthOf = ({ before, imported, after }: (typeof steps)[number]) =>
    before.length + (imported?.name.length ?? 0) + after.length;
  return steps.length <= MAX_STEPS + 1 && steps.every((step) => lengthOf(step) <= MAX_STEP_LENGTH);
}
