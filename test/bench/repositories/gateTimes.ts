// Sums up the time of verifications by gate.

import type { Proposal } from '../../../server/src/core/model.ts';
import { GATE_ORDER, type GateName } from '../../../server/src/core/model/gates.ts';

/** The runs of a gate. */
export interface Spent {
  readonly gate: GateName;
  readonly runs: number;
  readonly failed: number;
  readonly unknown: number;
  /** Seconds. */
  readonly median: number;
  readonly total: number;
}

/** The gates that ran, in their order. */
export function spent(proposals: readonly Pick<Proposal, 'verdicts'>[]): readonly Spent[] {
  const verdicts = proposals.flatMap((proposal) => proposal.verdicts);
  return GATE_ORDER.flatMap((gate) => {
    const own = verdicts.filter((verdict) => verdict.gate === gate);
    if (own.length === 0) return [];
    const seconds = own.map(({ millis }) => millis / 1000).sort((one, other) => one - other);
    const count = (wanted: string) => own.filter(({ outcome }) => outcome === wanted).length;
    return [
      {
        gate,
        runs: own.length,
        failed: count('failed'),
        unknown: count('unknown'),
        median: seconds[Math.floor(seconds.length / 2)]!,
        total: seconds.reduce((sum, one) => sum + one, 0),
      },
    ];
  });
}
