// Runs TypeScript's own refactoring “Extract function” for a candidate, and reads the signature and the call from its
// result.

import { ts } from 'ts-morph';
import { collectDescendants } from '../syntax/locate.ts';
import { parseSource } from '../syntax/parse.ts';
import { listTokenTexts } from '../syntax/tokens.ts';
import { applyReplacements, nextLineStart, type Replacement } from '../textEdit.ts';
import type { Style } from '../fileStyle.ts';
import type { ExtractionCandidate } from './extractionCandidates.ts';
import type { TypedProject } from './project.ts';
import { hasModifier, isAsync } from '../../syntax/declarations/modifiers.ts';

/** Signature and call of the new function. */
export interface ExtractedFunction {
  readonly isAsync: boolean;
  readonly isStatic: boolean;
  /** The type parameters as `<T extends string>`, or empty. */
  readonly typeParameters: string;
  readonly parameters: readonly string[];
  /** The return type; null if it is not known yet. */
  readonly returnType: string | null;
  /** The statement that replaces the moved statements, with `NAME` for the name of the function. */
  readonly call: string;
  /** The `return` statement at the end of the new function, after the moved statements; null if there is none. */
  readonly returnStatement: string | null;
  /** True if a parameter or the return type contains `any`. */
  readonly hasAny: boolean;
  /** Imports of types that the new signature needs and the file does not have. */
  readonly imports: readonly Replacement[];
}

/** The placeholder for the name of the new function in `ExtractedFunction.call`. */
const NAME_PLACEHOLDER = 'NAME';

/**
 * Extracts a candidate. `scope`: the node that will contain the new function. Refuses if the candidate is empty, if
 * TypeScript refuses, if its result cannot be read, or if it would change more than is needed to move the statements.
 */
export function extractCandidate(
  project: TypedProject,
  original: ts.SourceFile,
  candidate: ExtractionCandidate,
  scope: ts.Node,
  style: Style,
): ExtractedFunction | { readonly refused: string } {
  const [firstStatement, lastStatement] = [candidate.statements[0], candidate.statements.at(-1)];
  if (!firstStatement || !lastStatement) return { refused: 'It is empty.' };
  const range = { pos: firstStatement.getStart(original), end: lastStatement.end };
  const action = `function_scope_${findScopeIndex(firstStatement, scope)}`;
  const refactors = project.service.getApplicableRefactors(
    project.fileName,
    range,
    {},
    undefined,
    'refactor.extract.function',
  );
  const isOffered = refactors.some(({ actions }) =>
    actions.some(({ name, notApplicableReason }) => name === action && notApplicableReason === undefined),
  );
  if (!isOffered) return { refused: 'TypeScript does not extract it.' };
  const edits = project.service.getEditsForRefactor(
    project.fileName,
    createFormatSettings(style),
    range,
    'Extract Symbol',
    action,
    { quotePreference: style.quote === '"' ? 'double' : 'single' },
  );
  const changes = edits?.edits.flatMap(({ textChanges }) => textChanges) ?? [];
  if (changes.length === 0 || edits?.renameLocation === undefined)
    return { refused: 'TypeScript does not extract it.' };

  const replacements = changes.map(({ span, newText }) => ({
    start: span.start,
    end: span.start + span.length,
    text: newText,
  }));
  const text = applyReplacements(original.text, replacements);
  const parsedFile = parseSource(project.fileName, text);
  const name =
    parsedFile &&
    collectDescendants(parsedFile).find(
      (node): node is ts.Identifier =>
        (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) && node.getStart(parsedFile) === edits.renameLocation,
    );
  const declaration =
    parsedFile &&
    collectDescendants(parsedFile).find(
      (node): node is ts.FunctionDeclaration | ts.MethodDeclaration =>
        (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) &&
        node.name?.getText(parsedFile) === name?.text,
    );
  if (!parsedFile || !name || !declaration?.body || !declaration.name)
    return { refused: 'The result of TypeScript could not be read.' };
  const imports = replacements.filter(({ end }) => end <= findEndOfImports(original));
  // Only the call, the function and the imports may change.
  if (
    replacements.some(
      (replacement) =>
        !imports.includes(replacement) && replacement.start < range.pos && replacement.end < firstStatement.pos,
    )
  )
    return { refused: 'TypeScript would change other places too.' };
  const extraction = readExtraction(candidate, parsedFile, name, declaration, declaration.body);
  return 'refused' in extraction ? extraction : { ...extraction, imports };
}

/**
 * Reads the signature and the call. Refuses if several statements would replace the candidate, if the moved statements
 * would change, or if the call would have to name type arguments.
 */
function readExtraction(
  candidate: ExtractionCandidate,
  parsedFile: ts.SourceFile,
  name: ts.Identifier,
  declaration: ts.FunctionDeclaration | ts.MethodDeclaration,
  body: ts.Block,
): Omit<ExtractedFunction, 'imports'> | { readonly refused: string } {
  const call = findStatementAround(name);
  const siblings = call && 'statements' in call.parent ? (call.parent.statements as ts.NodeArray<ts.Statement>) : null;
  const siblingsBefore = (candidate.statements[0]?.parent as { statements?: readonly ts.Statement[] } | undefined)
    ?.statements;
  const insertedCount = declaration.parent === call?.parent ? 1 : 0;
  if (
    !call ||
    !siblings ||
    !siblingsBefore ||
    siblings.length !== siblingsBefore.length - candidate.statements.length + 1 + insertedCount
  )
    return { refused: 'More than one statement would take its place.' };

  const movedTokens = candidate.statements.flatMap((statement) => removeSeparators(listTokenTexts(statement)));
  const bodyTokens = body.statements.flatMap((statement) => removeSeparators(listTokenTexts(statement)));
  const lastStatement = body.statements.at(-1);
  const addedReturn =
    bodyTokens.length > movedTokens.length &&
    lastStatement &&
    ts.isReturnStatement(lastStatement) &&
    bodyTokens.length - movedTokens.length === removeSeparators(listTokenTexts(lastStatement)).length
      ? lastStatement
      : null;
  if (
    bodyTokens.slice(0, movedTokens.length).join('\0') !== movedTokens.join('\0') ||
    (bodyTokens.length !== movedTokens.length && !addedReturn)
  )
    return { refused: 'Its statements would not move unchanged.' };

  const callStart = call.getStart(parsedFile);
  const neededTypes = findNeededTypes(declaration, body);
  const callText =
    parsedFile.text.slice(callStart, name.getStart(parsedFile)) +
    NAME_PLACEHOLDER +
    parsedFile.text.slice(name.end, call.end);
  const omitsTypeParameters = neededTypes.length < (declaration.typeParameters?.length ?? 0);
  if (
    omitsTypeParameters &&
    neededTypes.some(
      ({ name: type }) => !declaration.parameters.some((parameter) => refersToType(parameter, type.text)),
    )
  )
    return { refused: 'The call would have to name some of its types.' };
  return {
    isAsync: isAsync(declaration),
    isStatic: hasModifier(declaration, ts.SyntaxKind.StaticKeyword),
    typeParameters: neededTypes.length > 0 ? `<${neededTypes.map((type) => type.getText(parsedFile)).join(', ')}>` : '',
    parameters: declaration.parameters.map((parameter) => parameter.getText(parsedFile)),
    returnType: declaration.type?.getText(parsedFile) ?? null,
    call: omitsTypeParameters ? callText.replace(/NAME<[^()]*>\(/, 'NAME(') : callText,
    returnStatement: addedReturn ? addedReturn.getText(parsedFile) : null,
    hasAny: [...declaration.parameters, ...(declaration.type ? [declaration.type] : [])].some((part) =>
      [part, ...collectDescendants(part)].some(({ kind }) => kind === ts.SyntaxKind.AnyKeyword),
    ),
  };
}

/**
 * Finds the type parameters that the new function uses, directly or in the constraint of another type parameter.
 * TypeScript copies all type parameters of the outer function.
 */
function findNeededTypes(
  { typeParameters = ts.factory.createNodeArray(), parameters, type }: ts.FunctionDeclaration | ts.MethodDeclaration,
  body: ts.Block,
): readonly ts.TypeParameterDeclaration[] {
  const neededParameters = new Set<ts.TypeParameterDeclaration>();
  for (let sizeBefore = -1; sizeBefore < neededParameters.size; ) {
    sizeBefore = neededParameters.size;
    for (const typeParameter of typeParameters)
      if (
        [...parameters, type, body, ...neededParameters].some(
          (part) => part && part !== typeParameter && refersToType(part, typeParameter.name.text),
        )
      )
        neededParameters.add(typeParameter);
  }
  return typeParameters.filter((typeParameter) => neededParameters.has(typeParameter));
}

/** True if the node refers to the type with this name. */
function refersToType(node: ts.Node, name: string): boolean {
  return [node, ...collectDescendants(node)].some(
    (inner) => ts.isTypeReferenceNode(inner) && ts.isIdentifier(inner.typeName) && inner.typeName.text === name,
  );
}

/** The start of the line after the last import; 0 if there are no imports. */
function findEndOfImports(sourceFile: ts.SourceFile): number {
  const lastImport = sourceFile.statements.findLast((statement) => ts.isImportDeclaration(statement));
  return lastImport ? nextLineStart(sourceFile.text, lastImport.end) : 0;
}

/**
 * The index of a scope in TypeScript's list of scopes, which begins with the innermost: functions, classes, namespaces,
 * the file.
 */
function findScopeIndex(startNode: ts.Node, scope: ts.Node): number {
  let index = 0;
  for (let node: ts.Node = startNode; node !== scope && node.parent; node = node.parent) {
    if (ts.isClassLike(node) || ts.isModuleBlock(node) || (ts.isFunctionLike(node) && 'body' in node && node.body))
      index++;
  }
  return index;
}

/** Finds the innermost statement around a node that is not a block; null if there is none. */
function findStatementAround(node: ts.Node): ts.Statement | null {
  for (let ancestor = node.parent; ancestor; ancestor = ancestor.parent)
    if (ts.isStatement(ancestor) && !ts.isBlock(ancestor)) return ancestor;
  return null;
}

/** Removes semicolons and commas, which may change with the layout. */
function removeSeparators(tokens: readonly string[]): string[] {
  return tokens.filter((token) => token !== ';' && token !== ',');
}

/** The settings of TypeScript's formatter that correspond to the style. */
function createFormatSettings(style: Style): ts.FormatCodeSettings {
  return {
    ...ts.getDefaultFormatCodeSettings(style.newline),
    indentSize: style.indent === '\t' ? 4 : style.indent.length,
    tabSize: style.indent === '\t' ? 4 : style.indent.length,
    convertTabsToSpaces: style.indent !== '\t',
    semicolons: style.semicolons ? ts.SemicolonPreference.Insert : ts.SemicolonPreference.Remove,
  };
}
