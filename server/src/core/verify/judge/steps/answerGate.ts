// Determines the answer of each gate in a judgement: the gates of a proposal, some with the limits and notes of a
// judgement.

import type { GateName } from '../../../model/gates.ts';
import { OBSTACLE_KEY } from '../../../model/evidence.ts';
import { COMMAND_GATES } from '../../../model/gateStages.ts';
import { passed, unknown, type GateAnswer } from '../../answer.ts';
import type { VerifyContext } from '../../context.ts';
import type { GateInput } from '../../gate.ts';
import { gates as GATES } from '../../gates/allGates.ts';
import { selectEditsToCompare } from '../cachedPlan.ts';
import { tryClaims } from '../claims.ts';
import { unknownIfLfsPointers } from '../files/lfsPointers.ts';
import { checkLostTests, failIfCheckRemoved } from '../lostChecks.ts';
import { reportScore } from '../points.ts';
import { reportProtectedPaths } from '../protectedPaths.ts';
import { addUnnoticedNote } from '../unnoticedDifference.ts';
import { answerIntegrity } from './answerIntegrity.ts';
import type { Judgement } from './judgement.ts';

/** The limits of gates that do not decide whether the change is blocked. A thorough judgement has no such limits. */
export interface GateLimits {
  /** The context with a time limit. */
  limitContext(): VerifyContext;
  /** The time limit of runs that confirm something. */
  limitReruns(): Pick<GateInput, 'context' | 'secondsLeft'>;
}

/** The answer of a gate about the change in the sandbox of `run`. Throws the errors of gates. */
export async function answerGate(
  judgement: Judgement,
  gate: GateName,
  run: GateInput,
  { limitContext, limitReruns }: GateLimits,
): Promise<GateAnswer> {
  const { context, change, obstacle, packageFile, stopSignal, verdicts } = judgement;
  if (obstacle !== null && COMMAND_GATES.has(gate)) {
    // The way out of the obstacle is stated once, at the end.
    const reason = gate === 'tests' ? `Not run: ${packageFile} changes which packages are installed.` : 'Not run.';
    return unknown(reason, { packages: packageFile ?? '', [OBSTACLE_KEY]: obstacle });
  }
  switch (gate) {
    case 'applies':
      return answerApplies(judgement, run);
    case 'charter':
      return reportProtectedPaths(context, change);
    case 'integrity':
      return answerIntegrity(judgement);
    case 'score':
      return reportScore(context, change.edits);
    case 'tests':
      return unknownIfLfsPointers(await checkLostTests(run, await GATES.tests(run, stopSignal)), change);
    case 'claim': {
      const { claims, answer } = await tryClaims({ ...run, ...limitReruns() }, stopSignal);
      judgement.claims.push(...claims);
      return answer;
    }
    case 'differential': {
      const edits = selectEditsToCompare(run.edits);
      const answer = await GATES.differential({ ...run, edits, context: limitContext() }, stopSignal);
      return addUnnoticedNote(answer, verdicts, change);
    }
    case 'guard': {
      const stop = AbortSignal.any([stopSignal, judgement.needlessMutants.signal]);
      return GATES.guard({ ...run, context: limitContext() }, stop);
    }
    case 'types':
    case 'lint':
      return failIfCheckRemoved(run, gate, await GATES[gate](run, stopSignal));
    default:
      return GATES[gate](run, stopSignal);
  }
}

/** Writes the texts and the bytes of the change. Unknown if parts of it, such as links, cannot be written. */
async function answerApplies({ change, stopSignal }: Judgement, run: GateInput): Promise<GateAnswer> {
  const answer = change.edits.length > 0 ? await GATES.applies(run, stopSignal) : passed('There is no text to write.');
  if (answer.outcome === 'failed') return answer;
  await run.worktree.place(change.bytes);
  const [first] = change.left;
  if (!first) return answer;
  return unknown(
    `${first.path} is ${first.what}${change.left.length > 1 ? `, and so on for ${change.left.length - 1} more` : ''}: the checks run without that.`,
    { left: change.left.map(({ path }) => path).join('\n') },
  );
}
