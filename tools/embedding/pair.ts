// What is learned from: a few words in a person's language and the code that they are about.

/**
 * `doc` comment of a definition, `commit` subject and what it added, `test` title and its body, `name` of a definition
 * and its body.
 */
export type PairKind = 'doc' | 'commit' | 'test' | 'name';

export interface Pair {
  readonly kind: PairKind;
  readonly words: string;
  readonly code: string;
  readonly path: string;
  /** Names that the code defines; they count extra, as in the index. */
  readonly names: readonly string[];
}

const MIN_WORDS = 3;
const MAX_WORDS = 60;
const boilerplate =
  /copyright|licen[sc]e|all rights reserved|eslint|prettier|tslint|nolint|noinspection|istanbul|@ts-|pragma|generated|do not edit|todo\b|fixme|spdx|https?:\/\/\S+$|-\*-|vim:|^[=*#-]{3}|inheritdoc|see also/i;

/** The first sentence or two of a comment, freed of markup; null when it is not about code. */
export function summaryOf(comment: string): string | null {
  const plain = comment
    .replaceAll(/\{@\w+\s+([^}]*)\}/g, '$1')
    .replaceAll(/<\/?[a-z][^>]*>/gi, ' ')
    .replaceAll(/:\w+:`~?([^`]*)`/g, '$1')
    .replaceAll(/\[`?([^\]`]+)`?\](\([^)]*\)|\[[^\]]*\])?/g, '$1')
    .replaceAll(/`+/g, '');
  const paragraph = plain
    .split(
      /\n\s*\n|\n\s*(?:@|:param|:return|\\(?:param|return|brief)|Args:|Arguments:|Parameters|Returns?:|Example|#\s|[-=]{3})/,
    )[0]!
    .replaceAll(/\\(brief|ref|c|p)\b/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const sentences = paragraph
    .split(/(?<=[.!?])\s+(?=[A-Z])/)
    .slice(0, 2)
    .join(' ')
    .slice(0, 400);
  return isTelling(sentences) ? sentences : null;
}

/** Enough words, mostly letters, no boilerplate. */
export function isTelling(words: string): boolean {
  const count = words.split(' ').filter((word) => /[a-z]{2}/i.test(word)).length;
  if (count < MIN_WORDS || count > MAX_WORDS || boilerplate.test(words)) return false;
  const letters = words.match(/[a-z ]/gi)?.length ?? 0;
  return letters / words.length > 0.8;
}
