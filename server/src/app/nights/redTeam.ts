// The red team of a run: in idle time, it makes the kept changes of the run worse on purpose and lets the gates judge
// these variants. Each is judged on the commit that its change started from; no variant is kept.

import { join } from 'node:path';
import { commitsAfter, tipInside } from '../../adapters/git/nightBranch.ts';
import type { VariantOutcome } from '../../core/model/cheats.ts';
import type { Proposal } from '../../core/model.ts';
import type { Night } from '../../core/run/nights.ts';
import type { Session } from '../../core/session.ts';
import type { Variant } from '../../core/verify/cheats/planCheats.ts';
import type { Settings } from '../../settings/schema.ts';
import { describeError, SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import type { BegunRun } from './beginRun.ts';
import type { OpenLedger } from './memory.ts';
import { nightOn, openRunSession, rootOfRun, type NightContext } from './night.ts';

/** `own`: the ledger of the run, which holds the edits of its proposals. */
export interface RedTeam {
  readonly own: OpenLedger;
  readonly settings: Pick<Settings, 'night.redTeamTries'>;
}

/**
 * Tries variants until one escapes, all were tried, or the limit of the run is reached. True if one escaped. Throws
 * `cancelled`.
 */
export async function tryRedTeam(
  context: NightContext,
  begun: BegunRun,
  { own, settings }: RedTeam,
  signal: AbortSignal,
): Promise<boolean> {
  const most = settings['night.redTeamTries'];
  const { places, repository } = context;
  const folder = join(places.folder, 'redteam');
  const night = await nightOn(repository.ledger, begun.branch);
  const changes = night.changes.filter(({ run }) => run === begun.run);
  if (changes.length === 0 || triedIn(night, begun.run).length >= most) return false;
  const commits = await commitsAfter(
    places.tree,
    night.base,
    (await tipInside(places.tree, begun.branch)) ?? night.base,
  );
  for (const { proposal: id, commit } of changes) {
    const parent = commits.find((one) => one.id === commit)?.parent;
    const proposal = await own.ledger.proposal(id);
    if (parent === undefined || !proposal) continue;
    await context.branch.checkOut(folder, begun.branch, parent, signal);
    const escaped = await inSession(context, folder, async (session) => {
      await session.open({ signal });
      return tryChange(context, begun, session, { proposal, most }, signal);
    });
    if (escaped) return true;
  }
  return false;
}

async function inSession<T>(context: NightContext, folder: string, work: (session: Session) => Promise<T>): Promise<T> {
  const root = rootOfRun({ places: { ...context.places, tree: folder }, branch: context.branch });
  const { session } = await openRunSession(context, 0, undefined, root);
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

/** Tries the variants of one change that this run has not tried yet. */
async function tryChange(
  context: NightContext,
  { branch, run }: BegunRun,
  session: Session,
  { proposal, most }: { readonly proposal: Proposal; readonly most: number },
  signal: AbortSignal,
): Promise<boolean> {
  const { repository, request } = context;
  for (const variant of await session.verification.variants(proposal.edits, { signal })) {
    throwIfCancelled(signal);
    const tried = triedIn(await nightOn(repository.ledger, branch), run);
    if (tried.length >= most) return false;
    const { kind, path, line } = variant;
    if (tried.some((one) => one.proposal === proposal.id && one.kind === kind)) continue;
    const { outcome, reason } = await tryOne(session, proposal, variant, signal);
    const { id, title } = proposal;
    await repository.ledger.record({
      type: 'nightVariant',
      data: { night: branch, run, proposal: id, title, kind, path, line, outcome, reason },
    });
    request.onEvent({ type: 'note', text: `Made worse on purpose (${kind}, ${path}:${line}), ${outcome}: ${title}` });
    if (outcome === 'escaped') return true;
  }
  return false;
}

async function tryOne(
  session: Session,
  proposal: Proposal,
  { edits }: Variant,
  signal: AbortSignal,
): Promise<{ readonly outcome: VariantOutcome; readonly reason: string | null }> {
  try {
    const reason = await session.verification.tryVariant(proposal, edits, { signal });
    return { outcome: reason === null ? 'escaped' : 'caught', reason };
  } catch (error) {
    throwIfCancelled(signal);
    if (!(error instanceof SelfwareError)) throw error;
    return { outcome: 'unknown', reason: describeError(error) };
  }
}

function triedIn({ variants }: Night, run: string): Night['variants'] {
  return variants.filter((one) => one.run === run);
}
