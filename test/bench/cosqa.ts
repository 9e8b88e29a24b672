// Measures search quality on CoSQA: questions that people typed into a search engine, each with one of 6,267 Python
// functions as its answer. Huang et al., "CoSQA: 20,000+ Web Queries for Code Search and Question Answering", 2021.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCorpus } from './corpus/corpus.ts';
import { plainBm25, splitBm25 } from './peers/bm25.ts';
import { chunkBm25 } from './peers/chunkBm25.ts';
import { selfware } from './peers/selfware.ts';
import type { Bench, Cell, Table } from './support/bench.ts';
import { computeReciprocalRank } from './support/relevance.ts';
import { mean } from './support/statistics.ts';

const systems = [selfware, plainBm25, splitBm25, chunkBm25];
/** Number of results that are read. Deeper ranks add less than 0.001 to any mean. */
const DEPTH = 1_000;
/** The files of questions, by part. */
const parts = { dev: 'cosqa-retrieval-dev-500.json', test: 'cosqa-retrieval-test-500.json' } as const;

/** The bench: the mean reciprocal rank of each system. Left out without the files of CoSQA. */
export const cosqa: Bench = {
  name: 'cosqa',
  describe:
    'CoSQA (with --cosqa): mean reciprocal rank over 6,267 Python functions for questions that people typed into a search engine.',
  async run(options, signal) {
    if (options.cosqa === null) return [createTable([], ['Left out: it needs the CoSQA files (--cosqa DIR).'])];
    const functions = JSON.parse(await readFile(join(options.cosqa, 'code_idx_map.txt'), 'utf8')) as Record<
      string,
      number
    >;
    const functionFiles = Object.entries(functions).map(([text, index]) => ({ path: pathOfFunction(index), text }));
    const files = options.size === 'tiny' ? functionFiles.slice(0, 50) : functionFiles;
    const corpus = await createCorpus('cosqa', files, signal);
    const questions = await Promise.all(
      Object.entries(parts).map(async ([part, file]) => ({
        part,
        asked: JSON.parse(await readFile(join(options.cosqa!, file), 'utf8')) as {
          doc: string;
          retrieval_idx: number;
        }[],
      })),
    );
    const rows: Cell[][] = [];
    for (const system of systems) {
      options.note(system.name);
      const searchable = await system.build(corpus, signal);
      const means: number[] = [];
      for (const { asked } of questions) {
        const ranks: number[] = [];
        for (const { doc, retrieval_idx } of asked) {
          signal.throwIfAborted();
          ranks.push(
            computeReciprocalRank(removeRepeatedFiles(await searchable.search(doc, DEPTH)), {
              path: pathOfFunction(retrieval_idx),
            }),
          );
        }
        means.push(mean(ranks));
      }
      rows.push([system.name, ...means]);
    }
    return [
      createTable(rows, [
        `${files.length} functions, one file each; ${questions.map(({ part, asked }) => `${asked.length} questions (${part})`).join(', ')}.`,
      ]),
    ];
  },
};

/** The path of a function, which does not help to find it. */
function pathOfFunction(index: number): string {
  return `${index}.py`;
}

/** The first place of each file. */
function removeRepeatedFiles<T extends { readonly path: string }>(hits: readonly T[]): T[] {
  const usedPaths = new Set<string>();
  return hits.filter(({ path }) => !usedPaths.has(path) && usedPaths.add(path));
}

function createTable(rows: readonly Cell[][], notes: readonly string[]): Table {
  return {
    title: 'CoSQA, mean reciprocal rank',
    columns: [{ name: 'system' }, ...Object.keys(parts).map((name) => ({ name, digits: 3 }))],
    rows,
    notes,
  };
}
