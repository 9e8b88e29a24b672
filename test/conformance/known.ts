// Where a peer's figure differs from ours for a reason that is known: what it gives instead, exactly, and why.

import { ts } from 'ts-morph';
import type { FunctionUnit } from '../../server/src/core/analysis/functionUnit.ts';
import type { Point } from '../../server/src/core/analysis/metrics/scriptFrame.ts';
import { findFunctionKind } from '../../server/src/core/analysis/metrics/scriptNodes.ts';

export interface KnownDifference {
  readonly name: string;
  readonly why: string;
  /** What SonarJS gives for a function by this alone; equal to ours where it does not apply. */
  cognitive(unit: FunctionUnit, points: readonly Point[], sourceFile: ts.SourceFile): number;
}

export const knownDifferences: readonly KnownDifference[] = [
  {
    name: 'function as a branch of ?:',
    why: 'SonarJS enters the level of the branch in the function around it and leaves it in the branch itself, so all that follows in the function around it counts one level too deep.',
    cognitive(unit, points, sourceFile) {
      const branches = functionBranches(unit, sourceFile);
      return (
        unit.cognitive +
        points.reduce(
          (sum, { node, growsWithNesting }) =>
            sum + (growsWithNesting ? branches.filter((branch) => branch.end <= node.pos).length : 0),
          0,
        )
      );
    },
  },
];

/** Functions that are a branch of a conditional expression of this function's own code. */
function functionBranches(unit: FunctionUnit, sourceFile: ts.SourceFile): ts.Node[] {
  const found: ts.Node[] = [];
  const open: ts.Node[] = [sourceFile];
  for (let node = open.pop(); node; node = open.pop()) {
    if (findFunctionKind(node) !== null && isBranch(node) && isOwn(node, unit, sourceFile)) found.push(node);
    ts.forEachChild(node, (child) => {
      if (child.end > unit.start && child.pos < unit.end) open.push(child);
    });
  }
  return found;
}

function isBranch(node: ts.Node): boolean {
  let holder = node.parent;
  while (ts.isParenthesizedExpression(holder)) holder = holder.parent;
  return ts.isConditionalExpression(holder) && holder.condition.end <= node.pos;
}

/** The innermost function around a node is this one. */
function isOwn(node: ts.Node, unit: FunctionUnit, sourceFile: ts.SourceFile): boolean {
  const around = ts.findAncestor(
    node.parent,
    (one) => findFunctionKind(one) !== null && !ts.isClassStaticBlockDeclaration(one),
  );
  return around ? around.getStart(sourceFile) === unit.start && around.end === unit.end : unit.kind === 'topLevel';
}
