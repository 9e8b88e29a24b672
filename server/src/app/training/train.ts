// Runs one training from the dataset to the decision: evaluates the model in use, trains, evaluates the new model, and
// deploys or rejects it.

import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../adapters/files/durableFile.ts';
import { acquireLock } from '../../adapters/files/lock.ts';
import { runEvaluator } from '../../adapters/training/evaluator.ts';
import type { ModelHome } from '../../adapters/training/modelHome.ts';
import { removeLeftovers, runTrainer } from '../../adapters/training/trainer.ts';
import type { Dataset } from '../../core/learn/training/dataset.ts';
import {
  compareModels,
  computeModelFigures,
  MIN_EXAMPLES,
  type ModelAnswer,
} from '../../core/learn/training/evaluation.ts';
import { computeNextManualTraining } from '../../core/learn/training/trainingState.ts';
import type { TrainingEvent, TrainingState } from '../../core/model/trainings.ts';
import type { Session } from '../../core/session.ts';
import type { Operation } from '../../core/operation.ts';
import type { Settings } from '../../settings/schema.ts';
import { formatCount } from '../../util/counted.ts';
import { describeError, SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { dropResult, isResultKept, keepResult, trainerOutputFolder, reuseResult } from './keptResult.ts';
import { parseModelHome, requireSetUp, resolveTrainingPlaces, type TrainingPlaces } from './setUp.ts';

/** A session and its settings, for a training or a step of one. */
export interface TrainingRequest extends Operation {
  readonly session: Pick<Session, 'training'>;
  readonly settings: Settings;
  readonly rootDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Receives a sentence about each step. */
  readonly note: (text: string) => void;
  /**
   * Throws `forbidden` if the person no longer agrees that the commands receive the learned examples. Called before
   * each command, because a training takes hours. If absent, the person agrees.
   */
  readonly requireAgreed?: () => Promise<void>;
  /** Called once all conditions of the training are met and it starts. */
  readonly onStarted?: () => void;
}

/** The outcome of a training, as the ledger records it. */
export type TrainingResult = Extract<TrainingEvent, { readonly type: 'trainingEnded' }>['data'];

/** Number of folders of finished trainings that are kept because of their logs. */
const MAX_KEPT_RUNS = 5;
/** Milliseconds between two checks whether Selfware is stopped. */
const CHECK_STOPPED_MS = 2_000;
/** Time limit in milliseconds for steps that are completed even if the training is cancelled. */
const UNHURRIED_MS = 30_000;
/** The sentence at the end of the reason if the result of the trainer is kept. */
const KEPT_SENTENCE =
  'The trained model is kept, and the next training with the same examples begins with its evaluation.';
/** The figures of a training without an evaluation. */
const NOT_EVALUATED = { current: null, candidate: null, comparison: null } as const;

/**
 * Trains once. A rejection, a failure of the trainer and a cancellation are results; the training is cancelled if
 * Selfware is stopped. Throws `usage` if something is missing, `locked` while another training runs, `notFound` if too
 * little was learned, and `forbidden` within an hour after a rejection and while Selfware is stopped.
 */
export async function trainOnce(request: TrainingRequest): Promise<TrainingResult> {
  await request.session.training.throwIfStopped();
  const places = resolveTrainingPlaces(request.rootDir, request.env);
  const home = requireSetUp(request.settings, places);
  return withTrainingLock(places, async () => {
    const { training } = request.session;
    const state = await training.state(home.base);
    await repairLeftovers(home, state, request.signal);
    refuseSoonAfterRejection(state, request.now());
    const { dataset } = await training.dataset();
    refuseTooFew(dataset);
    const id = training.newId();
    const folder = join(places.runs, id);
    await keepNewest(places.runs);
    await removeOldModels(home, state, request.signal);
    const current = home.proposer(state.currentModel) ?? home.place(state.currentModel).model;
    const sizes = { examples: dataset.train.length, heldOut: dataset.heldOut.length };
    await training.record({
      type: 'trainingStarted',
      data: { training: id, dataset: dataset.id, ...sizes, base: home.base, current },
    });
    request.onStarted?.();
    const stopWatch = createStopSignal(request);
    try {
      const run = { ...request, signal: stopWatch.signal, home, places, id, folder, dataset, state };
      return await endTraining(run, await determineOutcome(run));
    } finally {
      stopWatch.dispose();
    }
  });
}

/**
 * Removes the remains of a killed training. Throws `usage`, `locked` while a training is running, and `unavailable`.
 */
export async function settleTrainings(request: TrainingRequest): Promise<void> {
  const places = resolveTrainingPlaces(request.rootDir, request.env);
  const home = parseModelHome(request.settings, places);
  await withTrainingLock(places, async () =>
    repairLeftovers(home, await request.session.training.state(home.base), request.signal),
  );
}

/**
 * Puts the model before the current one in use again. Returns the old model as `model` and the other one as `to`.
 * Throws `notFound` if no trained model is in use.
 */
export async function rollBackModel(
  request: Omit<TrainingRequest, 'note'>,
): Promise<{ readonly model: string; readonly to: string | null; readonly inUse: string }> {
  const places = resolveTrainingPlaces(request.rootDir, request.env);
  const home = parseModelHome(request.settings, places);
  return withTrainingLock(places, async () => {
    const { currentModel: model, previousModel } = await request.session.training.state(home.base);
    if (model === null || previousModel === undefined)
      throw new SelfwareError('notFound', 'No trained model is in use, so there is nothing to roll back.');
    await home.activate(previousModel, request.signal);
    await request.session.training.record({ type: 'modelRolledBack', data: { model, to: previousModel } });
    return { model, to: previousModel, inUse: home.inUse };
  });
}

/** True if a training is running, in any process. */
export async function isTraining(places: TrainingPlaces): Promise<boolean> {
  const lock = await acquireLock(places.lock);
  await lock?.release();
  return lock === null;
}

/** Calls `work` while this process holds the lock of trainings. Throws `locked` if a training is running. */
async function withTrainingLock<T>({ lock: lockFile }: TrainingPlaces, work: () => Promise<T>): Promise<T> {
  const lock = await acquireLock(lockFile);
  if (!lock)
    throw new SelfwareError('locked', 'A training runs already.', { action: 'Wait for it: `selfware learn status`.' });
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/** Throws `forbidden` within an hour after a rejection. */
function refuseSoonAfterRejection(state: TrainingState, now: number): void {
  const until = computeNextManualTraining(state);
  if (now >= until) return;
  const untilText = new Date(until).toISOString().slice(0, 16).replace('T', ' ');
  throw new SelfwareError('forbidden', 'The last model was rejected less than an hour ago.', {
    action: `Try again after ${untilText} UTC, with something new to learn.`,
  });
}

/** Throws `notFound` if there are too few examples. */
function refuseTooFew({ train, heldOut }: Dataset): void {
  if (train.length > 0 && heldOut.length >= MIN_EXAMPLES) return;
  throw new SelfwareError(
    'notFound',
    `Too little was learned: ${formatCount(train.length, 'example')} to train on, ${heldOut.length} held out. ` +
      `Without ${MIN_EXAMPLES} held-out ones, nobody could tell whether a new model is better.`,
    { action: 'Keep, edit and reject changes; `selfware learn export` shows the examples.' },
  );
}

/**
 * Restores the state after a killed training: puts the model that the ledger names in use, and removes models of
 * interrupted trainings.
 */
async function repairLeftovers(home: ModelHome, state: TrainingState, signal: AbortSignal): Promise<void> {
  await home.activate(state.currentModel, signal);
  for (const { training, outcome } of state.trainingRuns)
    if (outcome === 'interrupted') await home.remove(training, signal);
}

/** A signal that is aborted with the request, or soon after any process has stopped Selfware. */
function createStopSignal({ session, signal }: TrainingRequest) {
  const stopController = new AbortController();
  const abortIfStopped = () =>
    void session.training.throwIfStopped().catch((error: unknown) => stopController.abort(error));
  const timer = setInterval(abortIfStopped, CHECK_STOPPED_MS);
  return { signal: AbortSignal.any([signal, stopController.signal]), dispose: () => clearInterval(timer) };
}

/** One training in progress. */
interface Run extends TrainingRequest {
  readonly home: ModelHome;
  readonly places: TrainingPlaces;
  readonly id: string;
  readonly folder: string;
  readonly dataset: Dataset;
  readonly state: TrainingState;
}

type Outcome = Omit<TrainingResult, 'training'>;

/** The outcome; an expected error becomes `cancelled` or `failed`. */
async function determineOutcome(run: Run): Promise<Outcome> {
  try {
    return await tryTraining(run);
  } catch (error) {
    if (run.signal.aborted) return { outcome: 'cancelled', reason: cancellationText(run.signal), ...NOT_EVALUATED };
    if (!(error instanceof SelfwareError)) throw error;
    return { outcome: 'failed', reason: describeError(error), ...NOT_EVALUATED };
  }
}

function cancellationText({ reason }: AbortSignal): string {
  return reason instanceof SelfwareError ? reason.message : 'It was cancelled.';
}

/** Trains and evaluates, and deploys the new model if it is better. */
async function tryTraining(run: Run): Promise<Outcome> {
  const { home, id, folder, dataset, state, session, signal, note } = run;
  const examples = formatCount(dataset.heldOut.length, 'held-out example');
  // Evaluates the model in use first, so that an evaluator that does not work fails before hours of training.
  note(`Evaluating the model in use on ${examples}.`);
  const before = await collectAnswers(run, state.currentModel, 'current');
  const artifact = await loadResult(run);
  throwIfCancelled(signal);
  if ('refused' in artifact) return { outcome: 'failed', reason: artifact.refused, ...NOT_EVALUATED };
  await keepResult(folder, createRecipe(run));
  const name = await home.add(id, artifact, signal);
  note(`Evaluating the new model on ${examples}.`);
  const after = await collectAnswers(run, name, 'candidate');
  const knownAnswers = new Map(dataset.heldOut.map((example) => [example.id, example.answer]));
  const comparison = compareModels(before, after);
  const figures = {
    current: computeModelFigures(before, knownAnswers),
    candidate: computeModelFigures(after, knownAnswers),
    comparison,
  };
  if (!comparison.better) return { outcome: 'rejected', reason: comparison.reason, ...figures };
  throwIfCancelled(signal);
  const deployment = { training: id, model: name, previous: state.currentModel, hash: artifact.hash };
  await session.training.record({ type: 'modelDeployed', data: deployment });
  return { outcome: 'deployed', reason: comparison.reason + (await putInUse(home, name)), ...figures };
}

/**
 * Puts the new model in use. Returns an empty text, or a sentence if that fails. The ledger already names the model, so
 * the next training tries again.
 */
async function putInUse(home: ModelHome, name: string): Promise<string> {
  try {
    await home.activate(name, AbortSignal.timeout(UNHURRIED_MS));
    return '';
  } catch (error) {
    return ` It is not in use yet: ${describeError(error)} The next \`selfware learn train\` puts it in use.`;
  }
}

/**
 * The result of an earlier training with the same examples, if there is one. Otherwise the trainer creates a result.
 */
async function loadResult(run: Run) {
  const { home, places, folder, dataset, settings, note, requireAgreed } = run;
  const earlierResult = await reuseResult(places.runs, folder, createRecipe(run));
  if (earlierResult) {
    note('The last training with these examples was not evaluated, so its result is evaluated now.');
    return earlierResult;
  }
  await requireAgreed?.();
  const datasetFolder = join(folder, 'dataset');
  await mkdir(datasetFolder, { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(dataset.files))
    await replaceFile(join(datasetFolder, name), Buffer.from(text));
  note(
    `Training ${home.base} on ${formatCount(dataset.train.length, 'example')}; its log is ${join(folder, 'train.log')}.`,
  );
  return runTrainer({
    ...createCommandRun(run, settings['learn.trainCommand']),
    output: trainerOutputFolder(folder),
    maxBytes: settings['learn.modelGigabytes'] * 1024 ** 3,
    variables: {
      ...describeBase(run),
      SELFWARE_DATASET: datasetFolder,
      SELFWARE_TRAIN: join(datasetFolder, 'train.jsonl'),
      SELFWARE_REFUSED: join(datasetFolder, 'refused.jsonl'),
      SELFWARE_OUTPUT: trainerOutputFolder(folder),
    },
  });
}

/** The data on which the result of the trainer depends. */
function createRecipe({ home, dataset, settings }: Run) {
  return { dataset: dataset.id, base: home.base, command: settings['learn.trainCommand'] };
}

/** Asks a model the held-out examples, or runs the person's own evaluator, and judges the answers. */
async function collectAnswers(run: Run, name: string | null, file: string): Promise<readonly ModelAnswer[]> {
  const { home, dataset, settings, session, signal, report } = run;
  const command = settings['learn.evaluateCommand'].trim();
  const operation = report ? { signal, report } : { signal };
  const answers =
    command === ''
      ? await session.training.ask(home.proposer(name) ?? '', dataset.heldOut, operation)
      : await runOwnEvaluator(run, command, name, file);
  return session.training.judge(dataset.heldOut, answers, operation);
}

/** Runs the person's own evaluator. `file`: the name for its output. */
async function runOwnEvaluator(run: Run, command: string, name: string | null, file: string) {
  await run.requireAgreed?.();
  const { home, folder, dataset } = run;
  const { model, adapter } = home.place(name);
  const heldOut = join(folder, 'heldout.jsonl');
  const variables = {
    ...describeBase(run),
    SELFWARE_HELDOUT: heldOut,
    SELFWARE_MODEL: model,
    SELFWARE_ADAPTER: adapter ?? '',
  };
  const ids = dataset.heldOut.map(({ id }) => id);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await replaceFile(heldOut, Buffer.from(dataset.heldOutFile));
  try {
    return await runEvaluator({ ...createCommandRun(run, command), variables }, file, ids);
  } finally {
    // The examples are removed, because no trainer may see them.
    await rm(heldOut, { force: true });
  }
}

function createCommandRun({ folder, env, rootDir, settings, signal }: Run, command: string) {
  return { command, folder, env, rootDir, minutes: settings['learn.trainMinutes'], signal };
}

/** The environment variables that describe the model to train and the training. */
function describeBase({ home, id }: Run): Readonly<Record<string, string>> {
  return { SELFWARE_BASE: home.place(null).model, SELFWARE_TRAINING: id };
}

/** Records the outcome of the training, and removes files and models that are no longer needed. */
async function endTraining({ session, home, id, folder }: Run, outcome: Outcome): Promise<TrainingResult> {
  const isEvaluated = outcome.outcome === 'deployed' || outcome.outcome === 'rejected';
  const isKept = !isEvaluated && isResultKept(folder);
  const reason = outcome.reason + (isKept ? ` ${KEPT_SENTENCE}` : '');
  const result = { training: id, ...outcome, reason };
  await session.training.record({ type: 'trainingEnded', data: result });
  // A cancelled training is also cleaned up. What cannot be removed now is removed before the next training.
  if (outcome.outcome !== 'deployed') await home.remove(id, AbortSignal.timeout(UNHURRIED_MS)).catch(() => undefined);
  if (!isKept) await dropResult(folder);
  return result;
}

/** Removes the deployed models except the one in use and the one that a roll-back would put in use. */
async function removeOldModels(home: ModelHome, state: TrainingState, signal: AbortSignal): Promise<void> {
  const keptModels = [state.currentModel, state.previousModel];
  const isKept = (training: string) =>
    keptModels.some((model) => model === training || model?.endsWith(`:${training}`));
  for (const { training, outcome } of state.trainingRuns)
    if (outcome === 'deployed' && !isKept(training)) await home.remove(training, signal);
}

/** Removes all but the newest folders of trainings, and the remains of killed trainers. The names sort by time. */
async function keepNewest(runs: string): Promise<void> {
  const names = (await readdir(runs).catch(() => [])).toSorted();
  for (const name of names.slice(0, Math.max(0, names.length - MAX_KEPT_RUNS + 1)))
    await rm(join(runs, name), { recursive: true, force: true });
  for (const name of names) await removeLeftovers(join(runs, name));
}
