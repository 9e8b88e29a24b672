// Names an element of a list by the singular of the English name of the list.

import { IRREGULAR_SINGULARS, SINGULARS_IN_S, RESERVED_WORDS } from './elementWords.ts';

/**
 * The name of an element: `orderItem` for `orderItems`. Null if the singular is uncertain, reserved, or shorter than
 * three letters.
 */
export function findElementName(listName: string): string | null {
  const [, head = '', word = ''] = /^(.*?)([A-Z]?[a-z]+)$/.exec(listName.replace(/^[_$#]+/, '')) ?? [];
  const lowerCaseWord = word.toLowerCase();
  const singular = findSingular(lowerCaseWord);
  if (!singular) return null;
  const name = head + (word === lowerCaseWord ? singular : singular[0]!.toUpperCase() + singular.slice(1));
  return RESERVED_WORDS.has(name) || name.length < 3 ? null : name;
}

/** The singular of a lower-case word, or the word itself if no singular is known. */
export function toSingular(word: string): string {
  return findSingular(word) ?? word;
}

/** The singular of a lower-case English plural; null if it is uncertain. */
function findSingular(word: string): string | null {
  const irregular = IRREGULAR_SINGULARS.get(word);
  if (irregular !== undefined) return irregular;
  if (SINGULARS_IN_S.has(word) || word.length < 4 || !word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return null;
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : null;
  if (/(?:ches|shes|xes|sses|zzes)$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}
