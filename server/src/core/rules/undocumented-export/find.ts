// undocumented-export: finds exports whose comment is not a doc comment, so that editors do not show it.

import type { ExportWithComment, ModuleExports } from '../../analysis/script/exportedDeclaration.ts';
import { findDocCommentRange, findLeadingComments } from '../../analysis/script/leadingComments.ts';
import type { Finding } from '../finding.ts';
import type { ExportFinder } from '../finders.ts';

export const finder: ExportFinder = { find: findUndocumentedExports };

/** Matches comments about the origin of code, the reason for it or its use by others, and not about its purpose. */
const REMARK_PATTERN =
  /should not be|\bwe (should|need|have|must|can|could|only|use|want)\b|\bideally\b|^\W*::|^\W*\w+(-\w+)+ (start|end|begin|on|off)\b|do not use|for (use in )?test|only (exported|used)|^\W*(step \d|note|((fix(es|ed)?|closes|resolves|refs?) +)?(for +)?(issue +)?(#|gh-)\d+\b|see|use|(this|it) is (used|called|needed)|must|need(ed|s)?|model(l)?ed|based|copied|adapted|borrowed|taken|ported|inspired|moved|from|for|to|we|i|because|since|due|separate|temporary|workaround|overload|legacy|warning|beware|caution|helper for|what's going on|th(is|e)se [\w ]{1,30} must|only here|exported (for|so|to)|the [\w ]{1,60} (is|are) only)\b/i;
/** Matches a list of names: `alias, label, ?type, $link`, `too_big | too_small`. */
const LIST_PATTERN = /^[?$@]?[\w.]+(\s*[,;|/]\s*[?$@]?[\w.]+){2,}$/;
/** Minimum number of words of an explanation. A comment with fewer is a remark. */
const MIN_WORDS = 4;
/** Matches comments for tools, licences, and notes about work to do. */
const NON_PROSE_PATTERN =
  /__[A-Z_]+__|^\W*@|eslint|prettier|biome|ts-prune|knip|cspell|noinspection|oxlint|tslint|@ts-|istanbul|v8 ignore|c8 ignore|webpack|vite|pragma|todo|fixme|xxx|hack|#(end)?region|copyright|licen[cs]e|spdx|@preserve|@format|use (strict|client|server)/i;

/**
 * Reports a function or class with an ordinary comment directly above it, in a file with other doc comments, because a
 * recipe can turn it into a doc comment. A team that writes `//` everywhere does so on purpose. Exports without any
 * comment are not reported; the ruler counts both.
 */
function findUndocumentedExports(moduleExports: ModuleExports): Finding[] {
  if (!hasOtherDocComments(moduleExports)) return [];
  return moduleExports.exported.flatMap((declaration): Finding[] => {
    if (declaration.doc !== 'none' || !isCallable(declaration)) return [];
    const comment = findCommentAbove(declaration, moduleExports.text);
    if (!comment) return [];
    const { name, kind, start, end, nameStart, nameEnd } = declaration;
    return [
      {
        rule: 'undocumented-export',
        start,
        end,
        nameStart,
        nameEnd,
        impact: 15,
        confidence: 0.8,
        message: `\`${name}\` is exported; the comment above it would be shown by editors if it were a doc comment.`,
        evidence: { kind, comment },
        recipe: 'doc-comment',
        identity: name,
      },
    ];
  });
}

/** True if another top-level declaration has a doc comment. */
function hasOtherDocComments({ text, exported, declarationPositions }: ModuleExports): boolean {
  return (
    exported.some(({ doc }) => doc === 'documented') ||
    declarationPositions.some((pos) => findDocCommentRange(text, pos) !== null)
  );
}

/** True for functions and classes, which are used far from the comment above them. */
function isCallable({ kind }: ExportWithComment): boolean {
  return kind === 'function' || kind === 'class' || kind === 'constant function';
}

/**
 * Kind of the ordinary comment that ends on the line above: a run of `//` lines or a block. Null if there is none, if
 * it follows code on its line, or if it is not prose about the declaration.
 */
function findCommentAbove({ pos, start }: ExportWithComment, text: string): 'line' | 'block' | null {
  const comments = findLeadingComments(text, pos);
  const lastComment = comments.at(-1);
  if (!lastComment) return null;
  if (!/^[^\S\r\n]*(\r\n|\r|\n)[^\S\r\n]*$/.test(text.slice(lastComment.end, start))) return null;
  if (text.startsWith('/*', lastComment.pos))
    return isProse(text.slice(lastComment.pos, lastComment.end)) && !isTrailing(text, lastComment.pos) ? 'block' : null;
  const commentRun = [lastComment];
  for (let index = comments.length - 2; index >= 0; index--) {
    const previousComment = comments[index]!;
    if (
      !text.startsWith('//', previousComment.pos) ||
      !/^(\r\n|\r|\n)[^\S\r\n]*$/.test(text.slice(previousComment.end, commentRun[0]!.pos))
    )
      break;
    commentRun.unshift(previousComment);
  }
  if (isTrailing(text, commentRun[0]!.pos)) return null;
  const commentLines = commentRun.map((line) => text.slice(line.pos, line.end));
  return commentLines.every((line) => !NON_PROSE_PATTERN.test(line)) && isProse(commentLines.join('\n'))
    ? 'line'
    : null;
}

/** True for a comment after code on its line. */
function isTrailing(text: string, pos: number): boolean {
  const lineStart = text.lastIndexOf('\n', pos - 1) + 1;
  return text.slice(lineStart, pos).trim() !== '';
}

/**
 * True for a comment of at least `MIN_WORDS` words that is none of these: matched by `NON_PROSE_PATTERN`, a divider, a
 * heading or half sentence, a remark, a list, commented-out code.
 */
function isProse(comment: string): boolean {
  if (NON_PROSE_PATTERN.test(comment)) return false;
  const commentText = comment.replace(/^\/\*+|(?<!\*)\*+\/$|^[^\S\n]*\/\/+|^[^\S\n]*\*/gm, '').trim();
  if (
    (commentText.replace(/\bhttps?:\S+/g, '').match(/\p{L}{2,}/gu) ?? []).length < MIN_WORDS ||
    /([-=*#~─])\1{3,}/.test(commentText)
  )
    return false;
  // A comment that ends like this is a heading of the following code, or an incomplete note.
  if (/[:,;-]$/.test(commentText)) return false;
  if (
    REMARK_PATTERN.test(commentText) ||
    LIST_PATTERN.test(commentText) ||
    commentText.split('\n').every((line) => /^\s*[-*•] /.test(line))
  )
    return false;
  return !/[;{}][^\S\n]*$|^[^\S\n]*(import|export|const|let|var|return|if|for|function)\b.*[=({]|=>/m.test(commentText);
}
