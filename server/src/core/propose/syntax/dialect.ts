// Decides which newer syntax a file may use without losing the engines that it supports.

import { ts } from 'ts-morph';
import { collectDescendants } from './locate.ts';
import { isJavaScript } from './parse.ts';

/**
 * True if the file may use this syntax: `const` of ECMAScript 2015, or `?.` and `??` of 2020 (`optional`). TypeScript
 * may, because it is compiled to the configured level. A JavaScript file must already use syntax of that year. Imports
 * and exports are part of 2015, too, but a file with them and `var` may be bundled for old engines without being
 * compiled.
 */
export function allowsSyntax(sourceFile: ts.SourceFile, syntax: 'const' | 'optional'): boolean {
  if (!isJavaScript(sourceFile)) return true;
  const nodes = collectDescendants(sourceFile);
  if (syntax === 'optional') return nodes.some(isOf2020);
  return nodes.some(isOf2015) || (ts.isExternalModule(sourceFile) && !nodes.some(isVar));
}

function isVar(node: ts.Node): boolean {
  return ts.isVariableDeclarationList(node) && (node.flags & ts.NodeFlags.BlockScoped) === 0;
}

/** True for syntax of ECMAScript 2015 or later, of the kinds that are checked here. */
function isOf2015(node: ts.Node): boolean {
  if (ts.isVariableDeclarationList(node)) return (node.flags & ts.NodeFlags.BlockScoped) !== 0;
  return (
    ts.isArrowFunction(node) ||
    ts.isTemplateExpression(node) ||
    ts.isClassLike(node) ||
    ts.isForOfStatement(node) ||
    isOf2020(node)
  );
}

function isOf2020(node: ts.Node): boolean {
  return (
    node.kind === ts.SyntaxKind.QuestionDotToken ||
    node.kind === ts.SyntaxKind.QuestionQuestionToken ||
    node.kind === ts.SyntaxKind.QuestionQuestionEqualsToken
  );
}
