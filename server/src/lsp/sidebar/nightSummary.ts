// The newest unattended run as the sidebar and the status bar show it.

import { clockTime } from '#protocol/endTimes';
import type { NightSummary } from '#protocol/nights';
import type { Night } from '../../core/run/nights.ts';
import { counted } from '../../util/counted.ts';

/** `isRunning`: a process works on it. `known`: ids of the proposals of the repository. */
export function nightSummary(night: Night, isRunning: boolean, known: ReadonlySet<string>): NightSummary {
  const { branch, changes, decided } = night;
  const state = night.state === 'stopped' ? 'ended' : isRunning ? night.state : 'lost';
  return {
    branch,
    state,
    line: lineOf(night, state),
    changes: changes.length,
    untaken: changes.filter(({ proposal }) => !known.has(proposal)).length,
    decided,
  };
}

function lineOf({ changes, decided, runs }: Night, state: NightSummary['state']): string | null {
  const made = changes.length === 0 ? 'no change' : counted(changes.length, 'change');
  const soFar = changes.length === 0 ? 'no change yet' : made;
  if (state === 'running' || state === 'waiting') {
    const until = runs.at(-1)?.plan.until;
    return `Unattended run: ${state}${until === undefined ? '' : ` until ${clockTime(until)}`}, ${soFar}`;
  }
  if (decided === 'accepted' || decided === 'dropped') return null;
  return `Last night: ${made}${state === 'lost' ? ', it was interrupted' : ''}`;
}

/** The same list with the changes of the night in the order of the night: each builds on those before it. */
export function inNightOrder<T extends { readonly id: string }>(list: readonly T[], night: Night | null): readonly T[] {
  const order = new Map((night?.changes ?? []).map(({ proposal }, at) => [proposal, at]));
  const ofNight = list
    .filter(({ id }) => order.has(id))
    .toSorted((one, other) => order.get(one.id)! - order.get(other.id)!)
    .values();
  return list.map((one) => (order.has(one.id) ? (ofNight.next().value ?? one) : one));
}
