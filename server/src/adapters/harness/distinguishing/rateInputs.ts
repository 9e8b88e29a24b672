// Rates the inputs of a function by how much they differ from the calls of the tests.

import type { Subject } from '../../../core/verify/counterexamples/plan.ts';
import type { ValueSpec } from '../messages.ts';
import { computeStrangeness } from './inputsNearExamples.ts';
import { collectTestSteps, computeStepCost } from './steps.ts';

/** Number of inputs that are calls of the tests; they come first. */
export function countTestInputs(subject: Subject): number {
  return subject.used ? collectTestSteps(subject).length : subject.examples.length;
}

/** How much the input differs from those of the tests; 0 for one of theirs. */
export function rateStrangeness(
  subject: Subject,
  args: readonly ValueSpec[],
  familiarValues: ReadonlySet<string | number>,
): number {
  return subject.used ? computeStepCost(subject, args) : computeStrangeness(args, subject.examples, familiarValues);
}
