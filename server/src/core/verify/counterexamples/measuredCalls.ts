// Reads the numbers and arrays that calls pass, even if other arguments are unknown, so that relations between them can
// be found (`../guard/argumentRelations.ts`).

import { ts } from 'ts-morph';
import {
  findArgumentRelations,
  measureArguments,
  type ArgumentRelation,
  type Measure,
  type MeasuredCall,
} from '../guard/argumentRelations.ts';
import type { ExampleValue } from './plan.ts';

/** Maximum number of calls of one function that are read. */
const MAX_CALLS = 400;

/** The numbers and arrays in the calls of these files, by the name of the called function or member. */
export function collectMeasuredCalls(files: readonly ts.Node[]): ReadonlyMap<string, readonly MeasuredCall[]> {
  const callsByName = new Map<string, MeasuredCall[]>();
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (!ts.isCallExpression(node) || node.arguments.some(ts.isSpreadElement)) return;
    const { expression: callee } = node;
    const name = ts.isIdentifier(callee)
      ? callee.text
      : ts.isPropertyAccessExpression(callee)
        ? callee.name.text
        : null;
    const measuredArguments = name === null ? null : measureNodes(node.arguments);
    if (name === null || measuredArguments === null || measuredArguments.size === 0) return;
    const calls = callsByName.get(name) ?? [];
    callsByName.set(name, calls);
    if (calls.length < MAX_CALLS) calls.push(measuredArguments);
  };
  files.forEach(visit);
  return callsByName;
}

/**
 * The numbers and arrays among these arguments. The key is the index of the argument; for a property of an object
 * literal, the index, a dot and the name.
 */
function measureNodes(nodes: readonly ts.Expression[]): MeasuredCall {
  const measures = new Map<string, Measure>();
  const add = (argumentKey: string, node: ts.Expression): void => {
    const number = readNumber(node);
    if (number !== null) measures.set(argumentKey, number);
    else if (ts.isArrayLiteralExpression(node) && !node.elements.some(ts.isSpreadElement))
      measures.set(argumentKey, node.elements.map(readNumber));
  };
  for (const [index, node] of nodes.entries()) {
    add(String(index), node);
    if (ts.isObjectLiteralExpression(node))
      for (const property of node.properties)
        if (ts.isPropertyAssignment(property) && ts.isIdentifier(property.name))
          add(`${index}.${property.name.text}`, property.initializer);
  }
  return measures;
}

/** The value of a number literal, also with a minus; null for anything else. */
function readNumber(node: ts.Expression): number | null {
  if (ts.isNumericLiteral(node)) return Number(node.text);
  const isNegative = ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken;
  return isNegative && ts.isNumericLiteral(node.operand) ? -Number(node.operand.text) : null;
}

/**
 * The relations between the arguments of a function, as a part of a subject; empty if there are none. `examples`: the
 * arguments in tests. `names`: the names under which `calls` may contain calls of the function.
 */
export function readRelations(
  parameters: readonly { readonly name: string }[],
  examples: readonly (readonly ExampleValue[])[],
  calls: ReadonlyMap<string, readonly MeasuredCall[]>,
  names: readonly string[],
  code: string,
): { readonly relations?: readonly ArgumentRelation[] } {
  const callsInCode = [...new Set(names)].flatMap((name) => calls.get(name) ?? []);
  const relations = findArgumentRelations(
    parameters.map(({ name }) => name),
    [...examples.map(measureArguments), ...callsInCode],
    code,
  );
  return relations.length === 0 ? {} : { relations };
}
