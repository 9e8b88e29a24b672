// Converts the code of a script to text without differences of layout, and lists the names that it uses.

import { ts } from 'ts-morph';

/** Joins the tokens of a node without comments, layout, kinds of quotes, semicolons and trailing commas. */
export function joinTokens(root: ts.Node, leftOut: ReadonlySet<ts.Node> = new Set()): string {
  const source = root.getSourceFile();
  const tokens: string[] = [];
  const pending: ts.Node[] = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (leftOut.has(node) || node.kind === ts.SyntaxKind.SemicolonToken || ts.isJSDoc(node)) continue;
    const children = node.getChildren(source);
    if (children.length > 0) pending.push(...children.toReversed());
    else if (node.getWidth(source) > 0)
      tokens.push(ts.isStringLiteral(node) ? JSON.stringify(node.text) : node.getText(source));
  }
  return tokens
    .filter((token, index) => token !== ',' || !/^[)\]}]$/.test(tokens[index + 1] ?? ''))
    .map((token, index, keptTokens) =>
      /^[\w$]/.test(token) && /[\w$]$/.test(keptTokens[index - 1] ?? '') ? ` ${token}` : token,
    )
    .join('')
    .replace(/"((?:[^"'\\]|\\.)*)"/g, "'$1'");
}

/** The names that a node uses, without members, keys, and names that the node declares. */
export function listUsedNames(root: ts.Node, leftOut: ReadonlySet<ts.Node> = new Set()): readonly string[] {
  const declared = new Set<string>();
  const usedNames = new Set<string>();
  const pending: ts.Node[] = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (leftOut.has(node)) continue;
    if (ts.isIdentifier(node)) {
      const { parent } = node;
      if (isDeclaredName(node)) declared.add(node.text);
      else if (!isMemberName(node, parent)) usedNames.add(node.text);
    }
    ts.forEachChild(node, (child) => void pending.push(child));
  }
  return [...usedNames].filter((name) => !declared.has(name));
}

function isDeclaredName(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isVariableDeclaration(parent) ||
      ts.isParameter(parent) ||
      ts.isBindingElement(parent) ||
      ts.isFunctionDeclaration(parent) ||
      ts.isFunctionExpression(parent) ||
      ts.isClassDeclaration(parent)) &&
    parent.name === node
  );
}

function isMemberName(node: ts.Identifier, parent: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent))
    return parent.name === node;
  return (ts.isBindingElement(parent) && parent.propertyName === node) || ts.isTypeReferenceNode(parent);
}
