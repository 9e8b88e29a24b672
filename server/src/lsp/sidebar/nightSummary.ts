// Summarises the newest unattended run for the sidebar and the status bar.

import { clockTime } from '#protocol/endTimes';
import type { NightSummary } from '#protocol/nights';
import type { ProposalStatus } from '../../core/model.ts';
import { isSettled } from '../../core/ledger/proposalLife.ts';
import { heldLine, stateNow, describeStep, type LiveState } from '../../core/run/live.ts';
import { heldChanges } from '../../core/run/heldChanges.ts';
import { unansweredAnomaly } from '../../core/run/nightQueries.ts';
import type { Night } from '../../core/run/nightTypes.ts';
import { counted } from '../../util/counted.ts';

/**
 * The summary. `isRunning`: a process works on the run, and `live` is the state that it reports. `statusById`: the
 * status of each proposal of the repository, by id.
 */
export function nightSummary(
  night: Night,
  isRunning: boolean,
  live: LiveState | null,
  statusById: ReadonlyMap<string, ProposalStatus>,
): NightSummary {
  const { branch, changes, decided } = night;
  const state = night.state === 'stopped' ? 'ended' : isRunning ? stateNow(night.state, live) : 'lost';
  return {
    branch,
    state,
    ...(state === 'ended' || state === 'lost'
      ? { line: lineOfEnded(night, state, statusById), step: null }
      : { line: lineUnderWay(night, state), step: describeCurrentStep(night, live) }),
    changes: changes.length,
    untaken: changes.filter(({ proposal }) => !statusById.has(proposal)).length,
    decided,
  };
}

/** The current step of the run, for a person. It names no commands, because an editor has its own actions. */
function describeCurrentStep(night: Night, live: LiveState | null): string {
  const step = unansweredAnomaly(night)?.reason ?? describeStep(night, live, Date.now(), clockTime);
  const heldText = heldLine(night);
  return heldText === null ? step : `${heldText} ${step}`;
}

function lineUnderWay({ changes, runs }: Night, state: 'running' | 'waiting' | 'needsPerson'): string {
  const until = runs.at(-1)?.plan.until;
  const changeCount = changes.length === 0 ? 'no change yet' : counted(changes.length, 'change');
  if (state === 'needsPerson') return `Unattended run: needs you, ${changeCount}`;
  return `Unattended run: ${state}${until === undefined ? '' : ` until ${clockTime(until)}`}, ${changeCount}`;
}

/** The line about a run that has ended; null if nothing is left to decide. */
function lineOfEnded(
  night: Night,
  state: 'ended' | 'lost',
  statusById: ReadonlyMap<string, ProposalStatus>,
): string | null {
  const { changes, decided } = night;
  if (decided === 'accepted' || decided === 'dropped') return null;
  const isDecided = ({ proposal }: Night['changes'][number]) => isSettled(statusById.get(proposal) ?? 'proposed');
  if (changes.length > 0 && changes.every(isDecided)) return null;
  const changeCount = changes.length === 0 ? 'no change' : counted(changes.length, 'change');
  const heldCount = heldChanges(night).length;
  const waiting = heldCount === 0 ? '' : `, ${heldCount} held`;
  return `Last night: ${changeCount}${waiting}${state === 'lost' ? ', it was interrupted' : ''}`;
}

/** The list with the changes of the night in their original order, because each builds on those before it. */
export function sortByNight<T extends { readonly id: string }>(items: readonly T[], night: Night | null): readonly T[] {
  const order = new Map((night?.changes ?? []).map(({ proposal }, index) => [proposal, index]));
  const ofNight = items
    .filter(({ id }) => order.has(id))
    .toSorted((a, other) => order.get(a.id)! - order.get(other.id)!)
    .values();
  return items.map((item) => (order.has(item.id) ? (ofNight.next().value ?? item) : item));
}
