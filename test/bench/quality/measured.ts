// Measures the signals for every question of a benchmark once, so that rankings with different weights can be compared
// within seconds.

import { findOwnVendorFolders } from '../../../server/src/core/paths/ownFolder.ts';
import { buildImportGraph } from '../../../server/src/core/index/graph/importGraph.ts';
import { computeHistorySignals } from '../../../server/src/core/index/search/historySignals.ts';
import { measureChunks, type MeasuredChunks } from '../../../server/src/core/index/search/measure.ts';
import { parseQuery } from '../../../server/src/core/index/search/searchQuery.ts';
import { rankChunks } from '../../../server/src/core/index/search/rank.ts';
import {
  addFile,
  createRankingIndex,
  setSignals,
  type IndexedChunk,
  type RankingIndex,
} from '../../../server/src/core/index/search/rankingIndex.ts';
import { createScratch } from '../../../server/src/core/index/search/scratch.ts';
import type { Weights } from '../../../server/src/core/index/search/weights.ts';
import { estimateTokens } from '../../../server/src/util/tokens.ts';
import type { Corpus, Question, Repository } from './corpus.ts';
import { BUDGETS, CUT, groupBy, mean, ndcg, recall } from './measures.ts';
import type { TermTable } from '../../../server/src/core/ports/search.ts';

/** A question and the repository that it is put to. */
export interface Asked extends Question {
  readonly repository: Repository;
}

/** A question with the signals of its candidate chunks. */
export interface MeasuredQuestion extends Asked {
  readonly isSymbol: boolean;
  readonly measured: MeasuredChunks<IndexedChunk>;
  /** The estimated tokens of a chunk, by the path of its file and its index there. */
  readonly tokens: (path: string, position: number) => number;
}

/** The quality of the answer to a question. */
export interface Scored<Q extends Asked = MeasuredQuestion> {
  readonly question: Q;
  readonly ndcg: number;
  /** The recall for each of `BUDGETS`; empty if it was not requested. */
  readonly recall: readonly number[];
}

/** Number of results that fit into the largest budget. */
const RECALLED = 60;

/** Measures all questions of a repository. */
export function measureCorpus(corpus: Corpus, table: TermTable | null): MeasuredQuestion[] {
  const index = createIndex(corpus, table);
  const scratch = createScratch();
  const sizes = new Map(
    corpus.files.map(({ record, chunks }) => [record.path, chunks.map(({ text }) => estimateTokens(text))]),
  );
  const tokens = (path: string, position: number) => sizes.get(path)![position]!;
  return corpus.questions.map((asked) => {
    const question = parseQuery(asked.query);
    return {
      ...asked,
      repository: corpus.repository,
      isSymbol: question.isSymbol,
      measured: measureChunks(index, question, null, scratch),
      tokens,
    };
  });
}

/** The index of a repository with all its signals. */
export function createIndex({ files, commits }: Corpus, table: TermTable | null): RankingIndex {
  const index = createRankingIndex(table);
  for (const { record, chunks } of files)
    addFile(index, { record, chunks: chunks.map(({ id, terms }) => ({ id, terms, vector: null })) });
  const { edges } = buildImportGraph(files.map(({ record }) => record));
  setSignals(index, { ownVendors: findOwnVendorFolders(edges), ...computeHistorySignals(commits) });
  return index;
}

/** The weights for both kinds of queries. */
export interface WeightsByKind {
  readonly prose: Weights;
  readonly symbol: Weights;
}

/** Ranks the chunks for each question with these weights, and computes the quality. */
export function score(
  questions: readonly MeasuredQuestion[],
  { prose, symbol }: WeightsByKind,
  withRecall = false,
): Scored[] {
  return questions.map((question) => {
    const answer = rankChunks(question.measured, question.isSymbol ? symbol : prose, withRecall ? RECALLED : CUT).map(
      ({ chunk: { file, position } }) => {
        const { path, startLine, endLine } = file.record.chunks[position]!;
        return { path, startLine, endLine, tokens: withRecall ? question.tokens(path, position) : 0 };
      },
    );
    return {
      question,
      ndcg: ndcg(answer, question.relevant),
      recall: withRecall ? BUDGETS.map((budget) => recall(answer, question.relevant, budget)) : [],
    };
  });
}

/** The mean over repositories of the mean over their questions, as the benchmark defines it. */
export function meanByRepository(
  scored: readonly Scored<Asked>[],
  value: (entry: Scored<Asked>) => number = ({ ndcg: gain }) => gain,
): number {
  return mean(
    [...groupBy(scored, ({ question }) => question.repository.root).values()].map((entries) =>
      mean(entries.map(value)),
    ),
  );
}
