// What really happened in a simulated world, as the invariants see it. Times are milliseconds of the monotonic clock.

import type { SupervisionEnd } from '../../../../server/src/core/run/supervision.ts';

/** A hung worker sends no beats; a stuck one sends beats without progress. */
export type Condition = 'healthy' | 'hung' | 'stuck';

export type Fact = { readonly at: number } /** `alive`: how many other workers lived at that moment. */ & (
  | { readonly is: 'started'; readonly worker: number; readonly alive: number }
  | { readonly is: 'ended'; readonly worker: number; readonly isFailure: boolean }
  /** `isDue`: the worker was asked to stop, or has not drained in its time. */
  | { readonly is: 'signalled'; readonly worker: number; readonly condition: Condition; readonly isDue: boolean }
  | { readonly is: 'drainAsked'; readonly worker: number }
  | { readonly is: 'hung'; readonly worker: number }
  | { readonly is: 'stuck'; readonly worker: number }
  /** The worker takes more memory than it may. */
  | { readonly is: 'large'; readonly worker: number }
  | { readonly is: 'slept'; readonly forMs: number }
  | { readonly is: 'told'; readonly reason: string }
  | { readonly is: 'stopAsked' }
  | { readonly is: 'supervisionEnded'; readonly end: SupervisionEnd; readonly alive: number }
  | { readonly is: 'over'; readonly alive: number }
);

export type FactOf<Is extends Fact['is']> = Extract<Fact, { readonly is: Is }>;

/** The facts of this kind. */
export function factsOf<Is extends Fact['is']>(facts: readonly Fact[], is: Is): readonly FactOf<Is>[] {
  return facts.filter((fact): fact is FactOf<Is> => fact.is === is);
}
