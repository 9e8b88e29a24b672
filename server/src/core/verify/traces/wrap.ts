// Inserts the recording of calls into the code of functions. Line numbers do not change, and stacks get no additional
// frame.

import { ts } from 'ts-morph';
import { countSyntaxErrors } from '../../syntax/countSyntaxErrors.ts';
import { listChildren } from '../../syntax/nodesBelow.ts';
import { readsThis } from '../../syntax/readsThis.ts';
import { hasBody, isDerived, type FoundFunction } from './functions.ts';
import { RECORD_VARIABLE, TRACE_FUNCTION } from './recording.ts';

/** A place in the code that records whether a call reaches it. */
export type Mark = readonly [node: ts.Node, number: number];

/**
 * Returns the text of the file in which each of these functions reports its calls, and each mark reports that it was
 * reached. `numbers`: the functions with their numbers. Null if the new text does not parse.
 */
export function wrapFunctions(
  sourceFile: ts.SourceFile,
  numbers: ReadonlyMap<FoundFunction['node'], number>,
  marks: readonly Mark[],
): string | null {
  const { text } = sourceFile;
  const isTyped = /\.[cm]?tsx?$/.test(sourceFile.fileName);
  const markByNode = new Map(marks);
  const emitNode = (node: ts.Node): string => {
    let emittedText = '';
    let from = node.getStart(sourceFile);
    for (const child of listChildren(node)) {
      const childStart = child.getStart(sourceFile);
      if (childStart < from) continue;
      emittedText += text.slice(from, childStart) + emitNode(child);
      from = child.getEnd();
    }
    return wrapNode(node, emittedText + text.slice(from, node.getEnd()));
  };
  const wrapNode = (node: ts.Node, emittedText: string): string => {
    const { parent } = node;
    let result = emittedText;
    const mark = markByNode.get(node);
    const isBody = parent !== undefined && hasBody(parent) && parent.body === node;
    if (mark !== undefined && !(isBody && !ts.isBlock(node))) {
      const call = `${RECORD_VARIABLE}.p(${mark})`;
      result = ts.isStatement(node)
        ? isInStatementList(node)
          ? `${call}; ${result}`
          : `{ ${call}; ${result} }`
        : `(${call}, ${result})`;
    }
    if (
      parent &&
      ts.isReturnStatement(parent) &&
      parent.expression === node &&
      findFunctionNumber(node, numbers) !== null
    )
      result = `${RECORD_VARIABLE}.r(${result})`;
    const number = isBody ? numbers.get(parent) : undefined;
    if (number === undefined || !isBody) return result;
    const reaches = mark === undefined ? '' : `${RECORD_VARIABLE}.p(${mark}); `;
    return ts.isBlock(node)
      ? wrapBlock(node, result, createOpeningCode(parent, number, isTyped), closingCode, sourceFile)
      : `{ ${createOpeningCode(parent, number, isTyped)}${reaches}return ${RECORD_VARIABLE}.r(${result}); ${closingCode} }`;
  };
  const start = sourceFile.getStart(sourceFile);
  const wrappedText = text.slice(0, start) + emitNode(sourceFile);
  return countSyntaxErrors(sourceFile.fileName, wrappedText) <= countSyntaxErrors(sourceFile.fileName, text)
    ? wrappedText
    : null;
}

const closingCode =
  `} catch (${RECORD_VARIABLE}Error) { throw ${RECORD_VARIABLE}.t(${RECORD_VARIABLE}Error); } finally ` +
  `{ ${RECORD_VARIABLE}.d(); }`;

/** The code at the beginning of a wrapped function. Outside of a recorded test, the record does nothing. */
function createOpeningCode(node: FoundFunction['node'], number: number, isTyped: boolean): string {
  const [all, any] = isTyped ? ['(globalThis as any)', ': any'] : ['globalThis', ''];
  const self = mayUseThis(node) ? 'this' : 'undefined';
  const argumentList = ts.isArrowFunction(node) ? `[${listParameterNames(node).join(', ')}]` : 'arguments';
  const emptyRecorder = `{ p() {}, r: (value${any}) => value, t: (error${any}) => error, d() {} }`;
  const isAsync = (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Async) !== 0;
  return (
    `const ${RECORD_VARIABLE}${any} = ${all}.${TRACE_FUNCTION}?.(${number}, ${self}, ${argumentList}, ${isAsync}) ` +
    `?? ${emptyRecorder}; try { `
  );
}

/** True if the trace may read `this`: the function reads it, or it is the object of the method. */
function mayUseThis(node: FoundFunction['node']): boolean {
  if (ts.isMethodDeclaration(node) || ts.isAccessor(node) || ts.isConstructorDeclaration(node)) return true;
  if (!readsThis(node)) return false;
  if (!ts.isArrowFunction(node)) return true;
  // An arrow function may run before the constructor around it has called `super`.
  for (let ancestor: ts.Node = node.parent; ancestor; ancestor = ancestor.parent) {
    if (ts.isConstructorDeclaration(ancestor)) return !(ts.isClassLike(ancestor.parent) && isDerived(ancestor.parent));
    if (hasBody(ancestor) && !ts.isArrowFunction(ancestor)) return true;
  }
  return true;
}

/** The names of the parameters of an arrow function, including those in patterns. */
function listParameterNames({ parameters }: ts.ArrowFunction): string[] {
  const namesIn = (name: ts.BindingName): string[] =>
    ts.isIdentifier(name)
      ? [name.text]
      : name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : namesIn(element.name)));
  return parameters.flatMap(({ name }) => namesIn(name));
}

/**
 * Returns the block with `open` and `close` around its statements. Directives such as `'use strict'` remain at its
 * start.
 */
function wrapBlock(
  node: ts.Block,
  emittedText: string,
  open: string,
  close: string,
  sourceFile: ts.SourceFile,
): string {
  let directives = 0;
  for (const statement of node.statements) {
    if (!isDirectiveStatement(statement)) break;
    directives = statement.getEnd() - node.getStart(sourceFile);
  }
  const bodyStart = Math.max(1, directives);
  return `${emittedText.slice(0, bodyStart)}${directives > 0 ? ';' : ''} ${open}${emittedText.slice(bodyStart, -1)}${close} }`;
}

/** True for a statement that is only a string, such as `'use strict'`. */
export function isDirectiveStatement(statement: ts.Node): boolean {
  return ts.isExpressionStatement(statement) && ts.isStringLiteral(statement.expression);
}

/** True for a statement before which another statement is allowed. */
function isInStatementList({ parent }: ts.Node): boolean {
  return ts.isBlock(parent) || ts.isCaseClause(parent) || ts.isDefaultClause(parent) || ts.isSourceFile(parent);
}

/** The number of the innermost function around the node; null if that function is not recorded, or if there is none. */
function findFunctionNumber(node: ts.Node, numbers: ReadonlyMap<FoundFunction['node'], number>): number | null {
  for (let ancestor = node.parent; ancestor; ancestor = ancestor.parent)
    if (hasBody(ancestor)) return numbers.get(ancestor) ?? null;
  return null;
}
