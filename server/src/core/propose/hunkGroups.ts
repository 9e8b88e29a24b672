// Decides which hunks of a change must be applied together. Applying only some of them would leave a call without its
// function, or the same code in two places.

import { SelfwareError } from '../../util/typedError.ts';
import type { FileEdit } from '../model.ts';
import { createHunks, type Hunk } from './hunks.ts';

/** Matches a line with at least twelve letters, digits, `_` or `$`, so it can be recognised after it has moved. */
const DISTINCTIVE_LINE = /[\p{L}\p{N}_$](.*[\p{L}\p{N}_$]){11}/u;
/** Matches a name of at least three characters. */
const NAME_PATTERN = /[\p{L}_$][\p{L}\p{N}_$]{2,}/gu;
/** Keywords of many languages, which are not names. */
const LANGUAGE_KEYWORDS = new Set(
  (
    'and async await break case catch class const continue def default delete defer elif else enum except export ' +
    'extends false final finally for from func function global goto implements import include instanceof interface ' +
    'let lambda match module mut namespace new nil none not null package pass private protected public pub raise ' +
    'readonly require return self static struct super switch this throw throws true try type typeof undefined use ' +
    'using var void while with yield None True False'
  ).split(' '),
);
/** Matches a line that begins like a comment. */
const COMMENT_PATTERN = /^\s*(\/\/|\/?\*|#|--)/;

/** A hunk with its added and removed lines, without comment lines. */
interface HunkLines {
  readonly hunk: Hunk;
  readonly addedLines: readonly string[];
  readonly removedLines: readonly string[];
}

/** The indices of the hunks that can be applied without others. */
export function findIndependentHunks(edits: readonly FileEdit[]): ReadonlySet<number> {
  return new Set(groupHunks(edits).flatMap((group) => (group.length === 1 ? group : [])));
}

/**
 * Groups the indices of all hunks that must be applied together. Two hunks belong together if a line moves from one to
 * the other, if both add a name that is new in the file of one of them, or if both remove a name that the file of one
 * of them no longer contains afterwards. A name does not count if both hunks declare it, or if both only import it. The
 * hunks are compared as text, in any language. Groups and indices are in ascending order.
 */
export function groupHunks(edits: readonly FileEdit[]): readonly (readonly number[])[] {
  const names = edits.map(({ path, before, after }) => ({
    path,
    before: collectNames(before),
    after: collectNames(after),
  }));
  const isNew = (path: string, name: string): boolean =>
    names.some((file) => file.path === path && !file.before.has(name) && file.after.has(name));
  const isRemoved = (path: string, name: string): boolean =>
    names.some((file) => file.path === path && file.before.has(name) && !file.after.has(name));
  const mustBeTogether = (first: HunkLines, second: HunkLines): boolean =>
    isMoved(first, second) ||
    isMoved(second, first) ||
    haveSharedName(
      first.addedLines,
      second.addedLines,
      (name) => isNew(first.hunk.path, name) || isNew(second.hunk.path, name),
    ) ||
    haveSharedName(
      first.removedLines,
      second.removedLines,
      (name) => isRemoved(first.hunk.path, name) || isRemoved(second.hunk.path, name),
    );
  const groups: HunkLines[][] = [];
  for (const hunkLines of createHunks(edits).map(splitLinesOfHunk)) {
    const joinedGroups = groups.filter((group) => group.some((member) => mustBeTogether(hunkLines, member)));
    for (const group of joinedGroups) groups.splice(groups.indexOf(group), 1);
    groups.push([...joinedGroups.flat(), hunkLines]);
  }
  return groups
    .map((group) => group.map(({ hunk }) => hunk.index).sort((a, b) => a - b))
    .sort(([a = 0], [b = 0]) => a - b);
}

/** Throws `usage` if some of `chosenHunks` need hunks that were not chosen. */
export function requireWholeGroups(edits: readonly FileEdit[], chosenHunks: readonly number[]): void {
  const chosenIndexes = new Set(chosenHunks);
  const neededIndexes = groupHunks(edits)
    .filter((group) => group.some((index) => chosenIndexes.has(index)))
    .flat();
  const missingIndexes = neededIndexes.filter((index) => !chosenIndexes.has(index));
  if (missingIndexes.length === 0) return;
  throw new SelfwareError(
    'usage',
    `The chosen hunks need ${missingIndexes.length === 1 ? 'hunk' : 'hunks'} ${missingIndexes.join(', ')} as well.`,
    {
      action: `Choose them together (${neededIndexes.sort((a, b) => a - b).join(',')}), or the whole proposal.`,
    },
  );
}

/** Separates the added and the removed lines of a hunk. */
function splitLinesOfHunk(hunk: Hunk): HunkLines {
  const linesWithMark = (mark: string) =>
    hunk.lines.flatMap((line) =>
      line.startsWith(mark) && !COMMENT_PATTERN.test(line.slice(1)) ? [line.slice(1)] : [],
    );
  return { hunk, addedLines: linesWithMark('+'), removedLines: linesWithMark('-') };
}

/** True if `source` removes a distinctive line and `target` adds it, with any indentation. */
function isMoved(source: HunkLines, target: HunkLines): boolean {
  const addedTexts = new Set(target.addedLines.map((line) => line.trim()));
  return source.removedLines.some((line) => DISTINCTIVE_LINE.test(line) && addedTexts.has(line.trim()));
}

/** True if both contain a name that `isRelevant` accepts, unless both declare it or both only import it. */
function haveSharedName(
  first: readonly string[],
  second: readonly string[],
  isRelevant: (name: string) => boolean,
): boolean {
  const otherNames = collectNames(second.join('\n'));
  return [...collectNames(first.join('\n'))].some(
    (name) =>
      otherNames.has(name) &&
      isRelevant(name) &&
      !(declares(first, name) && declares(second, name)) &&
      !(onlyImports(first, name) && onlyImports(second, name)),
  );
}

/**
 * True if a line declares the name: `const name`, `for (const name of …)`, `function name`, `(name) =>`, `def name`.
 */
function declares(lines: readonly string[], name: string): boolean {
  const declarationPattern =
    /(?:const|let|var|function|class|type|interface|enum|def|fn|func)\s+(?:\{[^}]*|\[[^\]]*)?([\w$]+)/g;
  const parameterPattern = /\(?([\w$]+)\)? =>/g;
  return lines.some((line) =>
    [...line.matchAll(declarationPattern), ...line.matchAll(parameterPattern)].some(
      ([, declaredName]) => declaredName === name,
    ),
  );
}

/** True if every line with the name imports it: `import { name } from …`, `from … import name`, `use …::name`. */
function onlyImports(lines: readonly string[], name: string): boolean {
  return lines.every((line) => /^\s*(import|from|use|using)\b/.test(line) || !collectNames(line).has(name));
}

/** Collects the names in a text; those in strings on one line are not included. Empty for null. */
function collectNames(text: string | null): ReadonlySet<string> {
  const code = (text ?? '').replace(/'[^'\n]*'|"[^"\n]*"/g, "''");
  return new Set((code.match(NAME_PATTERN) ?? []).filter((name) => !LANGUAGE_KEYWORDS.has(name)));
}
