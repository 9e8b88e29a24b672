// Measures a model on CoSQA: questions that people typed into a search engine, and 6,267 Python functions.
// Huang et al., "CoSQA: 20,000+ Web Queries for Code Search and Question Answering", 2021.
// Usage: node tools/embedding/evaluate.ts --model FILE --cosqa DIR

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadTermTable } from '../../server/src/adapters/embeddings/staticModel.ts';
import { extractQueryTerms, extractTerms } from '../../server/src/core/index/terms/terms.ts';
import { compare } from './heldOut.ts';

const { values } = parseArgs({ options: { model: { type: 'string' }, cosqa: { type: 'string' } } });
if (!values.model || !values.cosqa) throw new Error('Usage: evaluate.ts --model FILE --cosqa DIR');
const table = await loadTermTable(values.model);
const functions = JSON.parse(await readFile(join(values.cosqa, 'code_idx_map.txt'), 'utf8')) as Record<string, number>;
const candidates: string[][] = [];
for (const [text, index] of Object.entries(functions)) candidates[index] = extractTerms(text);
for (const part of ['dev', 'test']) {
  const asked = JSON.parse(await readFile(join(values.cosqa, `cosqa-retrieval-${part}-500.json`), 'utf8')) as {
    doc: string;
    retrieval_idx: number;
  }[];
  const { vectors, bm25, together } = compare(
    asked.map(({ doc }) => extractQueryTerms(doc)),
    candidates,
    asked.map(({ retrieval_idx }) => retrieval_idx),
    table,
  );
  console.log(
    `CoSQA ${part}: MRR vectors ${vectors.mrr.toFixed(3)}, BM25 ${bm25.mrr.toFixed(3)}, together ${together.mrr.toFixed(3)}`,
  );
}
