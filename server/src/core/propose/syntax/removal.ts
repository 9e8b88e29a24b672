// Removes an unused declaration from a file without changing the behaviour of the file.

import { ts } from 'ts-morph';
import type { Style } from '../fileStyle.ts';
import { isFirstOnLine, type Replacement } from '../textEdit.ts';
import { findCommentsAbove } from './comments.ts';
import { hasSideEffects } from '../../syntax/sideEffects.ts';
import { collectDescendants } from './locate.ts';
import { isJavaScript } from './parse.ts';
import { createPureCallTest } from '../../syntax/pureCalls.ts';
import { removeStatement } from './removeStatement.ts';
import { continuesLine } from './scopes.ts';
import type { UnusedDiagnostic } from './unused.ts';
import { hasModifier } from '../../syntax/declarations/modifiers.ts';

/** Matches the path of a style sheet, with a query if it has one. */
const STYLE_SHEET_PATTERN = /\.(?:css|s[ac]ss|less|styl|pcss)(?:\?.*)?$/;
/** Built-in collections whose creation without arguments has no side effects. */
const EMPTY_COLLECTIONS: ReadonlySet<string> = new Set(['Array', 'Map', 'Set', 'WeakMap', 'WeakSet']);
/** Names of imports that compiled JSX may use without a visible reference. */
const JSX_FACTORIES = new Set(['React', 'Preact', 'h', 'jsx', 'Fragment', 'createElement']);
/** Matches a comment that expects an error of the type checker. */
const EXPECTED_ERROR_PATTERN = /@ts-expect-error|\$(?:Flow)?Expect(?:ed)?Error/;

/** The replacements that remove a declaration, or the reason why it must stay. */
export type Removal = { readonly replacements: readonly Replacement[] } | { readonly refused: string };

/**
 * Removes the declaration of unused names, or refuses with the reason why it must stay. A value with side effects
 * becomes a statement.
 */
export function planRemoval(
  service: ts.LanguageService,
  fileName: string,
  sourceFile: ts.SourceFile,
  unused: UnusedDiagnostic,
  style: Style,
): Removal {
  const reason = explainRefusal(service, fileName, sourceFile, unused);
  if (reason) return { refused: reason };
  const { statement } = unused;
  if (unused.coversStatement) {
    if (ts.isImportDeclaration(statement)) return removeWholeImport(sourceFile, statement);
    if (ts.isVariableStatement(statement)) return removeWholeVariable(sourceFile, statement, style);
    if ((ts.isClassDeclaration(statement) || ts.isEnumDeclaration(statement)) && runsCode(sourceFile, statement))
      return { refused: 'Declaring it runs code.' };
    const overloads = collectOverloads(statement);
    return { replacements: [removeStatement(sourceFile, overloads[0] ?? statement, overloads.at(-1))] };
  }
  const isPure = createPureCallTest(sourceFile);
  if (unused.declarationNodes.some((part) => hasSideEffects(sourceFile, part, isPure)))
    return {
      refused: 'Its value is computed by something that may have effects, and it shares its declaration with others.',
    };
  return removeByCodeFix(service, fileName, sourceFile, unused);
}

/** The reason why the names must stay although no code reads them; null if they may be removed. */
function explainRefusal(
  service: ts.LanguageService,
  fileName: string,
  sourceFile: ts.SourceFile,
  { names, identifiers, statement, isImport }: UnusedDiagnostic,
): string | null {
  if (isImport) {
    const usesJsx =
      /x$/.test(fileName) ||
      collectDescendants(sourceFile).some((node) => ts.isJsxOpeningLikeElement(node) || ts.isJsxFragment(node));
    const factoryName = names.find((name) => usesJsx && JSX_FACTORIES.has(name));
    if (factoryName) return `JSX may need ${factoryName}.`;
    const documentedName = isJavaScript(sourceFile) && names.find((name) => isInDocComments(sourceFile, name));
    return documentedName ? `A doc comment refers to ${documentedName}.` : null;
  }
  // A test of types contains declarations that must not compile.
  if (findCommentsAbove(sourceFile, statement).some(({ text }) => EXPECTED_ERROR_PATTERN.test(text)))
    return 'A comment above it expects a type error.';
  const declarations = collectOverloads(statement);
  for (const identifier of identifiers) {
    const reference = findReferencesTo(service, fileName, identifier).find(
      (start) => !declarations.some((declaration) => start >= declaration.pos && start < declaration.end),
    );
    if (reference !== undefined)
      return `${identifier.text} is still mentioned in line ${sourceFile.getLineAndCharacterOfPosition(reference).line + 1}.`;
  }
  return null;
}

/**
 * Finds the offsets of all identifiers that refer to the same local, including its declaration; empty if it is unknown.
 */
function findReferencesTo(service: ts.LanguageService, fileName: string, identifier: ts.Identifier): number[] {
  const program = service.getProgram();
  const file = program?.getSourceFile(fileName);
  if (!program || !file) return [];
  const checker = program.getTypeChecker();
  const symbolOf = (node: ts.Identifier) =>
    ts.isShorthandPropertyAssignment(node.parent)
      ? checker.getShorthandAssignmentValueSymbol(node.parent)
      : checker.getSymbolAtLocation(node);
  const sameNameIdentifiers = collectDescendants(file).filter(
    (node): node is ts.Identifier => ts.isIdentifier(node) && node.text === identifier.text,
  );
  const identifierInProgram = sameNameIdentifiers.find((node) => node.getStart(file) === identifier.getStart());
  const symbol = identifierInProgram && symbolOf(identifierInProgram);
  return symbol
    ? sameNameIdentifiers.filter((node) => symbolOf(node) === symbol).map((node) => node.getStart(file))
    : [];
}

/** Removes a whole import. A style sheet is imported for its side effect, so only the names are removed. */
function removeWholeImport(sourceFile: ts.SourceFile, statement: ts.ImportDeclaration): Removal {
  const { moduleSpecifier, importClause } = statement;
  if (importClause && ts.isStringLiteral(moduleSpecifier) && STYLE_SHEET_PATTERN.test(moduleSpecifier.text))
    return {
      replacements: [{ start: importClause.getStart(sourceFile), end: moduleSpecifier.getStart(sourceFile), text: '' }],
    };
  return { replacements: [removeStatement(sourceFile, statement)] };
}

/** Removes a statement whose variables are all unused. A value with side effects becomes a statement. */
function removeWholeVariable(sourceFile: ts.SourceFile, statement: ts.VariableStatement, style: Style): Removal {
  const { declarations } = statement.declarationList;
  if ((statement.declarationList.flags & ts.NodeFlags.Using) === ts.NodeFlags.Using)
    return { refused: 'It is declared with `using`, so the end of the block disposes of it.' };
  const isPure = createPureCallTest(sourceFile);
  const declarationsWithEffects = declarations.filter(
    (declaration) => !isEmptyCollection(sourceFile, declaration) && hasSideEffects(sourceFile, declaration, isPure),
  );
  if (declarationsWithEffects.length === 0) return { replacements: [removeStatement(sourceFile, statement)] };
  const [declaration] = declarations;
  const value = declaration?.initializer;
  if (declarations.length > 1 || !declaration || !value)
    return { refused: 'One of the values is computed by something that may have effects.' };
  if (ts.isArrayBindingPattern(declaration.name))
    return { refused: 'The destructured array may have an iterator with side effects.' };
  if (hasSideEffects(sourceFile, declaration.name)) return { refused: 'A default value may have effects.' };
  if (isPure(value) || !readsAsStatement(value))
    return { refused: 'Its value may have side effects, and it cannot be a statement of its own.' };
  const start = statement.getStart(sourceFile);
  const keptText = sourceFile.text.slice(value.getStart(sourceFile));
  if (!style.semicolons && continuesLine(keptText))
    return { refused: 'Without a semicolon its value would continue the line before it.' };
  if (!isFirstOnLine(sourceFile.text, start) && continuesLine(keptText))
    return { refused: 'Its value would continue the statement before it.' };
  return { replacements: [{ start, end: value.getStart(sourceFile), text: '' }] };
}

/**
 * True for `const seen = new Set()` and similar declarations, whose empty collection can be removed with the variable.
 */
function isEmptyCollection(sourceFile: ts.SourceFile, { name, initializer }: ts.VariableDeclaration): boolean {
  if (
    !ts.isIdentifier(name) ||
    !initializer ||
    !ts.isNewExpression(initializer) ||
    (initializer.arguments?.length ?? 0) > 0
  )
    return false;
  const { expression } = initializer;
  if (!ts.isIdentifier(expression) || !EMPTY_COLLECTIONS.has(expression.text)) return false;
  // The name must refer to the built-in class, so the file must not declare or import it.
  return !collectDescendants(sourceFile).some(
    (node) =>
      ts.isIdentifier(node) &&
      node.text === expression.text &&
      (node.parent as { readonly name?: ts.Node }).name === node &&
      !ts.isPropertyAccessExpression(node.parent),
  );
}

/**
 * True for an `await`, a call or a `new` that does not begin like a declaration or a block. Such a value can be a
 * statement; `a + f()` as a statement would look like a mistake.
 */
function readsAsStatement(value: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(value) || ts.isAsExpression(value)) return false;
  if (ts.isAwaitExpression(value)) return true;
  if (!ts.isCallExpression(value) && !ts.isNewExpression(value)) return false;
  let firstNode: ts.Node = value;
  while (
    ts.isCallExpression(firstNode) ||
    ts.isPropertyAccessExpression(firstNode) ||
    ts.isElementAccessExpression(firstNode) ||
    ts.isNonNullExpression(firstNode)
  )
    firstNode = firstNode.expression;
  return (
    !ts.isFunctionExpression(firstNode) &&
    !ts.isClassExpression(firstNode) &&
    !ts.isObjectLiteralExpression(firstNode) &&
    !ts.isArrowFunction(firstNode) &&
    !(ts.isIdentifier(firstNode) && firstNode.text === 'let')
  );
}

/**
 * True if evaluating the declaration itself may have side effects. In a class, these are decorators, computed names,
 * static blocks, and side effects in values of static fields or in the `extends` clause.
 */
function runsCode(sourceFile: ts.SourceFile, statement: ts.ClassDeclaration | ts.EnumDeclaration): boolean {
  if (ts.isEnumDeclaration(statement)) return hasSideEffects(sourceFile, statement);
  const isDecorated = [statement, ...statement.members].some(
    (node) => ts.canHaveDecorators(node) && (ts.getDecorators(node)?.length ?? 0) > 0,
  );
  const hasEffectfulBase = statement.heritageClauses?.some((clause) => hasSideEffects(sourceFile, clause)) ?? false;
  return (
    isDecorated ||
    hasEffectfulBase ||
    statement.members.some(
      (member) =>
        ts.isClassStaticBlockDeclaration(member) ||
        (member.name && ts.isComputedPropertyName(member.name)) ||
        (ts.isPropertyDeclaration(member) &&
          hasModifier(member, ts.SyntaxKind.StaticKeyword) &&
          member.initializer &&
          hasSideEffects(sourceFile, member.initializer)),
    )
  );
}

/**
 * Collects all declarations of the same function in its list of statements; for other statements, only the statement
 * itself.
 */
function collectOverloads(statement: ts.Statement): ts.Statement[] {
  if (!ts.isFunctionDeclaration(statement) || !('statements' in statement.parent)) return [statement];
  const siblings = statement.parent.statements as ts.NodeArray<ts.Statement>;
  return siblings.filter((sibling) => ts.isFunctionDeclaration(sibling) && sibling.name?.text === statement.name?.text);
}

/** Removes a part of an import, of a list of variables or of a pattern by TypeScript's own code fix. */
function removeByCodeFix(
  service: ts.LanguageService,
  fileName: string,
  sourceFile: ts.SourceFile,
  { diagnostic }: UnusedDiagnostic,
): Removal {
  const { start = 0, length = 0, code } = diagnostic;
  const fixes = service.getCodeFixesAtPosition(fileName, start, start + length, [code], {}, {});
  const fix = fixes.find(({ fixName, fixId }) => fixName === 'unusedIdentifier' && fixId !== 'unusedIdentifier_prefix');
  const changes = fix?.changes.flatMap(({ textChanges }) => textChanges) ?? [];
  if (changes.length === 0) return { refused: 'TypeScript offers no way to remove it.' };
  const replacements = changes.map(({ span, newText }) => ({
    start: span.start,
    end: span.start + span.length,
    text: newText,
  }));
  return { replacements: replacements.map((replacement) => widenToLine(sourceFile.text, replacement)) };
}

/** Widens the removal of a name that has a line for itself to the whole line. */
function widenToLine(text: string, { start, end, text: insertedText }: Replacement): Replacement {
  const lineEnding = /^[ \t]*\r?\n/.exec(text.slice(end));
  const isWholeLine =
    insertedText === '' &&
    isFirstOnLine(text, start) &&
    lineEnding &&
    start > 0 &&
    text.slice(start, end).trim() !== '';
  return isWholeLine
    ? { start: text.lastIndexOf('\n', start - 1) + 1, end: end + lineEnding[0].length, text: '' }
    : { start, end, text: insertedText };
}

/** True if a doc comment mentions the name, because JavaScript has its types in doc comments. */
function isInDocComments(sourceFile: ts.SourceFile, name: string): boolean {
  const pattern = new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`);
  return (sourceFile.text.match(/\/\*\*[\s\S]*?(?:\*\/|(?![\s\S]))/g) ?? []).some((comment) => pattern.test(comment));
}
