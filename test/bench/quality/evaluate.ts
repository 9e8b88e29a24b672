// Measures the ranking on the benchmark: `node test/bench/quality/evaluate.ts --manifest M --annotations A [--cache C]
// [--table T] [--without-signals] [--fresh LANGUAGES|all] [--repos A,B] [--misses N]`.
// `--scan` measures the scan before there is an index instead, beside BM25.

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
import { loadQuestions } from './loadQuestions.ts';
import { meanByRepository, score, type WeightsByKind } from './measured.ts';
import { showMisses } from './misses.ts';
import { scoreWithoutIndex } from './systems.ts';
import { formatFigure, formatSummary } from './tables.ts';

const { values: options } = parseArgs({
  options: {
    manifest: { type: 'string' },
    annotations: { type: 'string' },
    cache: { type: 'string', default: join(tmpdir(), 'selfware-quality') },
    table: { type: 'string' },
    'without-signals': { type: 'boolean', default: false },
    fresh: { type: 'string', default: '' },
    repos: { type: 'string' },
    misses: { type: 'string' },
    scan: { type: 'boolean', default: false },
  },
});
if (!options.manifest || !options.annotations) throw new Error('Say --manifest and --annotations.');

const onlyRepositories = options.repos?.split(',') ?? null;
if (options.scan) {
  for (const [name, scored] of await scoreWithoutIndex({
    manifest: options.manifest,
    annotations: options.annotations,
    only: onlyRepositories,
  }))
    console.log(`${name}: ${formatSummary(scored)}\n`);
  process.exit();
}
const questions = await loadQuestions({
  manifests: [options.manifest],
  annotations: options.annotations,
  cache: options.cache,
  fresh: options.fresh.split(','),
  only: onlyRepositories,
  table: options.table ?? null,
});

const weights: WeightsByKind = { prose: proseWeights, symbol: symbolWeights };
const scored = score(questions, weights, true);
console.log(formatSummary(scored));
if (options['without-signals']) {
  const fullScore = meanByRepository(scored);
  for (const signal of SIGNALS)
    console.log(
      `without ${signal.padEnd(12)} ${formatFigure(fullScore - meanByRepository(score(questions, withoutSignal(weights, signal))))}`,
    );
  console.log(
    `without decay        ${formatFigure(fullScore - meanByRepository(score(questions, { prose: { ...proseWeights, decay: 1 }, symbol: { ...symbolWeights, decay: 1 } })))}`,
  );
}
if (options.misses) showMisses(scored, weights, Number(options.misses));

function withoutSignal({ prose, symbol }: WeightsByKind, signal: Signal): WeightsByKind {
  const zeroSignal = (signalWeights: Weights): Weights => ({
    ...signalWeights,
    signals: { ...signalWeights.signals, [signal]: 0 },
  });
  return { prose: zeroSignal(prose), symbol: zeroSignal(symbol) };
}
