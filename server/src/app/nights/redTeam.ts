// The red team of a run: in idle time, it makes the kept changes of the run worse on purpose and lets the gates judge
// these variants. Each is judged on the commit that its change started from; no variant is kept.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { listCommitsAfter, readRunBranchTip } from '../../adapters/git/nightBranch.ts';
import type { FileEdit, Proposal } from '../../core/model.ts';
import { formatUnifiedDiff } from '../../core/propose/unifiedDiff.ts';
import { shortenDiff } from '../../core/run/report/changeDiff.ts';
import type { Night } from '../../core/run/nightTypes.ts';
import { describeVariant } from '../../core/run/report/redTeamReport.ts';
import type { Session } from '../../core/session.ts';
import type { TriedVariant } from '../../core/verify/cheats/judgeVariant.ts';
import type { Variant } from '../../core/verify/cheats/planCheats.ts';
import type { Settings } from '../../settings/schema.ts';
import { describeError, SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import type { BegunRun } from './beginRun.ts';
import type { OpenLedger } from './sharedKnowledge.ts';
import { requireNight, openRunSession, rootOfRun, type NightContext } from './night.ts';

/**
 * The parts that the red team uses. `ledgerOfRun`: the ledger of the run, with the edits of its proposals. `session`:
 * the session of the run, which plans the variants.
 */
export interface RedTeam {
  readonly session: Pick<Session, 'verification'>;
  readonly ledgerOfRun: OpenLedger;
  readonly settings: Pick<Settings, 'night.redTeamTries'>;
}

/**
 * Tries variants until one escapes in code that a change touches, all were tried, or the limit of the run is reached.
 * Returns true if one escaped there. Throws `cancelled`.
 */
export async function tryRedTeam(
  context: NightContext,
  begunRun: BegunRun,
  { ledgerOfRun, settings, session: planner }: RedTeam,
  signal: AbortSignal,
): Promise<boolean> {
  const maxTries = settings['night.redTeamTries'];
  const { places, repository } = context;
  const folder = join(places.folder, 'redteam');
  const night = await requireNight(repository.ledger, begunRun.branch);
  const changes = night.changes.filter(({ run }) => run === begunRun.run);
  if (changes.length === 0 || variantsOfRun(night, begunRun.run).length >= maxTries) return false;
  const commits = await listCommitsAfter(
    places.tree,
    night.base,
    (await readRunBranchTip(places.tree, begunRun.branch)) ?? night.base,
  );
  try {
    for (const { proposal: id, commit } of changes) {
      const triedVariants = variantsOfRun(await requireNight(repository.ledger, begunRun.branch), begunRun.run);
      if (triedVariants.length >= maxTries) return false;
      const parent = commits.find((candidate) => candidate.id === commit)?.parent;
      const proposal = await ledgerOfRun.ledger.proposal(id);
      if (parent === undefined || !proposal) continue;
      const plannedVariants = await planner.verification.variants(proposal.edits, { signal });
      const isTried = ({ kind }: Variant) =>
        triedVariants.some((variant) => variant.proposal === id && variant.kind === kind);
      const variants = plannedVariants.filter((variant) => !isTried(variant));
      if (variants.length === 0) continue;
      await context.branch.checkOut(folder, begunRun.branch, parent, signal);
      const hasEscaped = await withSessionIn(context, folder, async (session) => {
        await session.open({ signal });
        return tryChange(context, begunRun, session, { proposal, variants, maxVariants: maxTries }, signal);
      });
      if (hasEscaped) return true;
    }
    return false;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs `work` with a session in a checkout in `folder`. */
async function withSessionIn<T>(
  context: NightContext,
  folder: string,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const root = rootOfRun({ places: { ...context.places, tree: folder }, branch: context.branch });
  const { session } = await openRunSession(context, 0, undefined, root);
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

/** A kept change, with the variants that are still to be tried. */
interface Change {
  readonly proposal: Proposal;
  readonly variants: readonly Variant[];
  /** Number of variants that the run may try. */
  readonly maxVariants: number;
}

/**
 * Tries these variants of one change. Returns true if a variant of code that the change touches escaped. If the change
 * itself does not pass here, the outcome of its variants is `unknown`, because their failure would show nothing.
 */
export async function tryChange(
  { repository, request }: Pick<NightContext, 'repository' | 'request'>,
  { branch, run }: Pick<BegunRun, 'branch' | 'run'>,
  session: Pick<Session, 'verification'>,
  { proposal, variants, maxVariants }: Change,
  signal: AbortSignal,
): Promise<boolean> {
  const { id, title } = proposal;
  const control = await tryOne(session, proposal, proposal.edits, signal);
  const judge = async ({ edits }: Variant): Promise<TriedVariant> =>
    control.outcome === 'escaped'
      ? tryOne(session, proposal, edits, signal)
      : { outcome: 'unknown', reason: `The change itself does not pass here. ${control.reason}` };
  for (const variant of variants) {
    throwIfCancelled(signal);
    if (variantsOfRun(await requireNight(repository.ledger, branch), run).length >= maxVariants) return false;
    const { kind, path, line, isBeside } = variant;
    const { outcome, reason } = await judge(variant);
    await repository.ledger.record({
      type: 'nightVariant',
      data: {
        night: branch,
        run,
        proposal: id,
        title,
        kind,
        path,
        line,
        outcome,
        reason,
        ...(isBeside ? { isBeside } : {}),
        ...(outcome === 'escaped' ? { diff: formatDiff(proposal, variant) } : {}),
      },
    });
    request.onEvent({
      type: 'note',
      text: describeVariant({ ...variant, outcome, title }, `${kind}, ${path}:${line}`),
    });
    // An escape outside of the changed code shows nothing about the change.
    if (outcome === 'escaped' && !isBeside) return true;
  }
  return false;
}

/** The diff between the file after the change and the variant, so that a person can look at it. */
function formatDiff({ edits }: Proposal, { path, edits: spoiled }: Variant): string {
  const findText = (all: readonly FileEdit[]) => all.find((edit) => edit.path === path)?.after ?? null;
  return shortenDiff(formatUnifiedDiff([{ path, before: findText(edits), after: findText(spoiled) }])).text;
}

/** Judges one variant; `unknown` if that fails. */
async function tryOne(
  session: Pick<Session, 'verification'>,
  proposal: Proposal,
  edits: readonly FileEdit[],
  signal: AbortSignal,
): Promise<TriedVariant> {
  try {
    return await session.verification.tryVariant(proposal, edits, { signal });
  } catch (error) {
    throwIfCancelled(signal);
    if (!(error instanceof SelfwareError)) throw error;
    return { outcome: 'unknown', reason: describeError(error) };
  }
}

/** The variants that the run has tried. */
function variantsOfRun({ variants }: Night, run: string): Night['variants'] {
  return variants.filter((variant) => variant.run === run);
}
