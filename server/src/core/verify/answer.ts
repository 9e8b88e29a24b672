// Creates the answers of gates: passed, failed, unknown, or unknown because there is no such check.

import type { Verdict, Points } from '../model.ts';

/**
 * A verdict without its gate and duration. The gate `score` adds `points`, and so does the gate `claim` if new tests
 * earn points.
 */
export type GateAnswer = Pick<Verdict, 'outcome' | 'reason' | 'evidence'> & {
  readonly points?: { readonly before: Points; readonly after: Points };
};

/** A `passed` answer. `reason` is a sentence for a person; `evidence` contains figures and keys for programs. */
export function passed(reason: string, evidence: GateAnswer['evidence'] = {}): GateAnswer {
  return { outcome: 'passed', reason, evidence };
}

/** A `failed` answer. `reason` is a sentence for a person; `evidence` contains figures and keys for programs. */
export function failed(reason: string, evidence: GateAnswer['evidence'] = {}): GateAnswer {
  return { outcome: 'failed', reason, evidence };
}

/** An `unknown` answer. `reason` is a sentence for a person; `evidence` contains figures and keys for programs. */
export function unknown(reason: string, evidence: GateAnswer['evidence'] = {}): GateAnswer {
  return { outcome: 'unknown', reason, evidence };
}

/**
 * An `unknown` answer, because the repository has no such check for the touched files. A policy then does not demand
 * this check. A check that is configured but cannot run, for example because it is not installed, does not count as
 * missing.
 */
export function noSuchCheck(reason: string): GateAnswer {
  return unknown(reason, { noSuchCheck: 1 });
}

/** True for an answer of `noSuchCheck`. */
export function isNoSuchCheck({ outcome, evidence }: Pick<GateAnswer, 'outcome' | 'evidence'>): boolean {
  return outcome === 'unknown' && evidence['noSuchCheck'] === 1;
}

export { formatCount } from '../../util/counted.ts';
