// The table of jobs that run off the request path: each a function of plain data. Shared by worker threads and their in-process twin.

import { decodeSource } from './index/decode.ts';
import { looksGenerated, looksMinified } from './index/generated.ts';
import { importsOf } from './index/imports.ts';
import { languageOf } from './index/language.ts';
import { outline } from './index/outline.ts';
import { createParser, type SourceParser } from './index/parser.ts';
import { recordOf, recordOfUnreadable } from './index/record.ts';
import { syntaxErrors } from './index/syntaxErrors.ts';
import type { Language } from './model.ts';
import type { Grammars, JobTable, SourceTree } from './ports.ts';

/** Implementations by name. A job may take long and may throw; who runs it bounds it. */
export type JobImplementations = { readonly [K in keyof JobTable]: (input: JobTable[K]['input']) => Promise<JobTable[K]['output']> };

export interface JobDependencies {
  readonly grammars: Grammars;
  readonly sourceTree: (rootDir: string) => SourceTree;
}

/** The analysis and the TypeScript compiler load with the first job that needs them. */
export function createJobTable({ grammars, sourceTree }: JobDependencies): JobImplementations {
  const parser = createParser(grammars);
  return {
    async inspect(input) {
      const output: Inspected[] = [];
      for (const file of input) output.push(await inspectFile(parser, file));
      return output;
    },
    async syntax({ path, text }) {
      const language = languageOf(path);
      const tree = language && (await parser.parse(language, text));
      if (!tree) return [];
      try {
        return syntaxErrors(tree);
      } finally {
        tree.delete();
      }
    },
    async realise({ rootDir, opportunity }) {
      const { realise } = await import('./propose/realise.ts');
      return realise(opportunity, sourceTree(rootDir));
    },
  };
}

type InspectInput = JobTable['inspect']['input'][number];
type Inspected = JobTable['inspect']['output'][number];

async function inspectFile(parser: SourceParser, file: InspectInput): Promise<Inspected> {
  const decoded = decodeSource(file.bytes);
  if ('reason' in decoded) return { record: recordOfUnreadable(file, decoded.reason), chunks: [] };
  const { text } = decoded;
  const language = languageOf(file.path);
  const generated = looksGenerated(file.path, text);
  const tree = language && !looksMinified(text) ? await parser.parse(language, text) : null;
  const trouble = language && !tree && !generated ? 'parse failed' : null;
  try {
    const symbols = tree && language ? outline(tree, language, text) : [];
    const imports = tree && language ? importsOf(tree, language) : [];
    const { record, chunks } = recordOf(file, { text, language, symbols, imports, generated, trouble });
    const { analyseSource } = await import('./analysis/analyse.ts');
    const analysis = analyseSource({ path: file.path, text, language: language as Language | null, tree, symbols, generated });
    return { record: { ...record, ...analysis }, chunks };
  } finally {
    tree?.delete();
  }
}
