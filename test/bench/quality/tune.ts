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
import { meanByRepository, score, type Both, type MeasuredQuestion } from './measured.ts';
import { figure } from './tables.ts';

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

const start: Both = { prose: proseWeights, symbol: symbolWeights };
const questions = (
  await loadQuestions({
    ...options,
    manifests: options.manifest.split(','),
    fresh: [],
    only: null,
    table: options.table ?? null,
  })
).map(pruned);
console.log(`before ${figure(meanByRepository(score(questions, start)))}`);

const names = [...new Set(questions.map(({ repository }) => repository.name))].sort();
const folds = Number(options.folds);
let inFold = 0;
let heldOut = 0;
let heldOutBefore = 0;
for (let fold = 0; fold < folds; fold++) {
  const isHeld = ({ repository }: MeasuredQuestion) => names.indexOf(repository.name) % folds === fold;
  const [held, rest] = [questions.filter(isHeld), questions.filter((question) => !isHeld(question))];
  const tuned = tune(rest);
  const share =
    new Set(held.map(({ repository }) => repository.root)).size /
    new Set(questions.map(({ repository }) => repository.root)).size;
  inFold += meanByRepository(score(rest, tuned)) / folds;
  heldOut += meanByRepository(score(held, tuned)) * share;
  heldOutBefore += meanByRepository(score(held, start)) * share;
  console.log(
    `fold ${fold + 1}: in ${figure(meanByRepository(score(rest, start)))} → ${figure(meanByRepository(score(rest, tuned)))}  held out ${figure(meanByRepository(score(held, start)))} → ${figure(meanByRepository(score(held, tuned)))}`,
  );
}
console.log(`in fold ${figure(inFold)}  held out ${figure(heldOutBefore)} → ${figure(heldOut)}`);
const all = tune(questions);
console.log(`tuned on all: ${figure(meanByRepository(score(questions, all)))}`);
console.log(
  JSON.stringify(all, (_, value: unknown) => (typeof value === 'number' ? Number(value.toFixed(3)) : value), 1),
);

/** The best weights that the search finds for these questions. */
function tune(some: readonly MeasuredQuestion[]): Both {
  const groups = { prose: some.filter(({ isSymbol }) => !isSymbol), symbol: some.filter(({ isSymbol }) => isSymbol) };
  let best = start;
  for (const kind of ['prose', 'symbol'] as const) {
    const value = (weights: Weights) => meanByRepository(score(groups[kind], { ...best, [kind]: weights }));
    let now = best[kind];
    let top = value(now);
    for (let round = 0; round < ROUNDS; round++) {
      const before = top;
      for (const candidate of [...SIGNALS, 'decay'] as const) {
        for (const variant of variants(now, candidate)) {
          const worth = value(variant);
          if (worth > top + MIN_GAIN) [now, top] = [variant, worth];
        }
      }
      if (top - before < MIN_GAIN) break;
    }
    best = { ...best, [kind]: now };
  }
  return best;
}

/** The weights that are tried instead of `weights`, in which only `name` differs. */
function variants(weights: Weights, name: Signal | 'decay'): Weights[] {
  if (name === 'decay') return DECAYS.map((decay) => ({ ...weights, decay }));
  // One weight is fixed, because multiplying all weights by the same factor changes nothing.
  if (name === 'lexical') return [];
  const now = weights.signals[name];
  return [...FACTORS.map((factor) => factor * now), ...VALUES].map((value) => ({
    ...weights,
    signals: { ...weights.signals, [name]: value },
  }));
}

/** The question with only the best candidates. */
function pruned(question: MeasuredQuestion): MeasuredQuestion {
  const { chunks, signals, penalties } = question.measured;
  const rowOf = new Map(chunks.map((chunk, row) => [chunk, row]));
  const rows = new Set(
    rankChunks(question.measured, question.isSymbol ? start.symbol : start.prose, KEPT).map(
      ({ chunk }) => rowOf.get(chunk)!,
    ),
  );
  for (const signal of SIGNALS) {
    const order = Array.from(signals[signal].keys()).sort((a, b) => signals[signal][b]! - signals[signal][a]!);
    for (const row of order.slice(0, KEPT_BY_SIGNAL)) rows.add(row);
  }
  const kept = [...rows];
  return {
    ...question,
    measured: {
      chunks: kept.map((row) => chunks[row]!),
      penalties: Float64Array.from(kept, (row) => penalties[row]!),
      signals: Object.fromEntries(
        SIGNALS.map((signal) => [signal, Float64Array.from(kept, (row) => signals[signal][row]!)]),
      ) as Record<Signal, Float64Array>,
    },
  };
}
