// Defines the type of all server commands (arguments in, an outcome with a sentence for the user out), and functions
// that several commands share.

import type { WorkDoneProgressReporter } from 'vscode-languageserver/node';
import type { CommandOutcome } from '#protocol/review';
import type { Proposal } from '../../core/model.ts';
import type { Session } from '../../core/session.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { withProgress } from '../progress.ts';
import { showMessage } from '../showMessage.ts';
import type { ServerContext, Repository } from '../serverContext.ts';
import type { Operation } from '../../core/operation.ts';

/**
 * A call of a command by the client. `reporter`: receives the progress; absent if the client wants none. `signal`:
 * cancels the command.
 */
export interface CommandRequest {
  readonly args: readonly unknown[] | undefined;
  readonly reporter?: WorkDoneProgressReporter;
  readonly signal: AbortSignal;
}

/** Runs a command. If it throws a SelfwareError, the caller shows that as a sentence. */
export type ServerCommand = (context: ServerContext, request: CommandRequest) => Promise<CommandOutcome>;

/** The outcome of a command that has succeeded and has no review to show. */
export function createSuccess(message: string): CommandOutcome {
  return { ok: true, message, review: null };
}

/** Returns the outcome unchanged. If the client does not show the outcomes of commands itself, shows its message. */
export function reportOutcome(
  { abilities, connection }: Pick<ServerContext, 'abilities' | 'connection'>,
  outcome: CommandOutcome,
): CommandOutcome {
  if (!abilities.canReview) showMessage(connection, outcome.ok ? 'info' : 'warning', outcome.message);
  return outcome;
}

/** Throws `untrusted` in a workspace that is not trusted, because nothing may be decided in it. */
export function requireTrust({ trusted }: Pick<Repository, 'trusted'>): void {
  if (trusted) return;
  throw new SelfwareError('untrusted', 'This workspace is not trusted, so nothing is decided in it.', {
    action: 'Trust the workspace first.',
  });
}

/** Runs `work` on the session of the repository, with progress in the client under the title. */
export function runWithProgress<T>(
  context: ServerContext,
  repository: Repository,
  title: string,
  { reporter, signal }: Pick<CommandRequest, 'reporter' | 'signal'>,
  work: (session: Session, operation: Operation) => Promise<T>,
): Promise<T> {
  return repository.use((session) =>
    withProgress(context, { title, reporter }, signal, (operation) => work(session, operation)),
  );
}

/**
 * The proposal with this id, and the repository that has it. If `id` is undefined: the newest waiting proposal of the
 * repository that the person has chosen. Throws `notFound` if there is none.
 */
export async function findProposal(
  context: ServerContext,
  id: string | undefined,
): Promise<{ readonly repository: Repository; readonly proposal: Proposal }> {
  const repository = await context.repositories.owner(async (session) =>
    (await session.proposals.all()).some((candidate) => candidate.id === id),
  );
  const session = await repository.session();
  if (id !== undefined) return { repository, proposal: await session.proposals.get(id) };
  const newestProposal = (await session.status()).pending.find(
    ({ status }) => status === 'verified' || status === 'deferred',
  );
  if (!newestProposal)
    throw new SelfwareError('notFound', 'No proposal waits for a decision.', { action: 'Run Improve first.' });
  return { repository, proposal: newestProposal };
}
