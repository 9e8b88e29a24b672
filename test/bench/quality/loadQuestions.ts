// Loads the questions of several manifests, with the signals of all candidate chunks measured.

import { readFile } from 'node:fs/promises';
import { loadTermTable } from '../../../server/src/adapters/embeddings/staticModel.ts';
import { loadCorpus, type Repository } from './corpus.ts';
import { measureCorpus, type MeasuredQuestion } from './measured.ts';

/** The sources of the questions. */
export interface QuestionOptions {
  readonly manifests: readonly string[];
  readonly annotations: string;
  readonly cache: string;
  /** Languages whose repositories are inspected again. */
  readonly fresh: readonly string[];
  /** Names of repositories; null for all that are at the revision for which the labels were made. */
  readonly only: readonly string[] | null;
  /** File of the shipped term table; null to measure without vectors. */
  readonly table: string | null;
}

/** Loads and measures the questions. */
export async function loadQuestions(options: QuestionOptions): Promise<MeasuredQuestion[]> {
  const table = options.table === null ? null : await loadTermTable(options.table);
  const questions: MeasuredQuestion[] = [];
  for (const manifest of options.manifests) {
    for (const repository of JSON.parse(await readFile(manifest, 'utf8')) as Repository[]) {
      if (options.only ? !options.only.includes(repository.name) : !repository.pinned) continue;
      questions.push(...measureCorpus(await loadCorpus(repository, options), table));
    }
  }
  return questions;
}
