// Removes lines that npm, yarn and pnpm print around the output of a command, because they are not about the change.

import { removeEscapeSequences } from './plainText.ts';

/** Each pattern matches a whole line. Errors are not removed, because they may explain a failure. */
const NOISE_PATTERNS: readonly RegExp[] = [
  /^npm (warn|notice)\b/i,
  /^\d+ packages? (is|are) looking for funding$/,
  /^\s*run `npm fund` for details$/,
  /^yarn run v\d[\d.]*$/,
  /^warning (\S*package\.json: |package\.json: |"[^"]*" has |No lockfile found|Resolution field |Skipping |Ignored |\S+@\S+: )/,
  /^info Visit https:\/\/yarnpkg\.com\/\S* for documentation about this command\.$/,
  /^➤ YN\d{4}: /,
  /^\s?WARN {1,2}(Unsupported engine|deprecated|\d+ deprecated|Issues with peer|Failed to replace env|The "|Local package\.json|Ignored build scripts|There are cyclic)/,
  /^[╭╰][─┬┴]+[╮╯]$/,
  /^│.*(Update available!|Changelog: https:|pnpm (self-update|add -g pnpm)|npm install -g npm).*│$/,
];

/** Returns the text without such lines, and the removed lines in order. */
export function splitManagerNoise(text: string): { readonly text: string; readonly noise: string } {
  const remainingLines: string[] = [];
  const noise: string[] = [];
  for (const line of text.split('\n')) {
    const plainLine = removeEscapeSequences(line).trimEnd();
    (NOISE_PATTERNS.some((pattern) => pattern.test(plainLine)) ? noise : remainingLines).push(line);
  }
  return noise.length === 0 ? { text, noise: '' } : { text: remainingLines.join('\n'), noise: noise.join('\n') };
}
