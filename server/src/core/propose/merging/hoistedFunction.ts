// Moves an inner function that several functions of a file declare identically to the nearest scope that all of them
// can access.

import { ts } from 'ts-morph';
import { collectCommentsAround } from './innerComments.ts';
import { detectConventions } from '../extraction/conventions.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../recipe.ts';
import { findCommentsAbove } from '../syntax/comments.ts';
import { collectDescendants, type Span } from '../syntax/locate.ts';
import { collectFileNames, type Names } from '../syntax/names.ts';
import { parseSource } from '../syntax/parse.ts';
import { reindent } from '../syntax/reindent.ts';
import { removeStatements } from '../syntax/removeStatements.ts';
import { isPropertyName } from '../syntax/scopes.ts';
import { listTokenTexts } from '../syntax/tokens.ts';
import { applyReplacements, indentAt, isFirstOnLine, lineEnd, lineStart } from '../textEdit.ts';

/** A function that is declared among the statements of another function. */
interface InnerFunction {
  readonly statement: ts.FunctionDeclaration | ts.VariableStatement;
  readonly name: ts.Identifier;
  readonly symbol: ts.Symbol;
  /** The node of the function itself. */
  readonly node: ts.FunctionDeclaration | ts.ArrowFunction;
}

/** Minimum number of lines of the function. Moving a shorter one hardly makes the file shorter. */
const MIN_LINES = 4;
/** The refusal if no inner function has a copy at the other place. */
export const NO_COPY = 'No inner function is the same in both places.';

/**
 * Moves the inner function at `span` whose copies are elsewhere in the file, one of them at `otherSpan`. All copies
 * that can move become one function. Refuses unless every copy uses nothing of the functions around it and is only
 * called.
 */
export function hoistFunction(context: RecipeContext, span: Span, otherSpan: Span): RecipeOutcome {
  const { sourceFile } = context;
  const names = collectFileNames(sourceFile);
  const candidates = collectInnerFunctions(sourceFile, names);
  const findAt = (spanOfCopy: Span) =>
    candidates.filter(({ statement }) => overlaps(sourceFile, statement, spanOfCopy));
  let reason = NO_COPY;
  for (const firstCopy of findAt(span)) {
    const secondCopy = findAt(otherSpan).find((candidate) => candidate !== firstCopy && isCopyOf(candidate, firstCopy));
    if (!secondCopy) continue;
    const copies = candidates.filter(
      (candidate) =>
        isCopyOf(candidate, firstCopy) &&
        (candidate === firstCopy ||
          candidate === secondCopy ||
          explainCannotMove(candidate, sourceFile, names) === null),
    );
    const outcome = moveCopies(context, names, copies);
    if (!('refused' in outcome)) return outcome;
    reason = outcome.refused;
  }
  return refuse(reason);
}

/**
 * Collects function declarations, and constants whose value is an arrow function, directly in the bodies of functions.
 */
function collectInnerFunctions(sourceFile: ts.SourceFile, names: Names): InnerFunction[] {
  return collectDescendants(sourceFile).flatMap((statement): InnerFunction[] => {
    const isInBody = ts.isBlock(statement.parent) && ts.isFunctionLike(statement.parent.parent);
    const declaredFunction = isInBody ? findDeclaredFunction(statement) : null;
    const symbol = declaredFunction && names.symbolOf(declaredFunction.name);
    const lines = sourceFile.text.slice(statement.getStart(sourceFile), statement.end).split('\n').length;
    return symbol && symbol.declarations?.length === 1 && lines >= MIN_LINES
      ? [{ statement: statement as InnerFunction['statement'], symbol, ...declaredFunction }]
      : [];
  });
}

/** The function that a statement declares, as a declaration or a constant with an arrow function; null for others. */
function findDeclaredFunction(statement: ts.Node): Pick<InnerFunction, 'name' | 'node'> | null {
  if (ts.isFunctionDeclaration(statement))
    return statement.name && statement.body ? { name: statement.name, node: statement } : null;
  if (!ts.isVariableStatement(statement) || (statement.declarationList.flags & ts.NodeFlags.Const) === 0) return null;
  const [declaration, ...otherDeclarations] = statement.declarationList.declarations;
  if (!declaration?.initializer || otherDeclarations.length > 0 || !ts.isIdentifier(declaration.name)) return null;
  return ts.isArrowFunction(declaration.initializer) ? { name: declaration.name, node: declaration.initializer } : null;
}

/** True if the node and the span have a common part. */
function overlaps(sourceFile: ts.SourceFile, node: ts.Node, { start, end }: Span): boolean {
  return node.getStart(sourceFile) < end && node.end > start;
}

/** True if both functions have the same name and the same tokens. */
function isCopyOf(candidate: InnerFunction, original: InnerFunction): boolean {
  return (
    candidate.name.text === original.name.text && joinTokens(candidate.statement) === joinTokens(original.statement)
  );
}

/** Replaces the copies by one function in the innermost scope that contains all of them. */
function moveCopies(context: RecipeContext, names: Names, copies: readonly InnerFunction[]): RecipeOutcome {
  const { sourceFile, style, text, path } = context;
  const [firstCopy] = copies as readonly [InnerFunction, ...InnerFunction[]];
  const scope = findCommonScope(copies);
  const name = firstCopy.name.text;
  for (const copy of copies) {
    const reason = explainCannotMove(copy, sourceFile, names, scope);
    if (reason !== null) return refuse(reason);
    if (leavesStrictCode(copy, scope, sourceFile)) return refuse(`${name} would leave strict code.`);
    if (sharesLines(sourceFile, copy.statement)) return refuse('The function shares its lines with other code.');
  }
  if (ts.isSourceFile(scope) && !isModule(sourceFile))
    return refuse('The file is a script, so the function would become a global.');
  const references = copies.flatMap(({ symbol }) => names.referencesOf(symbol));
  if (isNameTaken(sourceFile, scope, name, names, references)) return refuse(`The name ${name} is taken.`);
  const comments = copies.map((copy) => collectCommentsAround(sourceFile, copy.statement).join('\n'));
  if (comments.some((comment) => comment !== comments[0]))
    return refuse('A comment in one of the places is missing in the other.');
  const hosts = copies.map(({ statement }) => findChildAround(statement, scope));
  const [host] = hosts as [ts.Node, ...ts.Node[]];
  const isArrow = ts.isVariableStatement(firstCopy.statement);
  // Hoisted functions can be called before the constant is initialised.
  if (isArrow && hosts.some((each) => ts.isFunctionDeclaration(each)))
    return refuse(`Code that runs earlier than ${name} is declared might need it.`);

  const { start: spanStart } = findCommentsAbove(sourceFile, firstCopy.statement)[0] ?? {
    start: firstCopy.statement.getStart(sourceFile),
  };
  const movedSpan = { start: lineStart(text, spanStart), end: lineEnd(text, firstCopy.statement.end) };
  const hostIndent = indentAt(text, host.getStart(sourceFile));
  const declaration = applyReplacements(
    text.slice(movedSpan.start, movedSpan.end),
    reindent(sourceFile, movedSpan, indentAt(text, firstCopy.statement.getStart(sourceFile)), hostIndent).map(
      (change) => ({
        ...change,
        start: change.start - movedSpan.start,
        end: change.end - movedSpan.start,
      }),
    ),
  );
  const isInsertedAbove = isArrow || detectConventions(sourceFile).putsHelpersFirst;
  const position = isInsertedAbove
    ? lineStart(text, findCommentsAbove(sourceFile, host)[0]?.start ?? host.getStart(sourceFile))
    : lineEnd(text, host.end);
  const blankLine = style.newline + style.newline;
  const result = applyReplacements(text, [
    ...removeStatements(
      sourceFile,
      copies.map(({ statement }) => statement),
    ),
    { start: position, end: position, text: isInsertedAbove ? declaration + blankLine : blankLine + declaration },
  ]);
  const innerReferenceCount = references.filter(
    ({ pos, end }) => pos >= firstCopy.statement.pos && end <= firstCopy.statement.end,
  ).length;
  if (!hasReferenceCount(path, result, firstCopy, references.length - (copies.length - 1) * innerReferenceCount))
    return refuse(`The name ${name} would mean something else at a place that calls it.`);
  const lines = declaration.split('\n').length;
  return {
    text: result,
    title: `declare ${name} once`,
    namesPlace: true,
    rationale:
      `${copies.length} functions declare ${name} inside, word for word (${lines} lines). It uses nothing of them, so ` +
      `one function beside them does the same.`,
  };
}

/** The reason why the copy cannot move to the scope (by default, the file), as a sentence; null if it can. */
function explainCannotMove(
  { node, symbol, name }: InnerFunction,
  sourceFile: ts.SourceFile,
  names: Names,
  scope: ts.Node = sourceFile,
): string | null {
  const isOutside = ({ pos, end }: ts.Node) => pos < node.pos || end > node.end;
  for (const inner of collectDescendants(node)) {
    if (inner.kind === ts.SyntaxKind.ThisKeyword || inner.kind === ts.SyntaxKind.SuperKeyword)
      return `${name.text} uses the object of the function around it.`;
    if (ts.isMetaProperty(inner)) return `${name.text} uses new.target or import.meta.`;
    if (!ts.isIdentifier(inner) || isPropertyName(inner)) continue;
    if (inner.text === 'eval' || (inner.text === 'arguments' && ts.isArrowFunction(node)))
      return `${name.text} uses ${inner.text}.`;
    const [declaration] = names.symbolOf(inner)?.declarations ?? [];
    const isOfFunctionAround =
      declaration && isOutside(declaration) && declaration !== name.parent && !isVisibleFrom(declaration, scope);
    if (isOfFunctionAround) return `${name.text} uses ${inner.text} of the function around it.`;
  }
  const isOnlyCalled = names.referencesOf(symbol).every((reference) => reference === name || isCallee(reference));
  return isOnlyCalled ? null : `${name.text} is more than called, so it matters that each call has its own.`;
}

/** True if code directly in the scope can access the declaration. */
function isVisibleFrom(declaration: ts.Node, scope: ts.Node): boolean {
  for (let node: ts.Node = declaration.parent; node; node = node.parent) {
    const isScope = ts.isBlock(node) || ts.isSourceFile(node) || ts.isFunctionLike(node) || ts.isModuleBlock(node);
    if (isScope || ts.isClassLike(node)) return node.pos <= scope.pos && node.end >= scope.end;
  }
  return false;
}

function isCallee(reference: ts.Identifier): boolean {
  return ts.isCallExpression(reference.parent) && reference.parent.expression === reference;
}

/** Finds the innermost body of a function that contains all copies; the file if there is none. */
function findCommonScope(copies: readonly InnerFunction[]): ts.Block | ts.SourceFile {
  let scope: ts.Node = copies[0]!.statement.parent.parent;
  for (;;) {
    const { pos, end } = scope;
    const isBody = ts.isBlock(scope) && ts.isFunctionLike(scope.parent);
    if (
      ts.isSourceFile(scope) ||
      (isBody && copies.every(({ statement }) => statement.pos >= pos && statement.end <= end))
    )
      return scope as ts.Block | ts.SourceFile;
    scope = scope.parent;
  }
}

/** The direct child of `scope` that contains the node. */
function findChildAround(node: ts.Node, scope: ts.Node): ts.Node {
  let child = node;
  while (child.parent !== scope) child = child.parent;
  return child;
}

/**
 * True if the scope already has the name, or if code in it other than `references` uses the name for something else.
 */
function isNameTaken(
  sourceFile: ts.SourceFile,
  scope: ts.Node,
  name: string,
  names: Names,
  references: readonly ts.Identifier[],
): boolean {
  return collectDescendants(sourceFile).some((node) => {
    if (!ts.isIdentifier(node) || node.text !== name || isPropertyName(node) || references.includes(node)) return false;
    const [declaration] = names.symbolOf(node)?.declarations ?? [];
    // A name without a declaration is a global, which the new function would hide.
    return !declaration || isVisibleFrom(declaration, scope);
  });
}

/** True for a file with imports or exports of any kind, so its declarations are not global. */
function isModule(sourceFile: ts.SourceFile): boolean {
  return ts.isExternalModule(sourceFile) || /\bmodule\.exports\b|\bexports\.\w|\brequire\(/.test(sourceFile.text);
}

/**
 * True if the scope is not strict but the copy is, because of a class or a directive around it. Undeclared names and
 * `arguments` behave differently in strict code.
 */
function leavesStrictCode({ statement }: InnerFunction, scope: ts.Node, sourceFile: ts.SourceFile): boolean {
  if (ts.isExternalModule(sourceFile) || hasDirective(sourceFile.statements)) return false;
  for (let node: ts.Node = statement.parent; node !== scope; node = node.parent)
    if (ts.isClassLike(node) || (ts.isBlock(node) && hasDirective(node.statements))) return true;
  return false;
}

/** True if the first statement is a text, such as `'use strict'`. */
function hasDirective([first]: readonly ts.Statement[]): boolean {
  return first !== undefined && ts.isExpressionStatement(first) && ts.isStringLiteral(first.expression);
}

/** True if other code is on the lines of the statement. */
function sharesLines({ text }: ts.SourceFile, statement: ts.Statement): boolean {
  const start = statement.getStart();
  return !isFirstOnLine(text, start) || text.slice(statement.end, lineEnd(text, statement.end)).trim() !== '';
}

/** True if exactly `count` identifiers of the new text refer to a function with the same text as `first`. */
function hasReferenceCount(path: string, text: string, first: InnerFunction, count: number): boolean {
  const changedFile = parseSource(path, text);
  if (!changedFile) return false;
  const names = collectFileNames(changedFile);
  return collectDescendants(changedFile).some((statement) => {
    const declaredFunction = findDeclaredFunction(statement);
    const symbol = declaredFunction && names.symbolOf(declaredFunction.name);
    return (
      symbol?.declarations?.length === 1 &&
      joinTokens(statement) === joinTokens(first.statement) &&
      names.referencesOf(symbol).length === count
    );
  });
}

/** The tokens as one text, without a final semicolon. */
function joinTokens(statement: ts.Node): string {
  return listTokenTexts(statement).join('\0').replace(/\0;$/, '');
}
