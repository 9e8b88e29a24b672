// Implements the transform `extractToModule`: moves top-level declarations into a new file, together with the code that
// only they use, and keeps the exports of the old file.

import { posix } from 'node:path';
import { ts } from 'ts-morph';
import { refuse, type RecipeOutcome } from '../recipe.ts';
import type { OpenedFile } from '../applyRecipe.ts';
import { findCommentsAbove } from '../syntax/comments.ts';
import { hasSideEffects } from '../../syntax/sideEffects.ts';
import {
  insertImport,
  formatImportStatement,
  createSpecifier,
  type ImportStatementName,
} from '../exports/importStatements.ts';
import { collectDescendants } from '../syntax/locate.ts';
import { collectFileNames, type Names } from '../syntax/names.ts';
import { removeNewlyUnused } from '../syntax/newlyUnused.ts';
import { parseSource } from '../syntax/parse.ts';
import { removeStatements } from '../syntax/removeStatements.ts';
import { applyReplacements, lineEnd, type Replacement } from '../textEdit.ts';
import { findDeclarations, isNameDeclaration, listDeclaredNames, type NameDeclaration } from './declarations.ts';
import type { TransformRequest } from './request.ts';
import { hasExportKeyword, hasModifier } from '../../syntax/declarations/modifiers.ts';

/**
 * Moves the declarations of `symbols`, with the code that only they use, to the new file `to`. Refuses if `to` exists
 * or is not a script, if the old file is not a module, lacks a symbol or would be left empty, or if the move could
 * change behaviour.
 */
export function extractToModule(
  { symbols, to }: Extract<TransformRequest, { kind: 'extractToModule' }>,
  openedFile: OpenedFile,
): RecipeOutcome {
  const { path, sourceFile, tree } = openedFile;
  if (!parseSource(to, '') || /\.d\.[cm]?ts$/.test(to)) return refuse(`${to} would not be TypeScript or JavaScript.`);
  if (tree.fileExists(posix.join(tree.rootDir.replaceAll('\\', '/'), to))) return refuse(`${to} is there already.`);
  if (!ts.isExternalModule(sourceFile)) return refuse('The file is not a module.');
  const missingSymbol = symbols.find((symbol) => findDeclarations(sourceFile, symbol).length === 0);
  if (missingSymbol !== undefined) return refuse(`There is no top-level ${missingSymbol} in the file.`);

  const names = collectFileNames(sourceFile);
  const movedStatements = collectClosure(sourceFile, symbols, names);
  const reason = movedStatements
    .map((statement) => explainRefusal(statement, sourceFile))
    .find((text) => text !== null);
  if (reason) return refuse(reason);
  if (movedStatements.length === sourceFile.statements.filter((statement) => !ts.isImportDeclaration(statement)).length)
    return refuse('Nothing would be left in the file.');

  const neededImports = findImportsNeededBy(movedStatements, names);
  if ('refused' in neededImports) return neededImports;
  const crossingNames = findCrossingNames(movedStatements, sourceFile, names);
  if ('refused' in crossingNames) return crossingNames;
  const remainingText = createRemainingText(openedFile, movedStatements, crossingNames, to);
  if ('refused' in remainingText) return remainingText;
  const movedNames = movedStatements.flatMap(listDeclaredNames);
  return {
    text: remainingText.text,
    otherFiles: [{ path: to, text: createNewFileText(openedFile, movedStatements, neededImports, crossingNames, to) }],
    title: `Move ${movedNames.length > 3 ? `${movedNames.length} declarations` : movedNames.join(', ')} to ${posix.basename(to)}`,
    rationale:
      `Requested: ${movedNames.join(', ')} in a file of ${movedNames.length === 1 ? 'its' : 'their'} own. Importers ` +
      `of ${posix.basename(path)} still find what was there.`,
  };
}

/** Imports, each with those of its parts that are needed. */
type NeededImports = ReadonlyMap<ts.ImportDeclaration, ReadonlySet<ts.Node>>;

/**
 * Finds the imports of the old file that the moved code needs. Refuses if the moved code needs other code of that file.
 */
function findImportsNeededBy(
  movedStatements: readonly NameDeclaration[],
  names: Names,
): NeededImports | { readonly refused: string } {
  const neededImports = new Map<ts.ImportDeclaration, Set<ts.Node>>();
  for (const node of movedStatements.flatMap((statement) => collectDescendants(statement)).filter(ts.isIdentifier)) {
    const declaration = names.symbolOf(node)?.declarations?.[0];
    const owner = declaration && findTopLevel(declaration);
    if (!declaration || !owner || movedStatements.includes(owner as NameDeclaration)) continue;
    if (!ts.isImportDeclaration(owner))
      return refuse(`${node.text} stays behind, and what moves needs it: the two files would import each other.`);
    neededImports.set(owner, (neededImports.get(owner) ?? new Set()).add(declaration));
  }
  return neededImports;
}

/** Moved names that the old file still uses (`usedNames`) or that it exported (`reexportedNames`). */
interface CrossingNames {
  readonly usedNames: readonly ImportStatementName[];
  readonly reexportedNames: readonly ImportStatementName[];
}

/**
 * Finds the moved names that the old file needs. Refuses if a moved type is in an export list without the keyword
 * `isType`.
 */
function findCrossingNames(
  movedStatements: readonly NameDeclaration[],
  sourceFile: ts.SourceFile,
  names: Names,
): CrossingNames | { readonly refused: string } {
  const usedImports = new Map<string, ImportStatementName>();
  const passedOn = new Map<string, ImportStatementName>();
  for (const statement of movedStatements) {
    for (const name of listDeclaredNames(statement)) {
      const type = findDeclarations(sourceFile, name).every(
        (declaration) => ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration),
      );
      const referencesOutside = findReferencesToName(statement, name, names).filter(
        (reference) =>
          !movedStatements.some((declaration) => reference.pos >= declaration.pos && reference.end <= declaration.end),
      );
      if (
        type &&
        referencesOutside.some((reference) => ts.isExportSpecifier(reference.parent) && !reference.parent.isTypeOnly)
      )
        return refuse(`${name} is a type in a list of exports.`);
      if (referencesOutside.length > 0) usedImports.set(name, { name, isType: type });
      if (hasExportKeyword(statement)) passedOn.set(name, { name, isType: type });
    }
  }
  return { usedNames: [...usedImports.values()], reexportedNames: [...passedOn.values()] };
}

/** Writes the new file: the needed imports and the moved declarations, exported if the old file needs them. */
function createNewFileText(
  { path, sourceFile, style }: OpenedFile,
  movedStatements: readonly NameDeclaration[],
  neededImports: NeededImports,
  { usedNames, reexportedNames }: CrossingNames,
  newPath: string,
): string {
  const exportedNames = new Set([...usedNames, ...reexportedNames].map(({ name }) => name));
  const header = [...neededImports].map(([statement, bindings]) =>
    createImport(statement, bindings, path, newPath, style.quote, style.semicolons),
  );
  const bodies = movedStatements.map((statement) => {
    const isExportNeeded =
      hasExportKeyword(statement) || listDeclaredNames(statement).some((name) => exportedNames.has(name));
    return createMovedText(statement, sourceFile, isExportNeeded);
  });
  const { newline } = style;
  return [...(header.length > 0 ? [header.join(newline)] : []), ...bodies].join(newline + newline) + newline;
}

/** Writes the old file without the moved code, and with imports and re-exports of the moved names. */
function createRemainingText(
  { path, text, sourceFile, style, tree }: OpenedFile,
  movedStatements: readonly NameDeclaration[],
  { usedNames, reexportedNames }: CrossingNames,
  newPath: string,
): ReturnType<typeof removeNewlyUnused> {
  const specifier = createSpecifier(sourceFile, path, newPath, tree);
  const replacements: Replacement[] = removeStatements(sourceFile, movedStatements);
  const addedLines = [
    ...(usedNames.length > 0 ? [formatImportStatement(usedNames, specifier, style)] : []),
    ...(reexportedNames.length > 0 ? [formatImportStatement(reexportedNames, specifier, style, 'export')] : []),
  ].join(style.newline);
  if (addedLines) replacements.push(insertImport(sourceFile, addedLines, style.newline));
  return removeNewlyUnused(path, text, applyReplacements(text, replacements), new Set(), style);
}

/** Collects the requested declarations, and unexported declarations that only the collected ones use. */
function collectClosure(sourceFile: ts.SourceFile, symbols: readonly string[], names: Names): NameDeclaration[] {
  const movedStatements = new Set<NameDeclaration>(symbols.flatMap((symbol) => findDeclarations(sourceFile, symbol)));
  const candidates = sourceFile.statements.filter(
    (statement): statement is NameDeclaration => isNameDeclaration(statement) && !hasExportKeyword(statement),
  );
  for (let hasGrown = true; hasGrown; ) {
    hasGrown = false;
    for (const statement of candidates) {
      if (movedStatements.has(statement)) continue;
      const references = listDeclaredNames(statement)
        .flatMap((name) => findReferencesToName(statement, name, names))
        .filter((reference) => reference.pos < statement.pos || reference.end > statement.end);
      if (
        references.length === 0 ||
        !references.every((reference) =>
          [...movedStatements].some(
            (declaration) => reference.pos >= declaration.pos && reference.end <= declaration.end,
          ),
        )
      )
        continue;
      movedStatements.add(statement);
      hasGrown = true;
    }
  }
  return sourceFile.statements.filter((statement): statement is NameDeclaration =>
    movedStatements.has(statement as NameDeclaration),
  );
}

/** Finds the references to a name that the statement declares, except its declarations. */
function findReferencesToName(statement: NameDeclaration, name: string, names: Names): readonly ts.Identifier[] {
  const declaredName = collectDescendants(statement).find(
    (node): node is ts.Identifier =>
      ts.isIdentifier(node) && node.text === name && (node.parent as ts.NamedDeclaration).name === node,
  );
  const symbol = declaredName && names.symbolOf(declaredName);
  return symbol
    ? names
        .referencesOf(symbol)
        .filter(
          (reference) =>
            (reference.parent as ts.NamedDeclaration).name !== reference || ts.isExportSpecifier(reference.parent),
        )
    : [];
}

/** The reason why the statement must not move, as a sentence; null if it may. */
function explainRefusal(statement: NameDeclaration, sourceFile: ts.SourceFile): string | null {
  const [name = 'it'] = listDeclaredNames(statement);
  if (hasModifier(statement, ts.SyntaxKind.DefaultKeyword)) return `${name} is the default export.`;
  if (ts.isVariableStatement(statement)) {
    if ((statement.declarationList.flags & ts.NodeFlags.Const) === 0)
      return `${name} may be written to from both files.`;
    if (hasSideEffects(sourceFile, statement))
      return `Computing ${name} may have effects, which would happen at another time.`;
  }
  if (
    ts.isClassDeclaration(statement) &&
    (ts.getDecorators(statement)?.length ||
      statement.members.some(
        (member) =>
          ts.isClassStaticBlockDeclaration(member) ||
          (ts.isPropertyDeclaration(member) && hasSideEffects(sourceFile, member)),
      ))
  )
    return `Declaring ${name} may have effects.`;
  return null;
}

/** Finds the top-level statement that contains a declaration; null if the declaration is inside a function or block. */
function findTopLevel(declaration: ts.Node): ts.Statement | null {
  let topLevelNode = declaration;
  while (topLevelNode.parent && !ts.isSourceFile(topLevelNode.parent)) {
    if (ts.isFunctionLike(topLevelNode.parent) || ts.isBlock(topLevelNode.parent)) return null;
    topLevelNode = topLevelNode.parent;
  }
  return topLevelNode.parent ? (topLevelNode as ts.Statement) : null;
}

/** The text of a statement with its comments, and with `export` if other code needs it. */
function createMovedText(statement: NameDeclaration, sourceFile: ts.SourceFile, exportsName: boolean): string {
  const { text } = sourceFile;
  const start = statement.getStart(sourceFile);
  const comments = text.slice(findCommentsAbove(sourceFile, statement)[0]?.start ?? start, start);
  return `${comments}${exportsName && !hasExportKeyword(statement) ? 'export ' : ''}${text.slice(start, lineEnd(text, statement.end)).trimEnd()}`;
}

/** Writes an import of the needed names only, with the specifier that is right in the new file. */
function createImport(
  statement: ts.ImportDeclaration,
  bindings: ReadonlySet<ts.Node>,
  oldPath: string,
  newPath: string,
  quote: string,
  usesSemicolons: boolean,
): string {
  const { text } = statement.moduleSpecifier as ts.StringLiteral;
  const relative = posix.relative(posix.dirname(newPath), posix.join(posix.dirname(oldPath), text));
  const specifier = text.startsWith('.') ? (relative.startsWith('.') ? relative : `./${relative}`) : text;
  const clause = statement.importClause!;
  const namedImports =
    clause.namedBindings && ts.isNamedImports(clause.namedBindings)
      ? clause.namedBindings.elements.filter((element) => bindings.has(element)).map((element) => element.getText())
      : [];
  const parts = [
    ...(clause.name && bindings.has(clause) ? [clause.name.text] : []),
    ...(clause.namedBindings && ts.isNamespaceImport(clause.namedBindings) && bindings.has(clause.namedBindings)
      ? [clause.namedBindings.getText()]
      : []),
    ...(namedImports.length > 0 ? [`{ ${namedImports.join(', ')} }`] : []),
  ];
  return `import ${clause.isTypeOnly ? 'type ' : ''}${parts.join(', ')} from ${quote}${specifier}${quote}${usesSemicolons ? ';' : ''}`;
}
