// legacy-call: finds calls of deprecated or removed functions, such as `new Buffer(…)` and `text.substr(…)`.

import { ts } from 'ts-morph';
import { resolveLocal } from '../../analysis/script/bindings.ts';
import { findImportOfCall, findImportOrigin } from '../../analysis/shared/imports.ts';
import { hasAdjacentComment } from '../../analysis/shared/reasons.ts';
import { parseLegacyCall } from '../../syntax/legacyCalls.ts';
import type { Finding } from '../finding.ts';
import type { NodeFinder } from '../finders.ts';

export const finder: NodeFinder = {
  nodes: [ts.SyntaxKind.CallExpression, ts.SyntaxKind.NewExpression],
  find: findLegacyCall,
};

/**
 * Reports a call of a deprecated or removed function. Null if a comment is next to it, which may give the reason.
 * `node` is a call or a `new`.
 */
function findLegacyCall(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const call = node as ts.CallExpression | ts.NewExpression;
  const legacyCall = parseLegacyCall(call, ts.isCallExpression(call) ? findImportOfCall(call) : null);
  if (!legacyCall || (ts.isIdentifier(call.expression) && isShadowed(call.expression))) return null;
  const statement = findStatement(node);
  if (hasAdjacentComment(node, sourceFile)) return null;
  const isBuffer = legacyCall.name.includes('Buffer');
  // A statement such as `Buffer.from ? Buffer.from(x) : new Buffer(x)` supports old versions of Node on purpose.
  if (isBuffer && /\bBuffer\.(?:from|alloc)\b/.test(statement.getText(sourceFile))) return null;
  return {
    rule: 'legacy-call',
    start: node.getStart(sourceFile),
    end: node.end,
    nameStart: call.expression.getStart(sourceFile),
    nameEnd: call.expression.end,
    impact: legacyCall.isRemoved ? 45 : isBuffer ? 40 : 14,
    confidence: legacyCall.name === 'substr' ? 0.6 : 0.8,
    ...(legacyCall.isRemoved || isBuffer ? { severity: 'information' as const } : {}),
    message:
      `\`${legacyCall.name}\` ${legacyCall.isRemoved ? 'no longer exists in current versions of Node' : 'is deprecated'}: ` +
      `use ${legacyCall.replacement}.`,
    evidence: { call: legacyCall.name },
    recipe: legacyCall.isReplaceable ? 'modern-call' : null,
  };
}

/** True if the file declares a name such as `Buffer`, or imports it from another module than one of Node. */
function isShadowed(name: ts.Identifier): boolean {
  const importOrigin = findImportOrigin(name);
  return importOrigin ? !/^(?:buffer|util|url|fs|crypto)$/.test(importOrigin.module) : resolveLocal(name) !== null;
}

/** The statement that contains the node. */
function findStatement(node: ts.Node): ts.Node {
  let outer = node;
  while (outer.parent && !ts.isStatement(outer)) outer = outer.parent;
  return outer;
}
