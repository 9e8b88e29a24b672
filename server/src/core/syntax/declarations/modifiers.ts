// The keywords before a declaration: `export`, `async`, `static` and others.

import { ts } from 'ts-morph';

/** True for a declaration with at least one of the keywords. */
export function hasModifier(node: ts.Node, ...keywords: readonly ts.ModifierSyntaxKind[]): boolean {
  return (
    ts.canHaveModifiers(node) &&
    (node.modifiers?.some(({ kind }) => (keywords as readonly ts.SyntaxKind[]).includes(kind)) ?? false)
  );
}

/** True for a declaration with the keyword `export`. */
export function hasExportKeyword(node: ts.Node): boolean {
  return hasModifier(node, ts.SyntaxKind.ExportKeyword);
}

/** True for a function with the keyword `async`. */
export function isAsync(node: ts.Node): boolean {
  return hasModifier(node, ts.SyntaxKind.AsyncKeyword);
}

/** True for a function with the asterisk of a generator. */
export function isGenerator(node: ts.Node): boolean {
  return 'asteriskToken' in node && node.asteriskToken !== undefined;
}

/** True for an async function that is not a generator. */
export function isPlainAsync(node: ts.Node): boolean {
  return isAsync(node) && !isGenerator(node);
}
