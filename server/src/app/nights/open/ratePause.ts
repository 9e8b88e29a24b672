// Determines whether a run may ask its proposer now. It may not while the charter's rate of changes or a budget is used
// up, or while nobody can be reached. Computes how long the run has to wait.

import type { Millis } from '../../../core/model.ts';
import { findFirstToEnd } from '../../../core/proposers/outages.ts';
import type { Session } from '../../../core/session.ts';
import { describeError } from '../../../util/typedError.ts';
import type { BegunRun } from '../beginRun.ts';
import { chooseTrustedProposer } from '../giveCanary.ts';
import type { NightContext } from '../night.ts';

/** The parts of a session that are read here. */
type PauseSource = {
  readonly questions: Pick<Session['questions'], 'askPause'>;
  readonly changes: Pick<Session['changes'], 'applyPause'>;
};

/**
 * The proposer that this run may ask now. Null if it is not trusted, if its changes could not be applied now, or if it
 * would give no answer.
 */
export async function chooseReadyProposer(
  context: NightContext,
  begunRun: BegunRun,
  session: PauseSource,
): Promise<string | null> {
  const proposer = await chooseTrustedProposer(context, begunRun);
  if (proposer === null || (await session.changes.applyPause(proposer)) !== null) return null;
  return (await session.questions.askPause(proposer)) === null ? proposer : null;
}

/**
 * A used-up rate or budget of the run, or an outage. `until`: the time at which the run may continue; null if only a
 * person can let it continue.
 */
export interface RunPause {
  readonly reason: string;
  readonly until: Millis | null;
}

/** The pause of recipes or of the proposer that ends first; null if there is none. */
export async function findRunPause(
  context: NightContext,
  begunRun: BegunRun,
  session: PauseSource,
): Promise<RunPause | null> {
  const proposer = await chooseTrustedProposer(context, begunRun);
  const rates = [
    await session.changes.applyPause(null),
    proposer === null ? null : await session.changes.applyPause(proposer),
  ].flatMap((pause) => (pause === null ? [] : { reason: describeError(pause.error), until: pause.until }));
  const askPause = proposer === null ? null : await session.questions.askPause(proposer);
  return findFirstToEnd(askPause === null ? rates : [...rates, askPause]);
}
