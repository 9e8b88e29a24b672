// The index in memory that answers questions.

import type { TermTable } from '../../indexPorts.ts';
import { imageOf, restored } from './image.ts';
import {
  createLearnedTable,
  fromBytes,
  idOf,
  learningInput,
  movedVectors,
  toBytes,
  vectorsBy,
  type LearnedTable,
  type LearnedVectors,
} from './learned.ts';
import { measure } from './measure.ts';
import { questionOf } from './question.ts';
import { rank } from './rank.ts';
import {
  addFile,
  compacted,
  createRankingIndex,
  describeFiles,
  removeFile,
  type RankingIndex,
} from './rankingIndex.ts';
import { createScratch } from './scratch.ts';
import type { Searcher } from './searcher.ts';
import { createTextVectors } from './textVector.ts';
import { yieldNow } from '../../../util/yieldNow.ts';
import { proseWeights, symbolWeights } from './weights.ts';

/** What was learned is out of date when this share of the chunks has come since. */
const CHURN = 0.15;
/** Fewer chunks have no company to learn from. */
const FEWEST_CHUNKS = 20;
/** Removed chunks are swept when they are more than this share of the living, sooner when there is time. */
const MOST_REMOVED = 2;
const REMOVED_WHEN_IDLE = 0.3;
const SPARE = 1_000;
/** Vectors made before waiting requests get their turn. */
const SLICE = 500;

/** `table`: the shipped vectors of terms, or null without them. */
export function createSearcher({ table }: { readonly table: TermTable | null }): Searcher {
  const scratch = createScratch();
  let index = createRankingIndex(table);
  let learned: LearnedVectors | null = null;
  /** Of `learned`, once it was kept. */
  let learnedId: string | null = null;
  let churn = 0;
  /** In the making: chunks that come and go meanwhile are minded, questions are answered by the one before. */
  let coming: LearnedVectors | null = null;
  /** `rows`: those of the table by number in the vocabulary of `from`. */
  const use = async (table: LearnedTable, from: RankingIndex | null = null, rows?: Int32Array): Promise<void> => {
    for (;;) {
      const made = vectorsBy(table, index, index === from ? rows : undefined);
      const of = index;
      coming = made;
      const slots = of.chunks.length;
      for (let slot = 0; slot < slots && index === of && coming === made; slot++) {
        if (of.chunks[slot]) made.near.set(slot, made.text.of(of.lexical.terms.of(slot)));
        if (slot % SLICE === SLICE - 1) await yieldNow();
      }
      // A newer table, or slots that have moved: begin again, or leave it to whoever came after.
      if (coming !== made) return;
      if (index !== of) continue;
      [learned, learnedId, coming] = [made, null, null];
      return;
    }
  };
  const remove = (path: string): void => {
    for (const slot of removeFile(index, path)) for (const vectors of [learned, coming]) vectors?.near.set(slot, null);
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
        addFile(index, file, (slot, terms) => {
          churn++;
          for (const vectors of [learned, coming])
            vectors?.near.set(slot, file.provisional ? null : vectors.text.of(terms));
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
      const from = index;
      const { input, terms, numbers } = learningInput(from);
      const before = churn;
      churn = 0;
      try {
        const output = await jobs.run('learnTerms', input, signal);
        await use(createLearnedTable(terms, output, index.chunkCount), from, numbers);
      } catch (error) {
        churn += before;
        throw error;
      }
    },
    exportLearned() {
      const bytes = learned && toBytes(learned.table);
      if (bytes) learnedId = idOf(bytes);
      return bytes;
    },
    async importLearned(bytes) {
      const stored = fromBytes(bytes);
      if (!stored) return false;
      churn = Math.abs(index.chunkCount - stored.chunks);
      await use(stored);
      learnedId = idOf(bytes);
      return true;
    },
    exportImage: (use) =>
      imageOf(index, learned && learnedId !== null ? { id: learnedId, near: learned.near } : null, use, table),
    importImage(image, learnedBytes, profile, recordOf) {
      const stored = learnedBytes && fromBytes(learnedBytes);
      const found = restored(image, { profile, table, learnedId: stored && idOf(learnedBytes), recordOf });
      if (!found) return null;
      index = found.index;
      coming = null;
      learned = stored &&
        found.learned && { table: stored, text: createTextVectors(stored, index.vocabulary), near: found.learned.near };
      learnedId = learned && found.learned!.id;
      churn = stored ? Math.abs(index.chunkCount - stored.chunks) : 0;
      for (const path of found.stale) remove(path);
      return { treeHash: found.stale.length === 0 ? found.treeHash : null, paths: [...index.byPath.keys()] };
    },
    search({ text, vector, top }) {
      const question = questionOf(text);
      if (question.terms.length === 0 || top <= 0 || index.chunkCount === 0) return [];
      const measured = measure(index, learned, question, vector, scratch);
      return rank(measured, question.isSymbol ? symbolWeights : proseWeights, top).map(
        ({ chunk: { file, at }, score }) => {
          const { path, startLine, endLine, symbol } = file.record.chunks[at]!;
          return { path, startLine, endLine, symbol, score, resolution: 'body' };
        },
      );
    },
    get hasLearned() {
      return learned !== null;
    },
    get files() {
      return index.byPath.size;
    },
    get chunks() {
      return index.chunkCount;
    },
  };
}
