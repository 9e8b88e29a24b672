// Counts what wasted work is made of, whether it is wasted or not: where a finding goes and this stays, only its pattern was avoided.

import { ts } from 'ts-morph';
import { functionKindOf } from '../metrics/scriptNodes.ts';

/** Methods that give a copy of what they are called on. */
const COPYING = new Set(['slice', 'concat', 'toSorted', 'toReversed', 'toSpliced', 'with']);
/** Functions that give a copy of what they are given, by owner. */
const COPYING_OF: Readonly<Record<string, ReadonlySet<string>>> = { Array: new Set(['from', 'of']), Object: new Set(['assign', 'fromEntries']), JSON: new Set(['parse']) };

/** Feed it every node, then read `counts`. */
export function createWitnessCount(): { visit(node: ts.Node): void; counts(): Readonly<Record<string, number>> } {
  let copies = 0;
  let waits = 0;
  return {
    visit(node) {
      if (ts.isSpreadElement(node) || ts.isSpreadAssignment(node) || (ts.isCallExpression(node) && isCopying(node))) copies++;
      else if ((ts.isAwaitExpression(node) && isInLoop(node)) || (ts.isForOfStatement(node) && node.awaitModifier)) waits++;
    },
    counts: () => ({ 'script.copies': copies, 'script.waits': waits }),
  };
}

function isCopying({ expression, arguments: given }: ts.CallExpression): boolean {
  if (ts.isIdentifier(expression)) return expression.text === 'structuredClone';
  if (!ts.isPropertyAccessExpression(expression)) return false;
  const owner = ts.isIdentifier(expression.expression) ? COPYING_OF[expression.expression.text] : undefined;
  if (owner) return owner.has(expression.name.text);
  return COPYING.has(expression.name.text) && given.length <= 1;
}

function isInLoop(node: ts.Node): boolean {
  for (let at = node; at.parent; at = at.parent) {
    if (functionKindOf(at)) return false;
    const { parent } = at;
    if (ts.isIterationStatement(parent, false) && parent.statement === at) return true;
  }
  return false;
}
