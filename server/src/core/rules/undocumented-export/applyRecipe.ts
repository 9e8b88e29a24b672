// doc-comment: turns the comment directly above an exported symbol into a doc comment, so that editors and tools show
// it.

import { ts } from 'ts-morph';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import {
  readCommentLines,
  findCommentsAbove,
  isDirectiveComment,
  isLicenceComment,
  type Comment,
} from '../../propose/syntax/comments.ts';
import { findExportedDeclaration } from '../../propose/exports/exportedDeclaration.ts';
import { findSpan } from '../../propose/syntax/locate.ts';
import { looksLikeCode, addsNoWordTo, looksLikeHeading } from '../../propose/syntax/prose.ts';
import { applyReplacements, indentAt, lineStart } from '../../propose/textEdit.ts';

/** Matches the beginning of a line with a known tag of doc comments. Any other tag may be for a tool. */
const DOC_TAG_PATTERN =
  /^@(?:param|returns?|throws|example|deprecated|see|remarks|template|default|defaultValue|since|internal|public|private|protected|readonly|alpha|beta|experimental|typeParam|link|type|property|yields|todo|override|virtual|sealed)\b/;

/**
 * Turns the plain comment above an exported declaration into a doc comment. Refuses if the comment is not an
 * explanation of the declaration: if it is for a tool, a licence, a heading, a note, or code.
 */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { sourceFile, text, opportunity, style } = context;
  const span = findSpan(sourceFile, opportunity.nameRange) ?? findSpan(sourceFile, opportunity.range);
  const exportedDeclaration = span && findExportedDeclaration(sourceFile, span, opportunity.symbol);
  if (!exportedDeclaration) return refuse('There is no longer an exported symbol here.');
  const comments = findLastCommentGroup(findCommentsAbove(sourceFile, exportedDeclaration.node));
  const [firstComment] = comments;
  const lastComment = comments.at(-1);
  if (!firstComment || !lastComment) return refuse('There is no comment right above the symbol.');
  if (lastComment.text.startsWith('/**') && lastComment.text !== '/**/')
    return refuse('The symbol has a doc comment already.');
  if (comments.some(isLicenceComment)) return refuse('The comment is a licence notice.');
  if (comments.some(isDirectiveComment)) return refuse('A tool reads the comment.');

  const lines = comments.flatMap((comment) => readCommentLines(comment));
  const reason = explainRefusal(
    lines,
    exportedDeclaration.name,
    text,
    firstComment,
    exportedDeclaration.node,
    sourceFile,
  );
  if (reason) return refuse(reason);
  return {
    text: applyReplacements(text, [
      {
        start: firstComment.start,
        end: lastComment.end,
        text: createDocCommentText(comments, lines, indentAt(text, firstComment.start), style.newline),
      },
    ]),
    title: `turn the comment of ${exportedDeclaration.name} into a doc comment`,
    namesPlace: true,
    rationale:
      `${exportedDeclaration.name} is exported and explained by a plain comment, which neither editors nor documentation ` +
      `tools show to its users.`,
  };
}

/** The last comments that belong together: a run of `//` comments, or one block comment. Empty if there are none. */
function findLastCommentGroup(comments: readonly Comment[]): readonly Comment[] {
  const lastComment = comments.at(-1);
  if (!lastComment) return [];
  if (!lastComment.isLine) return [lastComment];
  const lastBlockIndex = comments.findLastIndex(({ isLine }) => !isLine);
  return comments.slice(lastBlockIndex + 1);
}

/**
 * The reason why the comment should not become a doc comment of `node`; null if it should. `lines`: the text of the
 * comment without marks.
 */
function explainRefusal(
  lines: readonly string[],
  name: string,
  text: string,
  firstComment: Comment,
  node: ts.Node,
  sourceFile: ts.SourceFile,
): string | null {
  const nonEmptyLines = lines.map((line) => line.trim()).filter((line) => line);
  if (nonEmptyLines.length === 0) return 'The comment is empty.';
  // Matches lines such as `-----`, and text between such marks.
  if (
    nonEmptyLines.some(
      (line) => /^[-=*#~_/\\+<>.─━═\s]{3,}$/.test(line) || /^[-=*#~_─━═]{3,}|[-=*#~_─━═]{4,}$/.test(line),
    )
  )
    return 'The comment is a heading that separates parts of the file.';
  if (
    nonEmptyLines.every((line) => /^(TODO|FIXME|HACK|XXX)\b/i.test(line)) ||
    /^(TODO|FIXME|HACK|XXX)\b/i.test(nonEmptyLines[0] ?? '')
  )
    return 'The comment is a note about work to do.';
  if (nonEmptyLines.some((line) => line.startsWith('@') && !DOC_TAG_PATTERN.test(line)))
    return 'The comment has a tag that tools may read.';
  if (looksLikeCode(nonEmptyLines)) return 'The comment is code that was commented out.';
  if (addsNoWordTo(name, nonEmptyLines)) return 'The comment only repeats the name.';
  if (looksLikeHeading(nonEmptyLines)) return 'The comment is a heading rather than an explanation.';
  if (beginsGroup(node, sourceFile)) return 'The comment may describe the whole group of lines below it.';
  if (
    isAtTop(text, firstComment) &&
    /^(this (file|module|package)|file\b|module\b|entry\b)|@(file|module)/i.test(nonEmptyLines[0] ?? '')
  )
    return 'The comment describes the file.';
  return null;
}

/**
 * True for a declaration on one line if another declaration of the same kind follows on the next line without a
 * comment, because they may share the comment above. False for functions and methods.
 */
function beginsGroup(node: ts.Node, sourceFile: ts.SourceFile): boolean {
  const siblings =
    ts.isSourceFile(node.parent) || ts.isModuleBlock(node.parent)
      ? node.parent.statements
      : ts.isClassLike(node.parent) || ts.isInterfaceDeclaration(node.parent)
        ? node.parent.members
        : null;
  const siblingNodes: readonly ts.Node[] = siblings ?? [];
  const nextSibling = siblingNodes[siblingNodes.indexOf(node) + 1];
  if (!nextSibling || nextSibling.kind !== node.kind || ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node))
    return false;
  const lineOf = (position: number) => sourceFile.getLineAndCharacterOfPosition(position).line;
  const isOneLine = lineOf(node.getStart(sourceFile)) === lineOf(node.end);
  return (
    isOneLine &&
    lineOf(nextSibling.getStart(sourceFile)) === lineOf(node.end) + 1 &&
    findCommentsAbove(sourceFile, nextSibling).length === 0
  );
}

/** True if nothing but a `#!` line is above the comment in the file. */
function isAtTop(text: string, firstComment: Comment): boolean {
  return /^(#![^\n]*\n)?\s*$/.test(text.slice(0, lineStart(text, firstComment.start)));
}

/**
 * The text of the doc comment. A block comment whose lines begin with stars only gets one more star. Other comments are
 * rewritten line by line.
 */
function createDocCommentText(
  comments: readonly Comment[],
  lines: readonly string[],
  indent: string,
  newline: string,
): string {
  const [onlyComment] = comments;
  if (comments.length === 1 && onlyComment && !onlyComment.isLine) {
    const innerLines = onlyComment.text.slice(2, -2).split(/\r?\n/).slice(1);
    const isStarred =
      innerLines.length > 0 &&
      innerLines.every((line) => line.startsWith(`${indent} *`) || line === `${indent} `) &&
      !onlyComment.text.slice(2).startsWith('*');
    if (isStarred) return `/**${onlyComment.text.slice(2)}`;
  }
  const escapedLines = lines.map((line) => line.replaceAll('*/', '*\\/'));
  const [onlyLine] = escapedLines;
  if (escapedLines.length === 1 && onlyLine !== undefined) return `/** ${onlyLine.trim()} */`;
  return ['/**', ...escapedLines.map((line) => `${indent} *${line ? ` ${line}` : ''}`), `${indent} */`].join(newline);
}
