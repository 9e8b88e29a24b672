// What the parts of remove-copy share: what they see, what they answer, and small questions about lists.

import { ts } from 'ts-morph';
import { skipParentheses } from '../../syntax/controlFlow.ts';
import type { Style } from '../style.ts';
import type { Replacement } from '../textEdit.ts';

export interface Scene {
  readonly sourceFile: ts.SourceFile;
  readonly checker: ts.TypeChecker;
  readonly style: Style;
}

export interface Mend {
  readonly replacements: readonly Replacement[];
  readonly title: string;
  readonly rationale: string;
}

/** `x` of `[...x]`. */
export function onlySpread(node: ts.ArrayLiteralExpression): ts.Expression | null {
  const [only] = node.elements;
  return node.elements.length === 1 && only && ts.isSpreadElement(only) ? skipParentheses(only.expression) : null;
}

/**
 * The compiler knows it to be an array or tuple, whatever else it might be in a union. Subclasses of arrays and `any`
 * are none.
 */
export function isArray(expression: ts.Expression, { checker }: Scene): boolean {
  const type = checker.getTypeAtLocation(expression);
  const parts = type.isUnion() ? type.types : [type];
  return parts.every((part) => checker.isArrayType(part) || checker.isTupleType(part));
}

/**
 * The name means what JavaScript itself offers; a declaration of the file's or of a module's would be another symbol.
 */
export function isGlobal(name: ts.Identifier, { checker }: Scene): boolean {
  const declarations = checker.getSymbolAtLocation(name)?.declarations ?? [];
  return declarations.some((declaration) =>
    /\/lib\.[\w.]*d\.ts$|\/node_modules\/@types\/node\//.test(declaration.getSourceFile().fileName),
  );
}
