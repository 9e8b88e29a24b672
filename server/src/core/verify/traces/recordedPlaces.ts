// Finds the places in touched functions for which a trace records whether they run: statements, and parts of
// expressions that may not run.

import { diffLines } from 'diff';
import { ts } from 'ts-morph';
import { hasBody } from './functions.ts';
import { isDirectiveStatement } from './wrap.ts';

/** A place in the code that a mark can record. */
export interface RecordedPlace {
  readonly node: ts.Node;
  /** 1-based line number of the place. */
  readonly line: number;
}

/** 1-based numbers of the lines that exist only in the old text, and only in the new text. */
export function findChangedLines(
  before: string,
  after: string,
): { readonly oldLines: Set<number>; readonly newLines: Set<number> } {
  const [old, current] = [new Set<number>(), new Set<number>()];
  let [oldLine, newLine] = [1, 1];
  for (const { added, removed, count } of diffLines(before, after)) {
    for (let index = 0; index < count; index += 1) {
      if (removed) old.add(oldLine + index);
      if (added) current.add(newLine + index);
    }
    if (!added) oldLine += count;
    if (!removed) newLine += count;
  }
  return { oldLines: old, newLines: current };
}

/**
 * The places in the function's own code that have one of these lines: they begin on it, or are the innermost places
 * around its first character.
 */
export function findPlacesOn(
  lines: ReadonlySet<number>,
  body: ts.ConciseBody,
  sourceFile: ts.SourceFile,
): readonly RecordedPlace[] {
  const places: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (node !== body && hasBody(node)) return;
    if (ts.isTypeNode(node)) return;
    if (isPlace(node, body)) places.push(node);
    ts.forEachChild(node, visit);
  };
  visit(body);
  const findLine = (position: number) => sourceFile.getLineAndCharacterOfPosition(position).line + 1;
  const placeSet = new Set(places.filter((node) => lines.has(findLine(node.getStart(sourceFile)))));
  const starts = sourceFile.getLineStarts();
  for (const line of lines) {
    const start = starts[line - 1];
    if (start === undefined) continue;
    const text = sourceFile.text.slice(start, starts[line] ?? sourceFile.text.length);
    const codeStart = start + (text.length - text.trimStart().length);
    const enclosingNodes = places.filter((node) => node.getStart(sourceFile) <= codeStart && codeStart < node.getEnd());
    const innermost = enclosingNodes.toSorted((a, b) => a.getWidth(sourceFile) - b.getWidth(sourceFile))[0];
    if (text.trim() !== '' && innermost) placeSet.add(innermost);
  }
  return [...placeSet].map((node) => ({ node, line: findLine(node.getStart(sourceFile)) }));
}

/** The texts of all parts of expressions in the file that may not run. */
export function collectBranchTexts(sourceFile: ts.SourceFile): ReadonlySet<string> {
  const texts = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (node !== sourceFile && isConditionalPart(node)) texts.add(formatBranch(node, sourceFile));
    ts.forEachChild(node, visit);
  };
  visit(sourceFile);
  return texts;
}

/** The text of such a part, with uniform white space. */
export function formatBranch(node: ts.Node, sourceFile: ts.SourceFile): string {
  return node.getText(sourceFile).replace(/\s+/g, ' ');
}

/**
 * True for a side of `?:`, for the right side of `&&`, `||`, `??` and of assignments with these, and for the default of
 * a variable in a pattern.
 */
export function isConditionalPart(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isConditionalExpression(parent)) return node === parent.whenTrue || node === parent.whenFalse;
  if (ts.isBindingElement(parent))
    return parent.initializer === node && !ts.isParameter(ts.walkUpBindingElementsAndPatterns(parent));
  return ts.isBinaryExpression(parent) && parent.right === node && isLogical(parent.operatorToken.kind);
}

function isPlace(node: ts.Node, body: ts.ConciseBody): boolean {
  const { parent } = node;
  if (node === body) return !ts.isBlock(node);
  if (isConditionalPart(node)) return true;
  if (!ts.isStatement(node) || ts.isBlock(node) || ts.isEmptyStatement(node) || isDirectiveStatement(node))
    return false;
  const declaresOnly =
    ts.isFunctionDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
  // A jump to a label needs the statement directly behind it.
  return !declaresOnly && !ts.isLabeledStatement(parent) && !declaresWithoutValue(node);
}

/** True for a declaration of variables without values, which compilers may omit. */
function declaresWithoutValue(node: ts.Statement): boolean {
  return (
    ts.isVariableStatement(node) &&
    node.declarationList.declarations.every(({ initializer }) => initializer === undefined)
  );
}

function isLogical(kind: ts.SyntaxKind): boolean {
  return (
    kind === ts.SyntaxKind.AmpersandAmpersandToken ||
    kind === ts.SyntaxKind.BarBarToken ||
    kind === ts.SyntaxKind.QuestionQuestionToken ||
    kind === ts.SyntaxKind.AmpersandAmpersandEqualsToken ||
    kind === ts.SyntaxKind.BarBarEqualsToken ||
    kind === ts.SyntaxKind.QuestionQuestionEqualsToken
  );
}
