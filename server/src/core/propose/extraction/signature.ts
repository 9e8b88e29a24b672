// Makes signature and call of a new function from the data flow alone, where TypeScript's refactoring refuses: it takes
// no `return` inside an `if`.

import { ts } from 'ts-morph';
import { nodesIn } from '../syntax/locate.ts';
import { isJavaScript } from '../syntax/parse.ts';
import { nodesOf, type Cut, type FunctionWithBody } from './cuts.ts';
import type { Flow, Input } from './dataFlow.ts';
import type { Extracted } from './refactor.ts';

const MARK = 'NAME';
const FULL = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;

/**
 * Refused where types of the functions around would be out of reach, or where the value of the call would need more
 * than one statement.
 */
export function signatureOf(
  checker: ts.TypeChecker,
  sourceFile: ts.SourceFile,
  outer: FunctionWithBody,
  cut: Cut,
  flow: Flow,
  scope: ts.Node,
): Extracted | { readonly refused: string } {
  if (flow.output) return { refused: 'It gives a value back.' };
  if (ts.isGetAccessorDeclaration(outer) || ts.isSetAccessorDeclaration(outer) || isStatic(outer))
    return { refused: 'An accessor or a static member has a place of its own.' };
  if (mentionsTypeParameter(checker, cut, flow, scope)) return { refused: 'It needs a type parameter.' };
  const script = isJavaScript(sourceFile);
  const parameters = flow.inputs.map((input) =>
    script ? input.name : `${input.name}: ${typeOf(checker, input, scope)}`,
  );
  const declared = flow.returns?.value && !script ? (outer.type?.getText(sourceFile) ?? null) : null;
  const last = cut.statements.at(-1);
  const atEnd = last !== undefined && outer.body.statements.at(-1) === last;
  const returning = flow.returns && (flow.returns.value || !atEnd) ? 'return ' : '';
  const given = flow.inputs.map(({ name }) => name).join(', ');
  return {
    asynchronous: flow.awaits,
    isStatic: false,
    typeParameters: '',
    parameters,
    // Without `await` in it, what an async function returns is not a promise yet.
    returnType: isAsync(outer) && !flow.awaits ? null : declared,
    call: `${returning}${flow.awaits ? 'await ' : ''}${ts.isClassLike(scope) ? 'this.' : ''}${MARK}(${given})`,
    returned: null,
    hasAny: parameters.some((parameter) => /\bany\b/.test(parameter)),
    imports: [],
  };
}

/** As the declaration says it, while that still holds where the run begins; else as the checker sees it there. */
function typeOf(checker: ts.TypeChecker, { symbol, first }: Input, scope: ts.Node): string {
  const here = checker.getTypeOfSymbolAtLocation(symbol, first);
  const declaration = symbol.valueDeclaration;
  const written =
    declaration &&
    (ts.isParameter(declaration) || ts.isVariableDeclaration(declaration)) &&
    ts.isIdentifier(declaration.name)
      ? declaration.type
      : undefined;
  const optional = declaration && ts.isParameter(declaration) && declaration.questionToken;
  if (
    written &&
    !optional &&
    checker.typeToString(here, first, FULL) === checker.typeToString(checker.getTypeFromTypeNode(written), first, FULL)
  )
    return written.getText();
  return checker.typeToString(checker.getBaseTypeOfLiteralType(here), scope, FULL);
}

function mentionsTypeParameter(checker: ts.TypeChecker, cut: Cut, flow: Flow, scope: ts.Node): boolean {
  const outside = (declaration: ts.Declaration) =>
    declaration.pos > scope.pos &&
    declaration.end < scope.end &&
    !(ts.isClassLike(scope) && declaration.parent === scope);
  const inCut = (declaration: ts.Declaration) =>
    cut.statements.some((statement) => declaration.pos >= statement.pos && declaration.end <= statement.end);
  const parametersOf = (node: ts.Node) =>
    [node, ...nodesIn(node)].some(
      (inner) => ts.isTypeReferenceNode(inner) && isOuter(checker.getSymbolAtLocation(inner.typeName)),
    );
  const isOuter = (symbol: ts.Symbol | undefined) =>
    symbol?.declarations?.some(
      (declaration) =>
        (ts.isTypeParameterDeclaration(declaration) ||
          ts.isTypeAliasDeclaration(declaration) ||
          ts.isInterfaceDeclaration(declaration)) &&
        outside(declaration) &&
        !inCut(declaration),
    ) ?? false;
  if (nodesOf(cut).some((node) => ts.isTypeReferenceNode(node) && parametersOf(node))) return true;
  return flow.inputs.some(({ symbol, first }) =>
    hasTypeParameter(checker, checker.getTypeOfSymbolAtLocation(symbol, first), scope),
  );
}

function hasTypeParameter(checker: ts.TypeChecker, type: ts.Type, scope: ts.Node, depth = 0): boolean {
  if ((type.flags & ts.TypeFlags.TypeParameter) !== 0)
    return !ts.isClassLike(scope) || !type.symbol.declarations?.some(({ parent }) => parent === scope);
  if (depth > 3) return false;
  const parts = [
    ...(type.aliasTypeArguments ?? []),
    ...(type.isUnionOrIntersection() ? type.types : []),
    ...(isReference(type) ? checker.getTypeArguments(type) : []),
  ];
  return parts.some((part) => part !== type && hasTypeParameter(checker, part, scope, depth + 1));
}

function isReference(type: ts.Type): type is ts.TypeReference {
  return (
    (type.flags & ts.TypeFlags.Object) !== 0 && ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference) !== 0
  );
}

function isAsync(node: FunctionWithBody): boolean {
  return (
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ?? false)
  );
}

function isStatic(node: FunctionWithBody): boolean {
  return (
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) ?? false)
  );
}
