// Separates the options of a command from its other words.

import type { Word } from './shellWords.ts';

/**
 * Separates options, with their values, and subcommands from other words, such as file names, which the caller
 * replaces. `others`: the other words. `firstOther`: index of the first of them; -1 if there is none.
 */
export function splitWords(
  words: readonly Word[],
  valued: ReadonlySet<string>,
  verbs: ReadonlySet<string>,
): { readonly options: readonly string[]; readonly others: readonly string[]; readonly first: number } {
  const options: string[] = [];
  const otherOptions: string[] = [];
  let firstOther = -1;
  for (let index = 0; index < words.length; index += 1) {
    const { value, text } = words[index]!;
    if (!value.startsWith('-') && !verbs.has(value)) {
      if (firstOther < 0) firstOther = index;
      otherOptions.push(value);
      continue;
    }
    options.push(text);
    if (!valued.has(value) || words[index + 1] === undefined) continue;
    index += 1;
    options.push(words[index]!.text);
  }
  return { options, others: otherOptions, first: firstOther };
}

/** True if the words contain a flag with any value, such as `-count=5` for `-count=1`. */
export function isFlagGiven(testOptionIndex: string, words: readonly Word[]): boolean {
  const [name = ''] = testOptionIndex.split('=');
  return words.some(({ value }) => value === name || value.startsWith(`${name}=`));
}
