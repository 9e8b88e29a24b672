// Finds names in code that is commented out. Somebody may activate such code again, so its names count as used.

import type { ts } from 'ts-morph';
import { findComments } from '../script/scriptComments.ts';

/**
 * Matches signs of code: calls, assignments, tags, members, ends of statements and items. Prose has some of them, too
 * (`;`, `e.g.`, a comma at the end of a line); then a name counts as used although only prose contains it.
 */
const CODE_PATTERN = /[;{}=]|\w\(|<\/?\w|\w\.\w|,\s*$/;

/**
 * True if a comment other than a doc comment contains a line with this name that looks like code. Lines that begin
 * with TODO, FIXME, NOTE or XXX do not count.
 */
export function isNamedInCommentedCode(name: string, sourceFile: ts.SourceFile): boolean {
  const { text } = sourceFile;
  const comments = findComments(sourceFile);
  for (let offset = text.indexOf(name); offset >= 0; offset = text.indexOf(name, offset + name.length)) {
    if (isWordPart(text[offset - 1]) || isWordPart(text[offset + name.length])) continue;
    const comment = comments.commentAround(offset);
    if (!comment || text.startsWith('/**', comment.start)) continue;
    const start = Math.max(comment.start, text.lastIndexOf('\n', offset) + 1);
    const newline = text.indexOf('\n', offset);
    const end = Math.min(comment.end, newline < 0 ? text.length : newline);
    const line = text
      .slice(start, end)
      .replace(/^\s*(\/\/+|\/\*+|\*(?!\/))/, '')
      .replace(/(?<!\s)\s*\*\/$/, '');
    if (CODE_PATTERN.test(line) && !/^\s*(TODO|FIXME|NOTE|XXX)\b/.test(line)) return true;
  }
  return false;
}

function isWordPart(letter: string | undefined): boolean {
  return letter !== undefined && /[\w$]/.test(letter);
}
