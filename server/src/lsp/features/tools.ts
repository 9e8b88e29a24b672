// Runs the tools for agents that the editor offers, on the sessions of its folders. The code of the tools is loaded at
// its first use.

import { toolRequests, type ToolPreparation, type ToolReply, type ToolRequest } from '#protocol/tools';
import type { Session } from '../../core/session.ts';
import type { ChangeJudge, Judgements } from '../../tools/judgements.ts';
import type { Verifications } from '../../tools/verifications.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { refuseUnsaved } from '../editorWriter.ts';
import { isObject } from '../commands/commandArguments.ts';
import { guardRequest } from '../guardHandlers.ts';
import { rejectWhenAborted } from '../../util/watchdog.ts';
import { offerReview } from '../offerReview.ts';
import type { Feature, ServerContext, Repository } from '../serverContext.ts';

/**
 * Maximum time in milliseconds that a tool waits for the first index. After that, it uses the files that are already
 * indexed.
 */
const MAX_WAIT_MS = 25_000;
/**
 * Maximum time in milliseconds that a tool waits for a later update of the index, which is either short or has to wait
 * for a verification.
 */
const MAX_SHORT_WAIT_MS = 3_000;

/** Registers the handlers for preparing and running a call of a tool. */
export const tools: Feature = (context) => {
  const { connection, log } = context;
  let verifications: Verifications | null = null;
  let judgements: Judgements | null = null;
  const failedReply: ToolReply = {
    text: 'Selfware could not do this; its log says why. Nothing was written.',
    failed: true,
  };

  connection.onRequest(
    toolRequests.prepare,
    guardRequest<unknown, ToolPreparation>(
      log,
      toolRequests.prepare,
      {
        doing: 'Asking Selfware',
        question: { title: 'Let an agent use Selfware?', message: 'What it asks for could not be shown.' },
      },
      async (params) => {
        const { createToolConsentQuestion: createConsentQuestion, findTool } = await import('../../tools/callTool.ts');
        const { name, input, uri } = parseRequest(params);
        const tool = findTool(name);
        if (!tool) return { doing: 'Asking Selfware', question: null };
        const session = await (await findRepository(context, input, uri)).session();
        return { doing: tool.runningText, question: (await createConsentQuestion(tool, input, session))?.ask ?? null };
      },
    ),
  );

  connection.onRequest(
    toolRequests.call,
    guardRequest<unknown, ToolReply>(log, toolRequests.call, failedReply, async (params, signal) => {
      const [
        { callTool, findTool, createToolErrorAnswer: createErrorAnswer },
        { createVerifications },
        { createJudgements },
      ] = await Promise.all([
        import('../../tools/callTool.ts'),
        import('../../tools/verifications.ts'),
        import('../../tools/judgements.ts'),
      ]);
      const onFault = (error: unknown): void => log.write('error', 'A tool failed.', error);
      try {
        const { name, input, uri, agreed } = parseRequest(params);
        const tool = findTool(name);
        if (!tool) throw new SelfwareError('usage', `There is no tool ${name}.`);
        const repository = await findRepository(context, input, uri);
        const sharedVerifications = (verifications ??= createVerifications());
        const sharedJudgements = (judgements ??= createJudgements());
        const outcome = await repository.use((session) =>
          callTool(
            tool,
            input,
            {
              session,
              operation: { signal },
              author: 'agent',
              consent: agreed ? 'given' : 'nobody',
              verifications: sharedVerifications,
              judgeChange: (request, options) =>
                sharedJudgements.ask(request, createJudge(context, repository), options),
              refresh: () => waitForIndex(repository, session, signal),
              requireWritable: (paths) => refuseUnsaved(context, repository, repository.rootDir, paths),
            },
            onFault,
          ),
        );
        if ('ask' in outcome) return failedReply;
        await offerIfVerified(context, repository, name, outcome.structured);
        return { text: outcome.text, failed: outcome.failed };
      } catch (error) {
        if (signal.aborted) throw error;
        const { text } = createErrorAnswer(error, onFault);
        return { text, failed: true };
      }
    }),
  );
  return { close: async () => judgements?.close() };
};

/** Creates the judge of changes of this repository. It throws `untrusted` unless the repository is trusted. */
function createJudge({ judging, log }: ServerContext, { rootDir, settings, trusted }: Repository): ChangeJudge {
  const requireTrust = (): void => {
    if (trusted) return;
    throw new SelfwareError('untrusted', 'This workspace is not trusted, so nothing of it is run.', {
      action: 'Trust the workspace first.',
    });
  };
  return {
    rootDir: rootDir,
    async identify({ base, head }, signal) {
      requireTrust();
      return judging.identify({ rootDir, base, head, signal });
    },
    async judge(request, operation) {
      requireTrust();
      const note = (text: string): void => log.write('info', text);
      return judging.judge({ ...request, ...operation, rootDir, settings, note });
    },
  };
}

/** Parses the request of a client. Throws `usage` if it names no tool. */
function parseRequest(params: unknown): ToolRequest {
  if (!isObject(params) || typeof params['name'] !== 'string') throw new SelfwareError('usage', 'name is a text.');
  const { name, input, uri, agreed } = params;
  return { name, input, ...(typeof uri === 'string' ? { uri } : {}), agreed: agreed === true };
}

/**
 * The repository with the proposal, checkpoint or opportunity that the input names; otherwise the repository of the
 * document that the person views, or the chosen one.
 */
async function findRepository(
  { repositories }: ServerContext,
  input: unknown,
  uri: string | undefined,
): Promise<Repository> {
  const ids = isObject(input)
    ? [input['proposal'], input['checkpoint'], input['id'], input['opportunity']].filter((id) => typeof id === 'string')
    : [];
  if (ids.length > 0 && repositories.all().length > 1)
    return repositories.owner(async (session) =>
      [
        ...(await session.proposals.all()),
        ...(await session.changes.checkpoints()),
        ...(await session.opportunities.shown()),
      ].some(({ id }) => ids.includes(id)),
    );
  const place = uri === undefined ? null : repositories.locate(uri);
  return place?.repository ?? repositories.all().find((repository) => repository.uri === uri) ?? repositories.chosen();
}

/**
 * Waits a while for the index. Returns a sentence for the agent if the first index is not complete by then; otherwise
 * null. The editor reports every write, so usually the index is already up to date.
 */
async function waitForIndex(repository: Repository, session: Session, signal: AbortSignal): Promise<string | null> {
  const isFirst = (await session.status()).index === null;
  const waitSignal = AbortSignal.any([signal, AbortSignal.timeout(isFirst ? MAX_WAIT_MS : MAX_SHORT_WAIT_MS)]);
  try {
    await rejectWhenAborted(repository.settleIndex(), waitSignal);
    return null;
  } catch (error) {
    if (signal.aborted || !waitSignal.aborted) throw error;
    return isFirst
      ? 'Selfware is still reading this repository for the first time: this answer is not complete. Ask again in a minute.'
      : null;
  }
}

/** Offers a verified change that an agent has proposed for review, like any other change. */
async function offerIfVerified(
  context: ServerContext,
  repository: Repository,
  name: string,
  structured: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (!name.startsWith('propose_') || structured['status'] !== 'verified' || typeof structured['id'] !== 'string')
    return;
  offerReview(context, repository, await (await repository.session()).proposals.get(structured['id']));
}
