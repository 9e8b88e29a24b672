// disabled-test: finds tests that never run or that keep all others from running (`it.skip`, `xit`, `describe.only` and
// the like) without a stated reason.

import { ts } from 'ts-morph';
import { hasAdjacentComment } from '../../analysis/shared/reasons.ts';
import type { Finding } from '../finding.ts';
import type { NodeFinder } from '../finders.ts';

export const finder: NodeFinder = { nodes: [ts.SyntaxKind.CallExpression], find: findDisabledTest };

/** Functions that define tests or groups of tests. */
const RUNNER_FUNCTIONS = new Set(['it', 'test', 'describe', 'suite', 'context', 'specify']);
/** Functions whose tests never run. */
const DISABLING_FUNCTIONS = new Set(['xit', 'xtest', 'xdescribe', 'xcontext', 'xspecify']);
/** Functions that keep all other tests of the file from running. */
const FOCUSING_FUNCTIONS = new Set(['fit', 'fdescribe', 'ftest']);

/**
 * Reports a call that disables tests. Skips a test with a comment next to it, and a disabled test whose title gives a
 * reason or names an issue. `node` is a call.
 */
function findDisabledTest(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const call = node as ts.CallExpression;
  const kind = findKind(call.expression);
  const [title, body] = [call.arguments[0], call.arguments.at(-1)];
  if (kind === null || !title || !body || !ts.isFunctionLike(body)) return null;
  if (!ts.isStringLiteralLike(title) && !ts.isTemplateExpression(title)) return null;
  const statement = call.parent;
  if (!ts.isExpressionStatement(statement) || hasAdjacentComment(statement, sourceFile)) return null;
  const isFocused = kind === 'alone';
  if (
    !isFocused &&
    /#\d+|https?:|\b(?:todo|fixme|flaky|broken|because|until|not supported|unsupported)\b/i.test(
      title.getText(sourceFile),
    )
  )
    return null;
  return {
    rule: 'disabled-test',
    start: call.getStart(sourceFile),
    end: call.end,
    nameStart: call.expression.getStart(sourceFile),
    nameEnd: call.expression.end,
    ...(isFocused ? { severity: 'information' as const } : {}),
    impact: isFocused ? 60 : 20,
    confidence: isFocused ? 0.9 : 0.6,
    message: isFocused
      ? `\`${call.expression.getText(sourceFile)}\` keeps all other tests of the file from running.`
      : `\`${call.expression.getText(sourceFile)}\` never runs, and nothing says why: repair it or remove it.`,
    evidence: { kind },
    recipe: null,
    identity: title.getText(sourceFile),
  };
}

/**
 * `off` for a test that never runs, `alone` for a test that keeps all others of the file from running; null for other
 * calls.
 */
function findKind(callee: ts.Expression): 'off' | 'alone' | null {
  if (ts.isIdentifier(callee))
    return DISABLING_FUNCTIONS.has(callee.text) ? 'off' : FOCUSING_FUNCTIONS.has(callee.text) ? 'alone' : null;
  if (!ts.isPropertyAccessExpression(callee) || !ts.isIdentifier(callee.expression)) return null;
  if (!RUNNER_FUNCTIONS.has(callee.expression.text)) return null;
  return callee.name.text === 'skip' ? 'off' : callee.name.text === 'only' ? 'alone' : null;
}
