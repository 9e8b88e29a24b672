// Defines the tool `proposal`: it describes a proposal, or lists the proposals.

import * as z from 'zod';
import type { Proposal } from '../core/model.ts';
import { toOneLine, cutPage } from './bounds.ts';
import { createProposalAnswer } from './proposeTools.ts';
import { defineTool } from './tool.ts';
import { formatCount } from '../util/counted.ts';

/** The statuses of proposals that wait for a verdict or a decision. */
const WAITING_STATUSES: ReadonlySet<Proposal['status']> = new Set([
  'proposed',
  'verifying',
  'verified',
  'deferred',
  'approved',
  'applied',
  'conflicted',
]);

const input = z.object({
  id: z.string().max(200).optional().describe('Id of a proposal. Without it the proposals are listed, newest first.'),
  wait_seconds: z.number().min(0).max(1800).default(0).describe('Seconds to wait for verdicts that are not there yet.'),
  diff: z.boolean().default(true).describe('Include the diff.'),
  receipt: z
    .boolean()
    .default(false)
    .describe('Include the receipt of a kept change, which proves it without other data.'),
  all: z.boolean().default(false).describe('In the list: decided ones too.'),
  limit: z.int().min(1).max(100).default(20).describe('At most this many in the list.'),
});

/**
 * Describes the proposal with an id, after waiting for its verification if this was requested. If no id is given, lists
 * the proposals.
 */
export const proposalTool = defineTool<z.output<typeof input>>({
  name: 'proposal',
  title: 'Look at a Proposal',
  summary: 'State, verdicts, points, diff and receipt of a proposal; without an id the list of those that wait.',
  description:
    'Tells what became of a proposal: the answer of each check with its evidence, failing tests, counterexample, points before and after, diff, and what to do next. With wait_seconds it waits for a verification that still runs. Without an id it lists the proposals that wait, newest first.',
  hints: { readOnly: true, destructive: false, idempotent: true },
  needsTrust: false,
  runningText: 'Looking at proposals',
  icon: '$(git-pull-request)',
  input,
  async run({ id, wait_seconds: seconds, diff, receipt, all, limit }, call) {
    const { session, verifications, operation } = call;
    if (id === undefined) return createListAnswer(await session.proposals.all(), all, limit);
    const storedProposal = await session.proposals.get(id);
    const judgedProposal =
      (await verifications.wait(id, { seconds, signal: operation.signal, report: operation.report })) ?? storedProposal;
    return createProposalAnswer(
      session,
      judgedProposal,
      verifications.isRunning(id) ? 'going through its checks' : null,
      {
        diff,
        ...(receipt ? { receipt: await session.ledger.receipt(id) } : {}),
      },
    );
  },
});

/** The list of proposals, newest first. Unless `all` is true, only those that wait. */
function createListAnswer(proposals: readonly Proposal[], all: boolean, limit: number) {
  const shownProposals = proposals.filter(({ status }) => all || WAITING_STATUSES.has(status)).toReversed();
  const page = cutPage(
    shownProposals.map(({ id, title, status, safety, recipe, edits, createdAt }) => ({
      id,
      title: toOneLine(title),
      status,
      safety,
      recipe,
      files: edits.slice(0, 5).map(({ path }) => path),
      createdAt: new Date(createdAt).toISOString(),
    })),
    0,
    limit,
  );
  return {
    structured: { total: page.total, proposals: page.rows },
    text:
      page.total === 0
        ? all
          ? 'There is no proposal.'
          : 'No proposal waits.'
        : [
            `${formatCount(page.total, 'proposal')}${page.rows.length < page.total ? `, the newest ${page.rows.length}` : ''}:`,
            ...page.rows.map(({ id, title, status, files }) => `- ${id} ${status}: ${title} (${files.join(', ')})`),
          ].join('\n'),
  };
}
