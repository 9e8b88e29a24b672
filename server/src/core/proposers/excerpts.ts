// Chooses the parts of files that a question shows within its budget: whole files if they fit, otherwise the places
// that the task is about.

import { CHARACTERS_PER_TOKEN, cutToTokens, estimateTokens, sizeOf } from '../../util/tokens.ts';
import type { ShownFile } from './prompt.ts';

/** Minimum number of tokens of a file that is cut. Fewer tokens show too little to be useful. */
const MIN_TOKENS = 200;
/** The share of the budget that one file may take, unless other files leave more. */
const MAX_SHARE = 0.4;
/** Maximum number of lines at the beginning of a file, with its imports, that are shown in addition to its places. */
const MAX_FIRST_LINES = 40;
/** The share of the tokens of a file that its beginning may take. */
const BEGINNING_SHARE = 0.2;
/** Number of lines by which a shown part grows in one step, upwards and downwards. */
const GROWTH_LINES = 10;
/** Number of characters that are reserved for each notice about lines that are not shown. */
const NOTICE_SIZE = 40;
/** Maximum number of notices for which characters are reserved. */
const MAX_NOTICES = 10;

/** Takes the place of lines that are left out between or before shown lines. */
const GAP_NOTICE = '(Lines are not shown here.)';
/** Takes the place of lines that are left out at the end. */
const END_NOTICE = '(The rest of this file is not shown.)';

/** A range of lines, which begin with 1; both ends are included. */
export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
}

/** A file of which a question may show only parts. */
export interface ExcerptFile extends ShownFile {
  /** The places that the task is about, the most relevant first; absent if there are none. */
  readonly places?: readonly LineRange[];
  /**
   * The share of the budget that the file may take; `MAX_SHARE` if absent. A file with a share of 1 is served before
   * all others if it fits as a whole.
   */
  readonly share?: number;
}

/**
 * Shows the files within the budget, each as a whole or in parts. A file that is larger than its share is cut, and gets
 * the tokens that no other file needs. Of a cut file, the beginning and the lines around its places are shown. Files
 * are skipped if fewer than `MIN_TOKENS` are left for them. `files`: the most relevant first.
 */
export function fitIntoBudget(files: readonly ExcerptFile[], budgetTokens: number): readonly ShownFile[] {
  let tokensLeft = budgetTokens;
  const grants = files.map((file) => ({ file, tokens: estimateTokens(file.text), granted: 0 }));
  const shareOf = ({ file: { share = MAX_SHARE } }: (typeof grants)[number]) => share;
  // Files with the whole budget as their share are served first, small ones before large ones.
  const [grantsServedFirst, otherGrants] = [
    grants.filter((grant) => shareOf(grant) >= 1),
    grants.filter((grant) => shareOf(grant) < 1),
  ];
  for (const grant of [...grantsServedFirst.toSorted((a, b) => a.tokens - b.tokens), ...otherGrants]) {
    const { tokens } = grant;
    const availableTokens = Math.min(tokensLeft, budgetTokens * shareOf(grant));
    const tokensIfCut = Math.min(availableTokens, shareOf(grant) < 1 ? availableTokens : budgetTokens * MAX_SHARE);
    grant.granted = tokens <= availableTokens ? tokens : tokensIfCut >= MIN_TOKENS ? tokensIfCut : 0;
    tokensLeft -= grant.granted;
  }
  // Files with a smaller share only show how other files are used, so they get the remaining tokens last.
  const rankByShare = (grant: (typeof grants)[number]) => Number(shareOf(grant) < MAX_SHARE);
  for (const grant of grants.toSorted((a, b) => rankByShare(a) - rankByShare(b))) {
    if (grant.granted === 0) continue;
    const extraTokens = Math.min(tokensLeft, grant.tokens - grant.granted);
    grant.granted += extraTokens;
    tokensLeft -= extraTokens;
  }
  const shownTexts = grants.map(({ file: { text, places = [] }, tokens, granted }) =>
    granted === 0 ? '' : granted >= tokens ? text : showPlaces(text, places, granted),
  );
  // The tokens of a file of which no part fits are given to the other files.
  const usefulFiles = files.filter((_, index) => grants[index]!.granted === 0 || shownTexts[index] !== '');
  if (usefulFiles.length < files.length) return fitIntoBudget(usefulFiles, budgetTokens);
  return files.flatMap(({ path, role }, index) =>
    shownTexts[index] === '' ? [] : [{ path, text: shownTexts[index]!, role }],
  );
}

/**
 * Shows the beginning of a text, which has the imports, and its places with the lines around them, within about this
 * many tokens. Without places, it shows as much of the beginning as fits. Empty if nothing fits. `places`: the most
 * relevant first.
 */
export function showPlaces(text: string, places: readonly LineRange[], budgetTokens: number): string {
  const lines = text.split('\n');
  const sizes = lines.map((line) => sizeOf(line) + 1);
  const shownFlags = new Uint8Array(lines.length);
  let sizeLeft = budgetTokens * CHARACTERS_PER_TOKEN - NOTICE_SIZE * Math.min(places.length + 1, MAX_NOTICES);
  /**
   * Shows the lines from index `from` up to, but not including, `to` in the direction of `step` while they fit. Returns
   * false if some of them did not fit.
   */
  const showLines = (from: number, to: number, step = 1): boolean => {
    for (let index = step > 0 ? from : to - 1; index >= from && index < to; index += step) {
      if (shownFlags[index]) continue;
      if (sizes[index]! > sizeLeft) return false;
      shownFlags[index] = 1;
      sizeLeft -= sizes[index]!;
    }
    return true;
  };
  const parts = places
    .map(({ startLine, endLine }) => ({ from: Math.max(0, startLine - 1), to: Math.min(lines.length, endLine) }))
    .map((part) => ({ ...part, upper: part.from, lower: part.to }))
    .filter(({ from, to }) => from < to);
  if (parts.length === 0) {
    const beginning = cutToLines(text, budgetTokens - NOTICE_SIZE / CHARACTERS_PER_TOKEN);
    return beginning === '' ? '' : `${beginning}\n${END_NOTICE}`;
  }
  showBeginning(sizes, sizeLeft * BEGINNING_SHARE, showLines);
  let isRoomLeft = true;
  for (const { from, to } of parts) if (isRoomLeft) isRoomLeft = showLines(from, to);
  for (let distance = GROWTH_LINES; isRoomLeft; distance += GROWTH_LINES) {
    isRoomLeft = false;
    for (const part of parts) {
      const [first, last] = [Math.max(0, part.from - distance), Math.min(lines.length, part.to + distance)];
      if (!showLines(first, part.upper, -1) || !showLines(part.lower, last)) return joinShown(lines, shownFlags);
      // The next step continues where this one has ended.
      [part.upper, part.lower] = [first, last];
      isRoomLeft ||= first > 0 || last < lines.length;
    }
  }
  return joinShown(lines, shownFlags);
}

/** Shows the first lines of a file, up to this number of characters. */
function showBeginning(
  sizes: readonly number[],
  size: number,
  showLines: (firstLine: number, to: number) => boolean,
): void {
  let [lineCount, totalSize] = [0, 0];
  while (lineCount < Math.min(MAX_FIRST_LINES, sizes.length) && totalSize + sizes[lineCount]! <= size)
    totalSize += sizes[lineCount++]!;
  showLines(0, lineCount);
}

/** Joins the shown lines, with a notice for each gap. */
function joinShown(lines: readonly string[], shownFlags: Uint8Array): string {
  const shownParts: string[] = [];
  let isGap = false;
  for (const [index, line] of lines.entries()) {
    if (shownFlags[index]) {
      if (isGap) shownParts.push(GAP_NOTICE);
      shownParts.push(line);
    }
    isGap = !shownFlags[index];
  }
  if (shownParts.length === 0) return '';
  return [...shownParts, ...(isGap ? [END_NOTICE] : [])].join('\n');
}

/**
 * Shows the whole text if it fits into the budget. Otherwise it shows the beginning, which has the imports, and the
 * lines around a range (from 1), until the budget is used up or slightly exceeded.
 */
export function showLinesAround(text: string, startLine: number, endLine: number, budgetTokens: number): string {
  if (estimateTokens(text) <= budgetTokens) return text;
  const lines = text.split('\n');
  const beginning = lines.slice(0, Math.min(MAX_FIRST_LINES, startLine - 1));
  let [from, to] = [Math.max(startLine - 1, beginning.length), Math.min(endLine, lines.length)];
  const estimateSize = () => estimateTokens(`${beginning.join('\n')}${lines.slice(from, to).join('\n')}`);
  while (estimateSize() < budgetTokens && (from > beginning.length || to < lines.length)) {
    from = Math.max(beginning.length, from - 20);
    to = Math.min(lines.length, to + 20);
  }
  const gapNotice = from > beginning.length ? [GAP_NOTICE] : [];
  const omissionNotice = to < lines.length ? [END_NOTICE] : [];
  return [...beginning, ...gapNotice, ...lines.slice(from, to), ...omissionNotice].join('\n');
}

/** Whole lines from the start of the text, within about this many tokens; empty if the first line is longer. */
function cutToLines(text: string, tokens: number): string {
  const cutText = cutToTokens(text, tokens);
  return cutText.slice(0, cutText.lastIndexOf('\n') + 1);
}
