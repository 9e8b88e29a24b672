// `selfware proposals list|show|approve|reject|judge|keep`: reviews proposals on the command line, applies them, and
// judges or keeps applied changes.

import type { ShownCode } from '../../core/model/asks.ts';
import type { Proposal } from '../../core/model.ts';
import type { Operation } from '../../core/operation.ts';
import { createHunks } from '../../core/propose/hunks.ts';
import type { Session } from '../../core/session.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { isDeferredAsBusy } from '../../core/verify/busyMachine.ts';
import { describeStanding } from '../../core/verify/strength.ts';
import {
  createCommand,
  createCommandGroup,
  withSession,
  type CommandFactory,
  type CommonOptions,
} from '../invocation.ts';
import { requirePerson, requirePersonsCommand } from '../person.ts';
import { formatProposal } from '../writers/proposal.ts';
import { formatPointsGain } from '../writers/points.ts';
import { costSentence } from '../../core/proposers/cost.ts';
import { formatCount } from '../../util/counted.ts';
import { escapeInvisible, escapeInvisibleLine } from '../../util/visible.ts';

interface ListOptions extends CommonOptions {
  readonly all?: boolean;
}
interface ApproveOptions extends CommonOptions {
  readonly hunks?: string;
}
interface RejectOptions extends CommonOptions {
  readonly reason?: string;
}

/** The statuses of proposals that wait for a verdict or a decision. */
const WAITING_STATUSES = new Set([
  'proposed',
  'verifying',
  'verified',
  'deferred',
  'approved',
  'applied',
  'conflicted',
]);

/** The status of a proposal in words. */
const formatStatus = (proposal: Proposal): string =>
  proposal.lost === undefined ? describeStanding(proposal) : 'texts lost';

/**
 * The subcommand `proposals`. The exit code is 1 in three cases: for `list`, if a proposal waits; for `approve`, if a
 * remaining part waits; for `judge`, if a change is not kept.
 */
export const proposalsCommand: CommandFactory = (setExitCode) =>
  createCommandGroup(
    'proposals',
    'the changes that wait for your decision: list, show, approve, reject; afterwards: judge, keep',
  )
    .addCommand(
      createCommand('list', 'what waits for a decision')
        .option('--all', 'decided ones too')
        .action((options: ListOptions) =>
          withSession(options, async ({ session, json, out, outJson }) => {
            const isWaiting = ({ status, lost }: Proposal) => WAITING_STATUSES.has(status) || lost !== undefined;
            const listedProposals = (await session.proposals.all()).filter(
              (proposal) => options.all || isWaiting(proposal),
            );
            if (listedProposals.some((proposal) => isWaiting(proposal) && !isDeferredAsBusy(proposal))) setExitCode(1);
            if (json) return outJson(listedProposals);
            if (listedProposals.length === 0) out('No proposal waits for a decision.');
            for (const proposal of listedProposals)
              out(
                `${proposal.id}  ${formatStatus(proposal).padEnd(19)} ${proposal.title} ` +
                  ` ${formatPointsGain(proposal.pointsBefore, proposal.pointsAfter)}`,
              );
          }),
        ),
      { isDefault: true },
    )
    .addCommand(
      createCommand('show', 'diff, verdicts and points')
        .argument('<id>')
        .action((id: string, options: CommonOptions) =>
          withSession(options, async ({ session, json, colors, out, outJson }) => {
            const proposal = await session.proposals.get(id);
            const cost = await session.proposals.cost(id);
            const shownCode = await session.proposals.shownCode(id);
            if (json)
              return outJson({
                ...proposal,
                hunks: createHunks(proposal.edits),
                cost,
                ...(shownCode ? { shown: shownCode } : {}),
              });
            out(formatProposal(proposal, colors));
            if (cost) out(escapeInvisible(costSentence(cost)));
            if (shownCode) for (const line of formatShownCode(shownCode)) out(line);
          }),
        ),
    )
    .addCommand(
      createCommand(
        'approve',
        'applies a proposal that passed its checks, with a checkpoint; after a preview, its checks run first',
      )
        .argument('<id>')
        .option('--hunks <list>', 'only these hunks, by number, e.g. 0,2 (their checks run first)')
        .action((id: string, options: ApproveOptions) =>
          withSession(options, async ({ session, ownSettings, signal, report, json, colors, out, outJson, note }) => {
            const proposal = await session.proposals.get(id);
            const show = (): void => note(formatProposal(proposal, colors));
            const isUnchecked = proposal.status === 'proposed';
            const question = isUnchecked ? 'Run all checks, and apply this change if they pass?' : 'Apply this change?';
            await requirePerson({ subject: 'Approving', question, ownSettings, show });
            if (isUnchecked) await requireVerified(session, id, { signal, report });
            const hunkOption = options.hunks === undefined ? {} : { hunks: parseHunkNumbers(options.hunks) };
            const applyResult = await session.changes.apply({
              proposal: id,
              by: 'person',
              signal,
              report,
              ...hunkOption,
            });
            const verifyRemainingPart = async (): Promise<Proposal | null> =>
              applyResult.rest
                ? ((await session.verification.verifyRemaining({ signal, report })).at(-1) ?? applyResult.rest)
                : null;
            if (json) return outJson({ ...applyResult, rest: await verifyRemainingPart() });
            if (applyResult.proposal.status === 'rolledBack')
              out(`Applied and rolled back: ${applyResult.proposal.reason ?? ''}`);
            else if (applyResult.proposal.status === 'conflicted')
              out(`Applied, but it has to be rolled back: ${applyResult.proposal.reason ?? ''}`);
            else out(`Applied. The way back: selfware checkpoints rollback ${applyResult.checkpoint.id}`);
            if (!applyResult.rest) return;
            setExitCode(1);
            out(
              `The rest (${formatHunkCount(applyResult.rest)}) keeps waiting as ${applyResult.rest.id}, and its checks run ` +
                `now against the current files. Ctrl+C postpones them.`,
            );
            const remainingProposal = await verifyRemainingPart();
            if (remainingProposal)
              out(
                remainingProposal.status === 'verified'
                  ? `${describeStanding(remainingProposal)}: selfware proposals approve ${remainingProposal.id}`
                  : `Refused: ${remainingProposal.reason ?? ''}`,
              );
          }),
        ),
    )
    .addCommand(
      createCommand('reject', 'rejects a proposal; it is not proposed again')
        .argument('<id>')
        .option('--reason <text>', 'why')
        .action((id: string, options: RejectOptions) =>
          withSession(options, async ({ session, json, out, outJson }) => {
            await requirePersonsCommand('Rejecting');
            const proposal = await session.proposals.decide({
              proposal: id,
              verdict: 'rejected',
              by: 'person',
              reason: options.reason ?? null,
            });
            if (json) outJson(proposal);
            else out('Rejected.');
          }),
        ),
    )
    .addCommand(
      createCommand(
        'judge',
        'checks applied changes that an earlier process has left unchecked; may run the tests',
      ).action((options: CommonOptions) =>
        withSession(options, async ({ session, signal, report, json, out, outJson }) => {
          const judgedProposals = await session.changes.judge({ signal, report });
          if (judgedProposals.some(({ status }) => status !== 'kept')) setExitCode(1);
          if (json) return outJson(judgedProposals);
          if (judgedProposals.length === 0) out('No applied change waits for its checks.');
          for (const { id, title, status, reason } of judgedProposals)
            out(`${id}  ${status === 'rolledBack' ? 'rolled back' : status}  ${title}${reason ? `: ${reason}` : ''}`);
        }),
      ),
    )
    .addCommand(
      createCommand('keep', 'keeps a change that is still being checked, or that failed and could not be rolled back')
        .argument('<id>')
        .option('--reason <text>', 'why')
        .action((id: string, options: RejectOptions) =>
          withSession(options, async ({ session, ownSettings, json, colors, out, outJson, note }) => {
            const proposal = await session.proposals.get(id);
            const show = (): void => note(formatProposal(proposal, colors));
            await requirePerson({ subject: 'Keeping', question: 'Keep this change?', ownSettings, show });
            const keptProposal = await session.changes.keep(id, options.reason ?? null);
            if (json) outJson(keptProposal);
            else out('Kept.');
          }),
        ),
    );

/** Runs all checks of a proposal that was only previewed. Throws `illegalStep` if it does not pass. */
async function requireVerified(session: Session, id: string, operation: Operation): Promise<void> {
  const { status, reason } = await session.verification.verify(id, operation, { atOnce: true });
  if (status !== 'verified')
    throw new SelfwareError('illegalStep', `It does not pass, so it is not applied: ${reason ?? status}`);
}

/** The number of hunks of a proposal, in words. */
function formatHunkCount({ edits }: Proposal): string {
  const hunks = createHunks(edits).length;
  return formatCount(hunks, 'hunk');
}

/** The numbers in the option `--hunks`. Throws `usage` for anything else. */
function parseHunkNumbers(text: string): number[] {
  const hunkNumbers = text.split(',').map((part) => Number(part.trim() || Number.NaN));
  if (hunkNumbers.some((value) => !Number.isInteger(value) || value < 0))
    throw new SelfwareError(
      'usage',
      '--hunks takes numbers from 0, separated by commas (selfware proposals show ID --json lists them).',
    );
  return hunkNumbers;
}

/** What the author was shown, with the first digits of each hash; `--json` prints whole hashes. */
function formatShownCode({ messages, files }: ShownCode): readonly string[] {
  const shorten = (hash: string) => hash.slice(0, 12);
  return [
    `Its author was shown a question with the SHA-256 ${shorten(messages)}…${files.length === 0 ? '.' : ', and in it:'}`,
    ...files.map(
      ({ path, hash, isPart }) => `  ${shorten(hash)}…  ${escapeInvisibleLine(path)}${isPart ? ' (in part)' : ''}`,
    ),
  ];
}
