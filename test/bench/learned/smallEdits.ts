// The smallest expressions and statements in which two texts of a file differ.

import { ts } from 'ts-morph';
import { parseSource, syntaxErrors } from '../../../server/src/core/propose/syntax/parse.ts';

export interface SmallEdit {
  readonly commit: string;
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly isExpression: boolean;
}

/** Larger ones are work on one place, not a habit. Characters. */
const LONGEST = 240;
/** A file that was rewritten teaches nothing. */
const MOST_IN_A_FILE = 30;

/** Empty where either text does not parse. Edits of imports, of comments and of texts alone are left out. */
export function smallEdits(commit: string, path: string, before: string, after: string): SmallEdit[] {
  const [old, changed] = [parseSource(path, before), parseSource(path, after)];
  if (!old || !changed || syntaxErrors(old).length > 0 || syntaxErrors(changed).length > 0) return [];
  const found: SmallEdit[] = [];
  compare(old, changed);
  return found.length > MOST_IN_A_FILE ? [] : found;

  function compare(one: ts.Node, other: ts.Node): void {
    if (one.kind !== other.kind || ts.isImportDeclaration(one)) return;
    const [from, to] = [partsOf(one, old!), partsOf(other, changed!)];
    const pairs = paired(from, to, old!, changed!);
    if (!pairs) return keep(one, other);
    const differing = pairs.filter(([a, b]) => a.getText(old!) !== b.getText(changed!));
    if (differing.length === 0) return;
    const inside = found.length;
    // Several differences in something small belong together.
    if (differing.length > 1 && isUnit(one) && fits(one, other)) return keep(one, other);
    for (const [a, b] of differing) compareOrKeep(a, b);
    if (found.length === inside && isUnit(one)) keep(one, other);
  }

  function compareOrKeep(one: ts.Node, other: ts.Node): void {
    if (one.kind === other.kind && one.getChildCount(old!) > 0 && other.getChildCount(changed!) > 0)
      compare(one, other);
    else if (isUnit(one) && isUnit(other) && !ts.isIdentifier(one)) keep(one, other);
  }

  function keep(one: ts.Node, other: ts.Node): void {
    if (!isUnit(one) || !isUnit(other) || ts.isExpression(one) !== ts.isExpression(other) || !fits(one, other)) return;
    found.push({
      commit,
      path,
      before: one.getText(old!),
      after: other.getText(changed!),
      isExpression: ts.isExpression(one),
    });
  }

  function fits(one: ts.Node, other: ts.Node): boolean {
    return one.getWidth(old!) <= LONGEST && other.getWidth(changed!) <= LONGEST;
  }
}

function isUnit(node: ts.Node): boolean {
  return (
    (ts.isExpression(node) && !ts.isFunctionLike(node) && !ts.isLiteralExpression(node)) ||
    ((ts.isExpressionStatement(node) ||
      ts.isVariableStatement(node) ||
      ts.isReturnStatement(node) ||
      ts.isIfStatement(node) ||
      ts.isThrowStatement(node)) as boolean)
  );
}

function partsOf(node: ts.Node, sourceFile: ts.SourceFile): readonly ts.Node[] {
  return node
    .getChildren(sourceFile)
    .filter(({ kind }) => kind < ts.SyntaxKind.FirstJSDocNode || kind > ts.SyntaxKind.LastJSDocNode);
}

/**
 * Which part became which. Null: not known. In lists, what stayed keeps its place, and as many as went must have come.
 */
function paired(
  from: readonly ts.Node[],
  to: readonly ts.Node[],
  old: ts.SourceFile,
  changed: ts.SourceFile,
): (readonly [ts.Node, ts.Node])[] | null {
  const [texts, others] = [from.map((node) => node.getText(old)), to.map((node) => node.getText(changed))];
  let [start, end] = [0, 0];
  while (start < texts.length && start < others.length && texts[start] === others[start]) start++;
  while (end < texts.length - start && end < others.length - start && texts.at(-1 - end) === others.at(-1 - end)) end++;
  const [left, right] = [from.slice(start, from.length - end), to.slice(start, to.length - end)];
  if (left.length === right.length) return left.map((node, index) => [node, right[index]!] as const);
  // Something came or went in between: those that stand on their lines as before tell the rest apart.
  return from.length > 0 && from[0]!.parent && 'statements' in from[0]!.parent ? [] : null;
}
