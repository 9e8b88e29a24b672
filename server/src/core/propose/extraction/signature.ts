// Creates the signature and the call of a new function from the data flow alone. This covers statements with a `return`
// inside an `if`, which TypeScript's own refactoring does not extract.

import { ts } from 'ts-morph';
import { collectDescendants } from '../syntax/locate.ts';
import { isJavaScript } from '../syntax/parse.ts';
import { collectCandidateNodes, type ExtractionCandidate, type FunctionWithBody } from './extractionCandidates.ts';
import type { Flow, Input } from './dataFlow.ts';
import type { ExtractedFunction } from './refactor.ts';
import { hasModifier, isAsync } from '../../syntax/declarations/modifiers.ts';

/** The placeholder for the name of the new function in its call. */
const NAME_PLACEHOLDER = 'NAME';
/** Types are written in full, and by their aliases if they have some. */
const TYPE_FORMAT = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;

/**
 * Creates the signature and the call for the statements of `candidate`, which move to a function in `scope`. Refuses if
 * the statements declare or change a variable that later code reads, if `outerFunction` is an accessor or a static
 * member, or if a needed type is not visible in `scope`.
 */
export function createSignature(
  checker: ts.TypeChecker,
  sourceFile: ts.SourceFile,
  outerFunction: FunctionWithBody,
  candidate: ExtractionCandidate,
  flow: Flow,
  scope: ts.Node,
): ExtractedFunction | { readonly refused: string } {
  if (flow.output) return { refused: 'It returns a value.' };
  if (
    ts.isGetAccessorDeclaration(outerFunction) ||
    ts.isSetAccessorDeclaration(outerFunction) ||
    hasModifier(outerFunction, ts.SyntaxKind.StaticKeyword)
  )
    return { refused: 'An accessor or a static member has a place of its own.' };
  if (needsHiddenType(checker, candidate, flow, scope)) return { refused: 'It needs a type parameter.' };
  const isUntyped = isJavaScript(sourceFile);
  const parameters = flow.inputs.map((input) =>
    isUntyped ? input.name : `${input.name}: ${chooseParameterType(checker, input, scope)}`,
  );
  const declaredReturn = flow.returns?.value && !isUntyped ? (outerFunction.type?.getText(sourceFile) ?? null) : null;
  const lastStatement = candidate.statements.at(-1);
  const isAtEnd = lastStatement !== undefined && outerFunction.body.statements.at(-1) === lastStatement;
  const returnKeyword = flow.returns && (flow.returns.value || !isAtEnd) ? 'return ' : '';
  const callArguments = flow.inputs.map(({ name }) => name).join(', ');
  return {
    isAsync: flow.awaits,
    isStatic: false,
    typeParameters: '',
    parameters,
    // Without an `await`, the new function is not async, so the declared promise is not its return type.
    returnType: isAsync(outerFunction) && !flow.awaits ? null : declaredReturn,
    call: `${returnKeyword}${flow.awaits ? 'await ' : ''}${ts.isClassLike(scope) ? 'this.' : ''}${NAME_PLACEHOLDER}(${callArguments})`,
    returnStatement: null,
    hasAny: parameters.some((parameter) => /\bany\b/.test(parameter)),
    imports: [],
  };
}

/**
 * Chooses the declared type if it is still valid at the first reference in the moved statements; otherwise the inferred
 * type.
 */
function chooseParameterType(checker: ts.TypeChecker, { symbol, firstReference }: Input, scope: ts.Node): string {
  const typeAtUse = checker.getTypeOfSymbolAtLocation(symbol, firstReference);
  const declaration = symbol.valueDeclaration;
  const declaredType =
    declaration &&
    (ts.isParameter(declaration) || ts.isVariableDeclaration(declaration)) &&
    ts.isIdentifier(declaration.name)
      ? declaration.type
      : undefined;
  const isOptional = declaration && ts.isParameter(declaration) && declaration.questionToken;
  if (
    declaredType &&
    !isOptional &&
    checker.typeToString(typeAtUse, firstReference, TYPE_FORMAT) ===
      checker.typeToString(checker.getTypeFromTypeNode(declaredType), firstReference, TYPE_FORMAT)
  )
    return declaredType.getText();
  return checker.typeToString(checker.getBaseTypeOfLiteralType(typeAtUse), scope, TYPE_FORMAT);
}

/** True if the moved statements or their inputs need a type that is not visible in the new function. */
function needsHiddenType(checker: ts.TypeChecker, candidate: ExtractionCandidate, flow: Flow, scope: ts.Node): boolean {
  const isDeeper = (declaration: ts.Declaration) =>
    declaration.pos > scope.pos && declaration.end < scope.end && declaration.parent !== scope;
  const isInCandidate = (declaration: ts.Declaration) =>
    candidate.statements.some((statement) => declaration.pos >= statement.pos && declaration.end <= statement.end);
  const usesHiddenType = (node: ts.Node) =>
    [node, ...collectDescendants(node)].some(
      (inner) => ts.isTypeReferenceNode(inner) && isHidden(checker.getSymbolAtLocation(inner.typeName)),
    );
  const isHidden = (symbol: ts.Symbol | undefined) =>
    symbol?.declarations?.some(
      (declaration) =>
        (ts.isTypeParameterDeclaration(declaration) ||
          ts.isTypeAliasDeclaration(declaration) ||
          ts.isInterfaceDeclaration(declaration)) &&
        isDeeper(declaration) &&
        !isInCandidate(declaration),
    ) ?? false;
  if (collectCandidateNodes(candidate).some((node) => ts.isTypeReferenceNode(node) && usesHiddenType(node)))
    return true;
  return flow.inputs.some(({ symbol, firstReference }) =>
    hasTypeParameter(checker, checker.getTypeOfSymbolAtLocation(symbol, firstReference), scope),
  );
}

/** True if the type, or a part of it up to four levels deep, is a type parameter that the scope does not declare. */
function hasTypeParameter(checker: ts.TypeChecker, type: ts.Type, scope: ts.Node, depth = 0): boolean {
  if ((type.flags & ts.TypeFlags.TypeParameter) !== 0)
    return !ts.isClassLike(scope) || !type.symbol.declarations?.some(({ parent }) => parent === scope);
  if (depth > 3) return false;
  const parts = [
    ...(type.aliasTypeArguments ?? []),
    ...(type.isUnionOrIntersection() ? type.types : []),
    ...(isTypeReference(type) ? checker.getTypeArguments(type) : []),
  ];
  return parts.some((part) => part !== type && hasTypeParameter(checker, part, scope, depth + 1));
}

function isTypeReference(type: ts.Type): type is ts.TypeReference {
  return (
    (type.flags & ts.TypeFlags.Object) !== 0 && ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference) !== 0
  );
}
