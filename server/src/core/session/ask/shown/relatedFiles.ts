// Finds the files that a question shows in addition to those of its task, and the places in them that the task is
// about.

import { splitIdentifier } from '../../../../util/identifiers.ts';
import type { SearchHit } from '../../../index/search/hit.ts';
import type { SymbolInfo } from '../../../model.ts';
import { looksGenerated } from '../../../paths/generated.ts';
import { isDocumentation, isExample, isProse } from '../../../paths/nonSourcePaths.ts';
import { isTestFile } from '../../../paths/tests.ts';
import type { ExcerptFile, LineRange } from '../../../proposers/excerpts.ts';
import type { SessionContext } from '../../context.ts';
import { readTextOrNull } from '../../search/packing.ts';
import { search } from '../../search/searching.ts';
import { findNearestTests, invertImports, sortNamedTestsFirst } from '../../verify/reachingTests.ts';
import type { TaskText } from '../taskText.ts';

/** Number of search results among which related files are chosen. */
const MAX_RELATED_HITS = 40;
/** Maximum number of files from `TaskText.firstFiles`. The search adds further files. */
const MAX_FIRST_FILES = 4;
/**
 * Maximum number of lines of a definition that is shown completely. Of a longer definition, only the lines around the
 * search result are shown.
 */
const MAX_DEFINITION_LINES = 150;
/** Maximum number of definitions in a named file that are chosen by their names. */
const MAX_NAMED_SYMBOLS = 5;
/** Minimum number of letters of a word that matches a name by its beginning. */
const MIN_WORD_LETTERS = 4;
/** Maximum number of files that import the best file and show how it is used. */
const MAX_IMPORTERS = 2;
/**
 * Number of files at the front that may take a full share of the budget, even if one of them is the test or an importer
 * of the best file.
 */
const MAX_BEST = 5;
/** The share of the budget that the test of the best file, and each of its importers, may take. */
const NEIGHBOUR_SHARE = 0.1;
/** Maximum number of places that are shown in a file as examples of how it uses the best file. */
const MAX_USES = 5;

/** A file that is related to a task. */
export type RelatedFile = Omit<ExcerptFile, 'role'>;

/**
 * Files that the search text names come first, then the first `MAX_FIRST_FILES` of `firstFiles`, then search results.
 * With `withNeighbours`, a test and importers of the best file follow it. Documentation, examples and prose are not
 * taken from search results. Skips empty, unreadable and generated files, such as lock files.
 */
export async function findRelatedFiles(
  context: SessionContext,
  { search: query, firstFiles }: TaskText,
  { excluded, withNeighbours }: { readonly excluded: ReadonlySet<string>; readonly withNeighbours: boolean },
  signal: AbortSignal,
): Promise<readonly RelatedFile[]> {
  const namedFiles = findNamedPaths([...context.state.records.keys()], query);
  const hits = await search(context, query, MAX_RELATED_HITS, signal);
  const hitPaths = hits
    .map(({ path }) => path)
    .filter((path) => !isDocumentation(path) && !isProse(path) && !isExample(path));
  const chosenPaths = [...new Set([...namedFiles, ...firstFiles.slice(0, MAX_FIRST_FILES), ...hitPaths])];
  const importers = invertImports(context.state.imports);
  const isImported = (path: string) => importers.has(path) && !isTestFile(path);
  const bestPath = withNeighbours ? chosenPaths.find(isImported) : undefined;
  const neighbours = bestPath === undefined ? [] : findNeighbours(importers, bestPath);
  // Files that the text names certainly belong to the task, so they come first; the neighbours follow the best file.
  const neighboursIndex = Math.max(namedFiles.length, chosenPaths.indexOf(bestPath ?? '') + 1);
  const paths = new Set([
    ...chosenPaths.slice(0, neighboursIndex),
    ...neighbours,
    ...chosenPaths.slice(neighboursIndex),
  ]);
  const usedNames = hits.flatMap(({ path, symbol }) =>
    path === bestPath && symbol ? [symbol.split('.').at(-1)!] : [],
  );
  const files: RelatedFile[] = [];
  for (const path of paths) {
    const text = excluded.has(path) ? null : await readTextOrNull(context, path);
    if (text === null || text.trim() === '' || looksGenerated(path, text)) continue;
    const symbols = context.state.records.get(path)?.symbols ?? [];
    const relevantRanges = [
      ...(namedFiles.includes(path) ? findNamedSymbols(symbols, query) : []),
      ...hits.filter((hit) => hit.path === path).map((hit) => expandToDefinition(hit, symbols)),
    ];
    const isNeighbour = neighbours.includes(path) && !chosenPaths.slice(0, MAX_BEST).includes(path);
    files.push({
      path,
      text,
      places: isNeighbour ? [...findUses(text, usedNames), ...relevantRanges] : relevantRanges,
      ...(namedFiles.includes(path) ? { share: 1 } : isNeighbour ? { share: NEIGHBOUR_SHARE } : {}),
    });
  }
  return files;
}

/** The files whose complete path, or whose file name if it is unique in the repository, occurs in the query. */
export function findNamedPaths(paths: readonly string[], query: string): readonly string[] {
  const mentionedWords = new Set(query.split(/[\s`"'()<>,;]+/).map((word) => removeEndPunctuation(word)));
  const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
  const isUniqueName = (path: string) => paths.filter((candidate) => nameOf(candidate) === nameOf(path)).length === 1;
  return paths.filter((path) => mentionedWords.has(path) || (mentionedWords.has(nameOf(path)) && isUniqueName(path)));
}

/** Removes the punctuation of a sentence from the end of a word. */
function removeEndPunctuation(word: string): string {
  let end = word.length;
  while (end > 0 && '.:!?'.includes(word[end - 1]!)) end -= 1;
  return word.slice(0, end);
}

/** The nearest test of a file, and files that import it. */
function findNeighbours(importers: ReturnType<typeof invertImports>, path: string): readonly string[] {
  const [test] = sortNamedTestsFirst(findNearestTests(importers, [path]), path);
  const users = (importers.get(path) ?? []).filter((importer) => !isTestFile(importer));
  return [...(test === undefined ? [] : [test]), ...users.slice(0, MAX_IMPORTERS)];
}

/** The last lines of a text that use one of these names. */
function findUses(text: string, names: readonly string[]): readonly LineRange[] {
  const wantedNames = new Set(names);
  if (wantedNames.size === 0) return [];
  return text
    .split('\n')
    .flatMap((line, index) => (line.split(/[^\w$]+/).some((word) => wantedNames.has(word)) ? [index + 1] : []))
    .slice(-MAX_USES)
    .map((line) => ({ startLine: line, endLine: line }));
}

/** The definition that a search result is about, if it is not too long; otherwise the lines of the result. */
function expandToDefinition({ symbol, startLine, endLine }: SearchHit, symbols: readonly SymbolInfo[]): LineRange {
  const definition = symbols.find(
    ({ path, range }) => path === symbol && range.startLine <= endLine && startLine <= range.endLine,
  )?.range;
  return definition && definition.endLine - definition.startLine < MAX_DEFINITION_LINES
    ? definition
    : { startLine, endLine };
}

/** The definitions whose names share the most words with the query. */
function findNamedSymbols(symbols: readonly SymbolInfo[], query: string): readonly LineRange[] {
  const words = [...new Set(splitIdentifier(query))];
  const candidates = symbols
    .filter(({ range }) => range.endLine - range.startLine < MAX_DEFINITION_LINES)
    .map(({ name, range }) => ({ range, matches: countMatches(splitIdentifier(name), words) }));
  const maxMatches = candidates.reduce((max, { matches }) => Math.max(max, matches), 0);
  return candidates
    .filter(({ matches }) => matches > 0 && matches === maxMatches)
    .slice(0, MAX_NAMED_SYMBOLS)
    .map(({ range }) => range);
}

/**
 * Number of the parts of a name that the words contain. A word and a part also match if one is the beginning of the
 * other.
 */
function countMatches(parts: readonly string[], words: readonly string[]): number {
  const isMatch = (part: string, word: string) => {
    const [shorter, longer] = part.length < word.length ? [part, word] : [word, part];
    return shorter === longer || (shorter.length >= MIN_WORD_LETTERS && longer.startsWith(shorter));
  };
  return parts.filter((part) => words.some((word) => isMatch(part, word))).length;
}
