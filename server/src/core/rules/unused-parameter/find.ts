// unused-parameter: finds the last parameter of a function that is local to its file, if nothing reads it.

import { ts } from 'ts-morph';
import { isReference, resolveLocal } from '../../analysis/script/bindings.ts';
import type { Finding } from '../finding.ts';
import type { NodeFinder } from '../finders.ts';
import { isNameOfMember } from '../../syntax/names.ts';

export const finder: NodeFinder = {
  nodes: [ts.SyntaxKind.FunctionDeclaration, ts.SyntaxKind.FunctionExpression, ts.SyntaxKind.ArrowFunction],
  find: findUnusedParameter,
};

/** A function of which all uses may be known. */
type LocalFunction = ts.FunctionDeclaration | ts.ArrowFunction | ts.FunctionExpression;

/**
 * Reports the last parameter of a function if nothing reads it and every use of the function is a call in this file,
 * because the arguments can then be removed, too. A leading underscore shows that the parameter is intended. `node` is
 * a function.
 */
function findUnusedParameter(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const declaration = node as LocalFunction;
  const lastParameter = declaration.parameters.at(-1);
  const name = findName(declaration);
  if (
    !lastParameter ||
    !name ||
    !declaration.body ||
    lastParameter.dotDotDotToken ||
    !ts.isIdentifier(lastParameter.name) ||
    lastParameter.name.text.startsWith('_') ||
    lastParameter.name.text === 'this' ||
    lastParameter.modifiers?.length
  )
    return null;
  if (!isModule(sourceFile) && ts.isSourceFile(name.parent.parent)) return null;
  const parameter = lastParameter.name;
  if (isReferenced(declaration, parameter)) return null;
  const symbol = resolveLocal(name)?.symbol;
  if (symbol?.declarations?.length !== 1) return null;
  const calls = findCalls(sourceFile, name, symbol);
  if (!calls || calls.length === 0) return null;
  const start = lastParameter.getStart(sourceFile);
  return {
    rule: 'unused-parameter',
    start: declaration.getStart(sourceFile),
    end: declaration.end,
    nameStart: start,
    nameEnd: parameter.end,
    impact: 15,
    confidence: 0.8,
    message: `\`${name.text}\` never reads \`${parameter.text}\`, and all its callers are in this file.`,
    evidence: { function: name.text, parameter: parameter.text, calls: calls.length },
    recipe: 'remove-parameter',
    identity: `${name.text} ${parameter.text}`,
  };
}

/**
 * The name of a function: `name` for `function name() {}` and `const name = () => …`. Null for a function that is
 * exported, whose constant has a declared type, or that is not the value of a constant.
 */
function findName(declaration: LocalFunction): ts.Identifier | null {
  if (ts.isFunctionDeclaration(declaration))
    return declaration.modifiers?.some(({ kind }) => kind !== ts.SyntaxKind.AsyncKeyword)
      ? null
      : (declaration.name ?? null);
  const { parent } = declaration;
  if (
    !ts.isVariableDeclaration(parent) ||
    parent.type ||
    !ts.isIdentifier(parent.name) ||
    (parent.parent.flags & ts.NodeFlags.Const) === 0
  )
    return null;
  const statement = parent.parent.parent;
  return ts.isVariableStatement(statement) && !statement.modifiers?.length ? parent.name : null;
}

/**
 * True if the name of the parameter appears anywhere else in the function, or if the function mentions `arguments` or
 * `eval`, through which it may be read.
 */
function isReferenced(declaration: LocalFunction, parameter: ts.Identifier): boolean {
  const pending: ts.Node[] = [declaration];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (
      ts.isIdentifier(node) &&
      node !== parameter &&
      (node.text === parameter.text || node.text === 'arguments' || node.text === 'eval')
    )
      return true;
    ts.forEachChild(node, (child) => {
      pending.push(child);
    });
  }
  return false;
}

/** The calls of the function; null if it is used in any other way. */
function findCalls(sourceFile: ts.SourceFile, name: ts.Identifier, symbol: ts.Symbol): ts.CallExpression[] | null {
  const calls: ts.CallExpression[] = [];
  const pending: ts.Node[] = [sourceFile];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (
      ts.isIdentifier(node) &&
      node.text === name.text &&
      node !== name &&
      !isNameOfMember(node) &&
      isReference(node) &&
      resolveLocal(node)?.symbol === symbol
    ) {
      if (!ts.isCallExpression(node.parent) || node.parent.expression !== node) return null;
      calls.push(node.parent);
    }
    ts.forEachChild(node, (child) => {
      pending.push(child);
    });
  }
  return calls;
}

/** True for a module of either kind, whose top-level names other files do not see. */
function isModule(sourceFile: ts.SourceFile): boolean {
  return (
    ts.isExternalModule(sourceFile) ||
    (sourceFile as ts.SourceFile & { readonly commonJsModuleIndicator?: unknown }).commonJsModuleIndicator !== undefined
  );
}
