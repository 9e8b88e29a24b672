// Learns the shipped table of term vectors from prepared pairs. Same pairs, same seed: same bytes.
// Usage: node tools/embedding/train.ts --pairs DIR --out FILE [--terms N] [--dimensions N] [--epochs N] …

import { parseArgs } from 'node:util';
import { train } from './contrast.ts';
import { datasetOf, echoed, readPairs, repositoriesIn, vocabularyOf } from './dataset.ts';
import { acrossRepositories, withinRepositories } from './heldOut.ts';
import { initialRows } from './initial.ts';
import { writeModel } from './modelFile.ts';
import { randomOf } from './random.ts';
import { isHeldOut } from './split.ts';

const { values } = parseArgs({
  options: {
    pairs: { type: 'string' },
    out: { type: 'string' },
    seed: { type: 'string', default: '1' },
    terms: { type: 'string', default: '29500' },
    dimensions: { type: 'string', default: '256' },
    'min-repositories': { type: 'string', default: '3' },
    epochs: { type: 'string', default: '2' },
    batch: { type: 'string', default: '256' },
    together: { type: 'string', default: '64' },
    temperature: { type: 'string', default: '0.1' },
    rate: { type: 'string', default: '0.05' },
    dropout: { type: 'string', default: '0.2' },
    echo: { type: 'string', default: '0.4' },
    kinds: { type: 'string', default: 'doc,commit,test,name' },
  },
});
if (!values.pairs || !values.out) throw new Error('Usage: train.ts --pairs DIR --out FILE');
const started = process.cpuUsage();
const cpuSeconds = (): string => (process.cpuUsage(started).user / 1e6).toFixed(0);
const random = randomOf(Number(values.seed));
const dimensions = Number(values.dimensions);
const names = repositoriesIn(values.pairs);
const kinds = new Set(values.kinds.split(','));
const all = readPairs(values.pairs, names);
const learned = all.filter(({ r, k }) => !isHeldOut(r) && kinds.has(k));
const heldOut = all.filter(({ r }) => isHeldOut(r));
const vocabulary = vocabularyOf(learned, Number(values.terms), Number(values['min-repositories']));
const data = datasetOf(echoed(learned, Number(values.echo), random), names, vocabulary);
console.log(
  `${names.length} repositories, ${all.length} pairs, ${data.size} learned from, ${vocabulary.terms.length} terms, ${cpuSeconds()} s`,
);

const rows = initialRows(vocabulary, dimensions, random);
console.log(`initial rows ready, ${cpuSeconds()} s`);
if (Number(values.epochs) > 0) {
  const options = {
    dimensions,
    batch: Number(values.batch),
    together: Number(values.together),
    temperature: Number(values.temperature),
    rate: Number(values.rate),
    epochs: Number(values.epochs),
    dropout: Number(values.dropout),
  };
  train(rows, data, options, random, (epoch, share, loss) =>
    console.log(`epoch ${epoch + 1} ${(share * 100).toFixed(0)} % loss ${loss.toFixed(4)} ${cpuSeconds()} s`),
  );
}
const { table, bytes } = writeModel(values.out, vocabulary.terms, rows, dimensions);
console.log(`${values.out}: ${bytes} bytes, ${table.profile}, ${cpuSeconds()} s`);
for (const kind of ['doc', 'commit', 'test'] as const) {
  for (const [where, comparison] of [
    ['across', acrossRepositories(heldOut, kind, table)],
    ['within', withinRepositories(heldOut, kind, table)],
  ] as const) {
    const { questions, vectors, bm25, together } = comparison;
    const show = ({ mrr, recallAt10 }: { mrr: number; recallAt10: number }): string =>
      `${mrr.toFixed(3)} ${recallAt10.toFixed(3)}`;
    console.log(
      `${kind} ${where} (${questions}): MRR and recall@10 vectors ${show(vectors)}, BM25 ${show(bm25)}, together ${show(together)}`,
    );
  }
}
