// `selfware inbox list|show|apply|reject|run`: manages the tools, commands, skills and orders of proposers that
// Selfware proposes to a person, and runs applied commands.

import type { DecidedItem } from '../../../core/learn/inbox/decisions.ts';
import { findItems } from '../../../core/learn/inbox/naming.ts';
import type { InboxItem } from '../../../core/model/inbox.ts';
import { describeItem, EFFECT_TEXTS } from '../../../core/session/learn/inbox/describe.ts';
import type { InboxDecision, InboxList } from '../../../core/session/learn/inbox/inboxTypes.ts';
import { formatIsoDay } from '../../../util/isoDay.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { escapeInvisible, escapeInvisibleLine } from '../../../util/visible.ts';
import {
  createCommand,
  createCommandGroup,
  withSession,
  type CommandFactory,
  type CommonOptions,
} from '../../invocation.ts';
import { requirePerson, requirePersonsCommand } from '../../person.ts';

interface ApplyOptions extends CommonOptions {
  readonly mayWrite?: boolean;
}

interface RejectOptions extends CommonOptions {
  readonly reason: string;
}

/** The subcommand `inbox`. The exit code of `run` is 1 if the command fails. */
export const inboxCommand: CommandFactory = (setExitCode) =>
  createCommandGroup('inbox', 'tools, commands, skills and orders of proposers that Selfware proposes to you')
    .addCommand(
      createCommand('list', 'what waits for you, and what was decided').action((options: CommonOptions) =>
        withSession({ ...options, searches: false }, async ({ session, json, out, outJson }) => {
          const inbox = await session.inbox.list();
          if (json) return outJson(inbox);
          for (const line of formatLines(inbox)) out(escapeInvisibleLine(line));
        }),
      ),
      { isDefault: true },
    )
    .addCommand(
      createCommand('show', 'one proposal, with what applying it does')
        .argument('<id>', 'its id or name')
        .action((id: string, options: CommonOptions) =>
          withSession({ ...options, searches: false }, async ({ session, json, out, outJson }) => {
            const item = findItem(await session.inbox.list(), id);
            if (json) return outJson(item);
            for (const line of describeItem(item)) out(escapeInvisible(line));
          }),
        ),
    )
    .addCommand(
      createCommand(
        'apply',
        'applies a proposal: agents may run the command, are told the skill, the tool becomes a wish, or the order holds',
      )
        .argument('<id>', 'its id or name')
        .option('--may-write', 'also a command that is not known to only read; what it writes is discarded')
        .action((id: string, { mayWrite = false, ...options }: ApplyOptions) =>
          withSession(
            { ...options, searches: false },
            async ({ session, ownSettings, signal, json, out, outJson, note }) => {
              const item = findItem(await session.inbox.list(), id);
              await requirePerson({
                subject: 'To apply a proposal',
                question: `Apply the ${item.kind} ${item.name} (${item.id})?`,
                ownSettings,
                show: () => note(describeItem(item).map(escapeInvisible).join('\n')),
              });
              const decision: InboxDecision = {
                item: item.id,
                verdict: 'applied',
                reason: null,
                shown: describeItem(item),
                mayWrite,
              };
              const decidedItem = await session.inbox.decide(decision, signal);
              if (json) outJson(decidedItem);
              else
                out(
                  escapeInvisibleLine(
                    `Applied: ${nameOf(item)}. ${EFFECT_TEXTS[item.kind]} Take it back: selfware inbox reject ${item.id} --reason REASON.`,
                  ),
                );
            },
          ),
        ),
    )
    .addCommand(
      createCommand('reject', 'rejects a proposal, which is not proposed again; or rolls back one that was applied')
        .argument('<id>', 'its id or name')
        .requiredOption('--reason <text>', 'the reason, which is kept')
        .action(async (id: string, { reason, ...options }: RejectOptions) => {
          await requirePersonsCommand('Rejecting a proposal');
          await withSession({ ...options, searches: false }, async ({ session, signal, json, out, outJson }) => {
            const decision = await session.inbox.decide({ item: id, verdict: 'rejected', reason }, signal);
            if (json) outJson(decision);
            else
              out(
                escapeInvisibleLine(
                  `${decision.verdict === 'withdrawn' ? 'Taken back' : 'Rejected'}: ${nameOf(decision.item)}.${decision.note === undefined ? '' : ` ${decision.note}`}`,
                ),
              );
          });
        }),
    )
    .addCommand(
      createCommand('run', 'runs an applied command in a sandbox; exit code 1 if the command fails')
        .argument('<name>', 'the name or the id of the command')
        .action((name: string, options: CommonOptions) =>
          withSession(
            { ...options, searches: false },
            async ({ session, signal, report, json, out, outJson, note }) => {
              const run = await session.inbox.run(name, { signal, report });
              if (run.exitCode !== 0) setExitCode(1);
              if (json) return outJson(run);
              if (run.stdout !== '') out(escapeInvisible(run.stdout.trimEnd()));
              if (run.stderr !== '') note(escapeInvisible(run.stderr.trimEnd()));
              if (run.ended !== null) note(`The command did not end on its own: ${run.ended}.`);
            },
          ),
        ),
    );

/** The open and the decided proposals as lines of text. */
function formatLines({ open, decided }: InboxList): readonly string[] {
  if (open.length + decided.length === 0)
    return [
      'Nothing is proposed. Proposals come from feedback (repeated commands, missing tools, tools that fail), from ' +
        'corrections of yours, and from proposers that are better than others. Feedback is looked at once an hour.',
    ];
  return [
    ...open.map(({ id, kind, name, description }) => `${id}  ${kind}  ${name}  ${description}`),
    ...(open.length === 0 ? ['Nothing waits for you.'] : ['Look at one: selfware inbox show ID.']),
    ...decided.map(formatDecidedItem),
  ];
}

function formatDecidedItem({ item, verdict, reason, at }: DecidedItem): string {
  return `${item.id}  ${item.kind}  ${item.name}  ${verdict} on ${formatIsoDay(at)}${reason === null ? '' : `: ${reason}`}`;
}

/** The name of a proposed item in the message after a decision on it. */
function nameOf({ kind, id, name }: InboxItem): string {
  return `${kind} ${id} (${name})`;
}

/** The only item with this id or name. Throws `usage` if there are several, and `notFound` if there is none. */
function findItem({ open, decided }: InboxList, id: string): InboxItem {
  const matches = findItems(id, [...open, ...decided.map(({ item }) => item)]);
  if (matches.length === 1) return matches[0]!;
  if (matches.length > 1)
    throw new SelfwareError('usage', `Several proposals have the name ${id}.`, { action: 'Name an id.' });
  throw new SelfwareError('notFound', `There is no proposal ${id}.`, { action: 'Run `selfware inbox list`.' });
}
