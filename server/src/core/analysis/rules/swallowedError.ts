// swallowed-error: an error that is dropped without a word: an empty catch, `.catch(() => {})`.

import { ts } from 'ts-morph';
import { skipParentheses } from '../metrics/scriptNodes.ts';
import type { Finding } from './finding.ts';
import { hasCommentBeside, hasCommentWithin, withoutSuppressions } from './reasons.ts';
import { isCleanUp, isProbe, isWork } from './triedCalls.ts';

/** `catch (ignored) {}` says that it is meant. */
const SAID_BY_NAME = /^_*(ignored?|expected|unused|_)$/i;

/** `node` is a catch clause or a call. */
export function swallowedError(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  return ts.isCatchClause(node) ? ofClause(node, sourceFile) : ofHandler(node as ts.CallExpression, sourceFile);
}

function ofClause(clause: ts.CatchClause, sourceFile: ts.SourceFile): Finding | null {
  const { block } = clause;
  if (block.statements.length > 0 || block.end - block.getStart(sourceFile) < 2 || hasCommentWithin(sourceFile.text, block.getStart(sourceFile), block.end)) return null;
  if (isCleanUp(clause.parent) || isProbe(clause.parent.tryBlock)) return null;
  if (SAID_BY_NAME.test(clause.variableDeclaration?.name.getText(sourceFile) ?? '') || hasCommentAround(clause, sourceFile)) return null;
  const start = clause.getStart(sourceFile);
  return {
    rule: 'swallowed-error',
    start: clause.parent.getStart(sourceFile),
    end: clause.end,
    nameStart: start,
    nameEnd: start + 'catch'.length,
    impact: 30,
    confidence: 0.6,
    message: 'This `catch` drops every error without a word: handle it, or say in a comment why it does not matter.',
    evidence: { pattern: 'empty catch' },
    recipe: null,
  };
}

/**
 * `load().catch(() => {})`. Where the answer is used it is a fallback, and `void` says that it is meant; on a name, it only
 * marks a promise as seen that somebody else waits for.
 */
function ofHandler(call: ts.CallExpression, sourceFile: ts.SourceFile): Finding | null {
  const callee = call.expression;
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== 'catch' || call.arguments.length !== 1) return null;
  const statement = ts.isAwaitExpression(call.parent) ? call.parent.parent : call.parent;
  if (!ts.isExpressionStatement(statement)) return null;
  const handler = skipParentheses(call.arguments[0]!);
  if (!(ts.isArrowFunction(handler) || ts.isFunctionExpression(handler)) || !isWork(skipParentheses(callee.expression))) return null;
  if (SAID_BY_NAME.test(handler.parameters[0]?.name.getText(sourceFile) ?? '')) return null;
  const { body } = handler;
  const silent = ts.isBlock(body) ? body.statements.length === 0 : isNothing(skipParentheses(body));
  if (!silent || hasCommentWithin(sourceFile.text, handler.getStart(sourceFile), handler.end) || hasCommentBeside(call, sourceFile)) return null;
  return {
    rule: 'swallowed-error',
    start: call.getStart(sourceFile),
    end: call.end,
    nameStart: callee.name.getStart(sourceFile),
    nameEnd: callee.name.end,
    impact: 30,
    confidence: 0.55,
    message: 'This `.catch` drops every error without a word: handle it, or say in a comment why it does not matter.',
    evidence: { pattern: 'silent .catch' },
    recipe: null,
  };
}

function isNothing(value: ts.Expression): boolean {
  return (ts.isIdentifier(value) && value.text === 'undefined') || ts.isVoidExpression(value);
}

/** A comment right above the `try`, first or last in it, or behind the closing brace, counts as the reason. */
function hasCommentAround(clause: ts.CatchClause, sourceFile: ts.SourceFile): boolean {
  const { text } = sourceFile;
  const { tryBlock } = clause.parent;
  if (/^\s*\/[/*]|\/\/[^\n]*\s*$|\*\/\s*$/.test(withoutSuppressions(text.slice(tryBlock.getStart(sourceFile) + 1, tryBlock.end - 1)))) return true;
  const lineEnd = text.indexOf('\n', clause.end);
  if (withoutSuppressions(text.slice(clause.end, lineEnd < 0 ? undefined : lineEnd)).includes('//')) return true;
  return /\/\/|\*\//.test(withoutSuppressions(text.slice(clause.parent.pos, clause.parent.getStart(sourceFile)))) || text.slice(clause.parent.tryBlock.end, clause.getStart(sourceFile)).trim() !== '';
}
