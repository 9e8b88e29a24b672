// The index in memory that answers questions.

import type { TermTable } from '../../indexPorts.ts';
import { createLearnedTable, fromBytes, learningInput, toBytes, useTable, type LearnedTable, type LearnedVectors } from './learned.ts';
import { measure } from './measure.ts';
import { questionOf } from './question.ts';
import { rank } from './rank.ts';
import { createRankingIndex } from './rankingIndex.ts';
import { createScratch } from './scratch.ts';
import type { Searcher } from './searcher.ts';
import { proseWeights, symbolWeights } from './weights.ts';

/** What was learned is out of date when this share of the chunks has come since. */
const CHURN = 0.15;
/** Fewer chunks have no company to learn from. */
const FEWEST_CHUNKS = 20;

/** `table`: the shipped vectors of terms, or null without them. */
export function createSearcher({ table }: { readonly table: TermTable | null }): Searcher {
  const index = createRankingIndex(table);
  const scratch = createScratch();
  let learned: LearnedVectors | null = null;
  let churn = 0;
  index.onChunk = (slot, { terms }) => {
    churn++;
    learned?.near.set(slot, learned.text.of(terms));
  };
  const use = (fresh: LearnedTable): void => {
    learned = useTable(fresh, index);
    churn = Math.abs(index.chunkCount - fresh.chunks);
  };

  return {
    put: (files) => index.put(files),
    remove: (paths) => index.remove(paths),
    describe: (signals) => index.describe(signals),
    async learn(jobs, signal) {
      if (index.chunkCount < FEWEST_CHUNKS || (learned && churn <= CHURN * index.chunkCount)) return;
      const { input, terms } = learningInput(index);
      churn = 0;
      const output = await jobs.run('learnTerms', input, signal);
      const since = churn;
      use(createLearnedTable(terms, output, input.starts.length - 1));
      churn = since;
    },
    exportLearned: () => learned && toBytes(learned.table),
    importLearned(bytes) {
      const stored = fromBytes(bytes);
      if (stored) use(stored);
      return stored !== null;
    },
    search({ text, vector, top }) {
      const question = questionOf(text);
      if (question.terms.length === 0 || top <= 0 || index.chunkCount === 0) return [];
      const measured = measure(index, learned, question, vector, scratch);
      return rank(measured, question.isSymbol ? symbolWeights : proseWeights, top).map(({ chunk: { file, at }, score }) => {
        const { path, startLine, endLine, symbol } = file.record.chunks[at]!;
        return { path, startLine, endLine, symbol, score, resolution: 'body' };
      });
    },
    get files() {
      return index.fileCount;
    },
    get chunks() {
      return index.chunkCount;
    },
  };
}
