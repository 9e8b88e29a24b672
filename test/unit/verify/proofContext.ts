// The context of the gates of proof, and verdicts, for tests.

import type { Verdict } from '../../../server/src/core/model.ts';
import type { GateName } from '../../../server/src/core/model/gates.ts';
import type { ProofContext } from '../../../server/src/core/verify/proof.ts';

export const settings = { guardSeconds: 60, guardMutants: 12, guardStrength: 80, differentialSeconds: 60 };
/** A context that refuses to plan, with other parts where `more` has them. */
export const proofOf = (more: Partial<ProofContext>): ProofContext => ({
  settings,
  harness: ['harness'],
  planDifferential: () => Promise.reject(new Error('Not asked for.')),
  planMutants: () => Promise.reject(new Error('Not asked for.')),
  changesBehavior: () => false,
  checksImporters: () => true,
  ...more,
});
/** A verdict of one gate. */
export const verdict = (gate: GateName, outcome: Verdict['outcome'], evidence: Verdict['evidence'] = {}): Verdict => {
  return { gate, outcome, reason: '', evidence, millis: 1 };
};
