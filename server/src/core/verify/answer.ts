// Makes the answers of gates.

import type { Verdict, Points } from '../model.ts';

/** A verdict without its gate and its duration. `points`: only from the gate `score`. */
export type GateAnswer = Pick<Verdict, 'outcome' | 'reason' | 'evidence'> & {
  readonly points?: { readonly before: Points; readonly after: Points };
};

/** A `passed` answer. `reason` is a sentence for a person; `evidence` holds figures and keys for programs. */
export function passed(reason: string, evidence: GateAnswer['evidence'] = {}): GateAnswer {
  return { outcome: 'passed', reason, evidence };
}

/** A `failed` answer, with the same parameters as `passed`. */
export function failed(reason: string, evidence: GateAnswer['evidence'] = {}): GateAnswer {
  return { outcome: 'failed', reason, evidence };
}

/** An `unknown` answer, with the same parameters as `passed`. */
export function unknown(reason: string, evidence: GateAnswer['evidence'] = {}): GateAnswer {
  return { outcome: 'unknown', reason, evidence };
}

export { counted } from '../../util/counted.ts';
