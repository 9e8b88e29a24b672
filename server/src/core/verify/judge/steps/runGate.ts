// Runs gates of a judgement. Each verdict is inserted at its place in the order; a gate that does not answer in time is
// unknown.

import { checkLabel } from '../../../../protocol/plainWords.ts';
import { throwIfCancelled } from '../../../../util/typedError.ts';
import type { GateName } from '../../../model/gates.ts';
import { COMMAND_GATES } from '../../../model/gateStages.ts';
import { unknown, type GateAnswer } from '../../answer.ts';
import type { GateInput } from '../../gate.ts';
import { answerIfNeedless } from '../../gates/guard/needless.ts';
import { answerIfBrokenDown } from '../brokenChecks.ts';
import { applyDisturbance } from '../judgeSandbox.ts';
import { answerIfLeftOut } from '../quick.ts';
import { findTimeLeft, limitTimeLeft, MIN_GATE_SECONDS, MIN_RERUN_SECONDS, type TimeLeft } from '../timeLeft.ts';
import { answerGate } from './answerGate.ts';
import type { Judgement, OpenLane } from './judgement.ts';

/** Gates that only examine known texts, so that they answer even after the time is up. */
const GATES_WITHOUT_TIME_LIMIT: ReadonlySet<GateName> = new Set(['charter', 'integrity']);

/** Runs these gates one after the other, except those that can show nothing. */
export async function runGates(judgement: Judgement, gates: readonly GateName[], openLane: OpenLane): Promise<void> {
  const { order, isBroken } = judgement;
  const canShow = (gate: GateName) => order.includes(gate) && !(isBroken && COMMAND_GATES.has(gate));
  for (const gate of gates.filter(canShow)) await runGate(judgement, gate, openLane);
}

/** Runs a gate, and inserts its verdict at its place in the order. */
export async function runGate(judgement: Judgement, gate: GateName, openLane: OpenLane): Promise<void> {
  const { context, order, points, runningGates, verdicts } = judgement;
  throwIfCancelled(judgement.signal);
  runningGates.push(gate);
  judgement.report(runningGates.map(checkLabel).join(', '));
  const startedAt = context.clock.now();
  const { points: gatePoints, ...answer } = await answerInTime(judgement, gate, openLane);
  if (gatePoints) Object.assign(points, { before: gatePoints.before, after: gatePoints.after });
  verdicts.push({ gate, ...answer, millis: context.clock.now() - startedAt });
  verdicts.sort((a, b) => order.indexOf(a.gate) - order.indexOf(b.gate));
  runningGates.splice(runningGates.indexOf(gate), 1);
}

/** Runs a gate again. Its new verdict replaces the first. */
export async function rerunGate(judgement: Judgement, gate: GateName, openLane: OpenLane): Promise<void> {
  const index = judgement.verdicts.findIndex((verdict) => verdict.gate === gate);
  if (index >= 0) judgement.verdicts.splice(index, 1);
  await runGate(judgement, gate, openLane);
}

/** The time limit for further runs of tests. */
export function getSecondsLeft(judgement: Judgement): Pick<GateInput, 'secondsLeft'> {
  const timeLeft = computeTimeLeft(judgement, MIN_RERUN_SECONDS);
  return timeLeft === null ? {} : { secondsLeft: timeLeft.seconds };
}

/** The answer of a gate; unknown if it has not answered when the time is up. */
async function answerInTime(judgement: Judgement, gate: GateName, openLane: OpenLane): Promise<GateAnswer> {
  const { context, change, main, signal, stopSignal, needlessMutants, verdicts } = judgement;
  const limits = {
    limitContext: () => limitTimeLeft(context, computeTimeLeft(judgement, MIN_GATE_SECONDS)),
    limitReruns: () => ({
      context: limitTimeLeft(context, computeTimeLeft(judgement, MIN_RERUN_SECONDS)),
      ...getSecondsLeft(judgement),
    }),
  };
  const createTimeUpAnswer = () =>
    unknown(`Not shown: the ${context.budget.seconds ?? 0} s that were allowed have passed.`, { budget: 1 });
  const omittedAnswer = answerIfLeftOut(gate, context);
  if (omittedAnswer) return omittedAnswer;
  if (GATES_WITHOUT_TIME_LIMIT.has(gate)) return answerGate(judgement, gate, main.run, limits);
  if (context.budget.signal.aborted) return createTimeUpAnswer();
  try {
    const { run, commands } = await openLane();
    return applyDisturbance(await answerGate(judgement, gate, run, limits), await commands.disturbance(stopSignal));
  } catch (error) {
    throwIfCancelled(signal);
    if (context.budget.signal.aborted) return createTimeUpAnswer();
    const needlessAnswer =
      gate === 'guard' && needlessMutants.signal.aborted ? answerIfNeedless(verdicts, context) : null;
    if (needlessAnswer) return needlessAnswer;
    const brokenAnswer = await answerIfBrokenDown(gate, error, context, change.edits, stopSignal);
    throwIfCancelled(signal);
    if (brokenAnswer) return brokenAnswer;
    throw error;
  }
}

function computeTimeLeft({ verdicts, context, beganAt }: Judgement, minSeconds: number): TimeLeft | null {
  return findTimeLeft(verdicts, (context.clock.now() - beganAt) / 1000, minSeconds, context);
}
