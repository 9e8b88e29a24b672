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
