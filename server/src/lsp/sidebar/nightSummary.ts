// Summarises the newest unattended run (a night) for the sidebar and the status bar.

import { formatClockTime } from '#protocol/endTimes';
import { MAX_NIGHT_CHANGES, type NightChangeState, type NightSummary } from '#protocol/nights';
import type { ProposalStatus } from '../../core/model.ts';
import { isSettled } from '../../core/ledger/proposalLife.ts';
import {
  heldLine,
  determineCurrentState,
  describeStep,
  listRunFigures,
  type CurrentState,
  type WatchedNight,
} from '../../core/run/live.ts';
import type { LiveState } from '../../core/run/liveState.ts';
import { findHeldChanges, findHeldChangesOnBranch } from '../../core/run/heldChanges.ts';
import {
  findEndError,
  listNumberedChanges,
  findProposalsForPerson,
  findUnansweredAnomaly,
} from '../../core/run/nightQueries.ts';
import type { CommittedChange, Night } from '../../core/run/nightTypes.ts';
import { FACTS_BY_CLAIM } from '../../core/model/claims.ts';
import { formatSigned } from '../../core/run/nightSummary.ts';
import { escapeInvisibleLine } from '../../util/visible.ts';
import { formatCount } from '../../util/counted.ts';

/**
 * The summary. `isRunning`: true if a process works on the run. `live`: the state that this process reports; null if
 * there is none. `statusById`: the statuses of all proposals of the repository. `watched`: further data about a run in
 * progress.
 */
export function createNightSummary(
  night: Night,
  isRunning: boolean,
  live: LiveState | null,
  statusById: ReadonlyMap<string, ProposalStatus>,
  watched: Omit<WatchedNight, 'night' | 'live'> = { wishes: [] },
): NightSummary {
  const { branch, changes, decided } = night;
  const currentState = determineCurrentState(night, live);
  const state = currentState === 'stopped' ? 'ended' : isRunning ? currentState : 'lost';
  const isOver = state === 'ended' || state === 'lost';
  const openChanges = isOver && decided !== 'dropped' ? listOpenChanges(night, statusById) : [];
  const shownChanges = selectFirstChanges(openChanges);
  return {
    branch,
    state,
    ...(isOver
      ? { line: describeEndedRun(night, state, openChanges), step: null }
      : {
          line: describeRunInProgress(night, state),
          step: describeCurrentStep(night, live),
          figures: listFigures({ ...watched, night, live }),
        }),
    changes: changes.length,
    untaken: changes.filter(({ proposal }) => !statusById.has(proposal)).length,
    ...(shownChanges.length === 0 ? {} : { open: shownChanges }),
    ...(shownChanges.length === openChanges.length ? {} : { furtherOpen: openChanges.length - shownChanges.length }),
    decided,
  };
}

/** The changes that are neither applied nor rejected, in the order of their numbers in the report. */
function listOpenChanges(night: Night, statusById: ReadonlyMap<string, ProposalStatus>): readonly NightChangeState[] {
  const heldIds = new Set(findHeldChangesOnBranch(night).map(({ proposal }) => proposal));
  const parkedIds = new Set(night.parked.map(({ proposal }) => proposal));
  const placeOf = (id: string): NightChangeState['place'] =>
    parkedIds.has(id) ? 'parked' : heldIds.has(id) ? 'held' : 'onBranch';
  const changes = listNumberedChanges(night);
  const entries = [
    ...changes.map((change) => ({
      id: change.proposal,
      title: escapeInvisibleLine(change.title),
      detail: escapeInvisibleLine(describeChange(change)),
      place: placeOf(change.proposal),
    })),
    ...findProposalsForPerson(night).map(({ proposal, title, path, reason }) => ({
      id: proposal,
      title: escapeInvisibleLine(title),
      detail: escapeInvisibleLine(`${path}: ${reason}`),
      place: 'asks' as NightChangeState['place'],
    })),
  ];
  return entries
    .map((entry, index) => ({ ...entry, number: index + 1, isTaken: statusById.has(entry.id) }))
    .filter(({ id }) => !isSettled(statusById.get(id) ?? 'proposed'));
}

/**
 * At most `MAX_NIGHT_CHANGES` changes, in their order. Changes that a person has already taken are left out first,
 * because they also wait among the decisions.
 */
function selectFirstChanges(candidates: readonly NightChangeState[]): readonly NightChangeState[] {
  return [...candidates]
    .sort((change, otherChange) => Number(change.isTaken) - Number(otherChange.isTaken))
    .slice(0, MAX_NIGHT_CHANGES)
    .sort((change, otherChange) => change.number - otherChange.number);
}

/** The strength of a change, its gain, and the files that it changes. */
function describeChange({ strength, claim, points, paths }: CommittedChange): string {
  const gain =
    claim && claim.kind !== 'points'
      ? FACTS_BY_CLAIM[claim.kind].label
      : points && `${formatSigned(points.after - points.before)} points`;
  const moreText = paths.length > 1 ? ` and ${formatCount(paths.length - 1, 'other file')}` : '';
  return [strength, gain, paths[0] && `${paths[0]}${moreText}`].filter(Boolean).join(' · ');
}

/** The sentence about the current step of the run. It names no command lines, because the sidebar has buttons. */
function describeCurrentStep(night: Night, live: LiveState | null): string {
  const step = findUnansweredAnomaly(night)?.reason ?? describeStep(night, live, Date.now(), formatClockTime);
  const heldText = heldLine(night);
  return heldText === null ? step : `${heldText} ${step}`;
}

/** The figures of a run in progress as lines. */
function listFigures(watched: WatchedNight): readonly string[] {
  return listRunFigures(watched, Date.now()).map(([name, text]) => `${name}: ${escapeInvisibleLine(text)}`);
}

/** The line about a run in progress. */
function describeRunInProgress({ changes, runs }: Night, state: Exclude<CurrentState, 'stopped'>): string {
  const until = runs.at(-1)?.plan.until;
  const changeCount = changes.length === 0 ? 'no change yet' : formatCount(changes.length, 'change');
  if (state === 'needsPerson') return `Unattended run: needs you, ${changeCount}`;
  if (state === 'draining') return `Unattended run: ends after its current step, ${changeCount}`;
  return `Unattended run: ${state}${until === undefined ? '' : ` until ${formatClockTime(until)}`}, ${changeCount}`;
}

/** The line about a run that has ended; null if no decision is left to make. */
function describeEndedRun(
  night: Night,
  state: 'ended' | 'lost',
  undecidedChanges: readonly NightChangeState[],
): string | null {
  const { changes, decided } = night;
  if (decided === 'dropped') return null;
  if (undecidedChanges.length === 0 && (decided === 'accepted' || changes.length > 0)) return null;
  const changeCount = changes.length === 0 ? 'no change' : formatCount(changes.length, 'change');
  const heldCount = findHeldChanges(night).length;
  const heldText = heldCount === 0 ? '' : `, ${heldCount} held`;
  const askingCount = undecidedChanges.filter(({ place, isTaken }) => place === 'asks' && !isTaken).length;
  const askingText = askingCount === 0 ? '' : `, ${askingCount} that only you may take`;
  const endText = state === 'lost' ? ', it was interrupted' : findEndError(night) === null ? '' : ', it met an error';
  return `Last night: ${changeCount}${heldText}${askingText}${endText}`;
}

/**
 * The items with those of the night in the order in which the night made them, because each change builds on those
 * before it. Other items keep their positions.
 */
export function sortByNight<T extends { readonly id: string }>(items: readonly T[], night: Night | null): readonly T[] {
  const indexById = new Map((night?.changes ?? []).map(({ proposal }, index) => [proposal, index]));
  const nightItems = items
    .filter(({ id }) => indexById.has(id))
    .toSorted((a, b) => indexById.get(a.id)! - indexById.get(b.id)!)
    .values();
  return items.map((item) => (indexById.has(item.id) ? (nightItems.next().value ?? item) : item));
}
