// Tunes the weights of the ranking by coordinate search, and measures them by cross-validation on repositories on which
// they were not tuned:
// `node test/bench/quality/tune.ts --manifest M[,M] --annotations A [--cache C] [--folds 5] [--table T]`.

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  proseWeights,
  SIGNALS,
  symbolWeights,
  type Signal,
  type Weights,
} from '../../../server/src/core/index/search/weights.ts';
import { rankChunks } from '../../../server/src/core/index/search/rank.ts';
import { loadQuestions } from './loadQuestions.ts';
import { meanByRepository, score, type WeightsByKind, type MeasuredQuestion } from './measured.ts';
import { formatFigure } from './tables.ts';

const { values: options } = parseArgs({
  options: {
    manifest: { type: 'string', default: '' },
    annotations: { type: 'string', default: '' },
    cache: { type: 'string', default: join(tmpdir(), 'selfware-quality') },
    folds: { type: 'string', default: '5' },
    table: { type: 'string' },
  },
});

/** For each weight, these multiples of it and these values are tried. */
const FACTORS = [0.5, 0.75, 1.33, 2];
const VALUES = [0, 0.1, 0.3];
const DECAYS = [0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6];
/** Minimum gain; a smaller one may be chance. */
const MIN_GAIN = 0.0004;
const ROUNDS = 3;
/** Numbers of candidates per question that are used: the best by the current weights, and the best by each signal. */
const KEPT = 150;
const KEPT_BY_SIGNAL = 12;

const initialWeights: WeightsByKind = { prose: proseWeights, symbol: symbolWeights };
const questions = (
  await loadQuestions({
    ...options,
    manifests: options.manifest.split(','),
    fresh: [],
    only: null,
    table: options.table ?? null,
  })
).map(pruneCandidates);
console.log(`before ${formatFigure(meanByRepository(score(questions, initialWeights)))}`);

const names = [...new Set(questions.map(({ repository }) => repository.name))].sort();
const folds = Number(options.folds);
let inFold = 0;
let heldOut = 0;
let heldOutBefore = 0;
for (let fold = 0; fold < folds; fold++) {
  const isHeld = ({ repository }: MeasuredQuestion) => names.indexOf(repository.name) % folds === fold;
  const [heldQuestions, tunedQuestions] = [questions.filter(isHeld), questions.filter((question) => !isHeld(question))];
  const tuned = tune(tunedQuestions);
  const share =
    new Set(heldQuestions.map(({ repository }) => repository.root)).size /
    new Set(questions.map(({ repository }) => repository.root)).size;
  inFold += meanByRepository(score(tunedQuestions, tuned)) / folds;
  heldOut += meanByRepository(score(heldQuestions, tuned)) * share;
  heldOutBefore += meanByRepository(score(heldQuestions, initialWeights)) * share;
  console.log(
    `fold ${fold + 1}: in ${formatFigure(meanByRepository(score(tunedQuestions, initialWeights)))} → ${formatFigure(meanByRepository(score(tunedQuestions, tuned)))}  held out ${formatFigure(meanByRepository(score(heldQuestions, initialWeights)))} → ${formatFigure(meanByRepository(score(heldQuestions, tuned)))}`,
  );
}
console.log(`in fold ${formatFigure(inFold)}  held out ${formatFigure(heldOutBefore)} → ${formatFigure(heldOut)}`);
const finalWeights = tune(questions);
console.log(`tuned on all: ${formatFigure(meanByRepository(score(questions, finalWeights)))}`);
console.log(
  JSON.stringify(
    finalWeights,
    (_, value: unknown) => (typeof value === 'number' ? Number(value.toFixed(3)) : value),
    1,
  ),
);

/** The best weights that the search finds for these questions. */
function tune(tuningQuestions: readonly MeasuredQuestion[]): WeightsByKind {
  const groups = {
    prose: tuningQuestions.filter(({ isSymbol }) => !isSymbol),
    symbol: tuningQuestions.filter(({ isSymbol }) => isSymbol),
  };
  let best = initialWeights;
  for (const kind of ['prose', 'symbol'] as const) {
    const scoreWeights = (weights: Weights) => meanByRepository(score(groups[kind], { ...best, [kind]: weights }));
    let current = best[kind];
    let bestScore = scoreWeights(current);
    for (let round = 0; round < ROUNDS; round++) {
      const before = bestScore;
      for (const candidate of [...SIGNALS, 'decay'] as const) {
        for (const variant of createVariants(current, candidate)) {
          const variantScore = scoreWeights(variant);
          if (variantScore > bestScore + MIN_GAIN) [current, bestScore] = [variant, variantScore];
        }
      }
      if (bestScore - before < MIN_GAIN) break;
    }
    best = { ...best, [kind]: current };
  }
  return best;
}

/** The weights that are tried instead of `weights`, in which only `name` differs. */
function createVariants(weights: Weights, name: Signal | 'decay'): Weights[] {
  if (name === 'decay') return DECAYS.map((decay) => ({ ...weights, decay }));
  // One weight is fixed, because multiplying all weights by the same factor changes nothing.
  if (name === 'lexical') return [];
  const currentWeight = weights.signals[name];
  return [...FACTORS.map((factor) => factor * currentWeight), ...VALUES].map((value) => ({
    ...weights,
    signals: { ...weights.signals, [name]: value },
  }));
}

/** The question with only the best candidates. */
function pruneCandidates(question: MeasuredQuestion): MeasuredQuestion {
  const { chunks, signals, penalties } = question.measured;
  const rowOf = new Map(chunks.map((chunk, row) => [chunk, row]));
  const rows = new Set(
    rankChunks(question.measured, question.isSymbol ? initialWeights.symbol : initialWeights.prose, KEPT).map(
      ({ chunk }) => rowOf.get(chunk)!,
    ),
  );
  for (const signal of SIGNALS) {
    const order = Array.from(signals[signal].keys()).sort((a, b) => signals[signal][b]! - signals[signal][a]!);
    for (const row of order.slice(0, KEPT_BY_SIGNAL)) rows.add(row);
  }
  const keptRows = [...rows];
  return {
    ...question,
    measured: {
      chunks: keptRows.map((row) => chunks[row]!),
      penalties: Float64Array.from(keptRows, (row) => penalties[row]!),
      signals: Object.fromEntries(
        SIGNALS.map((signal) => [signal, Float64Array.from(keptRows, (row) => signals[signal][row]!)]),
      ) as Record<Signal, Float64Array>,
    },
  };
}
