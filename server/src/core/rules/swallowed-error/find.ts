// swallowed-error: finds empty `catch` blocks that give no reason.

import { ts } from 'ts-morph';
import type { Finding } from '../finding.ts';
import { hasCommentWithin, removeSuppressions } from '../../analysis/shared/reasons.ts';
import { isCleanUp, isProbe } from '../../analysis/shared/triedCalls.ts';
import type { NodeFinder } from '../finders.ts';

export const finder: NodeFinder = { nodes: [ts.SyntaxKind.CatchClause], find: findSwallowedError };

/** Matches names by which a `catch` shows that it is intended: `catch (ignored) {}`. */
export const INTENDED_NAME_PATTERN = /^_*(ignored?|expected|unused|_)$/i;

/**
 * Reports an empty `catch`. Not reported for a clean-up or a probe, nor if a comment or the name of its variable gives
 * a reason. `node` is a `catch`.
 */
function findSwallowedError(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const clause = node as ts.CatchClause;
  const { block } = clause;
  if (
    block.statements.length > 0 ||
    block.end - block.getStart(sourceFile) < 2 ||
    hasCommentWithin(sourceFile.text, block.getStart(sourceFile), block.end)
  )
    return null;
  if (isCleanUp(clause.parent) || isProbe(clause.parent.tryBlock)) return null;
  if (
    INTENDED_NAME_PATTERN.test(clause.variableDeclaration?.name.getText(sourceFile) ?? '') ||
    hasCommentAround(clause, sourceFile)
  )
    return null;
  const start = clause.getStart(sourceFile);
  return {
    rule: 'swallowed-error',
    start: clause.parent.getStart(sourceFile),
    end: clause.end,
    nameStart: start,
    nameEnd: start + 'catch'.length,
    impact: 30,
    confidence: 0.6,
    message: 'a `catch` drops every error silently: handle it, or say in a comment why it does not matter.',
    evidence: { pattern: 'empty catch' },
    recipe: null,
  };
}

/**
 * True if a comment may give the reason: above the `try`, first or last inside its block, between the block and
 * `catch`, or `//` after the closing brace. Comments that only silence a linter do not count, except before `catch`.
 */
function hasCommentAround(clause: ts.CatchClause, sourceFile: ts.SourceFile): boolean {
  const { text } = sourceFile;
  const { tryBlock } = clause.parent;
  if (
    /^\s*\/[/*]|\/\/[^\n]*\s*$|\*\/\s*$/.test(
      removeSuppressions(text.slice(tryBlock.getStart(sourceFile) + 1, tryBlock.end - 1)),
    )
  )
    return true;
  const lineEnd = text.indexOf('\n', clause.end);
  if (removeSuppressions(text.slice(clause.end, lineEnd < 0 ? undefined : lineEnd)).includes('//')) return true;
  return (
    /\/\/|\*\//.test(removeSuppressions(text.slice(clause.parent.pos, clause.parent.getStart(sourceFile)))) ||
    text.slice(clause.parent.tryBlock.end, clause.getStart(sourceFile)).trim() !== ''
  );
}
