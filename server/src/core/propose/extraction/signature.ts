// Makes the signature and the call of a new function from the data flow alone, for statements that TypeScript's own
// refactoring refuses because of a `return` inside an `if`.

import { ts } from 'ts-morph';
import { nodesIn } from '../syntax/locate.ts';
import { isJavaScript } from '../syntax/parse.ts';
import { nodesOf, type Cut, type FunctionWithBody } from './cuts.ts';
import type { Flow, Input } from './dataFlow.ts';
import type { Extracted } from './refactor.ts';

const MARK = 'NAME';
const FULL = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;

/**
 * Refuses if the new function could not see a type of an enclosing function, or if the call would need more than one
 * statement to use its value.
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
  const isUntyped = isJavaScript(sourceFile);
  const parameters = flow.inputs.map((input) =>
    isUntyped ? input.name : `${input.name}: ${typeOf(checker, input, scope)}`,
  );
  const declared = flow.returns?.value && !isUntyped ? (outer.type?.getText(sourceFile) ?? null) : null;
  const last = cut.statements.at(-1);
  const atEnd = last !== undefined && outer.body.statements.at(-1) === last;
  const returning = flow.returns && (flow.returns.value || !atEnd) ? 'return ' : '';
  const callArguments = flow.inputs.map(({ name }) => name).join(', ');
  return {
    asynchronous: flow.awaits,
    isStatic: false,
    typeParameters: '',
    parameters,
    // Without an `await` in it, the new function is not async, and the declared promise is not its return type.
    returnType: isAsync(outer) && !flow.awaits ? null : declared,
    call: `${returning}${flow.awaits ? 'await ' : ''}${ts.isClassLike(scope) ? 'this.' : ''}${MARK}(${callArguments})`,
    returned: null,
    hasAny: parameters.some((parameter) => /\bany\b/.test(parameter)),
    imports: [],
  };
}

/** The declared type, if it still holds where the run first uses the input; else the type that the checker infers. */
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

/** Whether the moved statements or their inputs need a type that is declared deeper than the new function will be. */
function mentionsTypeParameter(checker: ts.TypeChecker, cut: Cut, flow: Flow, scope: ts.Node): boolean {
  const isDeeper = (declaration: ts.Declaration) =>
    declaration.pos > scope.pos &&
    declaration.end < scope.end &&
    !(ts.isClassLike(scope) && declaration.parent === scope);
  const inCut = (declaration: ts.Declaration) =>
    cut.statements.some((statement) => declaration.pos >= statement.pos && declaration.end <= statement.end);
  const mentionsOuter = (node: ts.Node) =>
    [node, ...nodesIn(node)].some(
      (inner) => ts.isTypeReferenceNode(inner) && isOuter(checker.getSymbolAtLocation(inner.typeName)),
    );
  const isOuter = (symbol: ts.Symbol | undefined) =>
    symbol?.declarations?.some(
      (declaration) =>
        (ts.isTypeParameterDeclaration(declaration) ||
          ts.isTypeAliasDeclaration(declaration) ||
          ts.isInterfaceDeclaration(declaration)) &&
        isDeeper(declaration) &&
        !inCut(declaration),
    ) ?? false;
  if (nodesOf(cut).some((node) => ts.isTypeReferenceNode(node) && mentionsOuter(node))) return true;
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
