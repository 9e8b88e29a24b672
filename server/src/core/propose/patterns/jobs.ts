// Defines the jobs that find and rewrite the places of learned shapes, and implements them.

import type { LearnedShape } from '../../model/learnedRecipes.ts';
import type { Range } from '../../model.ts';
import { looksGenerated } from '../../paths/generated.ts';
import type { SourceTree } from '../../ports/sources.ts';
import { createCheckedEdits, openFile, type AppliedRecipe } from '../applyRecipe.ts';
import { removeNewlyUnused } from '../syntax/newlyUnused.ts';
import { parseForRecipes, parseSource } from '../syntax/parse.ts';
import { createRange } from '../syntax/ranges.ts';
import { applyReplacements } from '../textEdit.ts';
import { createImports } from './patternImports.ts';
import { findShapePlaces, rewritePlaces } from './rewrite.ts';

/** A file to search. If `text` is absent, the text is read from the tree. */
export interface PatternSearchFile {
  readonly path: string;
  readonly text?: string;
}

/** A place that a learned shape would rewrite. */
export interface FoundPlace {
  /** Index of the shape in the list of shapes. */
  readonly shape: number;
  readonly path: string;
  readonly range: Range;
  /** The code at this place, on one line. */
  readonly code: string;
  /** The code that would replace it, on one line. */
  readonly becomes: string;
}

/** The places of learned shapes in files. */
export interface FoundPlaces {
  readonly places: readonly FoundPlace[];
  /** Matching places that must not be rewritten, each with the reason as a sentence. */
  readonly refused: readonly { readonly shape: number; readonly path: string; readonly reason: string }[];
}

/** The jobs by name, each with its input and its output. */
export interface PatternJobs {
  findShapes: {
    input: {
      readonly rootDir: string;
      readonly files: readonly PatternSearchFile[];
      readonly shapes: readonly LearnedShape[];
    };
    output: FoundPlaces;
  };
  /** Rewrites places of one file. If `at` is null, it rewrites all places that can be rewritten. */
  rewriteShape: {
    input: {
      readonly rootDir: string;
      readonly path: string;
      readonly shape: LearnedShape;
      readonly at: readonly Pick<Range, 'startLine' | 'startColumn'>[] | null;
    };
    output: AppliedRecipe;
  };
}

/** Finds the places of these shapes. Files that cannot be read, are generated or do not parse are skipped. */
export function findShapes({ files, shapes }: PatternJobs['findShapes']['input'], tree: SourceTree): FoundPlaces {
  const wordsByShape = shapes.map(({ pattern }) => listWordsOfPattern(pattern));
  const places: FoundPlace[] = [];
  const refused: FoundPlaces['refused'][number][] = [];
  for (const { path, text: fileText } of files) {
    const text = fileText ?? readText(path, tree);
    const candidates = shapes.flatMap((shape, index) =>
      wordsByShape[index]!.every((word) => text?.includes(word)) ? [{ shape, at: index }] : [],
    );
    if (text === null || candidates.length === 0 || looksGenerated(path, text)) continue;
    const sourceFile = parseForRecipes(path, text);
    if (!sourceFile) continue;
    for (const { shape, at } of candidates) {
      const matches = findShapePlaces(shape, path, sourceFile);
      if (!('places' in matches)) continue;
      for (const { node, replacement } of matches.places)
        places.push({
          shape: at,
          path,
          range: createRange(sourceFile, node.getStart(sourceFile), node.end),
          code: joinLines(node.getText()),
          becomes: joinLines(replacement.text),
        });
      for (const reason of matches.refused) refused.push({ shape: at, path, reason });
    }
  }
  return { places, refused };
}

/**
 * Rewrites the places of a shape in one file. Refuses if `openFile` refuses, if none of the places can be rewritten, or
 * if their imports cannot be added.
 */
export function rewriteShape(
  { path, shape, at }: PatternJobs['rewriteShape']['input'],
  tree: SourceTree,
): AppliedRecipe {
  const openedFile = openFile(path, tree);
  if ('refused' in openedFile) return openedFile;
  const matches = findShapePlaces(shape, path, openedFile.sourceFile);
  if (!('places' in matches)) return matches;
  const chosenPlaces = matches.places.filter(({ node }) => {
    const { startLine, startColumn } = createRange(openedFile.sourceFile, node.getStart(), node.end);
    return at === null || at.some((place) => place.startLine === startLine && place.startColumn === startColumn);
  });
  if (chosenPlaces.length === 0) return { refused: matches.refused[0] ?? 'The pattern matches nothing there.' };
  const imports = createImports(new Map(chosenPlaces.flatMap(({ missingImports }) => [...missingImports])), openedFile);
  if ('refused' in imports) return imports;
  const rewrittenText = applyReplacements(openedFile.text, [
    ...chosenPlaces.map(({ replacement }) => replacement),
    ...imports,
  ]);
  // The old import or constant that only the replaced code used is removed as well.
  const tidyOutcome = removeNewlyUnused(path, openedFile.text, rewrittenText, new Set(), openedFile.style);
  const text = 'text' in tidyOutcome ? tidyOutcome.text : rewrittenText;
  return createCheckedEdits(openedFile, { text, title: '', rationale: '' }, tree);
}

/**
 * Rewrites all matching places in an expression, without checking what its names mean. Null if the expression does not
 * parse, or if it has no matching place.
 */
export function rewriteExpression(
  { pattern, replacement, holes }: Pick<LearnedShape, 'pattern' | 'replacement' | 'holes'>,
  expression: string,
): string | null {
  const text = `async function* example() { (${expression}\n); }`;
  const sourceFile = parseSource('example.ts', text);
  if (!sourceFile) return null;
  const matches = findShapePlaces({ pattern, replacement, holes }, 'example.ts', sourceFile);
  if (!('places' in matches) || matches.places.length === 0) return null;
  return rewritePlaces(text, matches.places)
    .slice('async function* example() { '.length, -' }'.length)
    .replace(/;$/, '');
}

/** The code in one line. */
function joinLines(code: string): string {
  return code.replace(/\s+/g, ' ');
}

/** Reads the text of a file without its byte-order mark; null if it does not exist or is not valid UTF-8. */
function readText(path: string, tree: SourceTree): string | null {
  const text = tree.read(`${tree.rootDir.replaceAll('\\', '/')}/${path}`);
  return text === undefined || text.includes('\uFFFD') ? null : text.replace(/^\uFEFF/, '');
}

/** The words of a pattern that every match contains. */
function listWordsOfPattern(pattern: string): readonly string[] {
  return pattern.replace(/\$[a-z]\b|'[^']*'|"[^"]*"|`[^`]*`/g, ' ').match(/[A-Za-z_]\w+/g) ?? [];
}
