// Compares two language models on the same held-out examples, and decides whether the new one is significantly better.

import type { ModelComparison, ModelFigures } from '../../model/trainings.ts';
import { computeBleu } from './bleu.ts';

/** The answer of a model to one held-out example. Null means unknown. */
export interface ModelAnswer {
  /** Id of the example. */
  readonly id: string;
  readonly reply: string | null;
  /** Natural logarithm of the probability with which the model gives the known answer. */
  readonly logProbability: number | null;
  /** Number of tokens of the known answer. */
  readonly tokens: number | null;
  /** True if the checks accept the reply; null if that is unknown. */
  readonly success: boolean | null;
}

/**
 * A model is better only if its success rate rises by more than this, or its perplexity falls by more than this share.
 */
const MIN_MODEL_GAIN = 0.01;
/** Minimum number of compared examples. With fewer, resampling cannot estimate the noise. */
export const MIN_EXAMPLES = 10;
/**
 * Minimum share of the held-out examples that must have been compared, because the new model may have failed at the
 * others.
 */
const MIN_SHARE = 0.5;

/** Number of resamplings, from which the 2.5 % and 97.5 % quantiles of the gain are taken. */
const RESAMPLING_COUNT = 2000;
/** The fixed seed of the resamplings, so that the same answers give the same interval. */
const RESAMPLING_SEED = 0x5e1f;
/** Tolerance, so that a gain of exactly the minimum does not pass because of rounding. */
const ROUNDING_TOLERANCE = 1e-9;

/** The figures of one model. `knownAnswers`: the known answers by id. */
export function computeModelFigures(
  answers: readonly ModelAnswer[],
  knownAnswers: ReadonlyMap<string, string>,
): ModelFigures {
  const judgedAnswers = answers.filter(({ success }) => success !== null);
  const replies = answers.flatMap(({ id, reply }): [string, string][] =>
    reply !== null && knownAnswers.has(id) ? [[reply, knownAnswers.get(id)!]] : [],
  );
  return {
    examples: answers.length,
    success:
      judgedAnswers.length === 0
        ? null
        : { hits: judgedAnswers.filter(({ success }) => success).length, of: judgedAnswers.length },
    perplexity: computePerplexity(answers.filter(isMeasured)),
    bleu: computeBleu(replies),
  };
}

/**
 * Compares the models. Success decides if it differs for an example that could be judged; otherwise perplexity
 * decides. If the current model was right about an example, and the answer of the new one could not be judged, that
 * counts as a loss, so that a model cannot gain by answers that nobody can judge.
 */
export function compareModels(current: readonly ModelAnswer[], candidate: readonly ModelAnswer[]): ModelComparison {
  const currentById = new Map(current.map((answer) => [answer.id, answer]));
  const pairs = candidate
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .flatMap((after): Pair[] => (currentById.has(after.id) ? [{ before: currentById.get(after.id)!, after }] : []));
  const judgedPairs = pairs.filter(
    ({ before, after }) => before.success === true || (before.success !== null && after.success !== null),
  );
  if (judgedPairs.some(({ before, after }) => before.success !== after.success))
    return decideByMetric('success', judgedPairs, pairs.length, computeSuccessGain);
  const measuredPairs = pairs.filter(isMeasuredPair);
  if (measuredPairs.length > 0) return decideByMetric('perplexity', measuredPairs, pairs.length, computePerplexityGain);
  const reason =
    judgedPairs.length > 0
      ? 'The answers of both models pass the same checks, and nothing gave probabilities.'
      : 'No held-out example could be judged for both models.';
  return { metric: null, gain: null, low: null, high: null, better: false, reason };
}

/** The answers of the current model and of the new one to one example. */
interface Pair {
  readonly before: ModelAnswer;
  readonly after: ModelAnswer;
}

/** The comparison by one metric. `total`: the number of held-out examples that both models answered. */
function decideByMetric<P extends Pair>(
  metric: 'success' | 'perplexity',
  pairs: readonly P[],
  total: number,
  gainOf: (pairs: readonly P[]) => number,
): ModelComparison {
  const gain = gainOf(pairs);
  const [low, high] = computeGainInterval(pairs, gainOf);
  const reason = explainInsufficiency(pairs.length, total, gain, low);
  const change = metric === 'success' ? 'The success rate rises by' : 'The perplexity falls by';
  const figures = `${change} ${formatPercent(gain)} (95 %: ${formatPercent(low)} to ${formatPercent(high)})`;
  return { metric, gain, low, high, better: reason === null, reason: figures + (reason ?? '.') };
}

/** The reason why a gain is not sufficient, as the end of a sentence; null if it is. */
function explainInsufficiency(compared: number, total: number, gain: number, low: number): string | null {
  if (compared < MIN_EXAMPLES) return `, but ${compared} examples are too few to tell: it takes ${MIN_EXAMPLES}.`;
  if (compared < total * MIN_SHARE)
    return `, but only ${compared} of ${total} held-out examples could be compared: it takes half of them.`;
  if (gain <= MIN_MODEL_GAIN + ROUNDING_TOLERANCE) return `; it takes more than ${formatPercent(MIN_MODEL_GAIN)}.`;
  return low > 0 ? null : ', which may be noise.';
}

/**
 * The 2.5 % and 97.5 % quantiles of the gain over examples that are drawn with replacement (paired bootstrap), from a
 * fixed seed.
 */
function computeGainInterval<P extends Pair>(
  pairs: readonly P[],
  gainOf: (pairs: readonly P[]) => number,
): readonly [number, number] {
  const random = createRandom(RESAMPLING_SEED);
  const gains: number[] = [];
  for (let round = 0; round < RESAMPLING_COUNT; round += 1)
    gains.push(gainOf(pairs.map(() => pairs[Math.floor(random() * pairs.length)]!)));
  gains.sort((a, b) => a - b);
  return [gains[Math.floor(RESAMPLING_COUNT * 0.025)]!, gains[Math.ceil(RESAMPLING_COUNT * 0.975) - 1]!];
}

/** The difference of the success rates. */
function computeSuccessGain(pairs: readonly Pair[]): number {
  const countSuccesses = (side: 'before' | 'after') => pairs.filter((pair) => pair[side].success).length;
  return (countSuccesses('after') - countSuccesses('before')) / pairs.length;
}

/**
 * The share by which the perplexity falls. Both perplexities are per token of the current model, because two tokenizers
 * split the same answer into different numbers of tokens, and more tokens give a lower perplexity for the same
 * probability.
 */
function computePerplexityGain(pairs: readonly MeasuredPair[]): number {
  const before = computePerplexity(pairs.map((pair) => pair.before))!;
  const after = computePerplexity(pairs.map((pair) => ({ ...pair.after, tokens: pair.before.tokens })))!;
  return (before - after) / before;
}

/** An answer for which the model gave a probability. */
type MeasuredAnswer = ModelAnswer & { readonly logProbability: number; readonly tokens: number };

/** Two answers to one example, each with a probability. */
interface MeasuredPair extends Pair {
  readonly before: MeasuredAnswer;
  readonly after: MeasuredAnswer;
}

function isMeasuredPair(pair: Pair): pair is MeasuredPair {
  return isMeasured(pair.before) && isMeasured(pair.after);
}

function isMeasured(answer: ModelAnswer): answer is MeasuredAnswer {
  return answer.logProbability !== null && answer.tokens !== null;
}

/** The perplexity per token over all answers; null if they have no tokens. */
function computePerplexity(answers: readonly MeasuredAnswer[]): number | null {
  const tokens = answers.reduce((sum, answer) => sum + answer.tokens, 0);
  return tokens === 0 ? null : Math.exp(-answers.reduce((sum, answer) => sum + answer.logProbability, 0) / tokens);
}

function formatPercent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** A generator of random numbers from 0 (included) to 1 (excluded): mulberry32, which has 32 bits of state. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
