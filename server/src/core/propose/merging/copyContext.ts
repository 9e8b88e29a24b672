// Answers questions about copied statements: their position in the functions around them, the names that they declare,
// their comments, and the same nodes in the file of the type checker.

import { ts } from 'ts-morph';
import type { ExtractionCandidate, FunctionWithBody } from '../extraction/extractionCandidates.ts';
import { listComments, findCommentsAbove } from '../syntax/comments.ts';
import { collectDescendants } from '../syntax/locate.ts';

/** True if the candidate consists of all statements of the function body. */
export function isWholeBody({ statements }: ExtractionCandidate, { body }: FunctionWithBody): boolean {
  return statements.length === body.statements.length && statements[0]?.parent === body;
}

/** True if the last statement of the candidate is the last one of the function. */
export function endsFunction({ statements }: ExtractionCandidate, { body }: FunctionWithBody): boolean {
  return statements.at(-1) === body.statements.at(-1);
}

/** True if `secondRun` has a comment that `firstRun` does not have, which would be lost if `firstRun` replaced both. */
export function losesComment(
  typedFile: ts.SourceFile,
  firstRun: readonly ts.Statement[],
  secondRun: readonly ts.Statement[],
): boolean {
  return findMissingComments(typedFile, firstRun, secondRun).length > 0;
}

/**
 * Finds the comments of `secondRun` that `firstRun` does not have, ignoring punctuation, case and white space. They are
 * returned with single spaces.
 */
export function findMissingComments(
  typedFile: ts.SourceFile,
  firstRun: readonly ts.Statement[],
  secondRun: readonly ts.Statement[],
): readonly string[] {
  const listCommentTexts = (run: readonly ts.Statement[]) => {
    const start = findCommentsAbove(typedFile, run[0]!)[0]?.start ?? run[0]!.getStart(typedFile);
    return listComments(typedFile)
      .filter((comment) => comment.start >= start && comment.end <= run.at(-1)!.end)
      .map((comment) => comment.text.replaceAll(/\s+/g, ' '));
  };
  const textsOfFirst = listCommentTexts(firstRun).map(removeSigns);
  return listCommentTexts(secondRun).filter((comment) => !textsOfFirst.includes(removeSigns(comment)));
}

/** Removes signs that do not affect the meaning, so `// Stays.` and `// stays` become equal. */
function removeSigns(comment: string): string {
  return comment
    .replaceAll(/[\s.,;:!*/]+/g, ' ')
    .trim()
    .toLowerCase();
}

/** Finds the node with the same kind and position in the file of the type checker, which must have the same text. */
export function findTypedTwin(typedFile: ts.SourceFile, node: ts.Expression): ts.Expression {
  const findIn = (within: ts.Node): ts.Node | undefined =>
    within.pos === node.pos && within.end === node.end && within.kind === node.kind
      ? within
      : ts.forEachChild(within, (child) =>
          child.pos <= node.pos && child.end >= node.end ? findIn(child) : undefined,
        );
  return findIn(typedFile) as ts.Expression;
}

/** Finds the same statements in the file of the type checker; null if one of them does not exist there. */
export function findTypedRun(typedFile: ts.SourceFile, run: readonly ts.Statement[]): readonly ts.Statement[] | null {
  const statements: ts.Statement[] = [];
  const visit = (node: ts.Node): void => {
    const [first, last] = [run[0]!, run.at(-1)!];
    if (node.end < first.pos || node.pos > last.end) return;
    if (
      ts.isStatement(node) &&
      run.some(({ pos, end, kind }) => node.pos === pos && node.end === end && node.kind === kind)
    )
      statements.push(node);
    else ts.forEachChild(node, visit);
  };
  visit(typedFile);
  return statements.length === run.length ? statements : null;
}

/** Finds the innermost function around the node; null if there is none, or if its body is not a block. */
export function findBlockFunctionAround(node: ts.Node): FunctionWithBody | null {
  for (let ancestor = node.parent; ancestor; ancestor = ancestor.parent)
    if (ts.isFunctionLike(ancestor)) {
      const { body } = ancestor as ts.FunctionLikeDeclaration;
      return body && ts.isBlock(body) ? (ancestor as FunctionWithBody) : null;
    }
  return null;
}

/** True if the node is inside the scope, or is the scope. */
export function containsNode(scope: ts.Node, node: ts.Node): boolean {
  return scope.pos <= node.pos && scope.end >= node.end;
}

/** The name by which callers know the function, also for `Class.prototype.name = function …`; empty if it has none. */
export function readFunctionName(node: FunctionWithBody): string {
  const { parent } = node;
  if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken)
    return ts.isPropertyAccessExpression(parent.left) ? parent.left.name.text : '';
  const nameNode =
    node.name ?? (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name : null);
  return nameNode?.getText() ?? '';
}

/** Collects the names of the variables, parameters, functions and classes that the nodes declare. */
export function collectDeclaredNames(nodes: readonly ts.Node[]): Set<string> {
  return new Set(
    nodes
      .flatMap((node) => [node, ...collectDescendants(node)])
      .flatMap((node) => {
        const isDeclaration =
          ts.isVariableDeclaration(node) ||
          ts.isParameter(node) ||
          ts.isBindingElement(node) ||
          ts.isFunctionDeclaration(node) ||
          ts.isFunctionExpression(node) ||
          ts.isClassLike(node);
        return isDeclaration && node.name && ts.isIdentifier(node.name) ? [node.name.text] : [];
      }),
  );
}
