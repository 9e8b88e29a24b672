// Makes the answers of gates.

import type { Verdict, Points } from '../model.ts';

export type GateAnswer = Pick<Verdict, 'outcome' | 'reason' | 'evidence'> & {
  readonly points?: { readonly before: Points; readonly after: Points };
};

export function passed(reason: string, evidence: GateAnswer['evidence'] = {}): GateAnswer {
  return { outcome: 'passed', reason, evidence };
}

export function failed(reason: string, evidence: GateAnswer['evidence'] = {}): GateAnswer {
  return { outcome: 'failed', reason, evidence };
}

export function unknown(reason: string, evidence: GateAnswer['evidence'] = {}): GateAnswer {
  return { outcome: 'unknown', reason, evidence };
}

export { counted } from '../../util/counted.ts';
