// Makes the inputs with which a law is checked.

import fc from 'fast-check';
import type { Law, SearchOrder } from '../../../core/verify/counterexamples/plan.ts';
import type { ValueSpec } from '../messages.ts';
import { createPlausibleValues, type Level } from '../plausibleValues.ts';

/**
 * A generator of inputs for `probe.ts`. An input is the arguments of the function for a law about breaking or about a
 * normal form, the starting value for a round trip, and three values for the other laws, which are about comparators.
 */
export function createLawInputs(law: Law, request: SearchOrder, level: Level): fc.Arbitrary<readonly ValueSpec[]> {
  const subject = request.subjects[collectSubjects(law)[0]!]!;
  const plausible = createPlausibleValues(request.materials[subject.path]!, level);
  if (law.kind === 'breaks') return plausible.argumentsOf(subject.parameters);
  // Only the first argument is generated, because nobody expects a normal form to stay the same with made-up options,
  // such as a letter as the separator.
  if (law.kind === 'settles') return plausible.argumentsOf(subject.parameters.slice(0, 1));
  const firstShape = subject.parameters[0]!.shape;
  if (law.kind !== 'roundTrip') {
    const value = plausible.valueOf(firstShape);
    return fc.tuple(value, value, value);
  }
  const isIntegerIfNumber = (value: ValueSpec) => typeof value !== 'number' || Number.isInteger(value);
  // Most formats of numbers are formats of integers.
  if (!law.image)
    return fc.tuple(plausible.valueOf(law.input ?? firstShape)).filter(([value]) => isIntegerIfNumber(value));
  const { path } = request.subjects[law.decode]!;
  return fc.tuple(createPlausibleValues(request.materials[path]!, level).valueOf({ kind: 'string' }));
}

/** Indices of the functions that the law is about, in `request.subjects`. */
export function collectSubjects(law: Law): readonly number[] {
  return law.kind === 'roundTrip' ? [law.encode, law.decode] : [law.of];
}
