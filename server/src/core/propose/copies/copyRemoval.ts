// Defines the types and helpers that all parts of the recipe `remove-copy` share.

import type { ts } from 'ts-morph';
import type { Style } from '../fileStyle.ts';
import type { Replacement } from '../textEdit.ts';

/** The file that the recipe works on, with its types. */
export interface TypedSource {
  readonly sourceFile: ts.SourceFile;
  readonly checker: ts.TypeChecker;
  readonly style: Style;
}

/** The replacements that remove a copy, and the title of the change. */
export interface CopyRemoval {
  readonly replacements: readonly Replacement[];
  readonly title: string;
  readonly rationale: string;
}

/** True if the type of the value is an array or a tuple in every case. Subclasses of arrays and `any` do not count. */
export function isArray(expression: ts.Expression, { checker }: TypedSource): boolean {
  const type = checker.getTypeAtLocation(expression);
  const parts = type.isUnion() ? type.types : [type];
  return parts.every((part) => checker.isArrayType(part) || checker.isTupleType(part));
}

/** True if the name refers to a global that JavaScript or Node declares, and not to a declaration of the repository. */
export function isGlobal(name: ts.Identifier, { checker }: TypedSource): boolean {
  const declarations = checker.getSymbolAtLocation(name)?.declarations ?? [];
  return declarations.some((declaration) =>
    /\/lib\.[\w.]*d\.ts$|\/node_modules\/@types\/node\//.test(declaration.getSourceFile().fileName),
  );
}
