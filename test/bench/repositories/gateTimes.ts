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
export function sumGateTimes(proposals: readonly Pick<Proposal, 'verdicts'>[]): readonly Spent[] {
  const verdicts = proposals.flatMap((proposal) => proposal.verdicts);
  return GATE_ORDER.flatMap((gate) => {
    const ofGate = verdicts.filter((verdict) => verdict.gate === gate);
    if (ofGate.length === 0) return [];
    const seconds = ofGate.map(({ millis }) => millis / 1000).sort((a, b) => a - b);
    const countOutcome = (wantedOutcome: string) => ofGate.filter(({ outcome }) => outcome === wantedOutcome).length;
    return [
      {
        gate,
        runs: ofGate.length,
        failed: countOutcome('failed'),
        unknown: countOutcome('unknown'),
        median: seconds[Math.floor(seconds.length / 2)]!,
        total: seconds.reduce((sum, value) => sum + value, 0),
      },
    ];
  });
}
