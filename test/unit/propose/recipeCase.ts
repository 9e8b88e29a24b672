// Runs a recipe on one text, the way a session would, over a tree that lives in memory.

import type { Opportunity } from '../../../server/src/core/model.ts';
import { applyRecipe, type AppliedRecipe } from '../../../server/src/core/propose/applyRecipe.ts';
import type { SourceTree } from '../../../server/src/core/ports/sources.ts';

/**
 * Says which opportunity is meant: from the first token of `line` to the end of `endLine`, underlining `symbol` there.
 */
export interface Marker {
  readonly line: number;
  readonly endLine?: number;
  readonly symbol: string;
  /** Other places in the file that hold the same code. */
  readonly copies?: readonly { readonly line: number; readonly endLine: number }[];
}

/** The text after the recipe, or the reason for a refusal. */
export function runRecipe(
  recipe: string,
  path: string,
  text: string,
  marker: Marker,
  others: Readonly<Record<string, string>> = {},
): { readonly after: string } | { readonly refused: string } {
  const applied: AppliedRecipe = applyRecipe(
    opportunityAt(recipe, path, text, marker),
    memoryTree({ ...others, [path]: text }),
  );
  if ('refused' in applied) return applied;
  const [edit] = applied.edits;
  if (applied.edits.length !== 1 || edit?.before !== text || edit.path !== path || edit.after === null)
    throw new Error('A recipe edits its one file, from its exact text.');
  return { after: edit.after };
}

export function opportunityAt(
  recipe: string,
  path: string,
  text: string,
  { line, endLine = line, symbol, copies }: Marker,
): Opportunity {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const first = lines[line - 1] ?? '';
  const column = Math.max(0, first.indexOf(symbol)) + 1;
  return {
    id: 'opportunity',
    rule: 'rule',
    path,
    range: {
      startLine: line,
      startColumn: /^\s*/.exec(first)![0].length + 1,
      endLine,
      endColumn: (lines[endLine - 1] ?? '').length + 1,
    },
    nameRange: { startLine: line, startColumn: column, endLine: line, endColumn: column + symbol.length },
    symbol,
    severity: 'hint',
    impact: 50,
    confidence: 0.9,
    message: '',
    evidence: {},
    recipe,
    ...(copies
      ? {
          related: copies.map((copy) => ({
            path,
            range: { startLine: copy.line, startColumn: 1, endLine: copy.endLine + 1, endColumn: 1 },
            message: '',
          })),
        }
      : {}),
  };
}

/** Files by path relative to `/repository`. */
export function memoryTree(files: Readonly<Record<string, string>>): SourceTree {
  const absolute = new Map(Object.entries(files).map(([path, text]) => [`/repository/${path}`, text]));
  const folder = (path: string) => `${path.replace(/\/$/, '')}/`;
  return {
    rootDir: '/repository',
    bytes: () => undefined,
    read: (path) => absolute.get(path),
    fileExists: (path) => absolute.has(path),
    folderExists: (path) => [...absolute.keys()].some((file) => file.startsWith(folder(path))),
    list(path) {
      const names = new Map<string, 'file' | 'folder'>();
      for (const file of absolute.keys()) {
        if (!file.startsWith(folder(path))) continue;
        const [name = '', ...rest] = file.slice(folder(path).length).split('/');
        names.set(name, rest.length > 0 ? 'folder' : 'file');
      }
      return [...names].map(([name, kind]) => ({ name, kind }));
    },
    realPath: (path) => path,
  };
}
