// Which rules look at which kind of syntax node, so that one walk serves them all.

import { ts } from 'ts-morph';
import { awaitInLoop } from './awaitInLoop.ts';
import { elseAfterReturn } from './elseAfterReturn.ts';
import type { Finding } from './finding.ts';
import { needlessCopy } from './needlessCopy.ts';
import { nestedIf } from './nestedIf.ts';
import { swallowedError } from './swallowedError.ts';

export type NodeCheck = (node: ts.Node, sourceFile: ts.SourceFile) => Finding | null;

const K = ts.SyntaxKind;
const BODIES = [K.FunctionDeclaration, K.FunctionExpression, K.ArrowFunction, K.MethodDeclaration, K.Constructor, K.GetAccessor, K.SetAccessor];
const LOOPS = [K.ForStatement, K.ForInStatement, K.ForOfStatement, K.WhileStatement, K.DoStatement];

const TABLE: readonly (readonly [NodeCheck, readonly ts.SyntaxKind[]])[] = [
  [nestedIf, [...BODIES, ...LOOPS]],
  [elseAfterReturn, [K.IfStatement]],
  [awaitInLoop, [K.ForOfStatement]],
  [needlessCopy, [K.ArrayLiteralExpression, K.ObjectLiteralExpression, K.CallExpression, K.NewExpression]],
  [swallowedError, [K.CatchClause]],
];

export const NODE_CHECKS: ReadonlyMap<ts.SyntaxKind, readonly NodeCheck[]> = byKind();

function byKind(): Map<ts.SyntaxKind, NodeCheck[]> {
  const checks = new Map<ts.SyntaxKind, NodeCheck[]>();
  for (const [check, kinds] of TABLE) for (const kind of kinds) checks.set(kind, [...(checks.get(kind) ?? []), check]);
  return checks;
}
