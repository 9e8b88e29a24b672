// sync-io: file, process and crypto calls that block the event loop where requests are answered.

import { ts } from 'ts-morph';
import type { Finding } from './finding.ts';
import { calledImport } from './imports.ts';
import { functionAround } from './loops.ts';
import { hasCommentBeside } from './reasons.ts';

const MODULES = new Set(['fs', 'child_process', 'crypto', 'zlib', 'fs-extra', 'graceful-fs']);
/** A look at one entry costs microseconds, and the way without blocking reads worse. */
const CHEAP = new Set(['existsSync', 'statSync', 'lstatSync', 'statfsSync', 'accessSync', 'realpathSync', 'mkdirSync', 'unlinkSync', 'rmSync', 'randomFillSync']);
/** Modules whose importers answer requests. */
const SERVERS = /^(http|https|http2|express|fastify|koa|hono|connect|polka|h3|restify|@hapi\/hapi|@nestjs\/common)$/;
/** Programs that serve nobody while they wait. */
const ALONE = /(^|\/)(bin|cli|commands?|scripts?|tools?|build|codegen|examples?)\/|(^|\/)(cli|bin|build|setup|install)\.[cm]?[jt]sx?$|\.config\.[cm]?[jt]s$|(^|\/)\.[^/]+\.[cm]?js$/i;

export function syncIo(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const call = node as ts.CallExpression;
  const callee = call.expression;
  const name = ts.isIdentifier(callee) ? callee.text : ts.isPropertyAccessExpression(callee) ? callee.name.text : '';
  if (!name.endsWith('Sync') || CHEAP.has(name)) return null;
  const imported = calledImport(call);
  if (!imported || !MODULES.has(imported.module) || !imported.name.endsWith('Sync') || CHEAP.has(imported.name)) return null;
  const around = functionAround(call);
  const place = around && placeOf(around, sourceFile);
  if (!place || ALONE.test(sourceFile.fileName.slice(1)) || sourceFile.text.startsWith('#!') || hasCommentBeside(call, sourceFile)) return null;
  const other = imported.name.slice(0, -'Sync'.length);
  return {
    rule: 'sync-io',
    start: call.getStart(sourceFile),
    end: call.end,
    nameStart: callee.getStart(sourceFile),
    nameEnd: callee.end,
    impact: place === 'request handler' ? 50 : 30,
    confidence: place === 'request handler' ? 0.75 : 0.6,
    message: `\`${name}\` blocks everything else while it works, inside ${place === 'async function' ? 'an' : 'a'} ${place}: \`await ${imported.module === 'fs' ? `fs.promises.${other}` : other}\` would not.`,
    evidence: { call: name, place },
    recipe: null,
  };
}

function placeOf(node: ts.FunctionLikeDeclaration, sourceFile: ts.SourceFile): 'async function' | 'request handler' | null {
  const names = node.parameters.map(({ name }) => name.getText());
  if (/^_?(req|request)$/.test(names[0] ?? '') && /^_?(res|response|reply)$/.test(names[1] ?? '')) return 'request handler';
  return serves(sourceFile) && (ts.getCombinedModifierFlags(node as ts.Declaration) & ts.ModifierFlags.Async) !== 0 ? 'async function' : null;
}

/** The file imports what answers requests, and not for its types alone: others wait while it is blocked. */
function serves(sourceFile: ts.SourceFile): boolean {
  return sourceFile.statements.some((statement) => ts.isImportDeclaration(statement) && !statement.importClause?.isTypeOnly && ts.isStringLiteral(statement.moduleSpecifier) && SERVERS.test(statement.moduleSpecifier.text.replace(/^node:/, '')));
}
