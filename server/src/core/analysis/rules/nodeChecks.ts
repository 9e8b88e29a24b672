// Which rules look at which kind of syntax node, so that one walk serves them all.

import { ts } from 'ts-morph';
import { awaitInLoop } from './awaitInLoop.ts';
import { collapsibleIf } from './collapsibleIf.ts';
import { complexCondition } from './complexCondition.ts';
import { elseAfterReturn } from './elseAfterReturn.ts';
import { emptyBranch } from './emptyBranch.ts';
import { floatingPromise } from './floatingPromise.ts';
import { indexLoop } from './indexLoop.ts';
import { lonelyIf } from './lonelyIf.ts';
import { needlessAwait } from './needlessAwait.ts';
import { needlessCopy } from './needlessCopy.ts';
import { needlessJump } from './needlessJump.ts';
import { nestedIf } from './nestedIf.ts';
import { nestedSearch } from './nestedSearch.ts';
import type { Finding } from './finding.ts';
import { nullishCoalescing } from './nullishCoalescing.ts';
import { optionalChain } from './optionalChain.ts';
import { preferConst } from './preferConst.ts';
import { redundantBoolean } from './redundantBoolean.ts';
import { silentRejection } from './silentRejection.ts';
import { stringConcat } from './stringConcat.ts';
import { swallowedError } from './swallowedError.ts';
import { syncIo } from './syncIo.ts';
import { unreachableCode } from './unreachableCode.ts';
import { unusedParameter } from './unusedParameter.ts';
import { uselessCatch } from './uselessCatch.ts';
import { vacuousDoc } from './vacuousDoc.ts';
import { workInLoop } from './workInLoop.ts';

export type NodeCheck = (node: ts.Node, sourceFile: ts.SourceFile) => Finding | null;

const K = ts.SyntaxKind;
const BODIES = [
  K.FunctionDeclaration,
  K.FunctionExpression,
  K.ArrowFunction,
  K.MethodDeclaration,
  K.Constructor,
  K.GetAccessor,
  K.SetAccessor,
];
const DECLARATIONS = [
  K.FunctionDeclaration,
  K.ClassDeclaration,
  K.InterfaceDeclaration,
  K.TypeAliasDeclaration,
  K.EnumDeclaration,
  K.VariableStatement,
];
const MEMBERS = [
  K.MethodDeclaration,
  K.MethodSignature,
  K.PropertyDeclaration,
  K.PropertySignature,
  K.GetAccessor,
  K.SetAccessor,
  K.EnumMember,
];
const LOOPS = [K.ForStatement, K.ForInStatement, K.ForOfStatement, K.WhileStatement, K.DoStatement];

const TABLE: readonly (readonly [NodeCheck, readonly ts.SyntaxKind[]])[] = [
  [nestedIf, [...BODIES, ...LOOPS]],
  [elseAfterReturn, [K.IfStatement]],
  [awaitInLoop, [K.ForOfStatement]],
  [
    needlessCopy,
    [
      K.ArrayLiteralExpression,
      K.ObjectLiteralExpression,
      K.CallExpression,
      K.NewExpression,
      K.ElementAccessExpression,
      K.PropertyAccessExpression,
    ],
  ],
  [swallowedError, [K.CatchClause]],
  [silentRejection, [K.CallExpression]],
  [floatingPromise, [K.ExpressionStatement]],
  [syncIo, [K.CallExpression]],
  [needlessAwait, [K.AwaitExpression, K.ReturnStatement]],
  [workInLoop, [K.CallExpression, K.NewExpression]],
  [nestedSearch, [K.CallExpression]],
  [unreachableCode, [K.SourceFile, K.Block, K.CaseClause, K.DefaultClause, K.ModuleBlock]],
  [complexCondition, [K.IfStatement, K.WhileStatement, K.DoStatement, K.ForStatement, K.ConditionalExpression]],
  [redundantBoolean, [K.ConditionalExpression, K.PrefixUnaryExpression, K.BinaryExpression, K.IfStatement]],
  [collapsibleIf, [K.IfStatement]],
  [lonelyIf, [K.IfStatement]],
  [emptyBranch, [K.IfStatement]],
  [uselessCatch, [K.TryStatement]],
  [needlessJump, [K.ReturnStatement, K.ContinueStatement]],
  [preferConst, [K.VariableDeclarationList]],
  [optionalChain, [K.BinaryExpression, K.ConditionalExpression]],
  [nullishCoalescing, [K.ConditionalExpression]],
  [unusedParameter, [K.FunctionDeclaration, K.FunctionExpression, K.ArrowFunction]],
  [indexLoop, [K.ForStatement]],
  [stringConcat, [K.BinaryExpression]],
  [vacuousDoc, [...DECLARATIONS, ...MEMBERS]],
];

/** By kind of node. */
export const NODE_CHECKS: readonly (readonly NodeCheck[] | undefined)[] = byKind();

function byKind(): NodeCheck[][] {
  const checks: NodeCheck[][] = [];
  for (const [check, kinds] of TABLE) for (const kind of kinds) (checks[kind] ??= []).push(check);
  return checks;
}
