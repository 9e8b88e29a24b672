// remove-else: removes the braces of an `else` if every branch before it exits.

import { ts } from 'ts-morph';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { findCommentsBetween } from '../../propose/syntax/comments.ts';
import { alwaysExits } from '../../propose/syntax/alwaysExits.ts';
import { findNodeAt, collectDescendants, findSpan, type Span } from '../../propose/syntax/locate.ts';
import { parseSource } from '../../propose/syntax/parse.ts';
import {
  collectBlockScopedNames,
  continuesLine,
  needsTerminator,
  findNameUsedOutside,
  findScopeAround,
} from '../../propose/syntax/scopes.ts';
import { unwrapBlock } from '../../propose/syntax/unwrapBlock.ts';
import { applyReplacements, indentAt, isFirstOnLine, lineEnd, type Replacement } from '../../propose/textEdit.ts';

/**
 * Maximum number of elses that one proposal removes. After the removal of an `else`, the last statement of its code may
 * be an `if` with another `else` that can be removed. Further ones are left to the next proposal.
 */
const MAX_LEVELS = 6;

/**
 * Rewrites `if (c) { … return; } else { rest }` as `if (c) { … return; } rest`. In a chain, only the last `else` is
 * removed.
 */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { sourceFile, opportunity, path } = context;
  const chainSpan = findSpan(sourceFile, opportunity.range);
  const root = chainSpan && findChainAt(sourceFile, chainSpan, findSpan(sourceFile, opportunity.nameRange));
  if (!root) return refuse('There is no longer an if with an else here.');
  const firstRemoval = removeLastElse(context, root);
  if ('refused' in firstRemoval) return firstRemoval;
  let [removal, elseCount] = [firstRemoval, 1];
  for (; removal.nextIfStart !== null && elseCount < MAX_LEVELS; elseCount++) {
    const parsedFile = parseSource(path, removal.text);
    const nextIf =
      parsedFile && findNodeAt(parsedFile, { start: removal.nextIfStart, end: removal.nextIfStart }, ts.isIfStatement);
    if (!parsedFile || !nextIf?.elseStatement) break;
    const nextRemoval = removeLastElse({ ...context, text: removal.text, sourceFile: parsedFile }, nextIf);
    if ('refused' in nextRemoval) break;
    removal = nextRemoval;
  }
  return {
    text: removal.text,
    title: elseCount === 1 ? 'remove an unneeded else' : `remove ${elseCount} unneeded elses`,
    rationale: firstRemoval.rationale,
  };
}

/** The text without one `else`. */
interface RemovedElse {
  readonly text: string;
  readonly rationale: string;
  /** Offset, in the new text, of the `if` that was the last statement in the `else`; null if there is none. */
  readonly nextIfStart: number | null;
}

/**
 * Removes the last `else` of a chain. Refuses unless all branches before it exit and the code of the `else` can follow
 * the chain.
 */
function removeLastElse(context: RecipeContext, root: ts.IfStatement): RemovedElse | { readonly refused: string } {
  const { sourceFile, text } = context;
  const branches: ts.Statement[] = [];
  let lastBranch = root;
  for (;;) {
    branches.push(lastBranch.thenStatement);
    if (!lastBranch.elseStatement || !ts.isIfStatement(lastBranch.elseStatement)) break;
    lastBranch = lastBranch.elseStatement;
  }
  const elseStatement = lastBranch.elseStatement;
  if (!elseStatement) return refuse('The chain ends without an else.');
  if (!branches.every(alwaysExits)) return refuse('Not every branch before the else leaves.');
  const scope = findScopeAround(root);
  if (!scope) return refuse('The if is itself a branch or a labelled statement, so nothing can follow it.');

  const statements = ts.isBlock(elseStatement) ? elseStatement.statements : [elseStatement];
  const names = collectBlockScopedNames([...statements]);
  const conflictingName = findNameUsedOutside(names, scope, elseStatement);
  if (conflictingName) return refuse(`The else declares ${conflictingName}, a name that is also used around it.`);
  if (names.size > 0 && ts.isSourceFile(scope) && !ts.isExternalModule(scope))
    return refuse('The names of the else would become global.');
  const lineEndConflict = explainLineEndConflict(context, lastBranch.thenStatement, elseStatement, statements);
  if (lineEndConflict) return refuse(lineEndConflict);

  const replacements = moveAfterIf(context, lastBranch, elseStatement, indentAt(text, root.getStart(sourceFile)));
  if ('refused' in replacements) return replacements;
  const lastStatement = statements.at(-1);
  // The last statement may be an if whose else can be removed next.
  const nextIfStart =
    lastStatement && ts.isIfStatement(lastStatement)
      ? mapOffset(text, replacements, lastStatement.getStart(sourceFile))
      : null;
  return {
    text: applyReplacements(text, replacements),
    nextIfStart: nextIfStart,
    rationale: `${branches.length === 1 ? 'The branch before it leaves' : 'All branches before it leave'}, so the code of the else runs in the other case even without the else.`,
  };
}

/** The position in the new text of an offset in the old one. No replacement may span it. */
function mapOffset(text: string, replacements: readonly Replacement[], offset: number): number {
  return applyReplacements(
    text.slice(0, offset),
    replacements.filter(({ end }) => end <= offset),
  ).length;
}

/**
 * The top of the chain to which the range or the keyword (`else` or `if`) belongs; null if there is none with an
 * `else`.
 */
function findChainAt(sourceFile: ts.SourceFile, wholeSpan: Span, keywordSpan: Span | null): ts.IfStatement | null {
  const hasElse = (node: ts.Node): node is ts.IfStatement => ts.isIfStatement(node) && node.elseStatement !== undefined;
  const chainAtKeyword = collectDescendants(sourceFile).find(
    (node): node is ts.IfStatement =>
      hasElse(node) &&
      (findElseKeyword(sourceFile, node)?.start === keywordSpan?.start ||
        findElseKeyword(sourceFile, node)?.start === wholeSpan.start),
  );
  const chain = chainAtKeyword ?? findNodeAt(sourceFile, wholeSpan, hasElse);
  let top = chain;
  while (top && ts.isIfStatement(top.parent) && top.parent.elseStatement === top) top = top.parent;
  return top;
}

function findElseKeyword(sourceFile: ts.SourceFile, node: ts.IfStatement): Span | null {
  const keyword = node.getChildren(sourceFile).find(({ kind }) => kind === ts.SyntaxKind.ElseKeyword);
  return keyword ? { start: keyword.getStart(sourceFile), end: keyword.end } : null;
}

/** The reason against the change if, without semicolons, two lines would be parsed as one; otherwise null. */
function explainLineEndConflict(
  { sourceFile, text }: RecipeContext,
  before: ts.Statement,
  elseStatement: ts.Statement,
  statements: readonly ts.Statement[],
): string | null {
  const firstStatement = statements[0];
  const lastStatement = statements.at(-1);
  if (
    !ts.isBlock(before) &&
    firstStatement &&
    needsTerminator(sourceFile, before) &&
    continuesLine(text.slice(firstStatement.getStart(sourceFile)))
  )
    return 'Without a semicolon the code of the else would continue the line before it.';
  if (lastStatement && needsTerminator(sourceFile, lastStatement) && continuesLine(text.slice(elseStatement.end)))
    return 'Without a semicolon the code after the if would continue the last line of the else.';
  return null;
}

/** The replacements that put the content of the `else` after the `if`, at the indentation `indent`. */
function moveAfterIf(
  context: RecipeContext,
  lastBranch: ts.IfStatement,
  elseStatement: ts.Statement,
  indent: string,
): readonly Replacement[] | { readonly refused: string } {
  const { sourceFile, text, style } = context;
  const keyword = findElseKeyword(sourceFile, lastBranch);
  const thenEnd = lastBranch.thenStatement.end;
  if (!keyword) return refuse('There is no longer an if with an else here.');
  if (ts.isBlock(elseStatement)) {
    if (
      elseStatement.statements.length === 0 &&
      findCommentsBetween(text, elseStatement.getStart(sourceFile) + 1, elseStatement.end - 1).length === 0
    )
      return removeEmptyElse(sourceFile, thenEnd, keyword, elseStatement);
    return unwrapBlock(sourceFile, elseStatement, style, { keptEnd: thenEnd, keyword, insertedText: '', indent });
  }
  const start = elseStatement.getStart(sourceFile);
  if (
    findCommentsBetween(text, thenEnd, keyword.start).length + findCommentsBetween(text, keyword.end, start).length >
    0
  )
    return refuse('A comment stands between the branches.');
  if (isFirstOnLine(text, start) && text.slice(start, lineEnd(text, start)).length < elseStatement.end - start)
    return refuse('The else has no braces and more than one line.');
  return [{ start: thenEnd, end: start, text: style.newline + indent }];
}

/** Removes an `else` with an empty block. Refuses if a comment is in front of the block. */
function removeEmptyElse(
  sourceFile: ts.SourceFile,
  thenEnd: number,
  keyword: Span,
  elseStatement: ts.Block,
): readonly Replacement[] | { readonly refused: string } {
  if (
    findCommentsBetween(sourceFile.text, thenEnd, keyword.start).length +
      findCommentsBetween(sourceFile.text, keyword.end, elseStatement.getStart(sourceFile)).length >
    0
  )
    return refuse('A comment stands between the branches.');
  return [{ start: thenEnd, end: elseStatement.end, text: '' }];
}
