// Counts what wasted work is made of, whether it is wasted or not: where a finding goes and this stays, only its pattern was avoided.

import { ts } from 'ts-morph';
import { functionKindOf } from '../metrics/scriptNodes.ts';

/** Methods that give a copy of what they are called on. */
const COPYING = new Set(['slice', 'concat', 'toSorted', 'toReversed', 'toSpliced', 'with']);
/** Functions that give a copy of what they are given, by owner. */
const COPYING_OF: ReadonlyMap<string, ReadonlySet<string>> = new Map([['Array', new Set(['from', 'of'])], ['Object', new Set(['assign', 'fromEntries'])], ['JSON', new Set(['parse'])]]);

/** Nodes between an expression and its statement in code that people write. */
const LONG_WAY = 64;

/** Feed it every node, then read `counts`. */
export function createWitnessCount(): { visit(node: ts.Node): void; counts(): Readonly<Record<string, number>> } {
  let copies = 0;
  let waits = 0;
  const known = new Map<ts.Node, boolean>();
  return {
    visit(node) {
      if (ts.isSpreadElement(node) || ts.isSpreadAssignment(node) || (ts.isCallExpression(node) && isCopying(node))) copies++;
      else if ((ts.isAwaitExpression(node) && isInLoop(node, known)) || (ts.isForOfStatement(node) && node.awaitModifier)) waits++;
    },
    counts: () => ({ 'script.copies': copies, 'script.waits': waits }),
  };
}

function isCopying({ expression, arguments: given }: ts.CallExpression): boolean {
  if (ts.isIdentifier(expression)) return expression.text === 'structuredClone';
  if (!ts.isPropertyAccessExpression(expression)) return false;
  const owner = ts.isIdentifier(expression.expression) ? COPYING_OF.get(expression.expression.text) : undefined;
  if (owner) return owner.has(expression.name.text);
  return COPYING.has(expression.name.text) && given.length <= 1;
}

/** A long way up is remembered in `known`, so that a chain of thousands of operators stays linear. */
function isInLoop(node: ts.Node, known: Map<ts.Node, boolean>): boolean {
  const passed: ts.Node[] = [];
  let found: boolean | undefined;
  for (let at = node; at.parent && found === undefined; at = at.parent) {
    const { parent } = at;
    if (functionKindOf(at)) found = false;
    else if (ts.isIterationStatement(parent, false) && parent.statement === at) found = true;
    else if (passed.push(at) > LONG_WAY) found = known.get(at);
  }
  if (passed.length > LONG_WAY) for (const at of passed) known.set(at, found ?? false);
  return found ?? false;
}
