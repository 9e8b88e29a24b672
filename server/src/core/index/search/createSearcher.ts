// The index in memory that answers questions.

import type { TermTable } from '../../indexPorts.ts';
import { createLearnedTable, fromBytes, learningInput, movedVectors, toBytes, useTable, type LearnedTable, type LearnedVectors } from './learned.ts';
import { measure } from './measure.ts';
import { questionOf } from './question.ts';
import { rank } from './rank.ts';
import { addFile, compacted, createRankingIndex, describeFiles, removeFile } from './rankingIndex.ts';
import { createScratch } from './scratch.ts';
import type { Searcher } from './searcher.ts';
import { proseWeights, symbolWeights } from './weights.ts';

/** What was learned is out of date when this share of the chunks has come since. */
const CHURN = 0.15;
/** Fewer chunks have no company to learn from. */
const FEWEST_CHUNKS = 20;
/** Removed chunks are swept when they are more than this share of the living, sooner when there is time. */
const MOST_REMOVED = 2;
const REMOVED_WHEN_IDLE = 0.3;
const SPARE = 1_000;

/** `table`: the shipped vectors of terms, or null without them. */
export function createSearcher({ table }: { readonly table: TermTable | null }): Searcher {
  const scratch = createScratch();
  let index = createRankingIndex(table);
  let learned: LearnedVectors | null = null;
  let churn = 0;
  const use = (fresh: LearnedTable): void => {
    learned = useTable(fresh, index);
    churn = Math.abs(index.chunkCount - fresh.chunks);
  };
  const remove = (path: string): void => {
    for (const slot of removeFile(index, path)) learned?.near.set(slot, null);
  };
  /** Takes some 50 ms per 10,000 chunks, so only when it is worth it. */
  const compactIf = (removed: number): void => {
    if (index.chunks.length - index.chunkCount <= removed) return;
    const { index: fresh, moved } = compacted(index, table);
    learned = learned && movedVectors(learned, fresh, moved);
    index = fresh;
  };

  return {
    put(files) {
      for (const file of files) {
        remove(file.record.path);
        addFile(index, file, (slot, { terms }) => {
          churn++;
          learned?.near.set(slot, learned.text.of(terms));
        });
      }
      compactIf(MOST_REMOVED * index.chunkCount + SPARE);
    },
    remove(paths) {
      for (const path of paths) remove(path);
    },
    describe: (signals) => describeFiles(index, signals),
    async learn(jobs, signal) {
      compactIf(REMOVED_WHEN_IDLE * index.chunkCount + SPARE);
      if (index.chunkCount < FEWEST_CHUNKS || (learned && churn <= CHURN * index.chunkCount)) return;
      const { input, terms } = learningInput(index);
      const before = churn;
      churn = 0;
      try {
        const output = await jobs.run('learnTerms', input, signal);
        const since = churn;
        use(createLearnedTable(terms, output, index.chunkCount));
        churn = since;
      } catch (error) {
        churn += before;
        throw error;
      }
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
      return index.byPath.size;
    },
    get chunks() {
      return index.chunkCount;
    },
  };
}
