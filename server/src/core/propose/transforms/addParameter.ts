// Adds a last parameter with a default value, so that all calls stay as they are.

import { ts } from 'ts-morph';
import { refuse, type RecipeOutcome } from '../recipe.ts';
import type { Opened } from '../realise.ts';
import { parentsOfSpecifier, readImporters } from '../exports/importers.ts';
import { nodesIn } from '../syntax/locate.ts';
import { namesOf } from '../syntax/names.ts';
import { isJavaScript, parseSource, syntaxErrors } from '../syntax/parse.ts';
import { functionNamed, type NamedFunction } from './declared.ts';
import type { TransformRequest } from './request.ts';

/**
 * Adds the parameter. Refuses if there is no such function, if name, type and default do not make a parameter, or if a
 * caller or any other use of the function could behave differently.
 */
export function addParameter(
  { symbol, name, type, defaultValue, path }: Extract<TransformRequest, { kind: 'addParameter' }>,
  opened: Opened,
): RecipeOutcome {
  const { text, sourceFile } = opened;
  const target = functionNamed(sourceFile, symbol);
  if ('refused' in target) return target;
  if (type !== undefined && isJavaScript(sourceFile)) return refuse('Parameters of JavaScript have no types.');
  const parameterText = `${name}${type === undefined ? '' : `: ${type}`} = ${defaultValue}`;
  const trialFile = parseSource(path, `function holder(${parameterText}) {}`);
  const holder = trialFile?.statements[0];
  const isParameter =
    trialFile &&
    syntaxErrors(trialFile).length === 0 &&
    trialFile.statements.length === 1 &&
    holder &&
    ts.isFunctionDeclaration(holder) &&
    holder.parameters.length === 1 &&
    ts.isIdentifier(holder.parameters[0]!.name);
  if (!isParameter) return refuse('Name, type and default do not make a parameter.');
  const reason = reasonAgainst(target, name) ?? reasonByUses(target, opened);
  if (reason) return refuse(reason);
  const { parameters } = target.node;
  const lastParameter = parameters.at(-1);
  const openParenthesis = target.node.getChildren(sourceFile).find(({ kind }) => kind === ts.SyntaxKind.OpenParenToken);
  if (!openParenthesis) {
    // `one => …` gets the parentheses that two parameters need.
    const only = parameters[0]!;
    return addedParameterOutcome(
      `${text.slice(0, only.getStart(sourceFile))}(${only.getText(sourceFile)}, ${parameterText})${text.slice(only.end)}`,
      symbol,
      name,
    );
  }
  const at = lastParameter ? lastParameter.end : openParenthesis.end;
  const isOnOwnLines =
    lastParameter !== undefined && text.slice(openParenthesis.end, parameters[0]!.getStart(sourceFile)).includes('\n');
  const separator = !lastParameter
    ? ''
    : isOnOwnLines
      ? `,${opened.style.newline}${/(?<![ \t])[ \t]*$/.exec(text.slice(0, lastParameter.getStart(sourceFile)))?.[0] ?? ''}`
      : ', ';
  return addedParameterOutcome(text.slice(0, at) + separator + parameterText + text.slice(at), symbol, name);
}

function addedParameterOutcome(text: string, symbol: string, name: string): RecipeOutcome {
  return {
    text,
    title: `Add ${name} to ${symbol}`,
    rationale: `Asked for: a parameter ${name} of ${symbol}. Its default keeps every caller as it is.`,
  };
}

/** The reason why the function itself cannot take the parameter, or null. */
function reasonAgainst({ node, whole }: NamedFunction, name: string): string | null {
  if (node.parameters.at(-1)?.dotDotDotToken) return 'Its last parameter takes all the rest.';
  if (whole !== node && ts.isVariableStatement(whole) && whole.declarationList.declarations[0]?.type)
    return 'Its type is given from elsewhere.';
  const nodesInside = nodesIn(node);
  if (nodesInside.some((inner) => ts.isIdentifier(inner) && inner.text === name))
    return `The function already uses the name ${name}.`;
  if (nodesInside.some((inner) => ts.isIdentifier(inner) && (inner.text === 'arguments' || inner.text === 'eval')))
    return 'The function reads what it is given in another way.';
  return null;
}

/**
 * The reason why the uses of the function forbid the change, or null. As a callback, a function may receive more
 * arguments than it has parameters, and a method may be called or overridden anywhere. In other files, only uses of
 * named imports are checked.
 */
function reasonByUses(
  { node, whole, nameNode, name }: NamedFunction,
  { sourceFile, tree, path }: Opened,
): string | null {
  if (ts.isMethodDeclaration(whole)) return 'It is unknown who else calls or overrides a method.';
  const names = namesOf(sourceFile);
  const symbol = names.symbolOf(nameNode);
  const parameterCount = node.parameters.length;
  const wrongMention =
    symbol &&
    names
      .mentionsOf(symbol)
      .find(
        (mention) =>
          mention !== nameNode &&
          !ts.isExportSpecifier(mention.parent) &&
          !ts.isExportAssignment(mention.parent) &&
          !isFittingCall(mention, parameterCount),
      );
  if (wrongMention) return `${name} is handed on, or called with more than it takes.`;
  if (!/\bexport\b/.test(sourceFile.text)) return null;
  const importers = readImporters(tree);
  if (!importers) return 'The repository has too many files to see all callers.';
  const word = new RegExp(`(?<![\\w$])${name}(?![\\w$])`);
  for (const { path: from, specifier } of importers.of(path)) {
    const otherFile = importers.sourceFile(from);
    const text = importers.text(from);
    if (!word.test(text)) continue;
    if (!otherFile) return `${from} may hand it on.`;
    const namedImports = parentsOfSpecifier(otherFile, specifier).flatMap((statement) =>
      ts.isImportDeclaration(statement) &&
      statement.importClause?.namedBindings &&
      ts.isNamedImports(statement.importClause.namedBindings)
        ? statement.importClause.namedBindings.elements
            .filter((element) => (element.propertyName ?? element.name).text === name)
            .map((element) => element.name.text)
        : [],
    );
    for (const local of namedImports) {
      const uses = nodesIn(otherFile).filter(
        (candidate): candidate is ts.Identifier =>
          ts.isIdentifier(candidate) &&
          candidate.text === local &&
          !ts.isImportSpecifier(candidate.parent) &&
          !(ts.isPropertyAccessExpression(candidate.parent) && candidate.parent.name === candidate),
      );
      if (!uses.every((use) => isFittingCall(use, parameterCount)))
        return `${from} hands it on, or calls it with more than it takes.`;
    }
  }
  return null;
}

/** True if the mention is called with no more arguments than there are parameters, and without a spread. */
function isFittingCall(mention: ts.Identifier, parameterCount: number): boolean {
  const { parent } = mention;
  if (ts.isTypeQueryNode(parent)) return false;
  return (
    ts.isCallExpression(parent) &&
    parent.expression === mention &&
    parent.arguments.length <= parameterCount &&
    !parent.arguments.some(ts.isSpreadElement)
  );
}
