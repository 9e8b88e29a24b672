// Judges the text of a comment: whether it is commented-out code, a heading, or a repetition of the name of the
// declaration.

import { parseSource, listSyntaxErrors } from './parse.ts';
import { createWordSet } from '../../../util/wordSet.ts';

/** Words that add nothing to a name. */
const FILLER_WORDS = createWordSet(`
  a an the of for to in on and or is are be this that it its with by from as at class function method type interface
  enum const constant variable value object default exported export module component helper
`);

/**
 * True if the lines parse as statements and one of them looks like code, or if at least half of them begin or end like
 * code.
 */
export function looksLikeCode(lines: readonly string[]): boolean {
  if (canParse(lines.join('\n')) && lines.some(hasCodeMarks)) return true;
  const codeLines = lines.filter((line) => /[;{}]$|^[}\])]/.test(line) && (hasCodeMarks(line) || /^[}\])]/.test(line)));
  return codeLines.length * 2 >= lines.length;
}

/** True if every meaningful word of the lines is already in the name. */
export function addsNoWordTo(name: string, lines: readonly string[]): boolean {
  const nameStems = new Set(splitIntoWords(name).map(reduceToStem));
  const meaningfulWords = lines.flatMap(splitIntoWords).filter((word) => !FILLER_WORDS.has(word));
  return meaningfulWords.every((word) => nameStems.has(reduceToStem(word)));
}

/** True for at most two words without punctuation at their end, which are a heading rather than an explanation. */
export function looksLikeHeading(lines: readonly string[]): boolean {
  const text = lines.join(' ');
  return text.split(/\s+/).length <= 2 && !/[.!?]$/.test(text);
}

/** Splits prose or an identifier into words in lower case. */
export function splitIntoWords(text: string): string[] {
  return text
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word);
}

/** A rough stem of an English word, for comparing words. */
function reduceToStem(word: string): string {
  return word.replace(/(?:ies|ied)$/, 'y').replace(/(?:ing|ers?|ed|es|s|e)$/, '');
}

/** True if the text parses as statements. */
function canParse(text: string): boolean {
  const source = parseSource('comment.tsx', text);
  return source !== null && source.statements.length > 0 && listSyntaxErrors(source).length === 0;
}

/** True if the line contains signs or keywords that are frequent in code and rare in prose. */
function hasCodeMarks(line: string): boolean {
  return /[;{}]|=>|[\w\])]\s*=\s*\S|^\s*(import|export|const|let|var|return|if|for|while|throw|await)\b|[\w$]\(.*\)$|\w\.\w+\(/.test(
    line,
  );
}
