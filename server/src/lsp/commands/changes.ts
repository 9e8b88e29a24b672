// Server commands for applied changes: check them, keep them, and commit the kept ones.

import { plainReason } from '#protocol/plainWords';
import type { Proposal } from '../../core/model.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { parseCommitParams, parseKeepParams } from '../fromProtocol.ts';
import { toReview } from '../toProtocol.ts';
import { reportOutcome, runWithProgress, type CommandRequest, type ServerCommand } from './command.ts';
import { formatCount } from '../../util/counted.ts';

/**
 * Runs the checks of all changes in probation, in every folder; each change is then kept or rolled back. Takes as long
 * as the tests of the repository. The outcome is `ok` if every change was kept.
 */
export const judgeCommand: ServerCommand = async (context, request) => {
  // Called only because it throws `unavailable` if no folder is open.
  context.repositories.chosen();
  const judgedChanges: Proposal[] = [];
  for (const repository of context.repositories.all())
    judgedChanges.push(
      ...(await runWithProgress(
        context,
        repository,
        'Selfware: checking applied changes',
        request,
        (session, operation) => session.changes.judge(operation),
      )),
    );
  return reportOutcome(context, {
    ok: judgedChanges.every(({ status }) => status === 'kept'),
    message:
      judgedChanges.length === 0
        ? 'No applied change waits for its checks.'
        : judgedChanges.map(describeOutcome).join(' '),
    review: null,
  });
};

/**
 * Keeps an applied change without further checks, even if it failed them and could not be rolled back. Without a
 * proposal: the newest change that waits for a decision. Throws `notFound` if there is none.
 */
export const keepCommand: ServerCommand = async (context, { args }) => {
  const { proposal: id, reason } = parseKeepParams(args);
  const repository = await context.repositories.owner(async (session) =>
    (await session.proposals.all()).some((candidate) =>
      id === undefined ? isAwaitingDecision(candidate) : candidate.id === id,
    ),
  );
  const proposals = await (await repository.session()).proposals.all();
  const proposal = proposals.findLast((candidate) =>
    id === undefined ? isAwaitingDecision(candidate) : candidate.id === id,
  );
  if (!proposal)
    throw new SelfwareError(
      'notFound',
      id === undefined ? 'No applied change waits for its checks.' : `There is no change ${id}.`,
    );
  const keptProposal = await repository.use((session) => session.changes.keep(proposal.id, reason ?? null));
  return reportOutcome(context, {
    ok: true,
    message: `Kept: ${keptProposal.title}.`,
    review: toReview(keptProposal, repository.uri),
  });
};

/**
 * Commits the named changes, or all kept ones, to a branch. The work tree, the index and the checked-out branch stay as
 * they are. The outcome is `ok` if no change was left out.
 */
export const commitCommand: ServerCommand = async (context, request: CommandRequest) => {
  const { changes, branch } = parseCommitParams(request.args);
  const repository = await context.repositories.owner(async (session) =>
    (await session.proposals.all()).some(({ id, checkpoint, status }) =>
      changes ? changes.includes(id) || (checkpoint !== null && changes.includes(checkpoint)) : status === 'kept',
    ),
  );
  const report = await runWithProgress(context, repository, 'Selfware: committing', request, (session, operation) =>
    session.changes.commit({ ...operation, changes: changes ?? [], branch: branch ?? null, checkedOut: false }),
  );
  const { committed, refused } = report;
  const skippedLines = refused.map(({ title, reason }) => `Left out: ${title}: ${reason}`);
  const committedText =
    committed.length === 0
      ? 'Nothing was committed.'
      : `${formatCount(committed.length, 'change')} committed on ${report.branch}.`;
  return reportOutcome(context, {
    ok: refused.length === 0,
    message: [committedText, ...skippedLines].join(' '),
    review: null,
  });
};

function isAwaitingDecision({ status }: Proposal): boolean {
  return status === 'applied' || status === 'conflicted';
}

/** The sentence about a change after its checks. */
function describeOutcome({ title, status, reason }: Proposal): string {
  if (status === 'kept') return `Kept: ${title}.`;
  if (status === 'rolledBack') return `Rolled back: ${title}. ${plainReason(reason ?? '')}`.trim();
  return status === 'conflicted'
    ? `Failed, and still in your files: ${title}. ${plainReason(reason ?? '')}`.trim()
    : `The check is not finished: ${title}.`;
}
