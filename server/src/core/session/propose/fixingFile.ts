// Combines all safe fixes of one file in one proposal, so that they need only one verification and one review, and
// single hunks can be chosen.

import { throwIfCancelled } from '../../../util/typedError.ts';
import { rules } from '../../analysis/rules.ts';
import { splitOpportunityIds, joinIds } from '../../ledger/opportunityIds.ts';
import type { Opportunity, Proposal } from '../../model.ts';
import { isSafeRecipe } from '../../propose/unattended.ts';
import type { SessionContext } from '../context.ts';
import { requireHead } from '../analyse/possibleWork.ts';
import { isAlreadyFiled, recordProposal } from './recordProposal.ts';
import { formatEdits } from './formatEdits.ts';
import { listOpportunities } from '../analyse/listOpportunities.ts';
import { createUnfinishedWorkTest } from '../apply/unfinishedWork.ts';

/**
 * Files the safe fixes of the shown opportunities in the file as one proposal. Null if they have to be proposed
 * separately, because there are fewer than two, the file must not be changed, one of them has an open proposal, or the
 * same change was refused before or is already filed. Throws `untrusted`, `notARepository`, `noCommit`.
 */
export async function proposeFileFixes(
  context: SessionContext,
  path: string,
  signal: AbortSignal,
): Promise<Proposal | null> {
  const { ports, ledger } = context;
  const head = await requireHead(context);
  const { shown, hidden } = await listOpportunities(context);
  const safeFixes = shown.filter((opportunity) => opportunity.path === path && isSafeRecipe(opportunity.recipe));
  if (safeFixes.length < 2 || (await isBarred(context, path, safeFixes))) return null;
  const bytes = await ports.files.read(path);
  if (bytes === null) return null;
  const before = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const chosenRules = new Set(safeFixes.map(({ rule }) => rule));
  const excluded = {
    rules: rules.map(({ id }) => id as string).filter((id) => !chosenRules.has(id)),
    opportunities: hidden.map(({ opportunity }) => opportunity.id),
  };
  const { text, fixed, opportunities } = await ports.jobs.run(
    'fixText',
    { rootDir: ports.files.rootDir, path, text: before, without: excluded },
    signal,
  );
  const fixedPlaces = safeFixes.filter(({ id }) => opportunities.includes(id));
  const [first] = fixedPlaces;
  if (!first || fixedPlaces.length < 2) return null;
  const edits = await formatEdits(context, [{ path, before, after: text }], signal);
  if ((await ledger.refusalOf(edits)) || (await isAlreadyFiled(context, edits))) return null;
  throwIfCancelled(signal);
  const change = {
    edits,
    title: `Make ${fixed.length} safe fixes in ${path.slice(path.lastIndexOf('/') + 1)}`,
    rationale: `Selfware can do these automatically, and each can be left out:\n${fixed.map((fixTitle) => `- ${fixTitle}`).join('\n')}`,
  };
  return recordProposal(
    context,
    { ...first, id: joinIds(fixedPlaces.map(({ id }) => id)), symbol: null },
    change,
    head,
    signal,
  );
}

/**
 * True if the charter or unfinished work protects the file, if one of the places has an open proposal, or if a gate has
 * refused a joint change of some of these places.
 */
async function isBarred(context: SessionContext, path: string, safe: readonly Opportunity[]): Promise<boolean> {
  if (
    !(await context.charter.check([{ path }])).allowed ||
    (await (
      await createUnfinishedWorkTest(context)
    )(path, true))
  )
    return true;
  for (const { id } of safe) if (await context.ledger.openProposalFor(id)) return true;
  const ids = new Set(safe.map(({ id }) => id));
  const wasRefused = ({ opportunity, verdicts }: Proposal) => {
    const jointIds = splitOpportunityIds(opportunity.id);
    return (
      jointIds.length > 1 && jointIds.every((id) => ids.has(id)) && verdicts.some(({ outcome }) => outcome === 'failed')
    );
  };
  return (await context.ledger.proposals()).some(
    (proposal) => proposal.opportunity.path === path && wasRefused(proposal),
  );
}
