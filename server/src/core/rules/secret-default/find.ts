// secret-default: finds secrets with a default in the code: `process.env.SECRET || 'secret'`.

import { ts } from 'ts-morph';
import { skipParentheses } from '../../syntax/controlFlow.ts';
import { hasAdjacentComment, hasCommentWithin } from '../../analysis/shared/reasons.ts';
import type { Finding } from '../finding.ts';
import type { NodeFinder } from '../finders.ts';

export const finder: NodeFinder = { nodes: [ts.SyntaxKind.BinaryExpression], find: findSecretDefault };

/** Matches names of environment variables that contain a secret: `JWT_SECRET`, `DB_PASSWORD`. */
const SECRET_PATTERN =
  /(?:^|_)(?:SECRET|PASSWORD|PASSWD|PRIVATE_KEY|SIGNING_KEY|ENCRYPTION_KEY|SESSION_KEY|JWT_KEY)(?:_KEY|_BASE)?(?:_|$)/i;
/** Matches names that refer to a secret but contain none: `SECRET_NAME`, `PASSWORD_MIN_LENGTH`. */
const ABOUT_PATTERN =
  /(?:NAME|LENGTH|FILE|PATH|ID|URL|HEADER|FIELD|ROUNDS|TTL|EXPIR\w*|ARN|VERSION|POLICY|ALGORITHM|TYPE)$/i;

/** `node` is a binary expression. */
function findSecretDefault(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const { left, right, operatorToken } = node as ts.BinaryExpression;
  const isDefault =
    operatorToken.kind === ts.SyntaxKind.BarBarToken || operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken;
  if (!isDefault) return null;
  const name = environmentName(skipParentheses(left) as ts.Expression);
  const value = skipParentheses(right);
  if (name === null || !SECRET_PATTERN.test(name) || ABOUT_PATTERN.test(name)) return null;
  if (!ts.isStringLiteral(value) && !ts.isNoSubstitutionTemplateLiteral(value)) return null;
  if (value.text.trim() === '' || isExplained(node, sourceFile)) return null;
  return {
    rule: 'secret-default',
    start: node.getStart(sourceFile),
    end: node.end,
    nameStart: left.getStart(sourceFile),
    nameEnd: left.end,
    impact: 55,
    confidence: 0.75,
    message: `where \`${name}\` is not set, everybody who reads this file knows the secret. Fail at the start instead.`,
    evidence: { variable: name },
    recipe: null,
    identity: name,
  };
}

/** The name in `process.env.NAME`, `process.env['NAME']` and `import.meta.env.NAME`; null for anything else. */
function environmentName(node: ts.Expression): string | null {
  const [owner, name] = ts.isPropertyAccessExpression(node)
    ? [node.expression, node.name.text]
    : ts.isElementAccessExpression(node) && ts.isStringLiteral(node.argumentExpression)
      ? [node.expression, node.argumentExpression.text]
      : [null, ''];
  return owner && /^(?:process|import\.meta|Bun)\.env$/.test(owner.getText()) ? name : null;
}

/**
 * True if a comment, which may explain the value, is next to the expression or above the property that it belongs to.
 */
function isExplained(node: ts.Node, sourceFile: ts.SourceFile): boolean {
  const property = ts.isPropertyAssignment(node.parent) ? node.parent : null;
  return (
    hasAdjacentComment(node, sourceFile) ||
    (property !== null && hasCommentWithin(sourceFile.text, property.pos, property.getStart(sourceFile)))
  );
}
