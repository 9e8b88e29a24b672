// Detects how a file writes its functions: as arrow functions or declarations, helpers above or below their callers,
// with or without return types.

import { ts } from 'ts-morph';
import { collectDescendants } from '../syntax/locate.ts';
import { isJavaScript } from '../syntax/parse.ts';
import { hasExportKeyword, hasModifier } from '../../syntax/declarations/modifiers.ts';

/** The conventions of a file for its functions. */
export interface Conventions {
  /** True if most functions at the top level are written as `const name = () => …`. */
  readonly usesArrows: boolean;
  /** True if most helper functions are above the functions that call them. */
  readonly putsHelpersFirst: boolean;
  /** True if most functions with a name declare what they return. Always false in JavaScript. */
  readonly writesReturnTypes: boolean;
  /** True if most functions of three statements or more have a blank line before their last `return`. */
  readonly putsBlankBeforeReturn: boolean;
}

/** A function at the top level of the file. */
interface TopLevelFunction {
  readonly name: string;
  readonly node: ts.FunctionDeclaration | ts.ArrowFunction;
  readonly isExported: boolean;
}

/**
 * Detects the conventions of the majority of functions. Without a majority, they are: declarations, helpers below their
 * callers, no return types, and no blank line before `return`.
 */
export function detectConventions(sourceFile: ts.SourceFile): Conventions {
  const functions = findTopLevelFunctions(sourceFile);
  const arrowCount = functions.filter(({ node }) => ts.isArrowFunction(node)).length;
  const [helpersAbove, helpersBelow] = countPlacesOfHelpers(functions);
  const namedFunctions = collectDescendants(sourceFile).filter(
    (node): node is ts.FunctionDeclaration | ts.MethodDeclaration | ts.ArrowFunction => isNamedFunction(node),
  );
  const typedCount = namedFunctions.filter(({ type }) => type !== undefined).length;
  const [returnsWithBlank, returnsWithoutBlank] = countReturns(sourceFile);
  return {
    usesArrows: arrowCount * 2 > functions.length,
    putsHelpersFirst: helpersAbove > helpersBelow,
    writesReturnTypes: !isJavaScript(sourceFile) && typedCount * 2 > namedFunctions.length,
    putsBlankBeforeReturn: returnsWithBlank > returnsWithoutBlank,
  };
}

/**
 * Detects how a class marks private methods: `prefix` is put before the name, and `usesKeyword` is true if the keyword
 * `private` is used. The majority of its methods and properties decides. If none of them is marked, the keyword is
 * used, except in JavaScript.
 */
export function detectPrivateStyle(owner: ts.ClassLikeDeclaration): {
  readonly prefix: '' | '#' | '_';
  readonly usesKeyword: boolean;
} {
  const members = owner.members.filter((member) => ts.isMethodDeclaration(member) || ts.isPropertyDeclaration(member));
  const hashCount = members.filter(({ name }) => ts.isPrivateIdentifier(name)).length;
  const underscoredMembers = members.filter((member) => member.name.getText().startsWith('_'));
  const modifierCount = members.filter((member) =>
    hasModifier(member, ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword),
  ).length;
  const isInJavaScript = isJavaScript(owner.getSourceFile());
  if (hashCount > modifierCount && hashCount >= underscoredMembers.length) return { prefix: '#', usesKeyword: false };
  if (underscoredMembers.length > 0 && underscoredMembers.length * 2 > modifierCount)
    return { prefix: '_', usesKeyword: !isInJavaScript && modifierCount > 0 };
  return { prefix: '', usesKeyword: !isInJavaScript };
}

/**
 * Finds the function declarations, and the variables whose value is an arrow function with a block, at the top level.
 */
function findTopLevelFunctions(sourceFile: ts.SourceFile): TopLevelFunction[] {
  return sourceFile.statements.flatMap((statement): TopLevelFunction[] => {
    const isExported = hasExportKeyword(statement);
    if (ts.isFunctionDeclaration(statement) && statement.name && statement.body)
      return [{ name: statement.name.text, node: statement, isExported }];
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
      ts.isIdentifier(name) && initializer && ts.isArrowFunction(initializer) && ts.isBlock(initializer.body)
        ? [{ name: name.text, node: initializer, isExported }]
        : [],
    );
  });
}

/** The numbers of unexported functions that are above and below the first function that uses them. */
function countPlacesOfHelpers(functions: readonly TopLevelFunction[]): [above: number, below: number] {
  let [helpersAbove, helpersBelow] = [0, 0];
  const referencedNames = functions.map(
    ({ node }) => new Set(collectDescendants(node).flatMap((inner) => (ts.isIdentifier(inner) ? [inner.text] : []))),
  );
  for (const [index, { name, isExported }] of functions.entries()) {
    const caller = referencedNames.findIndex((names, position) => position !== index && names.has(name));
    if (isExported || caller < 0) continue;
    if (caller > index) helpersAbove++;
    else helpersBelow++;
  }
  return [helpersAbove, helpersBelow];
}

/** True for a function, a method, or the arrow function of a top-level variable, if its body is a block. */
function isNamedFunction(node: ts.Node): boolean {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) return node.body !== undefined;
  return (
    ts.isArrowFunction(node) &&
    ts.isBlock(node.body) &&
    ts.isVariableDeclaration(node.parent) &&
    ts.isSourceFile(node.parent.parent.parent.parent)
  );
}

/**
 * The numbers of function bodies that have a blank line before their last `return`, and of those that have none. Only
 * bodies with three statements or more that end with a `return` count.
 */
function countReturns(sourceFile: ts.SourceFile): [withBlank: number, without: number] {
  let [returnsWithBlank, returnsWithoutBlank] = [0, 0];
  for (const node of collectDescendants(sourceFile)) {
    if (!ts.isBlock(node) || !ts.isFunctionLike(node.parent) || node.statements.length < 3) continue;
    const lastStatement = node.statements.at(-1);
    if (!lastStatement || !ts.isReturnStatement(lastStatement)) continue;
    if (/\n[ \t]*\r?\n/.test(sourceFile.text.slice(lastStatement.getFullStart(), lastStatement.getStart(sourceFile))))
      returnsWithBlank++;
    else returnsWithoutBlank++;
  }
  return [returnsWithBlank, returnsWithoutBlank];
}
