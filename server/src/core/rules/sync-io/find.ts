// sync-io: finds file, process and crypto calls in request handlers that block the event loop.

import { ts } from 'ts-morph';
import { isDeveloperTool } from '../../analysis/project/conventions.ts';
import type { Finding } from '../finding.ts';
import { findImportOfCall } from '../../analysis/shared/imports.ts';
import { findFunctionAround } from '../../analysis/shared/loops.ts';
import { hasAdjacentComment } from '../../analysis/shared/reasons.ts';
import type { NodeFinder } from '../finders.ts';

export const finder: NodeFinder = { nodes: [ts.SyntaxKind.CallExpression], find: findSyncIo };

/** Modules whose functions with names in `…Sync` block the event loop. */
const IO_MODULES = new Set(['fs', 'child_process', 'crypto', 'zlib', 'fs-extra', 'graceful-fs']);
/** Functions that usually take microseconds. The asynchronous form, which is harder to read, would gain nothing. */
const CHEAP_FUNCTIONS = new Set([
  'existsSync',
  'statSync',
  'lstatSync',
  'statfsSync',
  'accessSync',
  'realpathSync',
  'mkdirSync',
  'unlinkSync',
  'rmSync',
  'randomFillSync',
]);

/**
 * Reports a blocking call in a request handler, but not in stand-alone scripts, nor with a comment next to it. `node`
 * is a call.
 */
function findSyncIo(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const call = node as ts.CallExpression;
  const callee = call.expression;
  const name = ts.isIdentifier(callee) ? callee.text : ts.isPropertyAccessExpression(callee) ? callee.name.text : '';
  if (!name.endsWith('Sync') || CHEAP_FUNCTIONS.has(name)) return null;
  const importedName = findImportOfCall(call);
  if (
    !importedName ||
    !IO_MODULES.has(importedName.module) ||
    !importedName.name.endsWith('Sync') ||
    CHEAP_FUNCTIONS.has(importedName.name)
  )
    return null;
  if (
    !isInHandler(call) ||
    isDeveloperTool(sourceFile.fileName.slice(1)) ||
    sourceFile.text.startsWith('#!') ||
    hasAdjacentComment(call, sourceFile)
  )
    return null;
  const asyncName = importedName.name.slice(0, -'Sync'.length);
  return {
    rule: 'sync-io',
    start: call.getStart(sourceFile),
    end: call.end,
    nameStart: callee.getStart(sourceFile),
    nameEnd: callee.end,
    impact: 50,
    confidence: 0.7,
    message:
      `\`${name}\` blocks everything else while it works, inside a request handler: ` +
      `\`await ${importedName.module === 'fs' ? `fs.promises.${asyncName}` : asyncName}\` would not.`,
    evidence: { call: name, module: importedName.module },
    recipe: null,
  };
}

/** True for functions that servers call for every request: `(req, res)`, `(ctx, next)`. */
function isRequestHandler(node: ts.FunctionLikeDeclaration): boolean {
  const [first = '', second = ''] = node.parameters.map(({ name }) => name.getText());
  return (
    (/^_?(req|request)$/.test(first) && /^_?(res|response|reply)$/.test(second)) ||
    (/^(ctx|context|c)$/.test(first) && second === 'next')
  );
}

/** True if the call is in a handler, directly or in an inner function; false if that handler is for tests. */
function isInHandler(call: ts.Node): boolean {
  for (let outerFunction = findFunctionAround(call); outerFunction; outerFunction = findFunctionAround(outerFunction))
    if (isRequestHandler(outerFunction)) return !isTestRoute(outerFunction);
  return false;
}

/** True for a route whose name shows that it is for tests or debugging: `app.get('/_e2e/snapshot', …)`. */
function isTestRoute({ parent }: ts.Node): boolean {
  const route = ts.isCallExpression(parent) ? parent.arguments[0] : undefined;
  return (
    route !== undefined &&
    ts.isStringLiteralLike(route) &&
    /\b(e2e|tests?|debug)\b/i.test(route.text.replace(/_/g, ' '))
  );
}
