// Counts what makes TypeScript and JavaScript less safe, one walk, no opinion: the ruler weighs it.

import { ts } from 'ts-morph';
import { isInertStatement, skipParentheses } from '../metrics/scriptNodes.ts';

export const HAZARDS = ['any', 'nonNull', 'doubleAssertion', 'dynamicCode', 'swallowedError', 'floatingPromise', 'uncheckedFile', 'ignoredError', 'expectedError', 'lintSilence'] as const;
export type Hazard = (typeof HAZARDS)[number];

const SUPPRESSION = /@ts-nocheck|@ts-ignore|@ts-expect-error|(?:eslint|oxlint)-disable|biome-ignore|tslint:disable/g;

/** Feed it every node that is not dead code, then read `counts`. */
export function createHazardCount(sourceFile: ts.SourceFile): { visit(node: ts.Node): void; counts(): Readonly<Record<Hazard, number>> } {
  const counts = Object.fromEntries(HAZARDS.map((hazard) => [hazard, 0])) as Record<Hazard, number>;
  const suppressions = new Map<number, string>();
  for (const match of sourceFile.text.matchAll(SUPPRESSION)) suppressions.set(match.index, match[0]);
  return {
    visit(node) {
      const hazard = hazardOf(node);
      if (hazard) counts[hazard]++;
      if (suppressions.size > 0 && isText(node)) for (const at of suppressions.keys()) if (at >= node.pos && at < node.end && at >= node.getStart(sourceFile)) suppressions.delete(at);
    },
    counts() {
      const total = { ...counts };
      for (const word of suppressions.values()) total[suppressionKind(word)]++;
      return total;
    },
  };
}

function hazardOf(node: ts.Node): Hazard | null {
  switch (node.kind) {
    case ts.SyntaxKind.AnyKeyword:
      return 'any';
    case ts.SyntaxKind.NonNullExpression:
      return 'nonNull';
    case ts.SyntaxKind.AsExpression: {
      const inner = skipParentheses((node as ts.AsExpression).expression);
      return ts.isAsExpression(inner) && inner.type.kind === ts.SyntaxKind.UnknownKeyword ? 'doubleAssertion' : null;
    }
    case ts.SyntaxKind.CallExpression:
    case ts.SyntaxKind.NewExpression: {
      const { expression } = node as ts.CallExpression | ts.NewExpression;
      if (!ts.isIdentifier(expression)) return null;
      return expression.text === 'Function' || (expression.text === 'eval' && node.kind === ts.SyntaxKind.CallExpression) ? 'dynamicCode' : null;
    }
    case ts.SyntaxKind.CatchClause:
      return (node as ts.CatchClause).block.statements.every(isInertStatement) ? 'swallowedError' : null;
    case ts.SyntaxKind.ExpressionStatement:
      return isFloatingPromise((node as ts.ExpressionStatement).expression) ? 'floatingPromise' : null;
    default:
      return null;
  }
}

/** `load().then(show);`: a rejection would go nowhere. */
function isFloatingPromise(expression: ts.Expression): boolean {
  return ts.isCallExpression(expression) && ts.isPropertyAccessExpression(expression.expression) && expression.expression.name.text === 'then' && expression.arguments.length === 1;
}

function isText(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node) || ts.isRegularExpressionLiteral(node) || ts.isJsxText(node);
}

function suppressionKind(word: string): Hazard {
  if (word === '@ts-nocheck') return 'uncheckedFile';
  if (word === '@ts-ignore') return 'ignoredError';
  return word === '@ts-expect-error' ? 'expectedError' : 'lintSilence';
}
