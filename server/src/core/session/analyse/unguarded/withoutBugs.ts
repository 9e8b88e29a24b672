// Removes mutants in lines that are already faulty. A test of the current behaviour of such a line would demand the
// fault.

import type { MutantPlan } from '../../../verify/guard/planMutants.ts';
import { keepSwitches } from '../../../verify/guard/switches.ts';
import type { SessionContext } from '../../context.ts';

/** The rules whose findings are faults of the code. */
const FAULT_RULES: ReadonlySet<string> = new Set(['bug-pattern']);

/** Removes the mutants in lines in which the last analysis shows a fault. */
export function removeFaultyLines({ state }: SessionContext, plan: MutantPlan): MutantPlan {
  const isFaulty = ({ path, line }: { readonly path: string; readonly line: number }): boolean =>
    state.analyses
      .get(path)
      ?.opportunities.some(
        ({ rule, range }) => FAULT_RULES.has(rule) && range.startLine <= line && line <= range.endLine,
      ) === true;
  const keptIndexes = plan.mutants.flatMap((mutant, index) => (isFaulty(mutant) ? [] : [index]));
  if (keptIndexes.length === plan.mutants.length) return plan;
  const mutants = keptIndexes.map((index) => plan.mutants[index]!);
  const schemata = keepSwitches(plan.schemata, keptIndexes);
  return { ...plan, mutants, schemata, omittedCount: plan.omittedCount + plan.mutants.length - mutants.length };
}
