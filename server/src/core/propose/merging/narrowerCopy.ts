// Merges two functions with the same body. If the name of one is narrower (more specific), its body becomes a call of
// the other: `onBatchEnd` calls `onEnd`.

import { ts } from 'ts-morph';
import type { FunctionWithBody } from '../extraction/extractionCandidates.ts';
import { collectDescendants } from '../syntax/locate.ts';
import type { Style } from '../fileStyle.ts';
import { indentAt, type Replacement } from '../textEdit.ts';
import { losesComment } from './copyContext.ts';
import { isNarrower } from './sharedName.ts';
import { isAsync, isGenerator } from '../../syntax/declarations/modifiers.ts';

/** A function with its name. */
interface NamedFunction {
  readonly node: FunctionWithBody;
  readonly name: string;
}

/**
 * Creates the new body of the narrower copy, and returns both names. `renamedParameters`: names of the second copy by
 * the names of the first. Null if neither name is narrower, if the parameters differ, if only one copy is async, if
 * one is a generator, if a comment would be lost, or if the narrower copy cannot call the other one in the same way.
 */
export function createCallOfGeneral(
  sourceFile: ts.SourceFile,
  firstCopy: NamedFunction,
  secondCopy: NamedFunction,
  renamedParameters: ReadonlyMap<string, string>,
  style: Style,
): { readonly replacement: Replacement; readonly general: string; readonly narrow: string } | null {
  const [generalCopy, narrowerCopy] = isNarrower(secondCopy.name, firstCopy.name)
    ? [firstCopy, secondCopy]
    : [secondCopy, firstCopy];
  if (!isNarrower(narrowerCopy.name, generalCopy.name)) return null;
  const callee = findCallee(generalCopy, narrowerCopy);
  const argumentTexts = createArgumentTexts(narrowerCopy.node);
  if (isAsync(firstCopy.node) !== isAsync(secondCopy.node) || isGenerator(generalCopy.node)) return null;
  // The call replaces the whole body.
  if (losesComment(sourceFile, [generalCopy.node.body], [narrowerCopy.node.body])) return null;
  if (
    callee === null ||
    argumentTexts === null ||
    !hasSameParameters(firstCopy.node, secondCopy.node, renamedParameters)
  )
    return null;
  const { body } = narrowerCopy.node;
  const indent = indentAt(sourceFile.text, narrowerCopy.node.getStart(sourceFile));
  const call = `${returnsValueOrPromise(narrowerCopy.node) ? 'return ' : ''}${callee}(${argumentTexts.join(', ')})${style.semicolons ? ';' : ''}`;
  return {
    general: generalCopy.name,
    narrow: narrowerCopy.name,
    replacement: {
      start: body.getStart(sourceFile),
      end: body.end,
      text: ['{', indent + style.indent + call, `${indent}}`].join(style.newline),
    },
  };
}

/** True if both functions have the same parameters in the same order, with the same defaults. */
function hasSameParameters(
  first: FunctionWithBody,
  second: FunctionWithBody,
  renamedParameters: ReadonlyMap<string, string>,
): boolean {
  return (
    first.parameters.length === second.parameters.length &&
    first.parameters.every((parameter, index) => {
      const counterpart = second.parameters[index]!;
      const name = parameter.name.getText();
      return (
        (renamedParameters.get(name) ?? counterpart.name.getText()) === counterpart.name.getText() &&
        parameter.initializer?.getText() === counterpart.initializer?.getText() &&
        (parameter.dotDotDotToken === undefined) === (counterpart.dotDotDotToken === undefined)
      );
    })
  );
}

/**
 * The expression with which the narrow copy calls the general one: as a function in scope, or as a private method of
 * the same object. Null if neither is possible, or if the general one has decorators or uses its own `this` or
 * `arguments`.
 */
function findCallee({ node, name }: NamedFunction, narrowerCopy: NamedFunction): string | null {
  if (usesOwnContext(node) || isDecorated(node)) return null;
  if (ts.isMethodDeclaration(node) && ts.isMethodDeclaration(narrowerCopy.node)) {
    const isStatic = [node, narrowerCopy.node].some(
      (method) => (ts.getCombinedModifierFlags(method) & ts.ModifierFlags.Static) !== 0,
    );
    // A subclass may override a method that is not private, which would change both.
    const isPrivate =
      ts.isPrivateIdentifier(node.name) || (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private) !== 0;
    return node.parent === narrowerCopy.node.parent && isPrivate && !isStatic ? `this.${name}` : null;
  }
  const scope = findDeclaringList(node);
  const isInSameList = scope !== null && scope === findDeclaringList(narrowerCopy.node);
  return isInSameList && !parametersMention(narrowerCopy.node, name) ? name : null;
}

/** True if a decorator may change the behaviour of the method. */
function isDecorated(node: FunctionWithBody): boolean {
  return [node, ...node.parameters].some(
    (child) => ts.canHaveDecorators(child) && ts.getDecorators(child) !== undefined,
  );
}

/**
 * True if the function uses `arguments`, `new.target`, or its own `this`. An arrow function has no own `this`, and a
 * method is called on the same object.
 */
function usesOwnContext(node: FunctionWithBody): boolean {
  const hasThis = ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node);
  return collectDescendants(node.body).some(
    (child) =>
      (ts.isIdentifier(child) && child.text === 'arguments') ||
      ts.isMetaProperty(child) ||
      (hasThis && child.kind === ts.SyntaxKind.ThisKeyword),
  );
}

/** The list of statements that declares the function; null unless it is a declaration or the value of a constant. */
function findDeclaringList(node: ts.Node): ts.Node | null {
  if (ts.isFunctionDeclaration(node)) return node.parent;
  const { parent } = node;
  const isConst = ts.isVariableDeclaration(parent) && (parent.parent.flags & ts.NodeFlags.Const) !== 0;
  return isConst && ts.isVariableStatement(parent.parent.parent) ? parent.parent.parent.parent : null;
}

/** True if a parameter has this name, which would hide the function, or uses it in its default value or type. */
function parametersMention({ parameters }: FunctionWithBody, name: string): boolean {
  return parameters.some((parameter) =>
    collectDescendants(parameter).some((child) => ts.isIdentifier(child) && child.text === name),
  );
}

/** The parameters as arguments of a call; null for a generator, or if a parameter is a pattern or `this`. */
function createArgumentTexts(node: FunctionWithBody): string[] | null {
  if (isGenerator(node)) return null;
  const names = node.parameters.map(({ name, dotDotDotToken }) =>
    ts.isIdentifier(name) && name.text !== 'this' ? `${dotDotDotToken ? '...' : ''}${name.text}` : null,
  );
  return names.every((name) => name !== null) ? names : null;
}

/** True if the function returns a value or a promise. */
function returnsValueOrPromise(node: FunctionWithBody): boolean {
  const visit = (inner: ts.Node): boolean =>
    (ts.isReturnStatement(inner) && inner.expression !== undefined) ||
    (!ts.isFunctionLike(inner) && (ts.forEachChild(inner, (child) => visit(child) || undefined) ?? false));
  return isAsync(node) || visit(node.body);
}
