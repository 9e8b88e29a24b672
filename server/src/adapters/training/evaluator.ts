// Runs a person's evaluator on one model and reads its results: one line of JSON for each held-out example.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJsonOrNull } from '../../util/parseJson.ts';
import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { readTextInside } from '../files/safeRead.ts';
import { runLogged, type TrainingCommand } from './trainer.ts';

/** The result of the evaluator for one held-out example. */
export interface EvaluatedExample {
  readonly id: string;
  readonly reply: string | null;
  readonly logProbability: number | null;
  readonly tokens: number | null;
}

/** Maximum number of bytes of the file with the results. */
const MAX_RESULT_BYTES = 64 * 1024 * 1024;

/**
 * Runs the evaluator and returns its results in the order of `ids`. All fields but `id` are null for an example that it
 * skips. `name`: the name, without extension, of the log and of the file with the results in the folder of the
 * training. Throws `cancelled`, and `unavailable` if the command fails or writes something else.
 */
export async function runEvaluator(
  run: TrainingCommand,
  name: string,
  ids: readonly string[],
): Promise<readonly EvaluatedExample[]> {
  const results = join(run.folder, `${name}.jsonl`);
  await rm(results, { force: true });
  const variables = { ...run.variables, SELFWARE_RESULTS: results };
  const failure = await runLogged({ ...run, variables }, `${name}.log`);
  throwIfCancelled(run.signal);
  if (failure !== null) throw createEvaluatorError(failure);
  const text = readTextInside(run.folder, `${name}.jsonl`, MAX_RESULT_BYTES);
  if (text === null) throw createEvaluatorError('It wrote nothing to $SELFWARE_RESULTS.');
  const examplesById = new Map<string, EvaluatedExample>();
  for (const [lineIndex, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const example = parseResult(parseJsonOrNull(line));
    if (typeof example === 'string')
      throw createEvaluatorError(`Line ${lineIndex + 1} of its results is unusable: ${example}.`);
    if (examplesById.has(example.id))
      throw createEvaluatorError(`Line ${lineIndex + 1} of its results repeats the example ${example.id}.`);
    examplesById.set(example.id, example);
  }
  return ids.map((id) => examplesById.get(id) ?? { id, reply: null, logProbability: null, tokens: null });
}

/** One result; the reason why the value is none, as the end of a sentence. */
function parseResult(value: unknown): EvaluatedExample | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'it is not an object';
  const { id, reply = null, logProbability = null, tokens = null } = value as Readonly<Record<string, unknown>>;
  if (typeof id !== 'string' || id === '') return 'it has no id';
  if (reply !== null && typeof reply !== 'string') return 'reply is not a text';
  if ((logProbability === null) !== (tokens === null)) return 'logProbability and tokens belong together';
  if (logProbability !== null && !(typeof logProbability === 'number' && Number.isFinite(logProbability)))
    return 'logProbability is not a number';
  if (logProbability !== null && logProbability > 0) return 'logProbability is above 0';
  if (tokens !== null && !(typeof tokens === 'number' && Number.isInteger(tokens) && tokens > 0))
    return 'tokens is not a whole number above 0';
  return { id, reply, logProbability, tokens };
}

function createEvaluatorError(reason: string): SelfwareError {
  return new SelfwareError('unavailable', `The evaluator failed. ${reason}`, {
    action: 'Correct the command in learn.evaluateCommand; its log is in the folder of the training.',
  });
}
