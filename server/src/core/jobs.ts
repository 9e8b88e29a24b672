// The table of jobs that run off the request path: each a function of plain data. Shared by worker threads and their in-process twin.

import { hashOf } from '../util/hash.ts';
import { analyseFile } from './analyseFile.ts';
import type { SourceAnalysis, SourceInput } from './analysis/analyse.ts';
import { inspectFile, type Inspected } from './index/inspect.ts';
import { looksGenerated } from './index/generated.ts';
import { languageOf } from './index/language.ts';
import { createParser } from './index/parser.ts';
import { provisionalFile } from './index/provisional.ts';
import { relateFile } from './index/relate.ts';
import { syntaxErrors } from './index/syntaxErrors.ts';
import type { FileAnalysis, FileRelations, Grammars, JobTable, SourceTree } from './indexPorts.ts';
import { SelfwareError } from '../util/typedError.ts';

/** Implementations by name. A job may take long and may throw; who runs it bounds it. */
export type JobImplementations = { readonly [K in keyof JobTable]: (input: JobTable[K]['input']) => Promise<JobTable[K]['output']> };

export interface JobDependencies {
  readonly grammars: Grammars;
  readonly sourceTree: (rootDir: string) => SourceTree;
}

/** The analysis and the TypeScript compiler load with the first job that needs them. */
export function createJobTable({ grammars, sourceTree }: JobDependencies): JobImplementations {
  const parser = createParser(grammars);
  let quickAnalysis: ((input: SourceInput) => SourceAnalysis) | null = null;
  return {
    async inspect(input) {
      const output: Inspected[] = [];
      for (const file of input) output.push(await inspectFile(parser, file));
      return output;
    },
    async analyse(input) {
      const { analyseSource } = await loaded(() => import('./analysis/analyse.ts'));
      const output: FileAnalysis[] = [];
      for (const file of input) output.push(await analyseFile(parser, analyseSource, file));
      return output;
    },
    async glance({ path, text }) {
      const { createQuickAnalysis } = await loaded(() => import('./analysis/live/quickAnalysis.ts'));
      quickAnalysis ??= createQuickAnalysis();
      const bytes = new TextEncoder().encode(text);
      const { functions, opportunities } = await analyseFile(parser, quickAnalysis, { path, bytes, size: bytes.byteLength, mtimeMs: 0, hash: '' });
      return { functions, opportunities };
    },
    async explain({ path, text, line, column }) {
      const { explainFunction } = await loaded(() => import('./analysis/metrics/explain.ts'));
      const language = languageOf(path, text);
      return language && explainFunction(path, text, language, { line, column });
    },
    async fixText({ rootDir, path, text, without }) {
      const { analyseSource } = await loaded(() => import('./analysis/analyse.ts'));
      const { fixAll } = await loaded(() => import('./propose/fixAll.ts'));
      const language = languageOf(path, text);
      const generated = looksGenerated(path, text);
      const unwanted = new Set([...without.rules, ...without.opportunities]);
      return fixAll(path, text, sourceTree(rootDir), (current) => {
        const { opportunities } = analyseSource({ path, text: current, language, tree: null, symbols: null, generated });
        return opportunities.filter(({ id, rule }) => !unwanted.has(id) && !unwanted.has(rule));
      });
    },
    async inventory(input) {
      const { inventoryOf } = await loaded(() => import('./analysis/inventory.ts'));
      return input.map(({ path, bytes }) => {
        const text = new TextDecoder().decode(bytes);
        return inventoryOf({ path, text, language: languageOf(path, text), generated: looksGenerated(path, text) });
      });
    },
    async relate(input) {
      const output: FileRelations[] = [];
      for (const file of input) output.push(await relateFile(parser, file));
      return output;
    },
    async windows({ rootDir, files }) {
      const tree = sourceTree(rootDir);
      return files.flatMap(({ path, size, mtimeMs }) => {
        const bytes = tree.bytes(path);
        return bytes ? (provisionalFile({ path, size, mtimeMs, bytes, hash: hashOf(bytes) }) ?? []) : [];
      });
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
    async safety(edits) {
      const { safetyOf } = await import('./propose/safety.ts');
      return safetyOf(edits);
    },
    async learnTerms(input) {
      const { learnTerms } = await loaded(() => import('./index/search/learnTerms.ts'));
      return learnTerms(input);
    },
    async realise({ rootDir, opportunity }) {
      const { realise } = await loaded(() => import('./propose/realise.ts'));
      return realise(opportunity, sourceTree(rootDir));
    },
  };
}

/** A part of the program that does not load is no file's fault, and trying the next file would not help. */
async function loaded<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new SelfwareError('unavailable', 'A part of Selfware could not be loaded.', { action: 'Install Selfware again.', cause });
  }
}
