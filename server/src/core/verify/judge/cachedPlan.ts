// Plans the comparison of old and new code while the repository's own checks run. These run in separate processes, so
// the threads of this process would otherwise be idle.

import type { FileEdit } from '../../model.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import type { VerifyContext } from '../context.ts';
import { isPythonCode } from '../differential/python.ts';

/**
 * The edits whose code is compared. Excludes tests, whose behaviour when they are loaded says nothing about the code.
 */
export function selectEditsToCompare(edits: readonly FileEdit[]): readonly FileEdit[] {
  const code = edits.filter((edit) => !isTestEdit(edit));
  return code.length > 0 ? code : edits;
}

/**
 * The context with a plan that is made only once for these edits. `beginPlan` starts it early; an error is thrown where
 * the plan is used.
 */
export function cachePlan<Context extends VerifyContext>(
  context: Context,
  edits: readonly FileEdit[],
): { readonly context: Context; beginPlan(): void } {
  const { proof, trusted } = context;
  const comparedEdits = selectEditsToCompare(edits);
  if (!proof || !trusted || proof.settings.differentialSeconds === 0 || comparedEdits.some(isPythonCode))
    return { context, beginPlan: () => undefined };
  let plan: ReturnType<typeof proof.planDifferential> | null = null;
  const planOnce = () => (plan ??= proof.planDifferential(comparedEdits, edits.filter(isTestEdit)));
  const isPlanned = (requestedEdits: readonly FileEdit[]) =>
    requestedEdits.length === comparedEdits.length &&
    requestedEdits.every((edit, index) => edit === comparedEdits[index]);
  return {
    context: {
      ...context,
      proof: {
        ...proof,
        planDifferential: (requestedEdits, tests) =>
          isPlanned(requestedEdits) ? planOnce() : proof.planDifferential(requestedEdits, tests),
      },
    },
    beginPlan: () => void planOnce().catch(() => undefined),
  };
}
