// What a module uses of `fs`, under whatever name it is imported.

import ts from 'typescript';

/**
 * Names among `wanted`, sorted; `*` for a namespace, the module's name where it is loaded by a call, and members among
 * `members` of any object.
 */
export function fsUsesIn(
  path: string,
  text: string,
  wanted: ReadonlySet<string>,
  members: ReadonlySet<string> = new Set(),
): string[] {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier) && isFs(node.moduleSpecifier.text)) {
      const bindings = node.importClause?.namedBindings;
      if (node.importClause?.name || (bindings && ts.isNamespaceImport(bindings))) found.add('*');
      if (bindings && ts.isNamedImports(bindings)) {
        const names = bindings.elements.map(({ propertyName, name }) => (propertyName ?? name).text);
        for (const name of names) if (wanted.has(name) || name === 'promises') found.add(name);
      }
    } else if (ts.isCallExpression(node)) {
      const [first] = node.arguments;
      if (first && ts.isStringLiteralLike(first) && isFs(first.text) && loads(node.expression))
        found.add(first.text.replace(/^node:/, ''));
    } else if (ts.isPropertyAccessExpression(node) && members.has(node.name.text)) found.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return [...found].sort();
}

function loads(callee: ts.Expression): boolean {
  return callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === 'require');
}

function isFs(specifier: string): boolean {
  return /^(?:node:)?fs(?:\/promises)?$/.test(specifier);
}
