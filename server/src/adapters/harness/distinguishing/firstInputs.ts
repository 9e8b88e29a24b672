// Makes the inputs with which a search for distinguishing calls begins: the inputs of the tests, some that differ a
// little from them, and some that the types allow.

import fc from 'fast-check';
import { restoreOrder } from './keepOrder.ts';
import type { Parameter, Shape } from '../../../core/verify/differential/plan.ts';
import type { DistinguishingOrder } from '../../../core/verify/guard/distinguishingCalls.ts';
import type { ValueSpec } from '../messages.ts';
import { createPlausibleValues, type Level } from '../plausibleValues.ts';
import { findInputsNearExamples, hasNegative, collectScalars } from './inputsNearExamples.ts';
import { conformsToParameters } from './typeConformance.ts';
import { createStepInputs } from './steps.ts';
import { varyExamples, type VariationValues } from './varyExamples.ts';

/** Factor by which more varied inputs are made for a subject that is used in steps than for one that is called once. */
const STEP_INPUT_FACTOR = 2;

/**
 * The inputs to try, in order; each is the arguments of one call. For a member, an input is a list for the constructor
 * and one for the member; for a subject that is used in steps, a list for the maker and one for each step. `level`: 1
 * for less usual values.
 */
export function createInputs(
  request: DistinguishingOrder,
  subjectIndex: number,
  level: Level & (0 | 1),
): readonly (readonly ValueSpec[])[] {
  const subject = request.subjects[subjectIndex]!;
  const { path, parameters, examples, guided, signed } = subject;
  if (subject.used)
    return level === 0
      ? createStepInputs(subject, request.materials[path]!.constants, request.seed, STEP_INPUT_FACTOR * request.varied)
      : [];
  const variedInputs =
    level === 0 ? createVariations(request, subjectIndex).map((args) => restoreOrder(subject, args)) : [];
  if (guided) return level === 0 ? [...findInputsNearExamples(examples, []), ...variedInputs] : [];
  const argumentsArbitrary = createPlausibleValues(request.materials[path]!, level).argumentsOf(parameters);
  const generatedInputs = fc
    .sample(argumentsArbitrary, { seed: request.seed + level, numRuns: request.runs[level] })
    .map((args) => restoreOrder(subject, args));
  // Behaviour for unexpected negative numbers is accidental.
  const allowedInputs =
    signed || examples.some(hasNegative) ? generatedInputs : generatedInputs.filter((args) => !hasNegative(args));
  return level === 0
    ? [...findInputsNearExamples(examples, allowedInputs), ...variedInputs, ...allowedInputs]
    : allowedInputs;
}

/**
 * Inputs that differ a little from the inputs of the tests. If the subject has declared types, only those that the
 * types allow.
 */
function createVariations(request: DistinguishingOrder, subjectIndex: number): readonly (readonly ValueSpec[])[] {
  const { path, parameters, examples, guided } = request.subjects[subjectIndex]!;
  const variedInputs = varyExamples(
    examples,
    collectVariationValues(request, subjectIndex),
    request.seed,
    request.varied,
  );
  return guided
    ? variedInputs
    : variedInputs.filter((args) => conformsToParameters(args, parameters, request.materials[path]!.shapes));
}

/**
 * The texts, numbers and names of options with which the inputs of a function are changed, and what such changes may
 * do.
 */
export function collectVariationValues(request: DistinguishingOrder, subjectIndex: number): VariationValues {
  const { path, parameters, examples, signed, member, keys } = request.subjects[subjectIndex]!;
  const { shapes, constants } = request.materials[path]!;
  return {
    ...constants,
    keys: keys ?? collectOptionNames(parameters, shapes),
    isSigned: signed || examples.some(hasNegative),
    fixed: member !== undefined,
  };
}

/** The names of the members of all objects that parameters take directly. */
function collectOptionNames(
  parameters: readonly Parameter[],
  shapes: Readonly<Record<string, Shape>>,
): readonly string[] {
  const fieldNamesOf = (shape: Shape): readonly string[] => {
    if (shape.kind === 'ref') return shapes[shape.name]?.kind === 'record' ? fieldNamesOf(shapes[shape.name]!) : [];
    if (shape.kind === 'union') return shape.of.flatMap(fieldNamesOf);
    return shape.kind === 'record' ? shape.fields.map(({ name }) => name) : [];
  };
  return [...new Set(parameters.flatMap(({ shape }) => fieldNamesOf(shape)))];
}

/** The texts and numbers that a reader knows from the code and its tests. */
export function collectFamiliarValues(
  request: DistinguishingOrder,
  subjectIndex: number,
): ReadonlySet<string | number> {
  const { path, examples } = request.subjects[subjectIndex]!;
  return new Set([...request.materials[path]!.constants.strings, ...examples.flatMap(collectScalars)]);
}
