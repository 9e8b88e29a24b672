// The type of the facts about a gate, without its code.

import type { GateStage } from '../../model/gateStages.ts';

/** The texts about a gate, and its place in the order of gates. */
export interface GateFacts {
  /** Gates run in this order, the cheapest first. */
  readonly order: number;
  /** The part of a verification to which the gate belongs. Gates that only read text must end within a second. */
  readonly stage: GateStage;
  /** The name of the check, as in a heading. */
  readonly label: string;
  /** One sentence that says what the check shows when it passes. */
  readonly meaning: string;
}
