// Measures search quality on everyday questions about several repositories, in the words of a person who does not know
// the names in the code: `node test/bench/quality/everyday.ts --at DIR [--part "held out"] [--cache C]`. DIR contains a
// clone of each repository in everyday/repositories.json, at its commit. Prints NDCG@10, and how often an answering
// file is among the first five files, also for rankings by only some of the signals.

import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { rankChunks } from '../../../server/src/core/index/search/rank.ts';
import {
  proseWeights,
  SIGNALS,
  type Signal,
  type SignalWeights,
  type Weights,
} from '../../../server/src/core/index/search/weights.ts';
import { termTable } from '../support/embedding.ts';
import { loadCorpus } from './corpus.ts';
import { measureCorpus, score, type MeasuredQuestion } from './measured.ts';
import { isHit, mean } from './measures.ts';

/** A repository in everyday/repositories.json. */
interface EverydayRepository {
  readonly name: string;
  readonly folder: string;
  readonly commit: string;
  readonly part: 'development' | 'held out';
  readonly language: string;
}

const FIRST_RESULTS = 5;
/** Number of ranked chunks from which the order of files is read. */
const EXAMINED_CHUNKS = 2_000;
const labels = join(import.meta.dirname, 'everyday');
const { values: options } = parseArgs({
  options: {
    at: { type: 'string', default: '' },
    part: { type: 'string', default: 'development' },
    cache: { type: 'string', default: join(tmpdir(), 'selfware-quality') },
  },
});

const createWeights = (...signals: Signal[]): Weights => ({
  ...proseWeights,
  signals: Object.fromEntries(
    SIGNALS.map((signal) => [signal, signals.includes(signal) ? 1 : 0]),
  ) as unknown as SignalWeights,
});
const systems: readonly (readonly [string, Weights])[] = [
  ['Selfware', proseWeights],
  ['terms of chunks alone', createWeights('lexical')],
  ['terms of files alone', createWeights('coherence')],
  ['vectors alone', createWeights('shipped')],
  ['terms and vectors', createWeights('lexical', 'shipped')],
];

const allQuestions: MeasuredQuestion[] = [];
const repositories = JSON.parse(await readFile(join(labels, 'repositories.json'), 'utf8')) as EverydayRepository[];
for (const { name, folder, commit, language } of repositories.filter(({ part }) => part === options.part)) {
  const root = join(options.at, folder);
  const head = execFileSync('git', ['-C', root, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  if (head !== commit) throw new Error(`${root} is at ${head}, but the questions are about ${commit}.`);
  const corpus = await loadCorpus(
    { name, language, pinned: true, root },
    { cache: options.cache, annotations: labels, fresh: [] },
  );
  allQuestions.push(...measureCorpus(corpus, termTable));
}
for (const [system, weights] of systems) {
  console.log(system);
  for (const name of [...new Set(allQuestions.map(({ repository }) => repository.name)), null]) {
    const questions = allQuestions.filter(({ repository }) => name === null || repository.name === name);
    const ranks = questions.map((question) => findRank(question, weights));
    const ndcg = mean(score(questions, { prose: weights, symbol: weights }).map(({ ndcg: gain }) => gain));
    console.log(
      `  ${(name ?? 'all').padEnd(14)} NDCG@10 ${ndcg.toFixed(3)}  first ${FIRST_RESULTS}: ${ranks.filter((rank) => rank <= FIRST_RESULTS).length} ` +
        `of ${ranks.length}  first: ${ranks.filter((rank) => rank === 1).length}`,
    );
  }
}

/** The rank (from 1) of the first file that answers the question; infinite if there is none. */
function findRank({ measured, relevant }: MeasuredQuestion, weights: Weights): number {
  const files = [...new Set(rankChunks(measured, weights, EXAMINED_CHUNKS).map(({ chunk }) => chunk.file.record.path))];
  const fileIndex = files.findIndex((path) => relevant.some((target) => isHit({ path }, target)));
  return fileIndex < 0 ? Infinity : fileIndex + 1;
}
