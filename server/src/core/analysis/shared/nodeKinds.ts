// Groups of syntax nodes that several rules check.

import { ts } from 'ts-morph';

const K = ts.SyntaxKind;

/** Functions with a body. */
export const BODIES = [
  K.FunctionDeclaration,
  K.FunctionExpression,
  K.ArrowFunction,
  K.MethodDeclaration,
  K.Constructor,
  K.GetAccessor,
  K.SetAccessor,
];
/** Statements that declare something. */
export const DECLARATIONS = [
  K.FunctionDeclaration,
  K.ClassDeclaration,
  K.InterfaceDeclaration,
  K.TypeAliasDeclaration,
  K.EnumDeclaration,
  K.VariableStatement,
];
/** Members of classes, interfaces and enums. */
export const MEMBERS = [
  K.MethodDeclaration,
  K.MethodSignature,
  K.PropertyDeclaration,
  K.PropertySignature,
  K.GetAccessor,
  K.SetAccessor,
  K.EnumMember,
];
/** Loop statements. */
export const LOOPS = [K.ForStatement, K.ForInStatement, K.ForOfStatement, K.WhileStatement, K.DoStatement];
