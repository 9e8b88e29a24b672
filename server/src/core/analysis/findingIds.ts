// Gives findings stable ids, so that a decision stays with its finding. An id depends on the finding and its place in
// the structure, not on its line.

import { findLineIndex, type LineStarts } from './lines.ts';
import type { Finding } from '../rules/finding.ts';
import { sha256 } from '../../util/hash.ts';
import { countEach } from '../../util/values/countBy.ts';

/** A file with its text. */
interface SourceText {
  readonly path: string;
  readonly text: string;
  readonly lines: LineStarts;
}

/** A finding with the path of the symbol around it; null if there is none. */
interface PlacedFinding {
  readonly finding: Finding;
  readonly symbol: string | null;
}

/** Maximum number of headers in a key. Further enclosing blocks do not help to distinguish a place. */
const MAX_HEADERS = 12;

/**
 * One id per finding, all different. The key consists of rule, path, symbol, the subject of the finding, and the
 * headers of the blocks around it (found by indentation, so in any language). Findings with equal keys are
 * distinguished by the lines before and after them, and then by their order. If one of two equal findings disappears,
 * the other may get a new id, but never the id of the first. If one of three or more equal findings between equal lines
 * disappears, a later finding may get the id of an earlier one.
 */
export function createFindingIds(file: SourceText, placedFindings: readonly PlacedFinding[]): string[] {
  if (placedFindings.length === 0) return [];
  const parents = findParentLines(file);
  const keys = placedFindings.map(({ finding, symbol }) =>
    [
      finding.rule,
      file.path,
      symbol ?? '',
      getSubject(file, finding),
      ...findHeadersAround(file, parents, finding.start),
    ].join('\0'),
  );
  const countsByKey = countEach(keys);
  const keysInContext = keys.map((key, index) =>
    countsByKey.get(key)! > 1 ? `${key}\0${findNeighbouringLines(file, placedFindings[index]!.finding)}` : key,
  );
  const occurrences = new Map<string, number>();
  return keysInContext.map((key) => {
    const ordinal = occurrences.get(key) ?? 0;
    occurrences.set(key, ordinal + 1);
    return sha256(`${key}\0${ordinal}`).slice(0, 20);
  });
}

/** The subject of a finding: its own key, otherwise the code that it marks. */
function getSubject(file: SourceText, finding: Finding): string {
  return finding.identity ?? collapseSpace(file.text.slice(finding.start, finding.end));
}

/**
 * For each line (from 0), the nearest line above it with less indentation; -1 if there is none. Takes one pass, however
 * many findings there are.
 */
function findParentLines(file: SourceText): Int32Array {
  const parents = new Int32Array(file.lines.length).fill(-1);
  const openBlocks: { readonly index: number; readonly indent: number }[] = [];
  for (let index = 0; index < file.lines.length; index++) {
    const line = getLine(file, index);
    const content = line.trim();
    const indent = measureIndent(line);
    while (content !== '' && openBlocks.length > 0 && openBlocks.at(-1)!.indent >= indent) openBlocks.pop();
    parents[index] = openBlocks.at(-1)?.index ?? -1;
    if (content !== '' && !/^(\/\/|\/?\*|#)/.test(content)) openBlocks.push({ index, indent });
  }
  return parents;
}

/** The first lines of the blocks around a place, innermost first. */
function findHeadersAround(file: SourceText, parents: Int32Array, start: number): string[] {
  const headers: string[] = [];
  let index = parents[findLineIndex(file.lines, start)] ?? -1;
  for (; index >= 0 && headers.length < MAX_HEADERS; index = parents[index] ?? -1)
    headers.push(getStablePart(collapseSpace(getLine(file, index))));
  return headers;
}

/**
 * The part of a header that edits rarely change. For a function or class, it is the part before the parameters, so that
 * a new signature keeps the ids inside. For a call, it is the name and the first string. Headers of control structures
 * are kept whole.
 */
function getStablePart(header: string): string {
  if (/^(\}\s*)?(else|if|elif|for|while|switch|match|case|default|do|try|catch|finally|except|with)\b/.test(header))
    return header;
  return /^[^(<]*(\((['"`])[^'"`]*\2)?/.exec(header)![0].trim();
}

/** The nearest lines before and after a finding that are not blank, as one text. */
function findNeighbouringLines(file: SourceText, finding: Finding): string {
  const before = findNearestLine(file, findLineIndex(file.lines, finding.start), -1);
  const after = findNearestLine(file, findLineIndex(file.lines, finding.end), 1);
  return `${before}\0${after}`;
}

function findNearestLine(file: SourceText, from: number, step: 1 | -1): string {
  for (let index = from + step; index >= 0 && index < file.lines.length; index += step) {
    const content = collapseSpace(getLine(file, index));
    if (content !== '') return content;
  }
  return '';
}

function getLine(file: SourceText, index: number): string {
  return file.text.slice(file.lines[index], file.lines[index + 1]);
}

function measureIndent(line: string): number {
  return line.length - line.trimStart().length;
}

function collapseSpace(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}
