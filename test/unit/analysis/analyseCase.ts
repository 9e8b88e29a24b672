// Runs the analysis on a text as the index does: parsed by tree-sitter, without symbols unless they are given.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createPythonLinter } from '../../../server/src/adapters/ruff/ruff.ts';
import { Language as Grammar, Parser } from 'web-tree-sitter';
import { analyseSource, type SourceAnalysis } from '../../../server/src/core/analysis/analyse.ts';
import type { Language, SymbolInfo } from '../../../server/src/core/model.ts';

const require = createRequire(import.meta.url);
const lintPython = createPythonLinter();
const LANGUAGE_BY_EXTENSION: Readonly<Record<string, Language>> = {
  ts: 'typescript',
  mts: 'typescript',
  tsx: 'tsx',
  js: 'javascript',
  mjs: 'javascript',
  jsx: 'javascript',
  py: 'python',
  rs: 'rust',
  go: 'go',
  java: 'java',
  c: 'c',
  cpp: 'cpp',
};
const parsers = new Map<string, Parser>();

export interface CaseOptions {
  readonly symbols?: readonly SymbolInfo[];
  readonly generated?: boolean;
}

export function languageOfPath(path: string): Language | null {
  return LANGUAGE_BY_EXTENSION[path.slice(path.lastIndexOf('.') + 1)] ?? null;
}

/** TypeScript and JavaScript need no tree. */
export function analyse(path: string, text: string, options: CaseOptions = {}): SourceAnalysis {
  return analyseSource({
    path,
    text,
    language: languageOfPath(path),
    tree: null,
    symbols: options.symbols ?? [],
    generated: options.generated ?? false,
  });
}

/** Any other language. */
export async function analyseWithTree(path: string, text: string, options: CaseOptions = {}): Promise<SourceAnalysis> {
  const language = languageOfPath(path);
  if (language === null || ['typescript', 'tsx', 'javascript'].includes(language)) return analyse(path, text, options);
  const parser = await parserOf(language);
  const tree = parser.parse(text);
  if (!tree) throw new Error(`${path} gave no tree`);
  try {
    return analyseSource({
      path,
      text,
      language,
      tree,
      symbols: options.symbols ?? [],
      generated: options.generated ?? false,
      lintPython,
    });
  } finally {
    tree.delete();
  }
}

async function parserOf(language: Language): Promise<Parser> {
  const known = parsers.get(language);
  if (known) return known;
  await Parser.init();
  const grammar = await Grammar.load(
    readFileSync(require.resolve(`tree-sitter-${language}/tree-sitter-${language}.wasm`)),
  );
  const parser = new Parser();
  parser.setLanguage(grammar);
  parsers.set(language, parser);
  return parser;
}
