// The common part of finding mutants on a syntax tree, for languages that tree-sitter parses.

import type { Node, Tree } from 'web-tree-sitter';
import type { FileEdit } from '../../model.ts';
import type { FoundMutant } from './planMutants.ts';
import { findTouchedLines } from './touchedLines.ts';

/** The part of a parser that is needed here. The caller frees its trees. */
export interface TreeParser<Language extends string> {
  parse(language: Language, text: string): Promise<Tree | null>;
}

/** Finds the mutants in one file. `touched`: 1-based numbers of the lines that the change touches. */
export type MutantFinder = (path: string, root: Node, text: string, touched: ReadonlySet<number>) => FoundMutant[];

/** The mutants of those edits for which `isWanted` is true. Throws the errors of parsing. */
export async function findParsedMutants<Language extends string>(
  parser: TreeParser<Language>,
  language: Language,
  edits: readonly FileEdit[],
  isWanted: (edit: FileEdit & { readonly after: string }) => boolean,
  find: MutantFinder,
): Promise<readonly FoundMutant[]> {
  const mutants: FoundMutant[] = [];
  for (const edit of edits) {
    const { path, before, after } = edit;
    if (after === null || !isWanted({ ...edit, after })) continue;
    const tree = await parser.parse(language, after);
    if (!tree) continue;
    try {
      mutants.push(...find(path, tree.rootNode, after, findTouchedLines(before ?? '', after)));
    } finally {
      tree.delete();
    }
  }
  return mutants;
}

/** True if a touched line lies between these two lines, both inclusive. */
export function isAnyTouched(touched: ReadonlySet<number>, first: number, last: number): boolean {
  for (const line of touched) if (first <= line && line <= last) return true;
  return false;
}
