// Asks until an answer fits, without filing it as a proposal: for answers that a person reads first.

import type { AnsweredData, Usage } from '../../model/asks.ts';
import { describeError } from '../../../util/typedError.ts';
import { addUsage, NOTHING_USED } from '../../proposers/usage.ts';
import type { SessionContext } from '../context.ts';
import { readAnswerEdits, type AnswerEdits } from './answerEdits.ts';
import { sendIfAffordable } from './askOnce.ts';
import { prepareQuestion, type QuestionRequest } from './asking.ts';
import type { AskRequest } from './askTypes.ts';
import { createNobodyLeftError, openProposers, preferProposer } from './openProposer.ts';
import { identifyTask } from './questions.ts';

/** Maximum number of questions to one proposer in one call. Questions of other calls count in the ledger. */
const MAX_QUESTIONS = 3;

/** An answer that cannot be used. */
interface Refused {
  /** The reason why the answer cannot be used, as a sentence; the next question repeats it. */
  readonly refused: string;
}

/**
 * The result of a good answer, or the reason why there is none. `isFinal`: the last question had no answer, or could
 * not be asked. `usage`: the tokens of all questions of the call.
 */
export type FitOutcome<Fit> = (Fit | (Refused & { readonly isFinal: boolean })) & { readonly usage: Usage };

/** The functions that decide which answers fit. */
interface FitRequest<Fit> {
  /** Turns the edits of an answer into the required result, or returns their problem. */
  fit(edits: AnswerEdits, questionRequest: QuestionRequest): Promise<Fit | Refused>;
  /**
   * Data about an answer that fits. They are stored in the ledger, and the next question about this task shows them.
   */
  describeForLedger(fitting: Fit): Pick<AnsweredData, 'reason' | 'recipes'>;
}

/**
 * Asks each proposer of the list up to three times; each question names the problem of the last answer. Throws
 * `untrusted`, `usage` for an empty task, `forbidden`, `cancelled`, the error of `createNobodyLeftError` if the list is
 * empty, and the errors of `fit`.
 */
export async function askUntilFit<Fit extends object>(
  context: SessionContext,
  request: AskRequest,
  fitRequest: FitRequest<Fit>,
): Promise<FitOutcome<Fit>> {
  const { proposer: proposerList } = request;
  // Only the first question that is sent starts the task afresh.
  let ignoresEarlier = request.ignoresEarlier === true;
  const taskToAsk = await identifyTask(context, request.task);
  const { kind } = taskToAsk.task;
  let lastRefusal = { refused: 'Nobody was asked.', isFinal: true };
  let usage = NOTHING_USED;
  const failures: string[] = [];
  const proposers = await openProposers(context, proposerList, kind, kind);
  if (proposers.length === 0) throw createNobodyLeftError(kind);
  for (const proposer of proposers) {
    for (let questionNumber = 1; questionNumber <= MAX_QUESTIONS; questionNumber += 1) {
      const questionRequest = {
        ...request,
        identifiedTask: taskToAsk,
        answerer: proposer,
        ignoresEarlier,
      };
      const outcome = await askOnce(context, questionRequest, fitRequest);
      if (outcome.usage) {
        usage = addUsage(usage, outcome.usage);
        ignoresEarlier = false;
      }
      if ('fitting' in outcome) {
        preferProposer(context, { list: proposerList, kind }, proposers, proposer, failures);
        return { ...outcome.fitting, usage };
      }
      lastRefusal = { refused: outcome.refused, isFinal: outcome.isFinal };
      if (outcome.isFinal) break;
    }
    failures.push(lastRefusal.refused);
  }
  return { ...lastRefusal, usage };
}

/**
 * The outcome of one question. `isFinal`: true if asking this proposer again is useless. `usage`: the tokens of the
 * question; null if nothing was sent or received.
 */
type OnceOutcome<Fit> = ({ readonly fitting: Fit } | (Refused & { readonly isFinal: boolean })) & {
  readonly usage: Usage | null;
};

/** Asks one question. A refusal with `isFinal` must not be followed by another question. */
async function askOnce<Fit extends object>(
  context: SessionContext,
  questionRequest: QuestionRequest,
  { fit, describeForLedger }: FitRequest<Fit>,
): Promise<OnceOutcome<Fit>> {
  const unansweredResult = (refused: string) => ({ refused, isFinal: true, usage: null });
  const preparation = await prepareQuestion(context, questionRequest);
  if ('failed' in preparation) return unansweredResult(preparation.failed);
  if (!('prepared' in preparation)) return unansweredResult(preparation.refused ?? 'It was not asked.');
  const reply = await sendIfAffordable(context, questionRequest, preparation.prepared, null);
  if ('stopped' in reply) return unansweredResult(reply.stopped.reason);
  if ('failed' in reply) return { ...unansweredResult(reply.failed), usage: reply.usage };
  if ('leftAt' in reply) return unansweredResult(`The question waits at ${reply.leftAt}. Answer it, then ask again.`);
  const { usage } = reply.answered;
  const record = (answerData: Partial<AnsweredData> & Pick<AnsweredData, 'outcome' | 'reason'>) =>
    context.ledger.record({ type: 'answered', data: { ...reply.answered, ...answerData } });
  try {
    const answerEdits = await readAnswerEdits(context, reply.reply, { ...preparation.prepared, isReadByPerson: true });
    const outcome = 'refused' in answerEdits ? answerEdits : await fit(answerEdits, questionRequest);
    const parts = 'format' in answerEdits ? { format: answerEdits.format, rung: answerEdits.rung } : {};
    if ('refused' in outcome) {
      await record({ ...parts, outcome: 'refused', reason: outcome.refused });
      return { refused: outcome.refused, isFinal: false, usage };
    }
    await record({ ...parts, outcome: 'proposed', ...describeForLedger(outcome) });
    return { fitting: outcome, usage };
  } catch (error) {
    // Without a record, the question would count as one whose process died.
    await record({ outcome: questionRequest.signal.aborted ? 'cancelled' : 'refused', reason: describeError(error) });
    throw error;
  }
}
