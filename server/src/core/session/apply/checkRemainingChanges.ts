// After a kept change was undone, checks the changes again that were checked together with it: they have to pass types
// and tests without it.

import type { Proposal, Verdict } from '../../model.ts';
import type { Operation } from '../../operation.ts';
import { listIdsCheckedTogether } from '../../verify/checkedTogether.ts';
import { withActivity, notify, type SessionContext } from '../context.ts';
import { compareInTree, findStandingEdits } from './probation.ts';
import type { CheckedRemaining } from './applyResults.ts';

/**
 * If a change of a set was undone, checks the other changes of that set, once. A set that fails stays in the files: a
 * notice names its changes, because the person has kept them. Does nothing in a workspace that is not trusted. Throws
 * `cancelled`; then the check stays due.
 */
export async function checkRemaining(
  context: SessionContext,
  operation: Operation,
): Promise<readonly CheckedRemaining[]> {
  if (!context.trusted) return [];
  const checked: CheckedRemaining[] = [];
  for (const { undone, rest } of await findDueRests(context)) {
    const verdicts = await withActivity(context, 'verifying', () => checkAll(context, rest, operation));
    await context.ledger.record({
      type: 'checkedAgain',
      data: { proposal: undone.id, rest: rest.map(({ id }) => id), verdicts },
    });
    const failing = verdicts.some(isFailed) ? await findFailingAlone(context, rest, operation) : [];
    for (const { proposal, reason } of failing) notifyFailure(context, undone, proposal, reason);
    checked.push({ undone, rest, verdicts, failing: failing.map(({ proposal }) => proposal) });
  }
  return checked;
}

/** An undone change, and the kept changes that were checked together with it and have to be checked again. */
interface DueRest {
  readonly undone: Proposal;
  readonly rest: readonly Proposal[];
}

/** The undone changes whose companions are kept and have not been checked again since. */
async function findDueRests({ ledger }: SessionContext): Promise<readonly DueRest[]> {
  const allProposals = await ledger.proposals();
  const rolledBackProposals = allProposals.filter(({ status }) => status === 'rolledBack');
  if (rolledBackProposals.length === 0) return [];
  const checkedProposalIds = new Set(
    (await ledger.query({ types: ['checkedAgain'] })).map(
      ({ data }) => (data as { readonly proposal: string }).proposal,
    ),
  );
  return rolledBackProposals
    .filter(({ id }) => !checkedProposalIds.has(id))
    .map((proposal) => ({
      undone: proposal,
      rest: allProposals.filter(
        (candidate) => candidate.status === 'kept' && listIdsCheckedTogether(candidate).includes(proposal.id),
      ),
    }))
    .filter(({ rest }) => rest.length > 0);
}

/**
 * The verdicts on the current tree, compared with the tree without these changes; empty if none of the changes is in
 * the files.
 */
async function checkAll(
  context: SessionContext,
  changes: readonly Proposal[],
  operation: Operation,
): Promise<readonly Verdict[]> {
  const [first] = changes;
  const edits = (await Promise.all(changes.map((change) => findStandingEdits(context, change.edits)))).flatMap(
    (standing) => (standing === 'edited' ? [] : standing),
  );
  if (!first || edits.length === 0) return [];
  return compareInTree(context, first, edits, { only: ['applies', 'types', 'tests'] }, operation);
}

/** The changes that fail without the others, each with the reason; all of them if none fails alone. */
async function findFailingAlone(
  context: SessionContext,
  remaining: readonly Proposal[],
  operation: Operation,
): Promise<readonly { readonly proposal: Proposal; readonly reason: string }[]> {
  const failing: { readonly proposal: Proposal; readonly reason: string }[] = [];
  for (const proposal of remaining) {
    const failedVerdict = (await checkAll(context, [proposal], operation)).find(isFailed);
    if (failedVerdict) failing.push({ proposal, reason: failedVerdict.reason });
  }
  const togetherReason = 'Types or tests fail with the changes that were checked together.';
  return failing.length > 0 ? failing : remaining.map((proposal) => ({ proposal, reason: togetherReason }));
}

/**
 * True for a failed verdict, except that of the gate `applies`, which only means that the sandbox could not take the
 * change.
 */
function isFailed({ gate, outcome }: Verdict): boolean {
  return gate !== 'applies' && outcome === 'failed';
}

/** Tells the person that a change fails without the undone change, and how to undo it, too. */
function notifyFailure(
  context: SessionContext,
  rolledBackProposal: Proposal,
  proposal: Proposal,
  reason: string,
): void {
  const { title, checkpoint } = proposal;
  notify(context, {
    severity: 'error',
    message: `${title} was checked together with "${rolledBackProposal.title}", which was undone since. Without it: ${reason}`,
    action: checkpoint === null ? null : `To undo it, too: \`selfware checkpoints rollback ${checkpoint}\`.`,
  });
}
