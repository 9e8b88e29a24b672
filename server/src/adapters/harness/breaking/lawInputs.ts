// Makes the inputs with which a law is checked.

import fc from 'fast-check';
import type { Law, SearchOrder } from '../../../core/verify/counterexamples/plan.ts';
import type { ValueSpec } from '../messages.ts';
import { createPlausible, type Level } from '../plausibleValues.ts';

/** Inputs for `probe`: the arguments; for a comparator, three values; for a round trip, the starting value. */
export function createArbitrary(law: Law, request: SearchOrder, level: Level): fc.Arbitrary<readonly ValueSpec[]> {
  const subject = request.subjects[collectSubjects(law)[0]!]!;
  const plausible = createPlausible(request.materials[subject.path]!, level);
  if (law.kind === 'breaks') return plausible.argumentsOf(subject.parameters);
  // With made-up options, such as a letter as the separator, nobody expects a normal form to stay the same.
  if (law.kind === 'settles') return plausible.argumentsOf(subject.parameters.slice(0, 1));
  const first = subject.parameters[0]!.shape;
  if (law.kind !== 'roundTrip') {
    const value = plausible.valueOf(first);
    return fc.tuple(value, value, value);
  }
  const isWhole = (value: ValueSpec) => typeof value !== 'number' || Number.isInteger(value);
  // Most formats of numbers are formats of integers.
  if (!law.image) return fc.tuple(plausible.valueOf(law.input ?? first)).filter(([value]) => isWhole(value));
  const { path } = request.subjects[law.decode]!;
  return fc.tuple(createPlausible(request.materials[path]!, level).valueOf({ kind: 'string' }));
}

/** Indices of the functions that the law is about. */
export function collectSubjects(law: Law): readonly number[] {
  return law.kind === 'roundTrip' ? [law.encode, law.decode] : [law.of];
}
