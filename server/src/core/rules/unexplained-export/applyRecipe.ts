// document-from-evidence: documents an exported function by known facts: values that its tests assert, errors that it
// throws, and a comment at the start of its body.

import { ts } from 'ts-morph';
import { listExportSpecifiers } from '../../syntax/exportLists.ts';
import { findExamples, type ExampleCall } from '../../propose/evidence/examples.ts';
import { findImportingTests } from '../../propose/evidence/testFiles.ts';
import { findThrownErrors, type ThrownError } from '../../propose/evidence/thrownErrors.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import type { Style } from '../../propose/fileStyle.ts';
import {
  readCommentLines,
  findCommentsAbove,
  isDirectiveComment,
  isLicenceComment,
} from '../../propose/syntax/comments.ts';
import { findExportedDeclaration, type ExportedDeclaration } from '../../propose/exports/exportedDeclaration.ts';
import { findSpan, type Span } from '../../propose/syntax/locate.ts';
import { looksLikeCode, addsNoWordTo, splitIntoWords } from '../../propose/syntax/prose.ts';
import { applyReplacements, indentAt, lineEnd, lineStart, nextLineStart } from '../../propose/textEdit.ts';
import { hasModifier } from '../../syntax/declarations/modifiers.ts';

/** Minimum number of words of a comment in the body. Fewer words hardly explain a function. */
const MIN_WORDS = 4;

/**
 * Writes a doc comment above the export. Refuses if neither tests nor code state anything about the function, if there
 * is a comment above it already, or if it has no name.
 */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { sourceFile, text, opportunity, path, tree, style } = context;
  const span = findSpan(sourceFile, opportunity.nameRange) ?? findSpan(sourceFile, opportunity.range);
  const exportedDeclaration = span && findExportedDeclaration(sourceFile, span, opportunity.symbol);
  const owner = exportedDeclaration && findFunction(exportedDeclaration.node, exportedDeclaration.name);
  if (!exportedDeclaration || !owner) return refuse('There is no longer an exported function here.');
  const commentsAbove = findCommentsAbove(sourceFile, exportedDeclaration.node);
  if (commentsAbove.some((comment) => !isDirectiveComment(comment) || comment.text.startsWith('/**')))
    return refuse('There is a comment above it already.');

  const summary = findSummary(owner, sourceFile, exportedDeclaration.name);
  if (exportedDeclaration.name === 'default') return refuse('It has no name that an example could call it by.');
  const thrownErrors = findThrownErrors(owner, sourceFile);
  const examples = findExamples(
    findImportingTests(tree, path),
    findExportedName(sourceFile, exportedDeclaration),
    exportedDeclaration.name,
  );
  // Errors alone are only enough in files that document errors; otherwise they would be the whole comment.
  const areErrorsEnough = summary !== null || examples.length > 0 || /@throws/.test(text);
  if (!summary && examples.length === 0 && (thrownErrors.length === 0 || !areErrorsEnough))
    return refuse('Neither tests nor the code itself tell anything about it that a comment could say.');
  const lines = collectLines(summary?.lines ?? null, thrownErrors, examples, style);
  if (!lines.some((line) => addsWordTo(line, exportedDeclaration.name)))
    return refuse('All that is known of it repeats its name.');

  const knownParts = [summary, ...thrownErrors, ...examples].filter(Boolean);
  const start = commentsAbove[0]?.start ?? exportedDeclaration.node.getStart(sourceFile);
  const indent = indentAt(text, start);
  const [onlyLine] = lines;
  const comment =
    lines.length === 1 && onlyLine !== undefined
      ? `/** ${onlyLine} */`
      : ['/**', ...lines.map((line) => `${indent} *${line ? ` ${line}` : ''}`), `${indent} */`].join(style.newline);
  return {
    text: applyReplacements(text, [
      { start, end: start, text: `${comment}${style.newline}${indent}` },
      ...(summary ? [{ ...summary.removedSpan, text: '' }] : []),
    ]),
    title: `document ${exportedDeclaration.name}`,
    namesPlace: true,
    rationale:
      `${exportedDeclaration.name} is exported without a comment; ` +
      `${describeSources(summary !== null, thrownErrors, examples)} ${knownParts.length === 1 ? 'says' : 'say'} what to expect of it.`,
  };
}

/** The text of the doc comment line by line: summary, errors and examples, with an empty line between them. */
function collectLines(
  summary: readonly string[] | null,
  thrownErrors: readonly ThrownError[],
  examples: readonly ExampleCall[],
  style: Style,
): string[] {
  const end = style.semicolons ? ';' : '';
  const blocks = [
    summary ?? [],
    thrownErrors.map(({ type, sentence }) => `@throws {${type}} ${sentence}.`),
    examples.length > 0
      ? [
          '@example',
          ...examples.flatMap(({ call, value, title }, index) => [
            ...(title && title !== examples[index - 1]?.title ? [`// ${title}`] : []),
            `${call}${end} // ${value}`,
          ]),
        ]
      : [],
  ];
  return blocks.filter((block) => block.length > 0).flatMap((block, index) => (index === 0 ? block : ['', ...block]));
}

/** A phrase for the rationale: the sources of the comment. */
function describeSources(
  hasSummary: boolean,
  thrownErrors: readonly ThrownError[],
  examples: readonly ExampleCall[],
): string {
  const facts = [
    hasSummary ? 'the comment at the start of its body' : '',
    examples.length > 0
      ? `${examples.length === 1 ? 'a value' : `${examples.length} values`} that its tests assert`
      : '',
    thrownErrors.length > 0 ? 'the errors that it throws' : '',
  ].filter(Boolean);
  return facts.join(' and ');
}

/**
 * The comment at the start of the body, if a blank line separates it from the first statement, so that it is about the
 * whole function. `removedSpan`: the text that is removed when the comment moves up, including the blank line. Null if there
 * is no such comment, or if it does not explain the function: it is for a tool, a licence, a note, code, too short, or
 * only repeats the name.
 */
function findSummary(
  owner: ts.FunctionLikeDeclaration,
  sourceFile: ts.SourceFile,
  name: string,
): { readonly lines: readonly string[]; readonly removedSpan: Span } | null {
  const body = owner.body;
  if (!body || !ts.isBlock(body)) return null;
  const [firstStatement] = body.statements;
  const bodyStart = body.getStart(sourceFile) + 1;
  const comments = (ts.getLeadingCommentRanges(sourceFile.text, bodyStart) ?? []).map((range) => ({
    start: range.pos,
    end: range.end,
    text: sourceFile.text.slice(range.pos, range.end),
    isLine: range.kind === ts.SyntaxKind.SingleLineCommentTrivia,
  }));
  const lastComment = comments.at(-1);
  if (
    !firstStatement ||
    !lastComment ||
    comments.length !== (lastComment.isLine ? comments.filter(({ isLine }) => isLine).length : 1) ||
    comments.some((comment) => isDirectiveComment(comment) || isLicenceComment(comment))
  )
    return null;
  if (
    !/^[ \t]*$/.test(sourceFile.text.slice(bodyStart, lineEnd(sourceFile.text, bodyStart))) ||
    !/^[ \t]*\r?\n/.test(sourceFile.text.slice(nextLineStart(sourceFile.text, lastComment.end)))
  )
    return null;
  const lines = comments.flatMap(readCommentLines).map((line) => line.trim());
  const nonEmptyLines = lines.filter((line) => line);
  if (
    nonEmptyLines.length === 0 ||
    /^(todo|fixme|hack|xxx|note)\b/i.test(nonEmptyLines[0] ?? '') ||
    !/^[\p{L}`]/u.test(nonEmptyLines[0] ?? '') ||
    nonEmptyLines.some((line) => line.startsWith('@')) ||
    looksLikeCode(nonEmptyLines) ||
    addsNoWordTo(name, nonEmptyLines)
  )
    return null;
  if (splitIntoWords(nonEmptyLines.join(' ')).length < MIN_WORDS || nonEmptyLines.some((line) => line.includes('*/')))
    return null;
  return {
    lines: nonEmptyLines,
    removedSpan: {
      start: lineStart(sourceFile.text, comments[0]?.start ?? lastComment.start),
      end: nextLineStart(sourceFile.text, nextLineStart(sourceFile.text, lastComment.end)),
    },
  };
}

/**
 * The implementation of a declared function, or the function that is the value of a constant; null for other
 * declarations.
 */
function findFunction(node: ts.Node, name: string): ts.FunctionLikeDeclaration | null {
  if (ts.isFunctionDeclaration(node)) {
    // Overloads have no body: the implementation is below them.
    const siblings: readonly ts.Statement[] = ts.isSourceFile(node.parent) ? node.parent.statements : [];
    return (
      siblings.find(
        (other): other is ts.FunctionDeclaration & { readonly body: ts.Block } =>
          ts.isFunctionDeclaration(other) && other.name?.text === node.name?.text && other.body !== undefined,
      ) ?? null
    );
  }
  if (!ts.isVariableStatement(node)) return null;
  const value = node.declarationList.declarations.find(
    (declaration) => ts.isIdentifier(declaration.name) && declaration.name.text === name,
  )?.initializer;
  return value && (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) ? value : null;
}

/** The name that importers use; `default` for a default export. */
function findExportedName(sourceFile: ts.SourceFile, { node, name }: ExportedDeclaration): string {
  if (hasModifier(node, ts.SyntaxKind.DefaultKeyword)) return 'default';
  for (const statement of sourceFile.statements) {
    if (ts.isExportAssignment(statement) && ts.isIdentifier(statement.expression) && statement.expression.text === name)
      return 'default';
    const element = listExportSpecifiers(statement)?.find(
      (candidate) => (candidate.propertyName ?? candidate.name).text === name,
    );
    if (element) return element.name.text;
  }
  return name;
}

/** True if the line, without its tag, adds a word to those of the name, with at least three letters in a row. */
function addsWordTo(line: string, name: string): boolean {
  return (
    !addsNoWordTo(name, [line.replace(/^@\w+/, '')]) &&
    /\p{L}{3,}/u.test(line.replace(/^@\w+/, '').replaceAll(name, ''))
  );
}
