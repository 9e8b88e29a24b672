// else-after-return: the other branches have left, so the `else` only adds a level.

import { ts } from 'ts-morph';
import { isElseIf } from '../metrics/scriptNodes.ts';
import { alwaysReturns } from './exits.ts';
import type { Finding } from './finding.ts';

/** Looks at the last `else` of a chain whose every earlier branch returns or throws. */
export function elseAfterReturn(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const root = node as ts.IfStatement;
  if (isElseIf(root) || !isInStatementList(root)) return null;
  let last = root;
  while (alwaysReturns(last.thenStatement) && last.elseStatement && ts.isIfStatement(last.elseStatement)) last = last.elseStatement;
  const otherwise = last.elseStatement;
  if (!otherwise || ts.isIfStatement(otherwise) || !alwaysReturns(last.thenStatement)) return null;
  const keyword = last.getChildren(sourceFile).find((child) => child.kind === ts.SyntaxKind.ElseKeyword);
  if (!keyword) return null;
  const statements = ts.isBlock(otherwise) ? otherwise.statements.length : 1;
  if (statements === 0) return null;
  const word = exitWordOf(last.thenStatement);
  return {
    rule: 'else-after-return',
    start: root.getStart(sourceFile),
    end: root.end,
    nameStart: keyword.getStart(sourceFile),
    nameEnd: keyword.end,
    impact: Math.min(30, 12 + 2 * statements),
    confidence: 0.8,
    message: `This \`else\` follows a branch that ends in \`${word}\`: its content can stand one level out.`,
    evidence: { exit: word, statements },
    recipe: 'remove-else',
  };
}

function isInStatementList(node: ts.IfStatement): boolean {
  const { parent } = node;
  return ts.isBlock(parent) || ts.isSourceFile(parent) || ts.isModuleBlock(parent) || ts.isCaseOrDefaultClause(parent);
}

function exitWordOf(statement: ts.Statement): string {
  const last = ts.isBlock(statement) ? statement.statements.at(-1) : statement;
  return last && ts.isThrowStatement(last) ? 'throw' : 'return';
}
