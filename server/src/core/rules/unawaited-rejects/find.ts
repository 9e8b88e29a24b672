// unawaited-rejects: finds `expect(promise).rejects.toThrow();` without `await`.

import { ts } from 'ts-morph';
import { findUnawaitedAssertion } from '../../syntax/unawaitedRejects.ts';
import type { Finding } from '../finding.ts';
import type { NodeFinder } from '../finders.ts';
import { isAsync } from '../../syntax/declarations/modifiers.ts';
import { findEnclosingFunction } from '../../syntax/controlFlow.ts';

export const finder: NodeFinder = { nodes: [ts.SyntaxKind.ExpressionStatement], find: findUnawaitedRejects };

/** Reports an assertion about a promise that no code awaits. `node` is a statement that is only an expression. */
function findUnawaitedRejects(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const call = findUnawaitedAssertion(node as ts.ExpressionStatement);
  if (!call) return null;
  const owner = findEnclosingFunction(node);
  const start = call.getStart(sourceFile);
  return {
    rule: 'unawaited-rejects',
    start: node.getStart(sourceFile),
    end: node.end,
    nameStart: start,
    nameEnd: call.expression.end,
    impact: 50,
    confidence: 0.9,
    message: 'nobody waits for this assertion: the test ends before it, so it passes whatever the promise does.',
    evidence: { assertion: call.expression.getText(sourceFile).split('.').at(-1) ?? '' },
    // A parameter may be a callback that ends the test, so the recipe does not make such a test asynchronous.
    recipe: owner && !isAsync(owner) && owner.parameters.length > 0 ? null : 'await-assertion',
  };
}
