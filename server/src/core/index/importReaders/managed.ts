// Reads the imports of C#, Kotlin, Scala, Swift and Haskell: modules, packages and types by their full names.

import type { Node } from 'web-tree-sitter';
import { collectNodesOfType } from './nodes.ts';

/** `using X = A.B` and `using static A.B` read as `A.B`. */
export function readCsharpImports(root: Node): string[] {
  return collectNodesOfType(root, ['using_directive']).map((node) =>
    (node.namedChildren.findLast((child) => child !== null && child.type !== 'comment')?.text ?? '')
      .replace(/^global::/, '')
      .replaceAll(/<[\s\S]*$|\s/g, ''),
  );
}

/** `import a.{B, C => D}, e._` reads as `a.B`, `a.C`, `e.*`. */
export function readScalaImports(root: Node): string[] {
  return collectNodesOfType(root, ['import_declaration']).flatMap((node) => {
    const importedNames = node.text.replace(/^import\s+/, '').replaceAll(/\s+/g, ' ');
    return [...importedNames.matchAll(/([^,{]+)(?:\{([^{}]*)\})?/g)].flatMap(([, path, names]) => {
      const prefix = path!.trim();
      if (names === undefined) return [removeScalaAlias(prefix)];
      return names
        .split(',')
        .map((name) => removeScalaAlias(prefix + name.trim()))
        .filter((name) => !name.endsWith('.given'));
    });
  });
}

/** The imported name without its new name; `_` for all members becomes `*`. */
function removeScalaAlias(name: string): string {
  return name
    .replace(/ ?(=>| as ) ?.*$/, '')
    .replace(/\._$/, '.*')
    .replaceAll(/[ `]/g, '');
}

/** `import struct A.B` reads as `A.B`. */
export function readSwiftImports(root: Node): string[] {
  return collectNodesOfType(root, ['import_declaration']).map(
    (node) => node.namedChildren.find((child) => child?.type === 'identifier')?.text.replaceAll(/\s/g, '') ?? '',
  );
}

/** `import a.b as c` reads as `a.b`. */
export function readKotlinImports(root: Node): string[] {
  return collectNodesOfType(root, ['import']).flatMap((node) =>
    node.isNamed
      ? [
          node.text
            .replace(/^import\s+/, '')
            .replace(/(?<!\s)\s+as\s[\s\S]*$/, '')
            .replaceAll(/[\s`;]/g, ''),
        ]
      : [],
  );
}

/** `import qualified A.B as C` reads as `A.B`. */
export function readHaskellImports(root: Node): string[] {
  return collectNodesOfType(root, ['import']).flatMap((node) =>
    node.isNamed ? [node.childForFieldName('module')?.text.replaceAll(/\s/g, '') ?? ''] : [],
  );
}
