// A quick judgement, for hooks: the checks of the repository, its old tests and what was edited. No calls are compared,
// and no mutants are tried.

import type { Demands, PolicyFile } from '../../../settings/policyFile.ts';
import type { GateName } from '../../model/gates.ts';
import { unknown, type GateAnswer } from '../answer.ts';

/** The gates that a quick judgement leaves out. */
const LEFT_OUT: ReadonlySet<GateName> = new Set(['timing', 'claim', 'differential', 'guard']);

/** The answer of a gate that a quick judgement leaves out; null for the others, and if the judgement is not quick. */
export function answerIfLeftOut(gate: GateName, { quick = false }: { readonly quick?: boolean }): GateAnswer | null {
  return quick && LEFT_OUT.has(gate) ? unknown('Left out by `--quick`.', { leftOut: 1 }) : null;
}

/** The policy without the demands that only gates which are left out could meet. */
export function removeThoroughDemands(file: PolicyFile): PolicyFile {
  const { require, rules } = file;
  return {
    ...file,
    ...(require ? { require: withoutThorough(require) } : {}),
    ...(rules ? { rules: rules.map((rule) => ({ ...rule, require: withoutThorough(rule.require) })) } : {}),
  };
}

function withoutThorough(demands: Demands): Demands {
  const { mutants: _mutants, strength: _strength, claims: _claims, ...others } = demands;
  return others;
}
