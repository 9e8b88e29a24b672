// Measures search quality without labels: sentences of documentation comments ask for the definitions that they
// describe.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readCorpus } from './corpus/corpus.ts';
import { createDocQuestions, writeSources } from './corpus/docSentences.ts';
import { collectSources } from './corpus/sources.ts';
import type { System } from './peers/system.ts';
import type { BenchOptions, Cell, Table } from './support/bench.ts';
import { computeReciprocalRank } from './support/relevance.ts';
import { mean } from './support/statistics.ts';

/** Numbers of files and questions. */
const sizes = {
  tiny: { files: 60, questions: 10 },
  default: { files: 1_500, questions: 300 },
  large: { files: 3_000, questions: 1_000 },
} as const;
/** Number of results that count. */
const DEPTH = 10;

/** The table of reciprocal rank and recall of each system. */
export async function measureDocumented(
  systems: readonly System[],
  options: BenchOptions,
  signal: AbortSignal,
): Promise<Table> {
  const size = sizes[options.size];
  const dir = join(options.scratch, 'documented');
  const { questions, sources } = await createDocQuestions(
    collectSources(options.grow, options.seed, size.files),
    size.questions,
    options.seed,
  );
  options.note(`${questions.length} questions from ${sources.length} files`);
  await mkdir(dir);
  await writeSources(dir, sources);
  const corpus = await readCorpus('documented', dir, signal);
  const rows: Cell[][] = [];
  for (const system of questions.length > 0 ? systems : []) {
    const searchable = await system.build(corpus, signal);
    const ranks: number[] = [];
    for (const { text, path, line } of questions) {
      signal.throwIfAborted();
      ranks.push(
        computeReciprocalRank((await searchable.search(text, DEPTH)).slice(0, DEPTH), {
          path,
          startLine: line,
          endLine: line,
        }),
      );
    }
    const shareWithin = (rank: number) => mean(ranks.map((value) => (value >= 1 / rank ? 1 : 0)));
    rows.push([system.name, mean(ranks), shareWithin(1), shareWithin(5), shareWithin(10)]);
  }
  const share = (name: string) => ({ name, digits: 3 });
  return {
    title: 'Sentences of documentation comments, removed from the text, that ask for their definitions',
    columns: [{ name: 'system' }, share('MRR@10'), share('recall@1'), share('recall@5'), share('recall@10')],
    rows,
    notes:
      questions.length === 0
        ? ['No file has documentation comments of the form /** … */.']
        : [
            `${questions.length} questions on ${corpus.files.length} files (${options.grow.length > 0 ? 'of the folders named' : 'of the packages in node_modules'}), ${corpus.records.reduce((sum, { chunks }) => sum + chunks.length, 0)} chunks. A result counts when it holds the line of the definition; a whole file counts as well.`,
          ],
  };
}
