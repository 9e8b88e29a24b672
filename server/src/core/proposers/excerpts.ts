// Chooses which parts of files a question shows within its budget: the best files whole, and the last one cut at a
// line.

import { cutToTokens, estimateTokens } from '../../util/tokens.ts';
import type { ShownFile } from './prompt.ts';

/** Minimum number of tokens of a file that is cut. With fewer, it shows too little. */
const MIN_TOKENS = 200;

/**
 * The first of `files` that fit the budget. The first one that does not is cut if at least `MIN_TOKENS` are left, and
 * all files after it are skipped. `files`: the most relevant first.
 */
export function fitIntoBudget(files: readonly ShownFile[], budgetTokens: number): readonly ShownFile[] {
  const fittingFiles: ShownFile[] = [];
  let tokensLeft = budgetTokens;
  for (const file of files) {
    const tokens = estimateTokens(file.text);
    if (tokens <= tokensLeft) fittingFiles.push(file);
    else if (tokensLeft >= MIN_TOKENS) {
      const text = firstLines(file.text, tokensLeft);
      if (text !== '') fittingFiles.push({ ...file, text: `${text}\n(The rest of this file is not shown.)` });
      break;
    } else break;
    tokensLeft -= tokens;
  }
  return fittingFiles;
}

/**
 * The whole text if it fits the budget. Otherwise its beginning, which has the imports, and the lines around a range
 * (1-based), until the budget is used up or slightly exceeded.
 */
export function linesAround(text: string, startLine: number, endLine: number, budgetTokens: number): string {
  if (estimateTokens(text) <= budgetTokens) return text;
  const lines = text.split('\n');
  const beginning = lines.slice(0, Math.min(40, startLine - 1));
  let [from, to] = [Math.max(startLine - 1, beginning.length), Math.min(endLine, lines.length)];
  const estimateSize = () => estimateTokens(`${beginning.join('\n')}${lines.slice(from, to).join('\n')}`);
  while (estimateSize() < budgetTokens && (from > beginning.length || to < lines.length)) {
    from = Math.max(beginning.length, from - 20);
    to = Math.min(lines.length, to + 20);
  }
  const omitted = from > beginning.length ? ['(Lines are not shown here.)'] : [];
  const omissionNotice = to < lines.length ? ['(The rest of this file is not shown.)'] : [];
  return [...beginning, ...omitted, ...lines.slice(from, to), ...omissionNotice].join('\n');
}

/** Whole lines from the start of the text, within about this many tokens; empty if the first line is longer. */
function firstLines(text: string, tokens: number): string {
  const cut = cutToTokens(text, tokens);
  return cut.slice(0, cut.lastIndexOf('\n') + 1);
}
