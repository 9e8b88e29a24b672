// Sends one question and reads the answer. The question is recorded before it is sent, so that it counts even if this
// process ends.

import { estimateTokens } from '../../../util/tokens.ts';
import { canonicalJson } from '../../../util/canonicalJson.ts';
import { sha256 } from '../../../util/hash.ts';
import { formatCount } from '../../../util/counted.ts';
import { describeError, SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import { redact } from '../../ledger/redact.ts';
import type { AnsweredData, AskedData, AskedTask, Price, ShownFileHash, Usage } from '../../model/asks.ts';
import type { Millis } from '../../model.ts';
import type { ResearchSource } from '../../model/research.ts';
import type { ArrivingAnswer, Operation } from '../../operation.ts';
import type { Message, Proposer, ProposerReply, ProposerRequest, TrafficLimit } from '../../ports/proposers.ts';
import {
  findStopReason,
  readLimits,
  type BudgetSetting,
  type SpendingLimits,
  type Stop,
} from '../../proposers/budgets.ts';
import type { AnswerFormat } from '../../proposers/answerFormat.ts';
import { findPrice } from '../../proposers/prices.ts';
import {
  computeReplyLimit,
  computeSecondsLimit,
  computeTrafficLimit,
  type TimeLimit,
} from '../../proposers/whatIsLeft.ts';
import { createSharedBeginnings, type PromptContent } from '../../proposers/prompt.ts';
import { REPLY_SCHEMA } from '../../proposers/replySchema.ts';
import type { SessionContext } from '../context.ts';
import { getOrCreateRunId } from './attemptRunId.ts';
import { explainUnagreed } from './openProposer.ts';
import { readAccount } from './pastAttempts.ts';
import { hashShownFiles } from './shown/shownCode.ts';

/** Prefix of the id of a task that cannot be solved. A request in the same words has the id without the prefix. */
export const CANARY_ID = 'canary ';

/** The budget of time of one task. */
const TASK_TIME: BudgetSetting = 'models.secondsPerTask';

/** A question with everything that sending and recording it needs. */
export interface OutgoingQuestion {
  readonly proposer: Proposer;
  readonly task: AskedTask;
  readonly messages: readonly Message[];
  readonly promptTokens: number;
  /**
   * Beginnings of the last message that further questions about the task share, so that the proposer's server may cache
   * them.
   */
  readonly shared?: readonly string[];
  /** Maximum number of tokens of the answer. */
  readonly maxTokens: number;
  /** The time limit for the whole answer. */
  readonly time: TimeLimit;
  /** True if the question makes the proposer load its model into memory; null if that is unknown. */
  readonly loads: boolean | null;
  /** The limit on the tokens and the money of all requests of an agent; null if there is none. */
  readonly maxTraffic?: TrafficLimit | null;
  readonly price: Price | null;
  /** Id of the run. */
  readonly run: string;
  /** True if earlier attempts at the task do not count. */
  readonly ignoresEarlier: boolean;
  /** The results of online research that the question shows. */
  readonly research?: readonly ResearchSource[];
  /** The files that the question shows. */
  readonly files?: readonly ShownFileHash[];
  /** Tokens of the output of commands that the question omits. */
  readonly savedTokens?: number;
  /** The notation of the answer; absent for JSON. */
  readonly format?: AnswerFormat | undefined;
  /** Set if several answers to this question are requested: the round, the number of this answer, and their total. */
  readonly sample: { readonly round: string; readonly number: number; readonly of: number } | null;
}

/** `stopped`: the budgets no longer allow the question, so nothing was sent or recorded. */
export type SendResult = { readonly stopped: Stop } | QuestionResult;

/**
 * The result of a question that the budgets allow. `failed`: the reason why there is no answer; the next proposer may
 * give one. `usage`: the usage that the ledger counts; null if nothing was received. `endsTask`: set if the time of the
 * task is used up. `unsent`: the error, if the consent to send the question was withdrawn. `leftAt`: the place where
 * the question was left for somebody who answers later. Leaving it does not count as an attempt, so it is not recorded.
 */
export type QuestionResult =
  | {
      readonly failed: string;
      readonly usage: Usage | null;
      readonly endsTask?: true;
      readonly unsent?: SelfwareError;
    }
  | { readonly leftAt: string }
  | {
      readonly reply: ProposerReply;
      /** The answer as it is to be recorded, without its outcome. */
      readonly answered: Omit<AnsweredData, 'outcome'>;
    };

/** The limits of all budgets in the settings. */
export function readBudgetLimits({ settings }: SessionContext): SpendingLimits {
  return readLimits(settings);
}

/** A question that is ready to be sent. */
export interface PreparedQuestion {
  readonly question: PromptContent;
  readonly messages: readonly Message[];
  readonly promptTokens: number;
}

/**
 * Sends the question once, if the budgets still allow it: others may have asked during the minutes in which it was
 * prepared. Several answers to one question are numbered by `sample`. Throws `cancelled`, and errors that the proposer
 * has not caused.
 */
export async function sendIfAffordable(
  context: SessionContext,
  request: Operation & {
    readonly answerer: Proposer;
    readonly identifiedTask: { readonly task: AskedTask };
    readonly ignoresEarlier: boolean;
  },
  { question, messages, promptTokens }: PreparedQuestion,
  sample: OutgoingQuestion['sample'],
): Promise<SendResult> {
  const { settings } = context;
  const { answerer: proposer, identifiedTask } = request;
  const { task } = identifiedTask;
  const isFirst = sample === null || sample.number === 1;
  const ignoresEarlier = request.ignoresEarlier && isFirst;
  const price = findPrice(settings['models.prices'], proposer.name);
  const limits = readBudgetLimits(context);
  // The server may take seconds to answer, so it is asked before the account is read, and only once for all answers to
  // a question.
  const loads = isFirst ? await checkLoadsModel(proposer, request.signal) : null;
  const account = await readAccount(context, task.id, ignoresEarlier);
  // All answers to one question are one attempt.
  const stopped = findStopReason(account, limits, promptTokens, { name: proposer.name, price }, isFirst);
  if (stopped) return { stopped };
  const maxTokens = computeReplyLimit(account, limits, promptTokens, {
    price,
    maxReply: settings['models.replyTokens'],
  });
  const maxTraffic = proposer.hasTree ? computeTrafficLimit(account, limits, price) : null;
  const research = (question.research ?? []).map(({ source }) => source);
  const { savedTokens = 0, format } = question;
  const runId = getOrCreateRunId(context);
  const time = computeSecondsLimit(account, limits, settings['models.answerSeconds']);
  const shared = proposer.hasTree ? [] : createSharedBeginnings(question);
  const limitsOfAnswer = { maxTokens, time, maxTraffic };
  const files = proposer.hasTree ? [] : await hashShownFiles(context, question);
  const outgoing = {
    files,
    proposer,
    task,
    messages,
    promptTokens,
    price,
    run: runId,
    ignoresEarlier,
    sample,
    research,
  };
  return sendQuestion(context, { ...outgoing, ...limitsOfAnswer, shared, loads, savedTokens, format }, request);
}

/** True if a question now would load its model into memory; null if that is unknown. Throws `cancelled`. */
export async function checkLoadsModel(proposer: Proposer, signal: AbortSignal): Promise<boolean | null> {
  const loads = (await proposer.loadsModel?.(signal)) ?? null;
  throwIfCancelled(signal);
  return loads;
}

/**
 * Sends the question. Throws `cancelled`, and errors that the proposer has not caused. The caller records the outcome
 * of a reply.
 */
export async function sendQuestion(
  context: SessionContext,
  sending: OutgoingQuestion,
  operation: Operation,
): Promise<QuestionResult> {
  const { ports, ledger } = context;
  const {
    proposer,
    task,
    promptTokens,
    maxTokens,
    time,
    loads,
    price,
    run,
    ignoresEarlier,
    sample,
    research = [],
    files = [],
    savedTokens = 0,
    maxTraffic = null,
  } = sending;
  const { signal, report } = operation;
  // The question may have taken minutes to prepare.
  const consentError = await explainUnagreed(context, proposer.name);
  if (consentError !== null) return { failed: describeError(consentError), usage: null, unsent: consentError };
  const unsent = await fileForLater(context, sending, signal);
  if (unsent) return unsent;
  const id = ports.ids.next('ask');
  const question = createRequest(context, sending);
  await ledger.record({
    type: 'asked',
    data: {
      ask: id,
      run,
      ...(context.runStartedAt === null ? {} : { night: context.runStartedAt }),
      task,
      proposer: proposer.name,
      promptTokens,
      ...describeShown(question.messages, files),
      budget: {
        replyTokens: maxTokens,
        seconds: time.seconds,
        ...(maxTraffic ? { trafficTokens: maxTraffic.tokens } : {}),
        ...(maxTraffic?.money ? { trafficMoney: maxTraffic.money.amount } : {}),
      },
      ...(loads === null ? {} : { loads }),
      ...(ignoresEarlier ? { fresh: true } : {}),
      ...(sample ? { round: sample.round } : {}),
      ...(price ? { price } : {}),
      ...(research.length === 0 ? {} : { research }),
      ...(savedTokens === 0 ? {} : { savedTokens }),
    },
  });
  const startedAt = ports.clock.now();
  const emptyAnswer = { reason: null, proposal: null, model: null, usage: null, format: null, rung: null };
  let hasBegun = false;
  const answerData = () => ({ ...emptyAnswer, ask: id, task, millis: ports.clock.now() - startedAt });
  const numberLabel = sample ? ` (answer ${sample.number} of ${sample.of})` : '';
  const measureArrival = createArrivalMeter(() => ports.clock.now());
  const reportAsking = (characters: number, end = '') =>
    report?.({
      stage: 'realising',
      done: characters,
      total: null,
      message: `Asking ${proposer.name}${numberLabel}${end}`,
      ...(characters === 0 ? {} : { answer: measureArrival(characters) }),
    });
  // The answer may take minutes to begin, and the report before this one is about the files of the question.
  reportAsking(0);
  try {
    const reply = await proposer.ask(question, signal, (characters) => {
      hasBegun = true;
      reportAsking(characters, `: ${formatCount(characters, 'character')}`);
    });
    const usage = reply.usage ?? estimateUsage(promptTokens, reply.text);
    return { reply, answered: { ...answerData(), model: reply.model, usage } };
  } catch (error) {
    const outcome = signal.aborted ? 'cancelled' : 'failed';
    const retry = outcome === 'failed' && error instanceof SelfwareError ? error.retry : null;
    const measuredUsage = error instanceof SelfwareError ? error.usage : null;
    const usage = measuredUsage ?? (hasBegun || retry?.isCharged ? createMaxUsage(promptTokens, maxTokens) : null);
    const outage = createOutage(retry, ports.clock.now());
    const reason = describeError(error);
    const failure = outcome === 'failed' && error instanceof SelfwareError ? { failure: error.reason } : {};
    await ledger.record({ type: 'answered', data: { ...answerData(), outcome, reason, usage, ...outage, ...failure } });
    throwIfCancelled(signal);
    if (!(error instanceof SelfwareError)) throw error;
    const endsTask = time.budget === TASK_TIME && error.reason === 'timedOut';
    return { failed: describeError(error), usage, ...(endsTask ? { endsTask } : {}) };
  }
}

/** The hash of the messages of a question, and the hashes of the files that it shows. */
function describeShown(
  messages: readonly Message[],
  files: readonly ShownFileHash[],
): Pick<AskedData, 'shown' | 'files'> {
  return { shown: sha256(canonicalJson(messages)), ...(files.length === 0 ? {} : { files }) };
}

/**
 * Creates a function that measures the speed of one answer while it arrives. A model may think for minutes before its
 * first part, which does not count.
 */
function createArrivalMeter(now: () => Millis): (characters: number) => ArrivingAnswer {
  let first: { readonly at: Millis; readonly tokens: number } | null = null;
  return (characters) => {
    const tokens = estimateTokens(characters);
    first ??= { at: now(), tokens };
    const seconds = (now() - first.at) / 1000;
    return { tokens, tokensPerSecond: seconds < 1 ? null : (tokens - first.tokens) / seconds };
  };
}

/** The record that the proposer could not be reached; empty for any other error. */
function createOutage(retry: SelfwareError['retry'], now: Millis): Pick<AnsweredData, 'outage'> {
  if (retry === null) return {};
  return { outage: { until: retry.afterMs === null ? null : now + retry.afterMs } };
}

/**
 * Leaves the question for somebody who answers later. Null if the question is to be sent, because an answer exists or
 * the proposer answers immediately. A failure if the question cannot be left, or if its answer cannot be read.
 */
async function fileForLater(
  context: SessionContext,
  sending: OutgoingQuestion,
  signal: AbortSignal,
): Promise<Exclude<QuestionResult, { readonly reply: unknown }> | null> {
  try {
    const placeLeftAt = (await sending.proposer.fileQuestion?.(createRequest(context, sending))) ?? null;
    return placeLeftAt === null ? null : { leftAt: placeLeftAt };
  } catch (error) {
    throwIfCancelled(signal);
    if (!(error instanceof SelfwareError)) throw error;
    return { failed: describeError(error), usage: null };
  }
}

/**
 * Creates the request to the proposer. Equal questions have equal ids. Further answers to one question have different
 * ids.
 */
function createRequest(
  { ports, settings }: SessionContext,
  { task, messages, shared = [], maxTokens, time, maxTraffic, sample, format = 'json' }: OutgoingQuestion,
): ProposerRequest {
  const redacted = messages.map(({ role, content }) => ({ role, content: redact(content) as string }));
  const number = sample === null || sample.number === 1 ? {} : { sample: sample.number };
  return {
    id: sha256(canonicalJson({ task: createProposerTask(task).id, messages: redacted, maxTokens, ...number })).slice(
      0,
      32,
    ),
    task: createProposerTask(task),
    messages: redacted,
    ...findCacheOffsets(redacted, shared),
    ...(format === 'json' ? { schema: REPLY_SCHEMA } : {}),
    maxTokens,
    ...(maxTraffic ? { maxTraffic } : {}),
    beginSeconds: settings['models.beginSeconds'],
    deadline: ports.clock.now() + time.seconds * 1000,
    ...(time.budget === null ? {} : { deadlineBudget: time.budget }),
  };
}

/**
 * The offsets in the last message, as it is sent, at which these beginnings of it end. Omits a beginning whose end lies
 * in a secret.
 */
function findCacheOffsets(
  messages: readonly Message[],
  shared: readonly string[],
): Pick<ProposerRequest, 'cacheOffsets'> {
  const text = messages.at(-1)?.content ?? '';
  const offsets = shared.flatMap((beginning) => {
    const sent = redact(beginning) as string;
    return text.startsWith(sent) ? [sent.length] : [];
  });
  return offsets.length === 0 ? {} : { cacheOffsets: offsets };
}

/**
 * The task as the proposer sees it. A task that cannot be solved has the form of any other request, including its id.
 * The words of a request are in its messages.
 */
function createProposerTask({ words: _words, ...task }: AskedTask): AskedTask {
  return task.kind === 'canary' ? { ...task, kind: 'request', id: task.id.slice(CANARY_ID.length) } : task;
}

/** Estimates the usage for a proposer that does not report it. */
function estimateUsage(promptTokens: number, text: string): Usage {
  return { input: promptTokens, output: estimateTokens(text), cached: 0, estimated: true };
}

/**
 * The usage of an answer that failed after it had begun, or that the server may have begun without sending any of it.
 * The provider charges for the generated tokens, which nobody has counted, so the whole limit counts, as for an attempt
 * that ended with its process.
 */
function createMaxUsage(promptTokens: number, maxTokens: number): Usage {
  return { input: promptTokens, output: maxTokens, cached: 0, estimated: true };
}
