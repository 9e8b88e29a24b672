// The server command `improveWithModel`: lets a language model or an agent make a change, verifies it, and offers it
// for review. Before that, answers which models can be asked, and whether code would leave the machine.

import { fencedBlock, codeSpan, joinMarkdown, md } from '#protocol/markdown';
import type { ImproveWithModelParams, ModelChoices } from '#protocol/models';
import type { CommandOutcome } from '#protocol/review';
import type { RoleSettings } from '../../core/proposers/roles.ts';
import { askForNextTask, askForProposal, type AskedProposal } from '../../core/session/ask/askForProposal.ts';
import type { TaskRequest } from '../../core/session/ask/askTypes.ts';
import type { Wish } from '../../core/run/wishes.ts';
import type { Session } from '../../core/session.ts';
import { describeStanding } from '../../core/verify/strength.ts';
import { defaultSettings } from '../../settings/schema.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { shorten, escapeInvisible, escapeInvisibleLine } from '../../util/visible.ts';
import type { ClientAbilities } from '../clientAbilities.ts';
import { rejectWhenAborted } from '../../util/watchdog.ts';
import { offerReview } from '../offerReview.ts';
import type { Repository, ServerContext } from '../serverContext.ts';
import { runWhileAsked } from '../sidebar/requests.ts';
import { toReview } from '../toProtocol.ts';
import { createConsentQuestion, toProposerChoice, createResearchQuestion, listRoleChoices } from './consent.ts';
import { reportOutcome, runWithProgress, type CommandRequest, type ServerCommand } from './command.ts';
import { parseImproveWithModelParams } from './modelParams.ts';

/** Maximum number of characters of a reason in a message. The page shows the whole reason. */
const MAX_REASON_CHARACTERS = 160;
/** Maximum number of characters of a request in the message about the progress. */
const MAX_WORDS_SHOWN = 60;
/** How to give consent if the client cannot ask the person. */
const HOW_TO_AGREE = '`selfware propose --proposer` asks once, at a terminal.';

/**
 * Without a proposer, lists the choices. Otherwise asks the proposer for the task, once the person has agreed to send
 * code. Throws `untrusted` in a workspace that is not trusted, `notFound` for an unknown wish, and `usage` if the file
 * for tests is in no open folder.
 */
export const improveWithModelCommand: ServerCommand = async (context, request) => {
  const params = parseImproveWithModelParams(request.args);
  const repository = await findRepository(context, params);
  await repository.session();
  if (!repository.trusted)
    throw new SelfwareError('untrusted', 'This workspace is not trusted, so no model is asked about it.', {
      action: 'Trust the workspace first.',
    });
  const { proposer } = params;
  if (proposer === undefined) {
    const settings = repository.settings ?? defaultSettings;
    const models = await repository.use((session) =>
      listModelChoices(session, context.abilities, settings, request.signal),
    );
    const nameList = models.proposers.map(({ name }) => name).join(', ');
    const message = `Name whom to ask, and what for. ${nameList === '' ? models.missing.join(' ') : `You can ask ${nameList}.`}`;
    return reportOutcome(context, { ok: true, message, review: null, models });
  }
  const wish = params.wish === undefined ? null : await findWish(context, repository, params.wish);
  const task = wish ? createWishTask(wish) : createTask(context, params);
  // Only a client that asks the person itself can pass on the person's answer.
  const agreed = context.abilities.canAskModels ? params.agreed : undefined;
  const consent = await repository.use((session) => createConsentQuestion(session, proposer, agreed));
  if (consent) {
    const message = `Nothing was sent: code would go to ${consent.missing} ${HOW_TO_AGREE}`;
    return reportOutcome(context, { ok: false, message, review: null, consent });
  }
  // Online searches are possible only for requests in words and for the most valuable task, and only a client that asks
  // the person itself can pass on the answer.
  if (context.abilities.canAskModels && (task === null || 'words' in task)) {
    const research = await repository.use(async (session) => createResearchQuestion(session, params));
    if (research) return reportOutcome(context, { ok: false, message: research.question, review: null, research });
  }
  const proposerRequest = { task, proposer, ignoresEarlier: params.again === true };
  const ask = () => askWithProgress(context, repository, request, proposerRequest);
  const result = wish ? await runWhileAsked(context, repository, wish.id, ask) : await ask();
  // The proposal for the wish now waits for the person, so no unattended run needs to try the wish.
  if (wish && result.proposal && result.proposal.status !== 'refused') {
    const data = { wish: wish.id, proposal: result.proposal.id };
    await (await context.nights()).wishes(repository.rootDir, () => [{ type: 'wishDropped', data }]);
  }
  return createOutcome(context, repository, proposer, result);
};

async function findWish({ nights }: ServerContext, { rootDir }: Repository, id: string): Promise<Wish> {
  const wish = (await (await nights()).wishes(rootDir)).find((candidate) => candidate.id === id);
  if (!wish) throw new SelfwareError('notFound', `There is no wish ${escapeInvisible(id)}.`);
  return wish;
}

/** The task of a wish (a request in words), with the acceptance test if the person has accepted one. */
function createWishTask({ text, tests }: Wish): TaskRequest {
  return tests === null || tests.length === 0 ? { words: text } : { words: text, acceptance: tests };
}

/** The repository of the file for tests, or of the opportunity; otherwise the one that the person has chosen. */
async function findRepository({ repositories }: ServerContext, { opportunity, tests }: ImproveWithModelParams) {
  const file = tests === undefined ? null : repositories.locate(tests);
  if (file) return file.repository;
  if (opportunity === undefined) return repositories.chosen();
  return repositories.owner(async (session) =>
    (await session.opportunities.shown()).some(({ id }) => id === opportunity),
  );
}

/**
 * The task of the request; null for the most valuable one. Throws `usage` if the file for tests is in no open folder.
 */
function createTask({ repositories }: ServerContext, { opportunity, words, tests }: ImproveWithModelParams) {
  if (opportunity !== undefined) return { opportunity };
  if (words !== undefined) return { words };
  if (tests === undefined) return null;
  const file = repositories.locate(tests);
  if (!file) throw new SelfwareError('usage', 'The file lies in no open folder.', { action: 'Open its folder.' });
  return { tests: file.path };
}

/**
 * The proposers that can be asked, those that only lack a key or a component, the reasons why others cannot be asked,
 * and the best opportunity without a recipe.
 */
async function listModelChoices(
  session: Session,
  { canStoreKeys }: Pick<ClientAbilities, 'canStoreKeys'>,
  settings: RoleSettings,
  signal: AbortSignal,
): Promise<ModelChoices> {
  const proposers = await rejectWhenAborted(session.questions.proposers(signal), signal);
  const { shown, quiet } = (await session.status()).doable;
  const bestOpportunity = [...shown, ...quiet].find(({ recipe }) => recipe === null);
  return {
    proposers: [...proposers.filter(({ available }) => available).map(toProposerChoice), ...listRoleChoices(settings)],
    withoutKey: canStoreKeys
      ? proposers.flatMap((proposer) =>
          proposer.needsKeyFor === undefined ? [] : { ...toProposerChoice(proposer), host: proposer.needsKeyFor },
        )
      : [],
    withoutComponent: proposers.flatMap((proposer) =>
      proposer.needsComponent === undefined
        ? []
        : { ...toProposerChoice(proposer), component: proposer.needsComponent },
    ),
    // A client that stores keys also offers proposers that only need a key or a library.
    missing: proposers
      .filter(({ available, needsKeyFor, needsComponent }) =>
        canStoreKeys ? !available && needsKeyFor === undefined && needsComponent === undefined : !available,
      )
      .map(({ why }) => escapeInvisible(why)),
    best: bestOpportunity
      ? {
          opportunity: bestOpportunity.id,
          message: bestOpportunity.message,
          place: `${bestOpportunity.path}:${bestOpportunity.range.startLine}`,
        }
      : null,
  };
}

/**
 * A request to a proposer. `task`: null for the most valuable task. `ignoresEarlier`: true to ignore earlier failed
 * attempts.
 */
interface ProposerRequest {
  readonly task: TaskRequest | null;
  readonly proposer: string;
  readonly ignoresEarlier: boolean;
}

/** Asks the proposer once the index is ready, and verifies its answer, with progress in the client. */
function askWithProgress(
  context: ServerContext,
  repository: Repository,
  request: CommandRequest,
  { task, ...options }: ProposerRequest,
): Promise<AskedProposal> {
  const title = `Selfware: asking ${escapeInvisible(options.proposer)}`;
  return runWithProgress(context, repository, title, request, async (session, operation) => {
    operation.report?.({ stage: 'indexing', done: 0, total: null, message: 'Waiting for the index' });
    await rejectWhenAborted(repository.settleIndex(), operation.signal);
    const subject =
      task && 'words' in task ? ` for “${shorten(escapeInvisibleLine(task.words), MAX_WORDS_SHOWN)}”` : '';
    const message = `Asking ${escapeInvisible(options.proposer)}${subject}`;
    operation.report?.({ stage: 'realising', done: 0, total: null, message });
    return task
      ? askForProposal(session, { ...options, task, verify: true }, operation)
      : askForNextTask(session, options.proposer, operation);
  });
}

/** The outcome with the review of the proposal; without a proposal, with a page about the attempts. */
function createOutcome(
  context: ServerContext,
  repository: Repository,
  proposer: string,
  { proposal, refusals, stops, intervention, models }: AskedProposal,
): CommandOutcome {
  const review = proposal && toReview(proposal, repository.uri);
  if (proposal && proposal.status !== 'refused') {
    offerReview(context, repository, proposal);
    return { ok: true, message: `${proposal.title}: ${describeStanding(proposal)}, waits for your decision.`, review };
  }
  const proposerText = escapeInvisible(models.join(', ') || proposer);
  const shortenReason = (reason: string) => shorten(escapeInvisibleLine(reason), MAX_REASON_CHARACTERS);
  const endReasons = [...stops, ...(intervention === null ? [] : [intervention])];
  const summary = [...groupReasons(refusals.map(shortenReason)), ...endReasons.map(shortenReason)].join(' ');
  const hasBeenAsked = refusals.length > 0 || models.length > 0;
  const resultText = hasBeenAsked
    ? `${proposerText} made no change that passed its checks.`
    : `${proposerText} was not asked.`;
  const outcome: CommandOutcome = {
    ok: false,
    message: `${resultText} ${summary}`.trim(),
    review,
    page: { title: 'Selfware: Attempts', markdown: renderAttempts(proposerText, refusals, endReasons) },
  };
  return reportOutcome(context, outcome);
}

/** The reasons of the attempts as sentences such as `Attempts 1 to 3: …`; equal reasons in a row share one. */
function groupReasons(reasons: readonly string[]): string[] {
  const groupStarts = reasons.flatMap((reason, position) => (reason === reasons[position - 1] ? [] : [position]));
  return groupStarts.map((start, index) => {
    const lastIndex = (groupStarts[index + 1] ?? reasons.length) - 1;
    return `${start === lastIndex ? `Attempt ${start + 1}` : `Attempts ${start + 1} to ${lastIndex + 1}`}: ${reasons[start]}`;
  });
}

/**
 * The page with all attempts. Reasons contain texts of the model and the repository, so they are inserted as text,
 * never as Markdown.
 */
function renderAttempts(proposerText: string, refusals: readonly string[], endReasons: readonly string[]): string {
  const parts = refusals.map((reason, index) => md`## Attempt ${index + 1}\n\n${fencedBlock(reason)}`);
  const finalParts = endReasons.length === 0 ? [] : [md`## What now`, ...endReasons.map((end) => fencedBlock(end))];
  return `${joinMarkdown([md`# No change by ${codeSpan(proposerText)}`, ...parts, ...finalParts], '\n\n').toString()}\n`;
}
