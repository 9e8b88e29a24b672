// else-after-return: finds an `else` after branches that all exit, so that it only adds a level.

import { ts } from 'ts-morph';
import { isElseIf } from '../../syntax/controlFlow.ts';
import { isBuildCondition } from '../../analysis/shared/builds.ts';
import { endsWithExit, getJumpKeyword } from '../../analysis/shared/exits.ts';
import type { Finding } from '../finding.ts';
import type { NodeFinder } from '../finders.ts';

export const finder: NodeFinder = { nodes: [ts.SyntaxKind.IfStatement], find: findElseAfterReturn };

/** Minimum number of lines of a reported `else`. A shorter one is easy to read. */
const MIN_LINES = 5;
/**
 * Maximum number of lines of the branch that exits. If it has more, both branches look like the two sides of a choice.
 */
const MAX_EXIT_LINES = 2;

/**
 * Reports the `else` of an `if` if its first branch exits and is short, and the `else` is long. Skips chains of `else
 * if`, conditions about the build, branches that both begin with a comment, and branches that return true and false.
 * `node` is an `if`.
 */
function findElseAfterReturn(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const root = node as ts.IfStatement;
  if (isElseIf(root) || !isInStatementList(root)) return null;
  const elseStatement = root.elseStatement;
  // A chain of `else if` reads like a table.
  if (
    !elseStatement ||
    ts.isIfStatement(elseStatement) ||
    !endsWithExit(root.thenStatement) ||
    isInElseIfChain(root) ||
    isBuildCondition(root.expression)
  )
    return null;
  const keyword = root.getChildren(sourceFile).find((child) => child.kind === ts.SyntaxKind.ElseKeyword);
  if (!keyword) return null;
  const statements = ts.isBlock(elseStatement) ? elseStatement.statements.length : 1;
  const lineCount = countLines(elseStatement, sourceFile);
  // Branches of similar size are the two sides of a choice. Removing a level helps only if the branch that exits is
  // short.
  if (
    lineCount < MIN_LINES ||
    countLines(root.thenStatement, sourceFile) > MAX_EXIT_LINES ||
    isSingleStep(elseStatement) ||
    areExplained(root, elseStatement, sourceFile) ||
    returnOppositeBooleans(root.thenStatement, elseStatement)
  )
    return null;
  const exitKeyword = exitKeywordOf(root.thenStatement);
  return {
    rule: 'else-after-return',
    start: root.getStart(sourceFile),
    end: root.end,
    nameStart: keyword.getStart(sourceFile),
    nameEnd: keyword.end,
    impact: Math.min(30, 12 + 2 * statements),
    confidence: 0.8,
    message: `a needless \`else\` after \`${exitKeyword}\`: its content can stand one level out.`,
    evidence: { exit: exitKeyword, statements },
    recipe: 'remove-else',
    identity: root.expression.getText(sourceFile),
  };
}

function isInStatementList(node: ts.IfStatement): boolean {
  const { parent } = node;
  return ts.isBlock(parent) || ts.isSourceFile(parent) || ts.isModuleBlock(parent) || ts.isCaseOrDefaultClause(parent);
}

/** True inside a chain of `else if`, in which the branch is one case of several. */
function isInElseIfChain(root: ts.IfStatement): boolean {
  const outer = root.parent.parent;
  return (
    ts.isBlock(root.parent) &&
    outer !== undefined &&
    ts.isIfStatement(outer) &&
    (isElseIf(outer) || (outer.elseStatement !== undefined && ts.isIfStatement(outer.elseStatement)))
  );
}

/** True if both branches begin with a comment, which explains each as a case. */
function areExplained(root: ts.IfStatement, elseStatement: ts.Statement, sourceFile: ts.SourceFile): boolean {
  const isExplained = (branch: ts.Statement) =>
    ts.isBlock(branch) &&
    branch.statements[0] !== undefined &&
    ts.getLeadingCommentRanges(sourceFile.text, branch.statements[0].pos) !== undefined;
  return isExplained(root.thenStatement) && isExplained(elseStatement);
}

/**
 * True if one branch ends with `return true` and the other with `return false`, which are two answers to one question.
 */
function returnOppositeBooleans(...branches: readonly ts.Statement[]): boolean {
  const returnedKinds = branches.map((branch) => {
    const lastStatement = ts.isBlock(branch) ? branch.statements.at(-1) : branch;
    return lastStatement && ts.isReturnStatement(lastStatement) ? lastStatement.expression?.kind : undefined;
  });
  return returnedKinds.includes(ts.SyntaxKind.TrueKeyword) && returnedKinds.includes(ts.SyntaxKind.FalseKeyword);
}

/** True for a branch that is a single jump or expression, however many lines it takes, or empty. */
function isSingleStep(branch: ts.Statement): boolean {
  const [onlyStatement, secondStatement] = ts.isBlock(branch) ? branch.statements : [branch];
  return (
    secondStatement === undefined &&
    (onlyStatement === undefined || getJumpKeyword(onlyStatement) !== null || ts.isExpressionStatement(onlyStatement))
  );
}

/** Number of lines in a branch, without its braces. */
function countLines(branch: ts.Statement, sourceFile: ts.SourceFile): number {
  const parts: readonly ts.Statement[] = ts.isBlock(branch) ? branch.statements : [branch];
  const [firstStatement] = parts;
  const end = parts.at(-1)?.end;
  if (!firstStatement || end === undefined) return 0;
  return sourceFile.text.slice(firstStatement.getStart(sourceFile), end).split(/\r\n|\r|\n/).length;
}

/** The keyword of the jump that ends a branch; `return` if its last statement is not a jump. */
function exitKeywordOf(statement: ts.Statement): string {
  const lastStatement = ts.isBlock(statement) ? statement.statements.at(-1) : statement;
  return (lastStatement && getJumpKeyword(lastStatement)) ?? 'return';
}
