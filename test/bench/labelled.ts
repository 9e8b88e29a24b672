// Measures search quality on labelled questions: NDCG@10 and recall by token budget, of Selfware and of peers on the
// same files, and the contribution of each of our signals.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { proseWeights, SIGNALS, symbolWeights, type Weights } from '../../server/src/core/index/search/weights.ts';
import { readCorpus } from './corpus/corpus.ts';
import type { Corpus, System } from './peers/system.ts';
import { readQuestions, type Question, type Repository } from './quality/corpus.ts';
import { measureCorpus, meanByRepository, score, type MeasuredQuestion } from './quality/measured.ts';
import { BUDGETS, CUT, groupBy, mean, ndcg, recall } from './quality/measures.ts';
import type { BenchOptions, Table } from './support/bench.ts';
import { termTable } from './support/embedding.ts';
import { countTokens } from './support/relevance.ts';

/** Number of requested results, enough to fill the largest budget. */
const RESULT_COUNT = 60;

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
export async function measureLabelled(
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
  const answers: Answered[] = [];
  const measuredQuestions: MeasuredQuestion[] = [];
  for (const repository of repositories) {
    signal.throwIfAborted();
    options.note(`${repository.name} (${repository.language})`);
    const corpus = await readCorpus(repository.name, repository.root, signal);
    const questions = await readQuestions(join(labels, `${repository.name}.json`));
    answers.push(...(await askAll(repository, corpus, questions, systems, signal)));
    const files = corpus.records.map((record) => ({ record, chunks: corpus.chunks.get(record.path) ?? [] }));
    measuredQuestions.push(...measureCorpus({ repository, questions, files, commits: corpus.commits }, termTable));
  }
  const names = systems.map(({ name }) => name);
  const notes = [
    `${answers.length} questions on ${repositories.length} repositories, of which ${repositories.filter(({ pinned }) => pinned).length} are at the revision that the labels were made for (“pinned”). Repositories count alike, whatever their number of questions.`,
  ];
  return [
    createTable(
      'NDCG@10',
      names,
      [
        ['all', answers],
        ['pinned', answers.filter(({ repository }) => repository.pinned)],
      ],
      notes,
    ),
    createTable(
      'NDCG@10 by language',
      names,
      groupSorted(answers, ({ repository }) => repository.language),
      [],
    ),
    createTable(
      'NDCG@10 by category',
      names,
      groupSorted(answers, ({ category }) => category),
      [],
    ),
    createTable(
      'NDCG@10 by repository',
      names,
      groupSorted(answers, ({ repository }) => repository.name),
      [],
    ),
    createRecallTable(names, answers),
    createSignalsTable(measuredQuestions.filter(({ repository }) => repository.pinned)),
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
    const searchable = await system.build(corpus, signal);
    for (const [index, { query, relevant }] of questions.entries()) {
      signal.throwIfAborted();
      const answer = (await searchable.search(query, RESULT_COUNT)).map((hit) => ({
        ...hit,
        tokens: countTokens(hit, texts.get(hit.path) ?? ''),
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
function averageByRepository(answers: readonly Answered[], valueOf: (entry: Answered) => number): number {
  return mean(
    groupSorted(answers, ({ repository }) => repository.name).map(([, ofRepository]) =>
      mean(ofRepository.map(valueOf)),
    ),
  );
}

/** The answers by group, sorted by the key of the group. */
function groupSorted(answers: readonly Answered[], key: (entry: Answered) => string): [string, Answered[]][] {
  return [...groupBy(answers, key)].sort(([a], [b]) => (a < b ? -1 : 1));
}

function createTable(
  title: string,
  names: readonly string[],
  rows: readonly (readonly [string, readonly Answered[]])[],
  notes: readonly string[],
): Table {
  return {
    title,
    columns: [{ name: 'of' }, { name: 'questions' }, ...names.map((name) => ({ name, digits: 3 }))],
    rows: rows.map(([group, answers]) => [
      group,
      answers.length,
      ...names.map((name) => averageByRepository(answers, ({ quality }) => quality.get(name)!.ndcg)),
    ]),
    notes,
  };
}

function createRecallTable(names: readonly string[], answers: readonly Answered[]): Table {
  return {
    title: 'Recall by token budget',
    columns: [{ name: 'tokens' }, ...names.map((name) => ({ name, digits: 3 }))],
    rows: BUDGETS.map((tokens, index) => [
      tokens,
      ...names.map((name) => averageByRepository(answers, ({ quality }) => quality.get(name)!.recall[index]!)),
    ]),
    notes: [
      'Share of the files labelled relevant of which a piece is among the results, read from the top until one does not fit the budget. A result costs its lines; a file without lines costs all of it.',
    ],
  };
}

/** The table of the loss in quality without each signal. */
function createSignalsTable(questions: readonly MeasuredQuestion[]): Table {
  const scoreWith = (change: (weights: Weights) => Weights) =>
    meanByRepository(score(questions, { prose: change(proseWeights), symbol: change(symbolWeights) }));
  const fullScore = scoreWith((weights) => weights);
  const usedSignals = SIGNALS.filter(
    (signal) =>
      [proseWeights, symbolWeights].some(({ signals }) => signals[signal] > 0) &&
      questions.some(({ measured }) => measured.signals[signal].some((value) => value > 0)),
  );
  const scoresWithout = [
    ...usedSignals.map(
      (signal) =>
        [signal, scoreWith((weights) => ({ ...weights, signals: { ...weights.signals, [signal]: 0 } }))] as const,
    ),
    ['decay of further chunks of a file', scoreWith((weights) => ({ ...weights, decay: 1 }))] as const,
  ];
  return {
    title: 'Our signals left out one by one (pinned repositories)',
    columns: [{ name: 'without' }, { name: 'NDCG@10', digits: 3 }, { name: 'loss', digits: 4 }],
    rows: [
      ['nothing', fullScore, 0],
      ...scoresWithout.sort((a, b) => a[1] - b[1]).map(([name, value]) => [name, value, fullScore - value]),
    ],
    notes: [
      `${CUT} results count. The other weights stay as they are: a signal whose work another one takes over shows less than it would alone. Differences below .01 are noise.`,
    ],
  };
}
