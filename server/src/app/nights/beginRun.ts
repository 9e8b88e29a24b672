// Decides on which branch a run works: it continues an undecided night, or begins a new one at HEAD.

import { randomUUID } from 'node:crypto';
import { unfinishedRun, type Night, type Run } from '../../core/run/nights.ts';
import { nightsIn, type NightContext } from './night.ts';
import { moveNight } from './moveNight.ts';

export interface BegunRun {
  readonly branch: string;
  readonly run: string;
  readonly maxChanges: number;
  readonly until: number;
  readonly proposer: string | null;
  readonly places: readonly string[] | null;
}

/** `now`: local time, for the name of a new branch. Records the start. Throws `noCommit`. */
export async function beginRun(context: NightContext, now: number): Promise<BegunRun> {
  const { request, repository, branch, places } = context;
  const head = await branch.head();
  const nights = await nightsIn(repository.ledger);
  const open = await continued(context, nights.at(-1), head);
  if (open === null) {
    const name = await freeName(context, now);
    await branch.checkOut(places.tree, name, head, request.signal);
    return started(context, name, head, null);
  }
  if (open.base !== head) await moveNight(context, open, { onto: head });
  const tip = (await branch.tip(open.branch)) ?? head;
  await branch.checkOut(places.tree, open.branch, tip, request.signal);
  return started(context, open.branch, head, unfinishedRun(open, Date.now()));
}

/**
 * The night that can be continued: nobody has decided about it, and its branch is where the run left it. Null: a new
 * branch begins.
 */
async function continued({ branch }: NightContext, last: Night | undefined, head: string): Promise<Night | null> {
  if (!last || last.decided !== null) return null;
  const tip = await branch.tip(last.branch);
  const expected = last.changes.at(-1)?.commit ?? null;
  // A branch without a change was never created; it may start anywhere.
  if (tip === null) return last.changes.length === 0 ? last : null;
  if (tip !== expected || (await branch.contains(head, tip))) return null;
  const { checkedOut, pushed } = await branch.isHeld(last.branch);
  return checkedOut || (pushed && last.base !== head) ? null : last;
}

async function started(context: NightContext, night: string, base: string, old: Run | null): Promise<BegunRun> {
  const { request, repository } = context;
  const plan = old?.plan ?? request.plan;
  const run = old?.id ?? `run-${randomUUID().slice(0, 8)}`;
  if (old) await repository.ledger.record({ type: 'nightResumed', data: { night, run } });
  else await repository.ledger.record({ type: 'nightStarted', data: { night, run, base, plan } });
  request.onEvent({ type: 'began', night, base, resumed: old !== null });
  return { branch: night, run, ...plan };
}

/** `selfware/night-2026-11-25`, with a number if there is such a branch already. */
async function freeName({ branch, repository }: NightContext, now: number): Promise<string> {
  const day = new Date(now);
  const date = [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0'));
  const used = new Set((await nightsIn(repository.ledger)).map((one) => one.branch));
  for (let count = 1; ; count += 1) {
    const name = `selfware/night-${date.join('-')}${count === 1 ? '' : `-${count}`}`;
    if (!used.has(name) && (await branch.tip(name)) === null) return name;
  }
}
