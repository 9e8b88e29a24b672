// Finds the purpose of a folder or file as the repository states it: in a README, a manifest, or the comment at its
// top.

/** The purpose of a folder or file, as the repository states it. */
export interface Purpose {
  readonly text: string;
  /** The file with the text. */
  readonly source: string;
}

/** Maximum number of characters of a purpose. */
const MAX_PURPOSE_CHARACTERS = 240;

/**
 * The first sentence of prose in a README; null if there is none. Headings, badges, pictures, lists, markup, references
 * to other pages and sentences of fewer than three words are skipped.
 */
export function readReadmePurpose(text: string): string | null {
  const prose = text
    .replace(/<!--[\s\S]*?(?:-->|(?![\s\S]))/g, '')
    .replace(/```[\s\S]*?(?:```|(?![\s\S]))/g, '')
    .replace(/^---\n[\s\S]*?\n---\n/, '');
  for (const block of prose.split(/\n\s*\n/)) {
    const lines = block
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    if (
      lines.length === 0 ||
      lines.some((line) => /^([=~#*-]{3,}|\.\. )/.test(line)) ||
      /^(#|<|!\[|\[!\[|[-*+] |\d+\. |>|\||```)/.test(lines[0]!)
    )
      continue;
    const plainText = lines
      .join(' ')
      .replace(/!\[[^[\]]*\]\([^()]*\)/g, '')
      .replace(/\[([^[\]]*)\](\([^()]*\)|\[[^[\]]*\])/g, '$1')
      .replace(/<[^<>]+>/g, '')
      .replace(/[*_`]{1,3}/g, '')
      .replace(/\s+/g, ' ')
      .trim();
    const sentence = findFirstSentence(plainText);
    // At least three words, and not only a reference to another place.
    if (
      /\p{L}{2}\P{L}+\p{L}{2,}\P{L}+\p{L}{2}/u.test(sentence) &&
      !/^(see|read|visit|click|documentation|docs)\b/i.test(sentence)
    )
      return sentence;
  }
  return null;
}

/**
 * The first sentence of the comment or docstring at the top of a source file; null if there is none. Licences and
 * directives are skipped.
 */
export function findTopCommentPurpose(text: string): string | null {
  let remaining = text.replace(/^\uFEFF/, '').replace(/^#!.*\n/, '');
  for (let tries = 0; tries < 4; tries++) {
    const comment = readTopComment(remaining.trimStart());
    if (!comment) return null;
    const paragraph = findFirstParagraph(comment.text);
    if (
      /^[\p{Lu}\p{N}"'`(].*\p{L}{3}\s+\p{L}{2}/u.test(paragraph) &&
      !/copyright|licen[cs]e|SPDX|@ts-|eslint|prettier|biome|istanbul|flow strict|coding[:=]|<reference|vim:|pylint|mypy:|noqa|@vitest|@jest|#region|generated/i.test(
        paragraph,
      )
    )
      return findFirstSentence(paragraph);
    remaining = remaining.trimStart().slice(comment.length);
  }
  return null;
}

/** The first paragraph without underlined titles and the markup of roles (reStructuredText). */
function findFirstParagraph(text: string): string {
  const body = text.replace(/^.*\n[^\S\n]*([=~^-])\1{2,}[^\S\n]*$/gm, '').replace(/:\w+:`~?([^`]*)`/g, '$1');
  const paragraph = body.split(/\n\s*\n/).find((part) => part.trim() !== '') ?? '';
  return paragraph.replace(/\s+/g, ' ').trim();
}

/**
 * The comment or doc string with which a text begins, without its marks, and the length of its source in the text. A
 * directive such as `'use strict'` counts as an empty comment. Null if there is neither.
 */
function readTopComment(text: string): { readonly text: string; readonly length: number } | null {
  const block =
    /^\/\*+!?([\s\S]*?)\*\//.exec(text) ??
    /^[rRuU]?"""([\s\S]*?)"""/.exec(text) ??
    /^[rRuU]?'''([\s\S]*?)'''/.exec(text);
  if (block) return { text: block[1]!.replace(/^[^\S\n]*\* ?/gm, ''), length: block[0].length };
  const lines = /^(?:[ \t]*(?:\/\/[/!]?|#!?\[?|--|;;?).*(?:\n|$))+/.exec(text);
  if (lines && !/^#\[|^#include|^#define|^#if|^#pragma/.test(lines[0]))
    return { text: lines[0].replace(/^[ \t]*(?:\/\/[/!]?|#|--|;;?)[ \t]?/gm, ''), length: lines[0].length };
  const directive = /^(['"])use \w+\1;?/.exec(text);
  return directive ? { text: '', length: directive[0].length } : null;
}

function findFirstSentence(prose: string): string {
  const end = /[.!?](?=\s+[\p{Lu}\p{N}"'(]|$)/u.exec(prose);
  const sentence = end ? prose.slice(0, end.index + 1) : prose;
  return sentence.length > MAX_PURPOSE_CHARACTERS ? `${sentence.slice(0, MAX_PURPOSE_CHARACTERS - 1)}…` : sentence;
}
