// Composes the name of a shared function from the words that the names of two functions have in common.

import { joinInCamelCase, isVerb, toVerb } from '../extraction/nameWords.ts';
import { splitIntoWords } from '../syntax/prose.ts';

/** Matches words that connect others; a name must not end with them. */
const CONNECTING_WORDS = /^(by|for|from|to|with|in|on|of|and|or|not)$/;

/** Words that mark variants, which are separate on purpose because each of them will change independently. */
const VARIANT_WORDS = new Set(
  (
    'win windows win32 linux unix posix mac macos darwin ios android node browser deno bun web native esm cjs ' +
    'legacy old new sync async v1 v2 v3 v4 mysql postgres sqlite mssql oracle'
  ).split(' '),
);

/** Finds the longest common subsequence of the words of both names. */
export function findCommonWords(first: readonly string[], second: readonly string[]): string[] {
  const lengthTable = Array.from({ length: first.length + 1 }, () => new Array<number>(second.length + 1).fill(0));
  for (let firstIndex = first.length - 1; firstIndex >= 0; firstIndex--)
    for (let secondIndex = second.length - 1; secondIndex >= 0; secondIndex--)
      lengthTable[firstIndex]![secondIndex] =
        first[firstIndex] === second[secondIndex]
          ? lengthTable[firstIndex + 1]![secondIndex + 1]! + 1
          : Math.max(lengthTable[firstIndex + 1]![secondIndex]!, lengthTable[firstIndex]![secondIndex + 1]!);
  const words: string[] = [];
  for (let [firstIndex, secondIndex] = [0, 0]; firstIndex < first.length && secondIndex < second.length; ) {
    if (first[firstIndex] === second[secondIndex]) {
      words.push(first[firstIndex]!);
      firstIndex++;
      secondIndex++;
    } else if (lengthTable[firstIndex + 1]![secondIndex]! >= lengthTable[firstIndex]![secondIndex + 1]!) firstIndex++;
    else secondIndex++;
  }
  return words;
}

/**
 * The common words of both names: `validateKey` for `validateUserKey` and `validateRoleKey`. Null if they are not a
 * verb and a noun, if the result is one of the two names, or if the names are variants for platforms or versions.
 */
export function composeSharedName(first: string, second: string): string | null {
  const [firstWords, secondWords] = [splitIntoWords(first), splitIntoWords(second)];
  const words = findCommonWords(firstWords, secondWords);
  if ([...firstWords, ...secondWords].some((word) => VARIANT_WORDS.has(word) && !words.includes(word))) return null;
  while (words.length > 0 && CONNECTING_WORDS.test(words.at(-1)!)) words.pop();
  const [verb, ...nouns] = words;
  const name = joinInCamelCase(words);
  const beginsWithVerb =
    verb !== undefined && ((firstWords[0] === verb && secondWords[0] === verb) || isVerb(toVerb(verb) ?? verb));
  return beginsWithVerb && nouns.length > 0 && name !== first && name !== second ? name : null;
}

/**
 * The common verb of both names with the noun that the functions work on: `settleOrders` for `settleOpen` and
 * `settleClosed`. Null unless the names have only a verb in common, and for variants for platforms or versions.
 */
export function composeVerbName(first: string, second: string, noun: string): string | null {
  const [firstWords, secondWords] = [splitIntoWords(first), splitIntoWords(second)];
  const [verb, ...otherWords] = findCommonWords(firstWords, secondWords);
  if (!isVerb(verb) || otherWords.length > 0 || firstWords[0] !== verb || secondWords[0] !== verb) return null;
  if ([...firstWords, ...secondWords].some((word) => VARIANT_WORDS.has(word))) return null;
  const name = joinInCamelCase([verb, ...splitIntoWords(noun)]);
  return name !== first && name !== second ? name : null;
}

/**
 * True if `narrow` has all words of `general` in the same order and further ones: `onBatchEnd` and `onEnd`. False if
 * one of the added words names a platform or a version.
 */
export function isNarrower(narrow: string, general: string): boolean {
  const [generalWords, narrowWords] = [splitIntoWords(general), splitIntoWords(narrow)];
  if (narrowWords.some((word) => VARIANT_WORDS.has(word) && !generalWords.includes(word))) return false;
  return (
    generalWords.length < narrowWords.length &&
    findCommonWords(generalWords, narrowWords).length === generalWords.length
  );
}
