// One turn of a run: proposals are verified until one of them is kept. A proposal that is not taken is recorded
// immediately, because the turn may end at any time; the stages of the turn are recorded at its end.

import type { Settings } from '../../../settings/schema.ts';
import type { NightMiss } from '../../../core/model/nights.ts';
import { pickScope } from '../../../core/model/workScope.ts';
import { createMiss } from '../../../core/run/misses.ts';
import { createStageTimes } from '../../../core/session/cycle/stageTimes.ts';
import type { CycleEvent, ImproveRequest, ImproveSummary } from '../../../core/session/cycleEvents.ts';
import { MOST_VALUABLE_RULES } from '../../../core/prioritise/worth.ts';
import type { Session } from '../../../core/session.ts';
import type { BegunRun } from '../beginRun.ts';
import { findStopReason, type NightContext } from '../night.ts';
import type { SearchState } from '../searchFurther.ts';
import { findVerifiedAlone } from '../crashingProposals.ts';
import { notifyOfRun } from '../notifyPerson.ts';
import { findProposalsOfWishes } from '../tryWish.ts';
import { withStopSignal } from './watchForStop.ts';

/**
 * Maximum number of fixes of faulty tests that are tried before changes of style. They wait for a person, and each
 * needs runs of the tests.
 */
const MAX_FAULTS_IN_TESTS = 5;

/**
 * The number of candidates that a turn verifies in parallel, and the number of missing tests that it checks together.
 */
type RoomOfTurn = Pick<Required<ImproveRequest>, 'maxParallel' | 'maxCheckedTogether'>;

/**
 * Computes both numbers. `atOnce`: maximum number of candidates in parallel. `remaining`: the number of changes that
 * the run may still make. `resumed`: how often the run was continued. Candidates that are verified in parallel do not
 * share a run of tests. Neither do the candidates of a run that was continued: its process may have died in a shared
 * run, which records nothing, so that the proposal that ended it would be tried forever.
 */
export function computeRoomOfTurn(
  { atOnce, remaining, resumed }: { readonly atOnce: number; readonly remaining: number; readonly resumed: number },
  settings: Pick<Settings, 'verify.together'>,
): RoomOfTurn {
  const sideBySide = Math.min(atOnce, remaining);
  const mayShare = sideBySide <= 1 && resumed === 0;
  return {
    maxParallel: sideBySide,
    maxCheckedTogether: mayShare ? Math.min(settings['verify.together'], remaining) : 1,
  };
}

/**
 * Makes one turn. In the first phases of a run, recipes alone make fixes and missing tests, and then also fixes of
 * faulty tests. After that, everything is proposed.
 */
export function improveInOrder(
  context: NightContext,
  begunRun: BegunRun,
  session: Session,
  { maxParallel, maxCheckedTogether }: RoomOfTurn,
  { tests, faultsInTests, wantedUntil }: SearchState,
  signal: AbortSignal,
) {
  const choice = {
    maxParallel,
    maxCheckedTogether,
    exceptTests: !tests && !faultsInTests,
    ...(faultsInTests ? { cycles: MAX_FAULTS_IN_TESTS } : {}),
  };
  return wantedUntil > 0 || faultsInTests
    ? improveOnce(context, { ...begunRun, proposer: null }, session, { ...choice, rules: MOST_VALUABLE_RULES }, signal)
    : improveOnce(context, begunRun, session, choice, signal);
}

/**
 * Proposes until one change is made or nothing is left, and records the turn. Missing tests that are checked together
 * are made in the same turn. Other changes are not checked together, because each commit has to pass the tests without
 * the commits that follow it.
 */
async function improveOnce(
  context: NightContext,
  begunRun: BegunRun,
  session: Session,
  choice: Pick<ImproveRequest, 'maxParallel' | 'maxCheckedTogether' | 'exceptTests' | 'rules'> & {
    readonly cycles?: number;
  },
  signal: AbortSignal,
): Promise<ImproveSummary> {
  const { request } = context;
  const times = createStageTimes();
  let hasApplied = false;
  let recorded: Promise<void> = Promise.resolve();
  const record = (miss: NightMiss): void => {
    recorded = recorded.then(() => recordMiss(context, begunRun, miss));
    // The promise is awaited below. Until then, nobody handles its rejection.
    recorded.catch(() => undefined);
  };
  try {
    const idsVerifiedAlone = await findVerifiedAlone(session.ledger);
    // Proposals for wishes are verified again with their wish, which may have been dropped.
    const excludedProposals = await findProposalsOfWishes(session);
    return await withStopSignal(context, begunRun, (stopSignal) =>
      session.improve({
        cycles: Infinity,
        dryRun: false,
        approval: 'minimal',
        maxChanges: choice.maxCheckedTogether ?? 1,
        joinableClaims: ['tests'],
        ...choice,
        findStopReason: async () => (hasApplied ? 'A change was made.' : findStopReason(context, begunRun)),
        stopSignal,
        proposalsVerifiedAlone: idsVerifiedAlone,
        excludedProposals,
        signal,
        times,
        ...(request.report ? { report: request.report } : {}),
        ...pickScope(begunRun),
        ...(begunRun.proposer === null ? {} : { proposer: begunRun.proposer }),
        decide: async (proposal, reason) => {
          record(createMiss('asks', proposal, reason));
          return { verdict: 'deferred', by: 'charter', reason };
        },
        onEvent: (event: CycleEvent) => {
          if (event.type === 'applied') hasApplied = true;
          if (event.type === 'proposed') request.onEvent({ type: 'trying', title: event.proposal.title });
          if (event.type === 'refused') record(createMiss('refused', event.proposal, event.proposal.reason ?? ''));
          if (event.type === 'putOff') record(createMiss('deferred', event.proposal, event.reason));
          if (event.type === 'brokeDown') record(createMiss('brokeDown', event.proposal, event.reason));
          if (event.type === 'applied' && event.proposal.status === 'rolledBack')
            record(createMiss('rolledBack', event.proposal, event.proposal.reason ?? ''));
        },
      }),
    );
  } finally {
    await recorded;
    const { branch: night, run } = begunRun;
    await context.repository.ledger.record({ type: 'nightTurn', data: { night, run, stages: times.figures() } });
  }
}

/** The data of the event about a proposal that was not taken. */
type NightMissed = { readonly run: string; readonly miss: NightMiss };

/**
 * Records a proposal that was not taken, and notifies the person about the first one of the run that waits for a
 * decision.
 */
export async function recordMiss(context: NightContext, { branch, run }: BegunRun, miss: NightMiss): Promise<void> {
  const { request, repository } = context;
  // The branch may contain runs of other nights, about which the person was notified at that time.
  const before = (await repository.ledger.query({ types: ['nightMissed'] })).map(({ data }) => data as NightMissed);
  await repository.ledger.record({ type: 'nightMissed', data: { night: branch, run, miss } });
  request.onEvent({ type: 'missed', miss });
  const isFirst =
    miss.what === 'asks' && !before.some((earlier) => earlier.run === run && earlier.miss.what === 'asks');
  if (isFirst) await notifyOfRun(context, branch, 'waits');
}
