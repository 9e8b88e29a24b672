// Measures search quality on labelled questions: NDCG@10 and recall by token budget, of Selfware and of peers on the
// same files, and the contribution of each of our signals.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { proseWeights, SIGNALS, symbolWeights, type Weights } from '../../server/src/core/index/search/weights.ts';
import { readCorpus } from './corpus/corpus.ts';
import type { Corpus, System } from './peers/system.ts';
import { questionsOf, type Question, type Repository } from './quality/corpus.ts';
import { measureCorpus, meanByRepository, score, type MeasuredQuestion } from './quality/measured.ts';
import { BUDGETS, CUT, grouped, mean, ndcg, recall } from './quality/measures.ts';
import type { BenchOptions, Table } from './support/bench.ts';
import { termTable } from './support/embedding.ts';
import { tokensOf } from './support/relevance.ts';

/** Number of requested results, enough to fill the largest budget. */
const ASKED = 60;

/** A question with the quality of the answers to it. */
interface Answered {
  readonly repository: Repository;
  readonly category: string;
  /** By system. */
  readonly quality: ReadonlyMap<string, { readonly ndcg: number; readonly recall: readonly number[] }>;
}

/**
 * The tables of the results. `labels`: a folder with NAME.json for the repositories in the file `manifest`.
 * Repositories without labels are left out.
 */
export async function labelledQuality(
  labels: string,
  manifest: string,
  systems: readonly System[],
  options: BenchOptions,
  signal: AbortSignal,
): Promise<Table[]> {
  const present = new Set(await readdir(labels));
  const repositories = (JSON.parse(await readFile(manifest, 'utf8')) as Repository[]).filter(({ name }) =>
    present.has(`${name}.json`),
  );
  const answered: Answered[] = [];
  const measured: MeasuredQuestion[] = [];
  for (const repository of repositories) {
    signal.throwIfAborted();
    options.note(`${repository.name} (${repository.language})`);
    const corpus = await readCorpus(repository.name, repository.root, signal);
    const questions = await questionsOf(join(labels, `${repository.name}.json`));
    answered.push(...(await askAll(repository, corpus, questions, systems, signal)));
    const files = corpus.records.map((record) => ({ record, chunks: corpus.chunks.get(record.path) ?? [] }));
    measured.push(...measureCorpus({ repository, questions, files, commits: corpus.commits }, termTable));
  }
  const names = systems.map(({ name }) => name);
  const notes = [
    `${answered.length} questions on ${repositories.length} repositories, of which ${repositories.filter(({ pinned }) => pinned).length} are at the revision that the labels were made for (“pinned”). Repositories count alike, whatever their number of questions.`,
  ];
  return [
    table(
      'NDCG@10',
      names,
      [
        ['all', answered],
        ['pinned', answered.filter(({ repository }) => repository.pinned)],
      ],
      notes,
    ),
    table(
      'NDCG@10 by language',
      names,
      groups(answered, ({ repository }) => repository.language),
      [],
    ),
    table(
      'NDCG@10 by category',
      names,
      groups(answered, ({ category }) => category),
      [],
    ),
    table(
      'NDCG@10 by repository',
      names,
      groups(answered, ({ repository }) => repository.name),
      [],
    ),
    recallTable(names, answered),
    signalsTable(measured.filter(({ repository }) => repository.pinned)),
  ];
}

/** Asks every system all questions about a repository. */
async function askAll(
  repository: Repository,
  corpus: Corpus,
  questions: readonly Question[],
  systems: readonly System[],
  signal: AbortSignal,
): Promise<Answered[]> {
  const texts = new Map(corpus.files.map(({ path, text }) => [path, text]));
  const quality = questions.map(() => new Map<string, { ndcg: number; recall: number[] }>());
  for (const system of systems) {
    const built = await system.build(corpus, signal);
    for (const [index, { query, relevant }] of questions.entries()) {
      signal.throwIfAborted();
      const answer = (await built.search(query, ASKED)).map((place) => ({
        ...place,
        tokens: tokensOf(place, texts.get(place.path) ?? ''),
      }));
      quality[index]!.set(system.name, {
        ndcg: ndcg(answer, relevant),
        recall: BUDGETS.map((tokens) => recall(answer, relevant, tokens)),
      });
    }
  }
  return questions.map(({ category }, index) => ({ repository, category, quality: quality[index]! }));
}

/** The mean over repositories of the means over their questions. */
function overRepositories(answered: readonly Answered[], of: (entry: Answered) => number): number {
  return mean(groups(answered, ({ repository }) => repository.name).map(([, own]) => mean(own.map(of))));
}

/** The answers by group, sorted by the key of the group. */
function groups(answered: readonly Answered[], key: (entry: Answered) => string): [string, Answered[]][] {
  return [...grouped(answered, key)].sort(([a], [b]) => (a < b ? -1 : 1));
}

function table(
  title: string,
  names: readonly string[],
  rows: readonly (readonly [string, readonly Answered[]])[],
  notes: readonly string[],
): Table {
  return {
    title,
    columns: [{ name: 'of' }, { name: 'questions' }, ...names.map((name) => ({ name, digits: 3 }))],
    rows: rows.map(([group, answered]) => [
      group,
      answered.length,
      ...names.map((name) => overRepositories(answered, ({ quality }) => quality.get(name)!.ndcg)),
    ]),
    notes,
  };
}

function recallTable(names: readonly string[], answered: readonly Answered[]): Table {
  return {
    title: 'Recall by token budget',
    columns: [{ name: 'tokens' }, ...names.map((name) => ({ name, digits: 3 }))],
    rows: BUDGETS.map((tokens, index) => [
      tokens,
      ...names.map((name) => overRepositories(answered, ({ quality }) => quality.get(name)!.recall[index]!)),
    ]),
    notes: [
      'Share of the files labelled relevant of which a piece is among the results, read from the top until one does not fit the budget. A result costs its lines; a file without lines costs all of it.',
    ],
  };
}

/** The table of the loss in quality without each signal. */
function signalsTable(questions: readonly MeasuredQuestion[]): Table {
  const scoreWith = (change: (weights: Weights) => Weights) =>
    meanByRepository(score(questions, { prose: change(proseWeights), symbol: change(symbolWeights) }));
  const whole = scoreWith((weights) => weights);
  const used = SIGNALS.filter(
    (signal) =>
      [proseWeights, symbolWeights].some(({ signals }) => signals[signal] > 0) &&
      questions.some(({ measured }) => measured.signals[signal].some((value) => value > 0)),
  );
  const without = [
    ...used.map(
      (signal) =>
        [signal, scoreWith((weights) => ({ ...weights, signals: { ...weights.signals, [signal]: 0 } }))] as const,
    ),
    ['decay of further chunks of a file', scoreWith((weights) => ({ ...weights, decay: 1 }))] as const,
  ];
  return {
    title: 'Our signals left out one by one (pinned repositories)',
    columns: [{ name: 'without' }, { name: 'NDCG@10', digits: 3 }, { name: 'loss', digits: 4 }],
    rows: [
      ['nothing', whole, 0],
      ...without.sort((a, b) => a[1] - b[1]).map(([name, value]) => [name, value, whole - value]),
    ],
    notes: [
      `${CUT} results count. The other weights stay as they are: a signal whose work another one takes over shows less than it would alone. Differences below .01 are noise.`,
    ],
  };
}
