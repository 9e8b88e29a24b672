// Runs an applied command in a sandbox. What it writes there is discarded.

import { SelfwareError, throwIfCancelled } from '../../../../util/typedError.ts';
import { throwIfStopped } from '../../../ledger/stopped.ts';
import { findItems } from '../../../learn/inbox/naming.ts';
import type { InboxCommand } from '../../../model/inbox.ts';
import type { Operation } from '../../../operation.ts';
import type { RunResult } from '../../../ports/sandbox.ts';
import type { SessionContext } from '../../context.ts';
import { NO_ISOLATION_ACTION } from '../../verify/isolation.ts';
import { readDecisions } from './files.ts';
import { requireCommand } from './filing.ts';
import type { CommandRun } from './inboxTypes.ts';

/** Maximum number of bytes that a command may print. */
const MAX_OUTPUT_BYTES = 64 * 1024;

/** The commands that a person has applied. */
export async function findAppliedCommands(context: SessionContext): Promise<readonly InboxCommand[]> {
  const { decided } = await readDecisions(context);
  return [...decided.values()].flatMap(({ item, verdict }) =>
    verdict === 'applied' && item.kind === 'command' ? [item] : [],
  );
}

/**
 * Runs the applied command with this name or id. Throws `notFound`, `untrusted`, `usage` if this version refuses the
 * command, and `forbidden` if the machine cannot isolate it, if Selfware is stopped, or if this version cannot verify
 * that the command only reads.
 */
export async function runAppliedCommand(
  context: SessionContext,
  name: string,
  { signal, report }: Operation,
): Promise<CommandRun> {
  const commands = await findAppliedCommands(context);
  const [item, secondItem] = findItems(name, commands);
  if (!item || secondItem)
    throw new SelfwareError('notFound', `There is no single command ${name}.`, {
      action: 'Run `selfware inbox list`: it shows the commands that a person has applied.',
    });
  if (!context.trusted)
    throw new SelfwareError('untrusted', 'This workspace is not trusted, so none of its commands is run.', {
      action: 'Trust the workspace first.',
    });
  if (!(await context.ports.sandbox.isolation()).confined)
    throw new SelfwareError('forbidden', 'The command is not run: this machine cannot isolate it.', {
      action: NO_ISOLATION_ACTION,
    });
  await throwIfStopped(context.ledger);
  // This version may refuse a command that an older one has allowed.
  const effects = await requireCommand(context, item.command, signal);
  if (effects === 'unknown' && item.effects === 'none')
    throw new SelfwareError('forbidden', 'This version does not know every part of the command to only read.', {
      action: `Allow it: \`selfware inbox apply ${item.id} --may-write\`.`,
    });
  const worktree = await context.ports.sandbox.open(signal);
  try {
    report?.({ stage: 'verifying', done: 0, total: null, message: `Runs \`${item.command}\`` });
    const run = await worktree.run(
      {
        // The line was read with the grammar of Bash.
        command: ['bash', '-c', item.command],
        timeoutMs: context.settings['verify.timeoutSeconds'] * 1000,
        maxOutputBytes: MAX_OUTPUT_BYTES,
      },
      signal,
    );
    throwIfCancelled(signal);
    const { exitCode, stdout, stderr } = run;
    return { command: item.command, exitCode, ended: describeEnd(run), stdout, stderr };
  } finally {
    await worktree.dispose();
  }
}

/** The reason why the command was stopped or could not start; null if it ended on its own. */
function describeEnd({ outcome, exceeded, exitCode }: RunResult): string | null {
  if (outcome === 'timedOut') return 'it took too long';
  if (outcome === 'notFound') return 'it was not found';
  if (exceeded !== undefined) return `it used ${exceeded}`;
  return exitCode === null ? 'it was killed' : null;
}
