// Creates the façade's `training` section: the dataset, the state, and the answers of models to held-out examples.

import { createTrainingDestination, type AskedTask } from '../../model/asks.ts';
import type { TrainingState } from '../../model/trainings.ts';
import type { Operation } from '../../operation.ts';
import type { Proposer } from '../../ports/proposers.ts';
import { readConsents } from '../../ledger/consents.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { throwIfStopped } from '../../ledger/stopped.ts';
import { createDataset, type DatasetExample } from '../../learn/training/dataset.ts';
import { TRAINING_EVENTS, foldTrainingState, type RecordedTraining } from '../../learn/training/trainingState.ts';
import { describeError, SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import type { SessionContext } from '../context.ts';
import { explainUnagreed, openProposers } from '../ask/openProposer.ts';
import { collectEvidence, readEvents, TEACHING_EVENTS } from '../learn/lessonEvidence.ts';
import { collectTrainingExamples } from './examples.ts';
import { judgeAnswers } from './judgeAnswers.ts';
import type { Training, UnjudgedAnswer } from './trainingTypes.ts';

/** Number of consecutive failing questions from which on the model counts as unreachable. */
const MAX_FAILURES_IN_ROW = 3;

/** Creates the section of one session. */
export function createTrainingSection(context: SessionContext): Training {
  const { ledger, ports, operations } = context;
  return {
    async dataset() {
      const { examples, leftOut } = await collectTrainingExamples(context);
      return { dataset: createDataset(examples), leftOut };
    },
    state: (base) => readTrainingState(ledger, base),
    throwIfStopped: () => throwIfStopped(ledger),
    async record(event) {
      await ledger.record(event);
    },
    newId: () => ports.ids.next('run'),
    ask: (name, examples, operation) =>
      operations.run((signal) => askExamples(context, name, examples, { ...operation, signal }), operation.signal),
    judge: (examples, answers, operation) =>
      operations.run((signal) => judgeAnswers(context, examples, answers, { ...operation, signal }), operation.signal),
    async consented(command) {
      return (await readConsents(ledger)).has(createTrainingDestination(command));
    },
    async consent(command) {
      await ledger.record({ type: 'consented', data: { destination: createTrainingDestination(command) } });
    },
  };
}

/** The state of training according to the ledger. `base`: only trainings of this base count; null for all. */
export async function readTrainingState(ledger: Pick<Ledger, 'query'>, base: string | null): Promise<TrainingState> {
  const events = readEvents(await ledger.query({ types: TRAINING_EVENTS }));
  const evidence = collectEvidence(readEvents(await ledger.query({ types: TEACHING_EVENTS })));
  const learnedSequences = evidence.flatMap(({ sequence }) => (sequence === null ? [] : [sequence]));
  return foldTrainingState(events as readonly RecordedTraining[], learnedSequences, base);
}

/** Asks a proposer about each example, and measures the probability of its answer if the proposer can do that. */
async function askExamples(
  context: SessionContext,
  name: string,
  examples: readonly DatasetExample[],
  { signal, report }: Operation,
): Promise<readonly UnjudgedAnswer[]> {
  const [proposer] = await openProposers(context, name, 'opportunity');
  if (!proposer) throw new SelfwareError('usage', 'No model is named.');
  const nullIfFailing = createFailureHandler(context, name, signal);
  const answers: UnjudgedAnswer[] = [];
  for (const { id, prompt, answer, proposal } of examples) {
    await throwIfStopped(context.ledger);
    const consentError = await explainUnagreed(context, name);
    if (consentError !== null) throw consentError;
    report?.({ stage: 'realising', done: answers.length, total: examples.length, message: `Asking ${name}` });
    const reply =
      proposal === null ? null : await nullIfFailing(() => askExample(context, proposer, { id, prompt }, signal));
    const measurement = proposer.measure ? await nullIfFailing(() => proposer.measure!(prompt, answer, signal)) : null;
    answers.push({
      id,
      reply,
      logProbability: measurement?.logProbability ?? null,
      tokens: measurement?.tokens ?? null,
    });
  }
  return answers;
}

/**
 * Creates a function that runs work and turns its failure into null, because a question may be too long for a model
 * that answers all others. After `MAX_FAILURES_IN_ROW` consecutive failures, it throws `unavailable`.
 */
function createFailureHandler({ ports }: SessionContext, name: string, signal: AbortSignal) {
  let consecutiveFailures = 0;
  return async <T>(work: () => Promise<T>): Promise<T | null> => {
    try {
      const result = await work();
      consecutiveFailures = 0;
      return result;
    } catch (error) {
      throwIfCancelled(signal);
      consecutiveFailures += 1;
      if (consecutiveFailures >= MAX_FAILURES_IN_ROW)
        throw new SelfwareError('unavailable', `${name} cannot be evaluated: ${describeError(error)}`, {
          action: 'Check that it answers: `selfware models`.',
          cause: error,
        });
      ports.log.write('warn', `A held-out example has no answer: ${describeError(error)}`, error);
      return null;
    }
  };
}

/** The reply; empty if it ended at the limit of tokens or of time. Throws all other errors of asking. */
async function askExample(
  { ports, settings }: SessionContext,
  proposer: Proposer,
  { id, prompt }: Pick<DatasetExample, 'id' | 'prompt'>,
  signal: AbortSignal,
): Promise<string> {
  const task: AskedTask = { kind: 'opportunity', id: `held-out ${id}`, opportunity: null, path: null };
  const deadline = ports.clock.now() + settings['models.answerSeconds'] * 1000;
  const maxTokens = settings['models.replyTokens'];
  try {
    const reply = await proposer.ask({ id, task, messages: prompt, maxTokens, deadline }, signal, () => undefined);
    return reply.finished ? reply.text : '';
  } catch (error) {
    throwIfCancelled(signal);
    // A model that does not finish in time has not solved the task.
    if (error instanceof SelfwareError && error.reason === 'timedOut') return '';
    throw error;
  }
}
