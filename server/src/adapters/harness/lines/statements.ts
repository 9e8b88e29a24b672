// Finds the statements of a script that a coverage tool counts.

import { ts } from 'ts-morph';

/** The place at which a statement starts. */
export interface StatementPlace {
  /** Offset in the text, in UTF-16 code units. */
  readonly offset: number;
  /** 0-based. */
  readonly line: number;
  /** 0-based. */
  readonly column: number;
}

/** Kinds of statements that always count. */
const COUNTED_KINDS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.IfStatement,
  ts.SyntaxKind.DoStatement,
  ts.SyntaxKind.WhileStatement,
  ts.SyntaxKind.ForStatement,
  ts.SyntaxKind.ForInStatement,
  ts.SyntaxKind.ForOfStatement,
  ts.SyntaxKind.ContinueStatement,
  ts.SyntaxKind.BreakStatement,
  ts.SyntaxKind.ReturnStatement,
  ts.SyntaxKind.SwitchStatement,
  ts.SyntaxKind.ThrowStatement,
  ts.SyntaxKind.TryStatement,
  ts.SyntaxKind.ExportAssignment,
]);

/**
 * The places at which a statement with an effect starts, in order: the statements that Istanbul counts. Types, imports
 * and declarations of functions and classes are skipped, because they have no effect when they are reached.
 */
export function findStatements(path: string, text: string): readonly StatementPlace[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const places: StatementPlace[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword))
      return;
    if (isCountedStatement(node)) {
      const offset = node.getStart(source);
      const { line, character } = source.getLineAndCharacterOfPosition(offset);
      places.push({ offset, line, column: character });
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return places.sort((a, b) => a.offset - b.offset);
}

function isCountedStatement(node: ts.Node): boolean {
  if (COUNTED_KINDS.has(node.kind)) return true;
  if (ts.isVariableStatement(node)) return node.declarationList.declarations.some(({ initializer }) => initializer);
  if (ts.isPropertyDeclaration(node)) return node.initializer !== undefined;
  // A statement that is only a string is a directive, such as 'use strict'.
  if (ts.isExpressionStatement(node)) return !ts.isStringLiteral(node.expression);
  // The expression that an arrow function returns.
  return ts.isArrowFunction(node.parent) && node.parent.body === node && !ts.isBlock(node);
}
