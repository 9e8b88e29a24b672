// Implements the transform `addParameter`: adds a last parameter with a default value, so all calls stay unchanged.

import { ts } from 'ts-morph';
import { refuse, type RecipeOutcome } from '../recipe.ts';
import type { OpenedFile } from '../applyRecipe.ts';
import { collectDescendants } from '../syntax/locate.ts';
import { collectFileNames } from '../syntax/names.ts';
import { isJavaScript, parseSource, listSyntaxErrors } from '../syntax/parse.ts';
import { isFittingCall, explainImporterConflict } from './callers.ts';
import { findFunction, type NamedFunction } from './declarations.ts';
import type { TransformRequest } from './request.ts';

/**
 * Adds the parameter. Refuses if the function does not exist, if name, type and default do not form a parameter, or if
 * a caller or another use of the function could behave differently.
 */
export function addParameter(
  { symbol, name, type, defaultValue, path }: Extract<TransformRequest, { kind: 'addParameter' }>,
  openedFile: OpenedFile,
): RecipeOutcome {
  const { text, sourceFile } = openedFile;
  const target = findFunction(sourceFile, symbol);
  if ('refused' in target) return target;
  if (type !== undefined && isJavaScript(sourceFile)) return refuse('Parameters of JavaScript have no types.');
  const parameterText = `${name}${type === undefined ? '' : `: ${type}`} = ${defaultValue}`;
  const trialFile = parseSource(path, `function holder(${parameterText}) {}`);
  const holder = trialFile?.statements[0];
  const isParameter =
    trialFile &&
    listSyntaxErrors(trialFile).length === 0 &&
    trialFile.statements.length === 1 &&
    holder &&
    ts.isFunctionDeclaration(holder) &&
    holder.parameters.length === 1 &&
    ts.isIdentifier(holder.parameters[0]!.name);
  if (!isParameter) return refuse('Name, type and default do not make a parameter.');
  const reason = explainRefusal(target, name) ?? explainRefusalByUses(target, openedFile);
  if (reason) return refuse(reason);
  const { parameters } = target.node;
  const lastParameter = parameters.at(-1);
  const openParenthesis = target.node.getChildren(sourceFile).find(({ kind }) => kind === ts.SyntaxKind.OpenParenToken);
  if (!openParenthesis) {
    // The parameter of `one => …` gets the parentheses that two parameters need.
    const firstParameter = parameters[0]!;
    const textBefore = text.slice(0, firstParameter.getStart(sourceFile));
    const parameterList = `(${firstParameter.getText(sourceFile)}, ${parameterText})`;
    return createOutcome(`${textBefore}${parameterList}${text.slice(firstParameter.end)}`, symbol, name);
  }
  const insertionOffset = lastParameter ? lastParameter.end : openParenthesis.end;
  const isOnOwnLines =
    lastParameter !== undefined && text.slice(openParenthesis.end, parameters[0]!.getStart(sourceFile)).includes('\n');
  const separator = !lastParameter
    ? ''
    : isOnOwnLines
      ? `,${openedFile.style.newline}${/(?<![ \t])[ \t]*$/.exec(text.slice(0, lastParameter.getStart(sourceFile)))?.[0] ?? ''}`
      : ', ';
  return createOutcome(
    text.slice(0, insertionOffset) + separator + parameterText + text.slice(insertionOffset),
    symbol,
    name,
  );
}

/** The outcome for the new text of the file, with its title. */
function createOutcome(text: string, symbol: string, name: string): RecipeOutcome {
  return {
    text,
    title: `Add ${name} to ${symbol}`,
    rationale: `Requested: a parameter ${name} of ${symbol}. Its default keeps every caller as it is.`,
  };
}

/** The reason why the function itself cannot take the parameter, as a sentence; null if it can. */
function explainRefusal({ node, declaration }: NamedFunction, name: string): string | null {
  if (node.parameters.at(-1)?.dotDotDotToken) return 'Its last parameter takes all the rest.';
  if (declaration !== node && ts.isVariableStatement(declaration) && declaration.declarationList.declarations[0]?.type)
    return 'Its type is given from elsewhere.';
  const nodesInside = collectDescendants(node);
  if (nodesInside.some((inner) => ts.isIdentifier(inner) && inner.text === name))
    return `The function already uses the name ${name}.`;
  if (nodesInside.some((inner) => ts.isIdentifier(inner) && (inner.text === 'arguments' || inner.text === 'eval')))
    return 'The function may read its arguments in another way.';
  return null;
}

/**
 * The reason why the uses of the function forbid the change, as a sentence; null if they allow it. A callback may
 * receive more arguments than it has parameters, and a method may be called or overridden anywhere.
 */
function explainRefusalByUses(
  { node, declaration, nameNode, name }: NamedFunction,
  openedFile: OpenedFile,
): string | null {
  if (ts.isMethodDeclaration(declaration)) return 'It is unknown who else calls or overrides a method.';
  const names = collectFileNames(openedFile.sourceFile);
  const symbol = names.symbolOf(nameNode);
  const parameterCount = node.parameters.length;
  const unsuitableReference =
    symbol &&
    names
      .referencesOf(symbol)
      .find(
        (reference) =>
          reference !== nameNode &&
          !ts.isExportSpecifier(reference.parent) &&
          !ts.isExportAssignment(reference.parent) &&
          !isFittingCall(reference, parameterCount),
      );
  if (unsuitableReference) return `${name} is handed on, or called with more than it takes.`;
  return explainImporterConflict(name, parameterCount, openedFile);
}
