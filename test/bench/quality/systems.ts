// Measures the quality of search systems that need no index (a scan of the plain texts, and BM25 over them) in the same
// way as that of the index.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createWorkingTree } from '../../../server/src/adapters/files/workingTree.ts';
import { splitBm25, plainBm25 } from '../peers/bm25.ts';
import { scan } from '../peers/scan.ts';
import type { Corpus, System } from '../peers/system.ts';
import { readQuestions, type Repository } from './corpus.ts';
import type { Asked, Scored } from './measured.ts';
import { BUDGETS, CUT, ndcg, recall } from './measures.ts';
import { countTokens } from '../support/relevance.ts';

/** The sources of the questions. */
export interface SystemsOptions {
  readonly manifest: string;
  readonly annotations: string;
  /** Names of repositories; null for all that are at the revision for which the labels were made. */
  readonly only: readonly string[] | null;
}

const MAX_BYTES = 1024 * 1024;
const neverAborted = new AbortController().signal;
const systems: readonly System[] = [scan, plainBm25, splitBm25];

/** The scored questions, by name of the system. */
export async function scoreWithoutIndex({
  manifest,
  annotations,
  only,
}: SystemsOptions): Promise<ReadonlyMap<string, readonly Scored<Asked>[]>> {
  const scored = new Map(systems.map(({ name }): [string, Scored<Asked>[]] => [name, []]));
  for (const repository of JSON.parse(await readFile(manifest, 'utf8')) as Repository[]) {
    if (only ? !only.includes(repository.name) : !repository.pinned) continue;
    const files = await readTexts(repository.root);
    const texts = new Map(files.map(({ path, text }) => [path, text]));
    const questions = await readQuestions(join(annotations, `${repository.name}.json`));
    const corpus: Corpus = {
      name: repository.name,
      root: repository.root,
      files,
      records: [],
      chunks: new Map(),
      commits: [],
    };
    for (const system of systems) {
      const searchable = await system.build(corpus, neverAborted);
      for (const question of questions) {
        const answer = (await searchable.search(question.query, CUT)).map((hit) => ({
          ...hit,
          tokens: countTokens(hit, texts.get(hit.path) ?? ''),
        }));
        scored.get(system.name)!.push({
          question: { ...question, repository },
          ndcg: ndcg(answer, question.relevant),
          recall: BUDGETS.map((budget) => recall(answer, question.relevant, budget)),
        });
      }
    }
  }
  return scored;
}

/** The texts of all files below a folder. As in a scan, a file with a zero byte is not text. */
async function readTexts(root: string): Promise<Corpus['files']> {
  const tree = await createWorkingTree(root);
  const texts: Corpus['files'][number][] = [];
  for (const { path } of (await tree.walk({ maxBytes: MAX_BYTES, exclude: [] }, neverAborted)).files) {
    const bytes = await tree.read(path);
    if (bytes && !bytes.includes(0)) texts.push({ path, text: Buffer.from(bytes).toString('utf8') });
  }
  return texts;
}
