// Search quality on labelled questions: NDCG@10 and recall by token budget, ours beside peers on the same files.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readCorpus } from './corpus/corpus.ts';
import type { Hit, System } from './peers/system.ts';
import type { BenchOptions, Table } from './support/bench.ts';
import { ndcg, recallWithin, type Target } from './support/relevance.ts';
import { mean } from './support/statistics.ts';

const DEPTH = 10;
/** Enough results to fill the largest budget. */
const ASKED = 50;
const budgets = [1_000, 2_000, 4_000, 8_000];

interface Repository {
  readonly name: string;
  readonly language: string;
  readonly root: string;
  /** At the very revision that the labels were made for. */
  readonly pinned: boolean;
}

interface Question {
  readonly repository: Repository;
  readonly category: string;
  /** By system. */
  readonly quality: ReadonlyMap<string, { readonly ndcg: number; readonly recall: readonly number[] }>;
}

/** `labels` holds NAME.json for each repository of the `manifest`; those without one are left out. */
export async function labelledQuality(labels: string, manifest: string, systems: readonly System[], options: BenchOptions, signal: AbortSignal): Promise<Table[]> {
  const present = new Set(await readdir(labels));
  const repositories = (JSON.parse(await readFile(manifest, 'utf8')) as Repository[]).filter(({ name }) => present.has(`${name}.json`));
  const questions: Question[] = [];
  for (const repository of repositories) {
    signal.throwIfAborted();
    options.note(`${repository.name} (${repository.language})`);
    questions.push(...(await askAll(repository, join(labels, `${repository.name}.json`), systems, signal)));
  }
  const names = systems.map(({ name }) => name);
  const notes = [`${questions.length} questions on ${repositories.length} repositories, of which ${repositories.filter(({ pinned }) => pinned).length} are at the revision that the labels were made for (“pinned”). Repositories count alike, whatever their number of questions.`];
  return [
    table('NDCG@10', names, [['all', questions], ['pinned', questions.filter(({ repository }) => repository.pinned)]], notes),
    table('NDCG@10 by language', names, grouped(questions, ({ repository }) => repository.language), []),
    table('NDCG@10 by category', names, grouped(questions, ({ category }) => category), []),
    table('NDCG@10 by repository', names, grouped(questions, ({ repository }) => repository.name), []),
    recallTable(names, questions),
  ];
}

async function askAll(repository: Repository, labels: string, systems: readonly System[], signal: AbortSignal): Promise<Question[]> {
  const corpus = await readCorpus(repository.name, repository.root, signal);
  const texts = new Map(corpus.files.map(({ path, text }) => [path, text]));
  const asked = JSON.parse(await readFile(labels, 'utf8')) as { query: string; category: string; relevant?: unknown[]; secondary?: unknown[] }[];
  const answers = new Map<string, readonly (readonly Hit[])[]>();
  for (const system of systems) {
    const built = await system.build(corpus, signal);
    const lists: (readonly Hit[])[] = [];
    for (const { query } of asked) {
      signal.throwIfAborted();
      lists.push(await built.search(query, ASKED));
    }
    built.close?.();
    answers.set(system.name, lists);
  }
  return asked.map(({ category, relevant = [], secondary = [] }, index) => {
    const main = relevant.map(targetOf);
    const all = [...main, ...secondary.map(targetOf)];
    const quality = new Map(systems.map(({ name }) => {
      const hits = answers.get(name)![index]!;
      return [name, { ndcg: ndcg(hits, all, DEPTH), recall: budgets.map((tokens) => recallWithin(tokens, hits, main, (path) => texts.get(path))) }];
    }));
    return { repository, category, quality };
  });
}

function targetOf(label: unknown): Target {
  if (typeof label === 'string') return { path: label, lines: null };
  const { path, start_line, end_line } = label as { path: string; start_line?: number; end_line?: number };
  return { path, lines: start_line === undefined || end_line === undefined ? null : [start_line, end_line] };
}

/** The mean over repositories of the means over their questions. */
function overRepositories(questions: readonly Question[], of: (question: Question) => number): number {
  return mean(grouped(questions, ({ repository }) => repository.name).map(([, own]) => mean(own.map(of))));
}

function grouped(questions: readonly Question[], keyOf: (question: Question) => string): [string, Question[]][] {
  const groups = new Map<string, Question[]>();
  for (const question of questions) groups.set(keyOf(question), [...(groups.get(keyOf(question)) ?? []), question]);
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

function table(title: string, names: readonly string[], groups: readonly (readonly [string, readonly Question[]])[], notes: readonly string[]): Table {
  return {
    title,
    columns: [{ name: 'of' }, { name: 'questions' }, ...names.map((name) => ({ name, digits: 3 }))],
    rows: groups.map(([group, questions]) => [group, questions.length, ...names.map((name) => overRepositories(questions, ({ quality }) => quality.get(name)!.ndcg))]),
    notes,
  };
}

function recallTable(names: readonly string[], questions: readonly Question[]): Table {
  return {
    title: 'Recall by token budget',
    columns: [{ name: 'tokens' }, ...names.map((name) => ({ name, digits: 3 }))],
    rows: budgets.map((tokens, index) => [tokens, ...names.map((name) => overRepositories(questions, ({ quality }) => quality.get(name)!.recall[index]!))]),
    notes: ['Share of the places labelled relevant that are in the results read from the top until the budget is full. A result costs its lines; a file without lines costs all of it.'],
  };
}
