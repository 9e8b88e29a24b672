// remove-parameter: removes the last parameters of a function that no code reads, together with the arguments in its
// calls.

import { ts } from 'ts-morph';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { hasSideEffects } from '../../syntax/sideEffects.ts';
import { readImporters } from '../../propose/exports/importers.ts';
import { collectFileNames, type Names } from '../../propose/syntax/names.ts';
import { collectDescendants, findSpan } from '../../propose/syntax/locate.ts';
import { removeNewlyUnused } from '../../propose/syntax/newlyUnused.ts';
import {
  applyReplacements,
  isFirstOnLine,
  lineEnd,
  lineStart,
  nextLineStart,
  type Replacement,
} from '../../propose/textEdit.ts';

/** A function of which all uses may be known. */
type LocalFunction = ts.FunctionDeclaration | ts.ArrowFunction | ts.FunctionExpression;

/**
 * Rewrites `function f(a, unused) {}` and `f(1, 2)` as `function f(a) {}` and `f(1)`. Names that only the removed
 * arguments needed are removed, too. Refuses if the function may be used in other ways, if an argument has side
 * effects, if a comment would be lost, or if another file may read the parameter.
 */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { sourceFile, text, path, style } = context;
  const names = collectFileNames(sourceFile);
  const nameSpan = findSpan(sourceFile, context.opportunity.nameRange);
  const localFunction =
    nameSpan &&
    collectDescendants(sourceFile).findLast(
      (node): node is LocalFunction =>
        isLocalFunction(node) &&
        node.parameters.some((parameter) => parameter.pos <= nameSpan.start && nameSpan.start < parameter.end),
    );
  if (!localFunction || countUnreadParameters(localFunction, names) === 0)
    return refuse('There is no longer a function here whose last parameter is never read.');
  const name = findName(localFunction);
  const symbol = name && names.symbolOf(name);
  if (!name || !symbol) return refuse('The function has no name of its own, or others can see it.');
  if (symbol.declarations?.length !== 1) return refuse('It has overloads or is declared more than once.');
  const isGlobal =
    !ts.isExternalModule(sourceFile) &&
    ts.isSourceFile(
      (ts.isFunctionDeclaration(localFunction) ? localFunction : localFunction.parent.parent.parent).parent,
    ) &&
    !/\b(require|module|exports)\b/.test(text);
  if (isGlobal) return refuse('Other scripts may call it.');

  const firstRemovedIndex = localFunction.parameters.length - countUnreadParameters(localFunction, names);
  const removedParameters = localFunction.parameters.slice(firstRemovedIndex);
  const keptReason = removedParameters
    .map((parameter) => explainRefusedParameter(parameter, localFunction, sourceFile))
    .find((reason) => reason !== null);
  if (keptReason) return refuse(keptReason);
  const outsideReaderReason = ts.isSourceFile(localFunction.parent)
    ? explainOutsideReader(context, removedParameters)
    : null;
  if (outsideReaderReason) return refuse(outsideReaderReason);
  const replacements: Replacement[] = [
    createRemoval(sourceFile, localFunction.parameters, firstRemovedIndex),
    ...removedParameters.flatMap((parameter) => createTagRemovals(parameter, sourceFile)),
  ];
  for (const reference of names.referencesOf(symbol)) {
    if (reference === name) continue;
    const call = reference.parent;
    if (!ts.isCallExpression(call) || call.expression !== reference)
      return refuse(`${name.text} is used in another way than being called.`);
    if (call.arguments.length > localFunction.parameters.length || call.arguments.some(ts.isSpreadElement))
      return refuse('A caller gives more than the function takes, or a list.');
    if (call.typeArguments) return refuse('A caller names the types.');
    const removedArguments = call.arguments.slice(firstRemovedIndex);
    if (removedArguments.length === 0) continue;
    if (removedArguments.some((argument) => hasSideEffects(sourceFile, argument)))
      return refuse('An argument of a call has side effects.');
    const unreadName = removedArguments
      .flatMap((argument) => [argument, ...collectDescendants(argument)])
      .find((node) => ts.isIdentifier(node) && wouldBeUnread(node, names, removedParameters));
    if (unreadName) return refuse(`${unreadName.getText(sourceFile)} would then be read by nobody.`);
    replacements.push(createRemoval(sourceFile, call.arguments, firstRemovedIndex));
  }
  if (
    replacements.some(
      ({ start, end }) =>
        /\/[/*]/.test(text.slice(start, end).replace(/(['"`]).*?\1/g, '')) &&
        !text.slice(start, end).includes('@param'),
    )
  )
    return refuse('A comment would be lost.');
  const removal = removeNewlyUnused(
    path,
    text,
    applyReplacements(text, selectOutermost(replacements)),
    new Set(),
    style,
  );
  if ('refused' in removal) return removal;
  const droppedNames = removedParameters.map((parameter) => parameter.name.getText(sourceFile)).join(', ');
  return {
    text: removal.text,
    title: `remove the unused ${removedParameters.length === 1 ? 'parameter' : 'parameters'} ${droppedNames} of ${name.text}`,
    namesPlace: true,
    rationale: `${name.text} never reads ${droppedNames}, and all its callers are in this file.`,
  };
}

/**
 * The reason why another file, which a build inserts into the function, may read the parameters; null if no file reads
 * such names without declaring them.
 */
function explainOutsideReader(
  { tree, path }: RecipeContext,
  removedParameters: readonly ts.ParameterDeclaration[],
): string | null {
  const importers = readImporters(tree);
  if (!importers) return 'The repository has too many files to be sure that none reads it.';
  for (const parameter of removedParameters) {
    const name = parameter.name.getText();
    const otherFile = importers
      .scripts()
      .find(
        (script) =>
          script !== path &&
          importers.text(script).includes(name) &&
          readsUndeclared(importers.sourceFile(script), name),
      );
    if (otherFile !== undefined)
      return `${otherFile} reads ${name} without declaring it, so it may be put into the function when the program is built.`;
  }
  return null;
}

/** True if the file mentions the name, other than as a property, and never declares it. False without a file. */
function readsUndeclared(sourceFile: ts.SourceFile | null, name: string): boolean {
  const identifiers = sourceFile
    ? collectDescendants(sourceFile).filter(
        (node): node is ts.Identifier => ts.isIdentifier(node) && node.text === name,
      )
    : [];
  const references = identifiers.filter((node) => !isProperty(node));
  return (
    references.length > 0 &&
    !references.some((node) => !ts.isShorthandPropertyAssignment(node.parent) && findNameNode(node.parent) === node)
  );
}

/** True for the name of a property or member, where it is declared, and after a dot. */
function isProperty(node: ts.Identifier): boolean {
  const { parent } = node;
  if (findNameNode(parent) !== node || ts.isShorthandPropertyAssignment(parent)) return false;
  return (
    ts.isPropertyAccessExpression(parent) ||
    ts.isObjectLiteralElement(parent) ||
    ts.isClassElement(parent) ||
    ts.isTypeElement(parent)
  );
}

function findNameNode(node: ts.Node): ts.Node | undefined {
  return 'name' in node ? (node.name as ts.Node | undefined) : undefined;
}

function isLocalFunction(node: ts.Node): node is LocalFunction {
  return ts.isFunctionDeclaration(node) || ts.isArrowFunction(node) || ts.isFunctionExpression(node);
}

/**
 * The number of parameters at the end that no code reads. Patterns, `this`, rest parameters, and names with a modifier
 * or a leading underscore count as read. 0 if the function mentions `arguments` or `eval`.
 */
function countUnreadParameters(localFunction: LocalFunction, names: Names): number {
  if (
    !localFunction.body ||
    collectDescendants(localFunction).some(
      (node) => ts.isIdentifier(node) && (node.text === 'arguments' || node.text === 'eval'),
    )
  )
    return 0;
  const isUnread = (parameter: ts.ParameterDeclaration) => {
    if (
      !ts.isIdentifier(parameter.name) ||
      parameter.dotDotDotToken ||
      parameter.modifiers?.length ||
      /^(_|this$)/.test(parameter.name.text)
    )
      return false;
    const symbol = names.symbolOf(parameter.name);
    return symbol !== undefined && names.referencesOf(symbol).length === 1;
  };
  return (
    localFunction.parameters.length - 1 - localFunction.parameters.findLastIndex((parameter) => !isUnread(parameter))
  );
}

/**
 * The name of the function, or of the variable to which it is assigned; null if it is exported or has a declared type.
 */
function findName(localFunction: LocalFunction): ts.Identifier | null {
  if (ts.isFunctionDeclaration(localFunction))
    return localFunction.modifiers?.some(({ kind }) => kind !== ts.SyntaxKind.AsyncKeyword)
      ? null
      : (localFunction.name ?? null);
  const { parent } = localFunction;
  if (!ts.isVariableDeclaration(parent) || parent.type || !ts.isIdentifier(parent.name)) return null;
  const statement = parent.parent.parent;
  return ts.isVariableStatement(statement) && !statement.modifiers?.length ? parent.name : null;
}

/** The reason why an unread parameter must stay; null if it can be removed. */
function explainRefusedParameter(
  parameter: ts.ParameterDeclaration,
  localFunction: LocalFunction,
  sourceFile: ts.SourceFile,
): string | null {
  if (parameter.initializer && hasSideEffects(sourceFile, parameter.initializer))
    return 'Its default value has effects.';
  const typeParameterNames = new Set(localFunction.typeParameters?.map(({ name }) => name.text) ?? []);
  const isGeneric =
    parameter.type &&
    [parameter.type, ...collectDescendants(parameter.type)].some(
      (node) => ts.isIdentifier(node) && typeParameterNames.has(node.text),
    );
  return isGeneric ? 'A type parameter of the function is inferred from it.' : null;
}

/**
 * True for a local or a parameter that is mentioned only here and in its declaration, if the declaration is not
 * removed.
 */
function wouldBeUnread(node: ts.Identifier, names: Names, removedNodes: readonly ts.Node[]): boolean {
  const symbol = names.symbolOf(node);
  const declaration = symbol?.valueDeclaration;
  if (!symbol || !declaration || removedNodes.includes(declaration)) return false;
  const isInFunction =
    ts.isParameter(declaration) ||
    (ts.isVariableDeclaration(declaration) && !ts.isSourceFile(declaration.parent.parent.parent)) ||
    ts.isBindingElement(declaration);
  return isInFunction && names.referencesOf(symbol).length === 2;
}

/**
 * Removes the items of a list from the index `firstIndex` to its end, with the comma before them; a trailing comma stays. If
 * `firstIndex` is 0, removes everything between the parentheses.
 */
function createRemoval(sourceFile: ts.SourceFile, elements: ts.NodeArray<ts.Node>, firstIndex: number): Replacement {
  const lastElement = elements.at(-1)!;
  if (firstIndex > 0) return { start: elements[firstIndex - 1]!.end, end: lastElement.end, text: '' };
  // The spaces before the parenthesis are removed, too.
  return {
    start: elements.pos,
    end: elements.end + (/^\s*(?=\))/.exec(sourceFile.text.slice(elements.end))?.[0].length ?? 0),
    text: '',
  };
}

/**
 * The removal of the tags of the doc comment about the parameter: whole lines, or only the tag if other text precedes
 * it.
 */
function createTagRemovals(parameter: ts.ParameterDeclaration, sourceFile: ts.SourceFile): Replacement[] {
  const { text } = sourceFile;
  return ts.getJSDocParameterTags(parameter).flatMap((tag) => {
    const start = tag.getStart(sourceFile);
    const tagText = text.slice(start, tag.end).replace(/(?<![\s*])[\s*]+$/, '');
    if (
      /^[ \t]*(?:\*[ \t]*)?$/.test(text.slice(lineStart(text, start), start)) &&
      lineEnd(text, start + tagText.length) - (start + tagText.length) <= 2
    )
      return [{ start: lineStart(text, start), end: nextLineStart(text, start + tagText.length), text: '' }];
    return isFirstOnLine(text, start) ? [] : [{ start, end: start + tagText.length, text: '' }];
  });
}

/**
 * The replacements that are not inside another replacement: a call in a removed argument is removed with the argument.
 */
function selectOutermost(replacements: readonly Replacement[]): Replacement[] {
  return replacements.filter(
    (replacement) =>
      !replacements.some(
        (other) =>
          other !== replacement &&
          other.start <= replacement.start &&
          replacement.end <= other.end &&
          (other.start < replacement.start || replacement.end < other.end),
      ),
  );
}
