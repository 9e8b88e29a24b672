// Counts the operators and operands of a TypeScript or JavaScript node for Halstead's measures. The caller skips
// types, because they do not run.

import { ts } from 'ts-morph';
import { countToken, type TokenCounts } from './halstead.ts';

const K = ts.SyntaxKind;

/** The operator for each kind of node, in addition to punctuation and keywords. */
const OPERATORS: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [K.IfStatement, 'if'],
  [K.ForStatement, 'for'],
  [K.ForInStatement, 'for in'],
  [K.ForOfStatement, 'for of'],
  [K.WhileStatement, 'while'],
  [K.DoStatement, 'do'],
  [K.SwitchStatement, 'switch'],
  [K.CaseClause, 'case'],
  [K.DefaultClause, 'default'],
  [K.ReturnStatement, 'return'],
  [K.ThrowStatement, 'throw'],
  [K.TryStatement, 'try'],
  [K.CatchClause, 'catch'],
  [K.BreakStatement, 'break'],
  [K.ContinueStatement, 'continue'],
  [K.CallExpression, '()'],
  [K.NewExpression, 'new'],
  [K.PropertyAccessExpression, '.'],
  [K.ElementAccessExpression, '[]'],
  [K.ArrayLiteralExpression, '[…]'],
  [K.ObjectLiteralExpression, '{…}'],
  [K.PropertyAssignment, ':'],
  [K.TypeOfExpression, 'typeof'],
  [K.VoidExpression, 'void'],
  [K.DeleteExpression, 'delete'],
  [K.AwaitExpression, 'await'],
  [K.YieldExpression, 'yield'],
  [K.SpreadElement, '...'],
  [K.SpreadAssignment, '...'],
  [K.TemplateExpression, '${}'],
  [K.FunctionDeclaration, 'function'],
  [K.FunctionExpression, 'function'],
  [K.ClassDeclaration, 'class'],
  [K.ClassExpression, 'class'],
]);

/** Adds the tokens of `node` itself, without those of its children, to `counts`. */
export function countScriptTokens(counts: TokenCounts, node: ts.Node): void {
  switch (node.kind) {
    case K.Identifier:
    case K.PrivateIdentifier:
      return countToken(counts.operands, (node as ts.Identifier).text);
    case K.StringLiteral:
    case K.NoSubstitutionTemplateLiteral:
    case K.TemplateHead:
    case K.TemplateMiddle:
    case K.TemplateTail:
      return countToken(counts.operands, `"${(node as ts.LiteralLikeNode).text}`);
    case K.NumericLiteral:
    case K.BigIntLiteral:
    case K.RegularExpressionLiteral:
      return countToken(counts.operands, `#${(node as ts.LiteralLikeNode).text}`);
    case K.TrueKeyword:
    case K.FalseKeyword:
    case K.NullKeyword:
    case K.ThisKeyword:
    case K.SuperKeyword:
      return countToken(counts.operands, ts.tokenToString(node.kind) ?? '');
    case K.PrefixUnaryExpression:
    case K.PostfixUnaryExpression:
      return countToken(counts.operators, ts.tokenToString((node as ts.PrefixUnaryExpression).operator) ?? '');
    case K.VariableDeclaration:
    case K.Parameter:
    case K.BindingElement:
      if ((node as ts.VariableDeclaration).initializer) countToken(counts.operators, '=');
      return;
    default: {
      const operator =
        OPERATORS.get(node.kind) ??
        (node.kind >= K.FirstPunctuation && node.kind <= K.LastKeyword ? ts.tokenToString(node.kind) : undefined);
      if (operator) countToken(counts.operators, operator);
    }
  }
}
