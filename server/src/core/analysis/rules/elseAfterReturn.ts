// else-after-return: the other branches have left, so the `else` only adds a level.

import { ts } from 'ts-morph';
import { isElseIf } from '../metrics/scriptNodes.ts';
import { alwaysLeaves, exitWordOf } from './exits.ts';
import type { Finding } from './finding.ts';

/** Chains of more branches read like a table; there the last `else` is style. */
const LONGEST_CHAIN = 2;
const MINIMUM_STATEMENTS = 2;

/** Looks at the last `else` of a short chain whose every earlier branch leaves. */
export function elseAfterReturn(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const root = node as ts.IfStatement;
  if (isElseIf(root) || !isInStatementList(root)) return null;
  let last = root;
  let branches = 1;
  while (alwaysLeaves(last.thenStatement) && last.elseStatement && ts.isIfStatement(last.elseStatement)) {
    last = last.elseStatement;
    branches++;
  }
  const otherwise = last.elseStatement;
  if (!otherwise || ts.isIfStatement(otherwise) || !alwaysLeaves(last.thenStatement) || branches > LONGEST_CHAIN) return null;
  const keyword = last.getChildren(sourceFile).find((child) => child.kind === ts.SyntaxKind.ElseKeyword);
  if (!keyword) return null;
  const statements = statementsIn(otherwise);
  // Two short branches side by side are a choice of style; a level is saved where the longer one comes last.
  if (statements < MINIMUM_STATEMENTS || statements < statementsIn(last.thenStatement)) return null;
  const word = lastWordOf(last.thenStatement);
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
    identity: root.expression.getText(sourceFile),
  };
}

function isInStatementList(node: ts.IfStatement): boolean {
  const { parent } = node;
  return ts.isBlock(parent) || ts.isSourceFile(parent) || ts.isModuleBlock(parent) || ts.isCaseOrDefaultClause(parent);
}

/** Statements of a branch, those inside its control structures among them. */
function statementsIn(branch: ts.Statement): number {
  let count = 0;
  const pending: ts.Node[] = [branch];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (ts.isFunctionLike(node)) continue;
    if (node.kind >= ts.SyntaxKind.FirstStatement && node.kind <= ts.SyntaxKind.LastStatement && !ts.isEmptyStatement(node)) count++;
    ts.forEachChild(node, (child) => {
      pending.push(child);
    });
  }
  return count;
}

function lastWordOf(statement: ts.Statement): string {
  const last = ts.isBlock(statement) ? statement.statements.at(-1) : statement;
  return (last && exitWordOf(last)) ?? 'return';
}
