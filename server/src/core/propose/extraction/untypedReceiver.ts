// Finds reasons to doubt that the `substr` of a value of unknown type is the method of strings.

import { ts } from 'ts-morph';
import { readImporters } from '../exports/importers.ts';
import type { Types } from './checkerTypes.ts';
import type { SourceTree } from '../../ports/sources.ts';

/** Maximum number of variables that are followed to the origin of a value. */
const MAX_STEPS = 5;
/** Matches the end of a text after which a word is a variable: an operator, or the beginning of a declaration. */
const BEFORE_VARIABLE_PATTERN = /(?:[(=<>+&|-]|(?:^|[;{}\n])\s{0,80}(?:var|let|const|return)\s)\s*$/;
/** Matches the text after the name of a member or a function, which a library may add to objects under its name. */
const AFTER_MEMBER_PATTERN = /^\s*(?:[:(?<]|=\s*(?:async\b|function\b|\(|[\w$]+\s*=>))/;
/** Matches `substr` as a word. */
const SUBSTR_PATTERN = /(?<![\w$])substr(?![\w$])/g;

/** The reason why the value may not be a string, as the end of a sentence; null if there is none. */
export function explainDoubt(receiver: ts.Expression, types: Types, tree: SourceTree): string | null {
  if (mayBeForeign(receiver, types)) return 'it may be an object that another module defines';
  const files = readImporters(tree);
  if (!files) return 'not all files can be read';
  return [...files.scripts(), ...files.pages()].some((path) => definesOwnSubstr(files.text(path)))
    ? 'a file names a `substr` without calling it, which may be its own'
    : null;
}

/**
 * True if the value is created by `new`, imported, returned by imported code, or of unknown origin. Parameters are none
 * of these.
 */
function mayBeForeign(value: ts.Expression, types: Types, steps = MAX_STEPS): boolean {
  if (ts.isNewExpression(value) || steps === 0) return true;
  if (
    ts.isPropertyAccessExpression(value) ||
    ts.isElementAccessExpression(value) ||
    ts.isCallExpression(value) ||
    ts.isAwaitExpression(value) ||
    ts.isParenthesizedExpression(value) ||
    ts.isNonNullExpression(value) ||
    ts.isAsExpression(value)
  )
    return mayBeForeign(value.expression, types, steps);
  if (ts.isBinaryExpression(value))
    return mayBeForeign(value.left, types, steps) || mayBeForeign(value.right, types, steps);
  if (ts.isConditionalExpression(value))
    return mayBeForeign(value.whenTrue, types, steps) || mayBeForeign(value.whenFalse, types, steps);
  if (value.kind === ts.SyntaxKind.ImportKeyword) return true;
  if (!ts.isIdentifier(value)) return false;
  return value.text === 'require' || types.declarations(value).some((node) => isForeign(node, types, steps - 1));
}

/**
 * True if a value with this declaration is created by `new`, imported, returned by imported code, or of unknown origin.
 */
function isForeign(declaration: ts.Node, types: Types, steps: number): boolean {
  if (
    ts.isImportSpecifier(declaration) ||
    ts.isImportClause(declaration) ||
    ts.isNamespaceImport(declaration) ||
    ts.isImportEqualsDeclaration(declaration)
  )
    return true;
  if (ts.isBindingElement(declaration)) return isForeign(declaration.parent.parent, types, steps);
  if (ts.isParameter(declaration))
    return declaration.initializer !== undefined && mayBeForeign(declaration.initializer, types, steps);
  if (!ts.isVariableDeclaration(declaration)) return false;
  const loop = declaration.parent.parent;
  const origin = declaration.initializer ?? (ts.isForOfStatement(loop) ? loop.expression : null);
  // A variable without an initial value gets its value elsewhere, so its origin is unknown.
  return origin === null || mayBeForeign(origin, types, steps);
}

/**
 * True if the text contains the word `substr` anywhere except in the call `.substr(` and as a variable that is read or
 * declared, as in `(substr)`, `= substr` and `var substr`.
 */
function definesOwnSubstr(text: string): boolean {
  return [...text.matchAll(SUBSTR_PATTERN)].some(({ index }) => {
    const before = text.slice(Math.max(0, index - 100), index);
    const after = text.slice(index + 'substr'.length, index + 100);
    if (/\.\s*$/.test(before)) return !/^\s*\(/.test(after);
    return !BEFORE_VARIABLE_PATTERN.test(before) || AFTER_MEMBER_PATTERN.test(after);
  });
}
