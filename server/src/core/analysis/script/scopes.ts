// Finds the named definitions of a script, so that a finding can name its symbol. Computed only for files with
// findings.

import { ts } from 'ts-morph';

/** A named definition. `start` and `end`: offsets; `end` is exclusive. */
export interface Scope {
  /** Enclosing names and its own, joined by dots: `Store.get`. */
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The named definitions in text order, outer ones before inner ones. `offsets`: if not null, only the definitions that
 * contain one of these offsets, which skips most of the walk.
 */
export function findScopes(sourceFile: ts.SourceFile, offsets: readonly number[] | null = null): Scope[] {
  const scopes: Scope[] = [];
  const sortedOffsets = offsets && Int32Array.from(offsets).sort();
  const stack: { node: ts.Node; prefix: string }[] = [{ node: sourceFile, prefix: '' }];
  // An explicit stack, because operators can be nested deeper than calls can.
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    const { node, prefix } = entry;
    const name = findName(node);
    const path = name === null ? prefix : prefix === '' ? name : `${prefix}.${name}`;
    if (name !== null) scopes.push({ path, start: node.getStart(sourceFile), end: node.getEnd() });
    ts.forEachChild(
      node,
      (child) =>
        void (
          (sortedOffsets === null || containsAny(child, sortedOffsets)) &&
          stack.push({ node: child, prefix: path })
        ),
    );
  }
  return scopes.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** True if one of the offsets is in the node. `sortedOffsets`: ascending. */
function containsAny({ pos, end }: ts.Node, sortedOffsets: Int32Array): boolean {
  let low = 0;
  for (let high = sortedOffsets.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (sortedOffsets[middle]! < pos) low = middle + 1;
    else high = middle;
  }
  return low < sortedOffsets.length && sortedOffsets[low]! < end;
}

/** The name of a definition; null for other nodes, for locals that do not name a place, and for computed names. */
function findName(node: ts.Node): string | null {
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  if (ts.isVariableDeclaration(node)) return ts.isIdentifier(node.name) && isNamedPlace(node) ? node.name.text : null;
  if (ts.isPropertyAssignment(node))
    return isFunction(node.initializer) && ts.isIdentifier(node.name) ? node.name.text : null;
  if (
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node) ||
    ts.isModuleDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isAccessor(node) ||
    ts.isPropertyDeclaration(node)
  )
    return node.name &&
      (ts.isIdentifier(node.name) || ts.isPrivateIdentifier(node.name) || ts.isStringLiteral(node.name))
      ? node.name.text
      : null;
  return null;
}

/**
 * True for a variable that may name the place of a finding: one at the top level of a file or namespace, or one with a
 * function or a class.
 */
function isNamedPlace(node: ts.VariableDeclaration): boolean {
  return (
    (node.initializer !== undefined && isFunction(node.initializer)) ||
    ts.isSourceFile(node.parent.parent.parent ?? node) ||
    (node.parent.parent.parent !== undefined && ts.isModuleBlock(node.parent.parent.parent))
  );
}

function isFunction(node: ts.Node): boolean {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node) || ts.isClassExpression(node);
}
