// From an opportunity to a proposal: picks candidates, lets recipes realise them, remembers what was refused.

import { SelfwareError, describeError, throwIfCancelled } from '../../util/typedError.ts';
import type { FileEdit, Opportunity, Proposal } from '../model.ts';
import type { JobTable } from '../indexPorts.ts';
import { isSettled } from '../ledger/proposalLife.ts';
import { candidates } from '../prioritise/prioritise.ts';
import type { ProposeOutcome, ProposeRequest } from '../session.ts';
import type { SessionContext } from './context.ts';
import { priorityContextOf } from './ranking.ts';
import { proposableOpportunities, seenOpportunities } from './seeing.ts';
import { fitsFiles } from './verifying.ts';

/** A recipe that takes longer is ended: it hangs or the file is beyond it. */
const recipeTimeoutMs = 60_000;
/** Recipes that are run, so that a repository full of refusals does not keep a user waiting; and refusals that are told. */
const maximumTries = 40;

type Realised = JobTable['realise']['output'];

/**
 * Turns the requested (or the best realisable) opportunity into a proposal and records every attempt.
 * Throws `untrusted`, `notARepository`, `noCommit`, `notFound`.
 */
export async function propose(context: SessionContext, request: ProposeRequest): Promise<ProposeOutcome> {
  const { ports } = context;
  if (!context.trusted) throw new SelfwareError('untrusted', 'This workspace is not trusted, so nothing is proposed.', { action: 'Trust the workspace first.' });
  const repository = await ports.git.state();
  if (!repository) throw new SelfwareError('notARepository', 'Proposals are verified in a git worktree, and this folder is not a git repository.', { action: 'Run `git init` and commit once; index, search and analysis work without it.' });
  if (!repository.head) throw new SelfwareError('noCommit', 'Proposals are verified in a git worktree, and this repository has no commit yet.', { action: 'Commit once.' });

  const dirty = new Map((await ports.git.dirty()).map((entry) => [entry.path, entry.kind]));
  const chosen = await choose(context, request.opportunity);
  const tried: { opportunity: string; refused: string }[] = [];
  const passOver = (opportunity: Opportunity, refused: string) => {
    if (tried.length < maximumTries) tried.push({ opportunity: opportunity.id, refused });
  };
  // Its verification was cancelled or broke down: once more, but last, so that one that always breaks down bars nobody's way.
  let unfinished: Proposal | null = null;
  let tries = 0;
  for (const [position, opportunity] of chosen.entries()) {
    throwIfCancelled(request.signal);
    if (tries >= maximumTries) break;
    request.report?.({ stage: 'realising', done: position, total: chosen.length, message: `${opportunity.rule} in ${opportunity.path}` });
    const open = await openProposal(context, opportunity);
    if (open && (request.opportunity !== undefined || open.status !== 'deferred')) return { proposal: open, tried };
    if (open && open.verdicts.length === 0) {
      unfinished ??= open;
      continue;
    }
    if (open) {
      passOver(opportunity, 'A proposal for it waits for a decision.');
      continue;
    }
    // An obstacle may be gone tomorrow; only what the recipe itself refuses is remembered.
    const obstacle = uncommitted(dirty.get(opportunity.path), request.opportunity !== undefined) ?? (await forbidden(context, [opportunity]));
    if (obstacle) {
      passOver(opportunity, obstacle);
      continue;
    }
    tries++;
    const outcome = await judged(context, await realise(context, opportunity, request.signal));
    if ('refused' in outcome) {
      passOver(opportunity, outcome.refused);
      await context.ledger.record({ type: 'attempt', data: { opportunity: opportunity.id, recipe: opportunity.recipe ?? '', outcome: 'refused', reason: outcome.refused } });
      continue;
    }
    if (await isFiled(context, outcome.edits)) {
      passOver(opportunity, 'A proposal with the same edits waits for a decision.');
      continue;
    }
    const ban = await forbidden(context, outcome.edits);
    if (ban) {
      passOver(opportunity, ban);
      continue;
    }
    const proposal = await record(context, opportunity, outcome, repository.head, request.signal);
    return { proposal, tried };
  }
  return { proposal: unfinished, tried };
}

/** A proposal with only some hunks is another proposal: it is verified by itself. */
export async function record(
  context: SessionContext,
  opportunity: Pick<Opportunity, 'id' | 'rule' | 'path' | 'symbol' | 'recipe'>,
  realised: { readonly edits: readonly FileEdit[]; readonly title: string; readonly rationale: string },
  base: string | null,
  signal: AbortSignal,
): Promise<Proposal> {
  const { ports } = context;
  const proposal: Proposal = {
    id: ports.ids.next('proposal'),
    title: realised.title,
    rationale: realised.rationale,
    recipe: opportunity.recipe ?? '',
    opportunity: { id: opportunity.id, rule: opportunity.rule, path: opportunity.path, symbol: opportunity.symbol },
    base,
    edits: realised.edits,
    safety: await ports.jobs.run('safety', realised.edits, signal),
    createdAt: ports.clock.now(),
    status: 'proposed',
    verdicts: [],
    pointsBefore: null,
    pointsAfter: null,
    reason: null,
    checkpoint: null,
  };
  await context.ledger.record({ type: 'proposed', data: { proposal } });
  context.emit({ type: 'status' });
  return proposal;
}

/** The proposal that is open for an opportunity, if it still fits the files; one that does not is put away. */
async function openProposal(context: SessionContext, opportunity: Opportunity): Promise<Proposal | null> {
  const open = await context.ledger.openProposalFor(opportunity.id);
  if (!open || (await fitsFiles(context, open.edits))) return open;
  const { id, verdicts, pointsBefore, pointsAfter } = open;
  // A process that died left it in verification: as it stands, a refusal would count as one by the gates.
  if (open.status === 'verifying') await context.ledger.record({ type: 'deferred', data: { proposal: id, by: 'charter', reason: 'The verification did not finish.' } });
  await context.ledger.record({ type: 'refused', data: { proposal: id, verdicts, pointsBefore, pointsAfter, reason: 'Its files have changed since.' } });
  return null;
}

async function choose(context: SessionContext, id: string | undefined): Promise<readonly Opportunity[]> {
  if (id !== undefined) {
    const { shown, hidden } = await seenOpportunities(context);
    // Who names one wants it, hidden or not.
    const found = [...shown, ...hidden.map(({ opportunity }) => opportunity)].find((opportunity) => opportunity.id === id);
    if (!found) throw new SelfwareError('notFound', `There is no opportunity ${id} any more.`, { action: 'The file has changed; look at the list again.' });
    if (!found.recipe) throw new SelfwareError('unavailable', `No recipe can realise ${found.rule} here.`, { action: 'It needs a person.' });
    return [found];
  }
  const { shown, quiet } = await proposableOpportunities(context);
  const refused = new Set<string>();
  for (const { id: known, recipe } of [...shown, ...quiet]) if (recipe && (await context.ledger.refusedBefore(known))) refused.add(known);
  const ranking = { ...(await priorityContextOf(context, true)), refused, cooling: await context.ledger.cooling() };
  return [...candidates(shown, ranking), ...candidates(quiet, ranking)];
}

function uncommitted(kind: string | undefined, asked: boolean): string | null {
  if (kind === 'conflicted') return 'The file has merge conflicts.';
  // Who asks for this very place sees the diff against what is on disk; unasked we keep our hands off unfinished work.
  if (kind && !asked) return 'The file has uncommitted changes.';
  return null;
}

/** What comes out of a recipe, with a refusal in the place of what is not worth a verification. */
async function judged(context: SessionContext, outcome: Realised): Promise<Realised> {
  if ('refused' in outcome) return outcome;
  if (outcome.edits.every(({ before, after }) => before === after)) return { refused: 'There is nothing to change.' };
  return (await context.ledger.refusedContent(outcome.edits)) ? { refused: 'The same edits were refused before.' } : outcome;
}

/** Two rules may see one flaw: the same edits are not filed twice while the first wait. */
async function isFiled(context: SessionContext, edits: readonly FileEdit[]): Promise<boolean> {
  const wanted = JSON.stringify(edits.map(({ path, before, after }) => [path, before, after]));
  const open = (await context.ledger.proposals()).filter((proposal) => !isSettled(proposal.status));
  return open.some((proposal) => JSON.stringify(proposal.edits.map(({ path, before, after }) => [path, before, after])) === wanted);
}

async function forbidden(context: SessionContext, touched: readonly { readonly path: string }[]): Promise<string | null> {
  const answer = await context.charter.check(touched);
  return answer.allowed ? null : answer.reason;
}

async function realise(context: SessionContext, opportunity: Opportunity, signal: AbortSignal): Promise<Realised> {
  const timeout = AbortSignal.timeout(recipeTimeoutMs);
  try {
    return await context.ports.jobs.run('realise', { rootDir: context.ports.files.rootDir, opportunity }, AbortSignal.any([signal, timeout]));
  } catch (error) {
    throwIfCancelled(signal);
    // Our own trouble is not the recipe's: remembered as a refusal, it would spoil the place for good.
    if (error instanceof SelfwareError && (error.reason === 'unavailable' || error.reason === 'cancelled') && !timeout.aborted) throw error;
    context.ports.log.write('warn', `Recipe ${opportunity.recipe} failed on ${opportunity.path}.`, error);
    return { refused: timeout.aborted ? 'The recipe took too long.' : `The recipe failed: ${describeError(error)}` };
  }
}
