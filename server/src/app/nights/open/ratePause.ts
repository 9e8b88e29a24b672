// Lets a run ask nobody while the charter's rate of changes is used up, and tells until when it has to wait.

import type { Millis } from '../../../core/model.ts';
import type { Session } from '../../../core/session.ts';
import { describeError } from '../../../util/typedError.ts';
import type { BegunRun } from '../beginRun.ts';
import { chooseTrustedProposer } from '../giveCanary.ts';
import type { NightContext } from '../night.ts';

type PauseSource = { readonly proposals: Pick<Session['proposals'], 'applyPause'> };

/** The proposer that this run may ask now. Null if it is not trusted, or if its changes could not be applied now. */
export async function chooseReadyProposer(
  context: NightContext,
  begunRun: BegunRun,
  session: PauseSource,
): Promise<string | null> {
  const proposer = await chooseTrustedProposer(context, begunRun);
  return proposer === null || (await session.proposals.applyPause(proposer)) !== null ? null : proposer;
}

/** A used-up rate of the run. `until`: when it may continue; null if only a person can let it continue. */
export interface RunPause {
  readonly reason: string;
  readonly until: Millis | null;
}

/** The used-up rate, of recipes or of the proposer, that ends first; null if none is used up. */
export async function findRunPause(
  context: NightContext,
  begunRun: BegunRun,
  session: PauseSource,
): Promise<RunPause | null> {
  const proposer = await chooseTrustedProposer(context, begunRun);
  const pauses = [
    await session.proposals.applyPause(null),
    proposer === null ? null : await session.proposals.applyPause(proposer),
  ].filter((pause) => pause !== null);
  const [first] = pauses.toSorted((a, b) => (a.until ?? Infinity) - (b.until ?? Infinity));
  return first === undefined ? null : { reason: describeError(first.error), until: first.until };
}
