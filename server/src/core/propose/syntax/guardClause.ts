// Decides whether an `if` that wraps the remaining code of a function or loop can become a guard clause, and how that
// clause exits.

import { ts } from 'ts-morph';
import { collectDescendants } from './locate.ts';
import { isAsync } from '../../syntax/declarations/modifiers.ts';

/** A guard clause that is possible. */
export interface GuardClause {
  /** The statement that exits, without a semicolon: `return`, `return undefined` or `continue`. */
  readonly exitStatement: string;
}

/**
 * Plans the exit of a guard clause with the negated condition, or refuses with the reason why it is impossible.
 * Conflicts of names in the block are not checked.
 */
export function planGuardClause(statement: ts.IfStatement): GuardClause | { readonly refused: string } {
  if (statement.elseStatement) return { refused: 'The if has an else.' };
  if (!ts.isBlock(statement.thenStatement)) return { refused: 'The if has no block.' };
  const container = statement.parent;
  if (!ts.isBlock(container)) return { refused: 'The if does not stand in the body of a function or loop.' };
  if (container.statements.at(-1) !== statement) return { refused: 'Other code follows the if.' };
  const lastStatement = statement.thenStatement.statements.at(-1);
  if (!lastStatement) return { refused: 'The block is empty.' };
  if (
    ts.isContinueStatement(lastStatement) ||
    ts.isBreakStatement(lastStatement) ||
    (ts.isReturnStatement(lastStatement) && !lastStatement.expression)
  )
    return { refused: 'The block leaves by itself, as one of several cases.' };

  const owner = container.parent;
  if (ts.isIterationStatement(owner, false)) return { exitStatement: 'continue' };
  if (!ts.isFunctionLike(owner) || !('body' in owner) || owner.body !== container)
    return { refused: 'The if does not stand in the body of a function or loop.' };
  if (
    ts.isConstructorDeclaration(owner) &&
    collectDescendants(statement).some(({ kind }) => kind === ts.SyntaxKind.SuperKeyword)
  )
    return { refused: 'The block calls the constructor of the superclass.' };
  return chooseFunctionExit(owner, container);
}

/**
 * Chooses the statement that exits the function early. If some path returns a value, an early `return` is correct only
 * in functions whose declared type includes undefined or void, and never in generators.
 */
function chooseFunctionExit(
  owner: ts.SignatureDeclaration,
  body: ts.Block,
): GuardClause | { readonly refused: string } {
  if (!returnsValue(body)) return { exitStatement: 'return' };
  const returnedType = owner.type && unwrapPromiseType(owner, owner.type);
  const unionMembers = returnedType
    ? ts.isUnionTypeNode(returnedType)
      ? [...returnedType.types]
      : [returnedType]
    : [];
  const kinds = new Set(unionMembers.map(({ kind }) => kind));
  if ('asteriskToken' in owner && owner.asteriskToken)
    return { refused: 'The generator returns a value on some path.' };
  if (kinds.has(ts.SyntaxKind.UndefinedKeyword)) return { exitStatement: 'return undefined' };
  if (kinds.has(ts.SyntaxKind.VoidKeyword)) return { exitStatement: 'return' };
  return {
    refused: 'The function returns a value on some path, and its type does not say that nothing may come back.',
  };
}

/** The argument of the declared `Promise` of an async function; any other type itself. */
function unwrapPromiseType(owner: ts.SignatureDeclaration, type: ts.TypeNode): ts.TypeNode {
  if (!isAsync(owner) || !ts.isTypeReferenceNode(type)) return type;
  return type.typeArguments?.[0] ?? type;
}

/** True if a `return` with a value is in the node, but not in a nested function or class. */
function returnsValue(node: ts.Node): boolean {
  if (ts.isReturnStatement(node)) return node.expression !== undefined;
  if (ts.isFunctionLike(node) || ts.isClassLike(node)) return false;
  return ts.forEachChild(node, (child) => returnsValue(child) || undefined) ?? false;
}
