// deduplicate: shares a helper function that two files contain word for word. One file keeps and exports the function,
// and the other imports it.

import { posix } from 'node:path';
import { ts } from 'ts-morph';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { findCommentsAbove } from '../../propose/syntax/comments.ts';
import type { SourceTree } from '../../ports/sources.ts';
import {
  insertImport,
  formatImportStatement,
  createSpecifier,
  type ImportStatementName,
} from '../../propose/exports/importStatements.ts';
import {
  findSpecifierParents,
  normaliseModulePath,
  readImporters,
  type Importers,
} from '../../propose/exports/importers.ts';
import { collectDescendants, findSpan } from '../../propose/syntax/locate.ts';
import { collectFileNames, type Names } from '../../propose/syntax/names.ts';
import { removeNewlyUnused } from '../../propose/syntax/newlyUnused.ts';
import { parseSource, listSyntaxErrors } from '../../propose/syntax/parse.ts';
import { loadsWithoutSideEffects } from '../../propose/exports/sideEffects.ts';
import { removeStatements } from '../../propose/syntax/removeStatements.ts';
import { listTokenTexts } from '../../propose/syntax/tokens.ts';
import { detectStyle } from '../../propose/fileStyle.ts';
import { applyReplacements, type Replacement } from '../../propose/textEdit.ts';
import { findPackageFolder } from '../../propose/exports/packageFolder.ts';
import { hasExportKeyword, hasModifier } from '../../syntax/declarations/modifiers.ts';

/** A top-level function: a declaration, or a constant whose value is a function. */
type Helper = ts.FunctionDeclaration | ts.VariableStatement;

/** One of the two files, with its top-level functions by name (`helpers`). */
interface Side {
  readonly path: string;
  readonly tree: SourceTree;
  readonly sourceFile: ts.SourceFile;
  readonly names: Names;
  readonly helpers: ReadonlyMap<string, Helper>;
}

/**
 * Shares the functions at the opportunity's range with the first related file that contains the same functions. Refuses
 * if no file does, or if neither file can import from the other.
 */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { opportunity, sourceFile, path, tree } = context;
  const root = tree.rootDir.replaceAll('\\', '/');
  const span = findSpan(sourceFile, opportunity.range);
  if (!span) return refuse('The file has become shorter.');
  const side = createSide(path, sourceFile, tree);
  const otherPaths = [...new Set((opportunity.related ?? []).map((place) => place.path))].filter(
    (otherPath) => otherPath !== path,
  );
  if (otherPaths.length === 0) return refuse('The same code stands in one file only.');
  const importers = readImporters(tree);
  if (!importers) return refuse('The repository has too many files to be sure that it makes no circle of imports.');

  let reason = 'No function is the same, word for word and name for name, in both files.';
  for (const otherPath of otherPaths) {
    const text = tree.read(posix.join(root, otherPath));
    const parsedFile = text === undefined ? null : parseSource(otherPath, text.replace(/^\uFEFF/, ''));
    if (!parsedFile || listSyntaxErrors(parsedFile).length > 0) continue;
    const otherSide = createSide(otherPath, parsedFile, tree);
    const sharedNames = listSharedFunctions(side, otherSide, span);
    if (sharedNames.length === 0) continue;
    const isOnePackage =
      findPackageFolder(tree.fileExists, root, path) === findPackageFolder(tree.fileExists, root, otherPath);
    const roles = isOnePackage
      ? assignRoles(side, otherSide, sharedNames, importers)
      : 'The files belong to different packages.';
    if (typeof roles !== 'string') return shareFunctions(roles, side, sharedNames, importers);
    reason = roles;
  }
  return refuse(reason);
}

interface Roles {
  readonly keeper: Side;
  readonly importer: Side;
}

/**
 * The file that keeps the functions and the one that imports them; or the reason, as a sentence, why neither file can
 * import from the other.
 */
function assignRoles(
  side: Side,
  otherSide: Side,
  sharedNames: readonly string[],
  importers: Importers,
): Roles | string {
  const [keeper, importer] = chooseKeeper(side, otherSide, sharedNames, importers);
  if (!keeper || !importer) return 'Each of the files imports the other already.';
  return explainRefusedImport(keeper, importer, importers) ?? { keeper, importer: importer };
}

/** Exports the functions in the file of `keeper`, and imports them in the file of `importer`. */
function shareFunctions(
  { keeper, importer }: Roles,
  side: Side,
  sharedNames: readonly string[],
  importers: Importers,
): RecipeOutcome {
  const importEdits = importFunctions(importer, keeper, sharedNames);
  if ('refused' in importEdits) return importEdits;
  const exportEdits = exportFunctions(keeper, importEdits.neededNames);
  const texts =
    keeper === side
      ? { text: exportEdits, otherFiles: [{ path: importer.path, text: importEdits.text }] }
      : {
          text: importEdits.text,
          otherFiles: exportEdits === keeper.sourceFile.text ? [] : [{ path: keeper.path, text: exportEdits }],
        };
  const namesText = sharedNames.length > 3 ? `${sharedNames.length} functions` : sharedNames.join(', ');
  const [verb, pronoun] = sharedNames.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const reason = isImportedBy(keeper.path, importer.path, importers)
    ? `${posix.basename(importer.path)} imports that file already`
    : 'that makes no import cycle';
  return {
    ...texts,
    title: `import ${namesText} from ${posix.basename(keeper.path)} instead of repeating ${pronoun}`,
    namesPlace: true,
    rationale:
      `${namesText} ${verb} the same word for word in ${keeper.path} and in ${importer.path}. ` +
      `${keeper.path} keeps ${pronoun}, because ${reason}.`,
  };
}

/** A file with its top-level functions. Functions with overloads are omitted. */
function createSide(path: string, sourceFile: ts.SourceFile, tree: SourceTree): Side {
  const helpers = new Map<string, Helper>();
  const overloadedNames = new Set<string>();
  for (const statement of sourceFile.statements) {
    const name = findHelperName(statement);
    if (name === null) continue;
    if (helpers.has(name)) overloadedNames.add(name);
    helpers.set(name, statement as Helper);
  }
  for (const name of overloadedNames) helpers.delete(name);
  return { path, tree, sourceFile, names: collectFileNames(sourceFile), helpers };
}

/** The name of a function, or of a constant whose value is one; null for other statements and for a default export. */
function findHelperName(statement: ts.Statement): string | null {
  if (hasModifier(statement, ts.SyntaxKind.DefaultKeyword, ts.SyntaxKind.DeclareKeyword)) return null;
  if (ts.isFunctionDeclaration(statement)) return statement.body && statement.name ? statement.name.text : null;
  if (
    !ts.isVariableStatement(statement) ||
    (statement.declarationList.flags & ts.NodeFlags.Const) === 0 ||
    statement.declarationList.declarations.length !== 1
  )
    return null;
  const [{ name, initializer }] = statement.declarationList.declarations as unknown as [ts.VariableDeclaration];
  return ts.isIdentifier(name) &&
    initializer &&
    (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
    ? name.text
    : null;
}

/**
 * The names of the functions in the span that are identical in both files and refer to the same names, and of the
 * functions that they need.
 */
function listSharedFunctions(a: Side, b: Side, span: { readonly start: number; readonly end: number }): string[] {
  const sharedNames = new Set(
    [...a.helpers].flatMap(([name, helper]) =>
      b.helpers.has(name) && createTokenText(helper) === createTokenText(b.helpers.get(name)!) ? [name] : [],
    ),
  );
  for (let hasShrunk = true; hasShrunk; ) {
    hasShrunk = false;
    for (const name of sharedNames) {
      if (
        listFreeNames(a.helpers.get(name)!, a).every((free) => sharedNames.has(free.text) || haveSameImport(free, a, b))
      )
        continue;
      sharedNames.delete(name);
      hasShrunk = true;
    }
  }
  const neededNames = [...sharedNames].filter((name) => {
    const helper = a.helpers.get(name)!;
    return helper.getStart(a.sourceFile) < span.end && helper.end > span.start;
  });
  for (const name of neededNames)
    for (const free of listFreeNames(a.helpers.get(name)!, a))
      if (sharedNames.has(free.text) && !neededNames.includes(free.text)) neededNames.push(free.text);
  return [...a.helpers.keys()].filter((name) => neededNames.includes(name));
}

/** The tokens of a function as one text, without `export` and a final semicolon. */
function createTokenText(helper: Helper): string {
  const tokens = listTokenTexts(helper);
  return (tokens[0] === 'export' ? tokens.slice(1) : tokens)
    .filter((token, index, all) => token !== ';' || index < all.length - 1)
    .join('\0')
    .replace(/\0;$/, '');
}

/** The uses of names that the file declares outside of the function. */
function listFreeNames(helper: Helper, { names }: Side): ts.Identifier[] {
  return collectDescendants(helper).filter((node): node is ts.Identifier => {
    if (!ts.isIdentifier(node)) return false;
    const declaration = names.symbolOf(node)?.declarations?.[0];
    return declaration !== undefined && (declaration.pos < helper.pos || declaration.end > helper.end);
  });
}

/** True if both files import the same name from the same place. */
function haveSameImport(free: ts.Identifier, a: Side, b: Side): boolean {
  const [left, right] = [createImportKey(free.text, a), createImportKey(free.text, b)];
  return left !== null && left === right;
}

/** The module of an imported name, and its name there; null if the file does not import it. */
function createImportKey(name: string, { sourceFile, path }: Side): string | null {
  for (const statement of sourceFile.statements) {
    if (!ts.isImportDeclaration(statement) || !statement.importClause || !ts.isStringLiteral(statement.moduleSpecifier))
      continue;
    const { text } = statement.moduleSpecifier;
    const from = text.startsWith('.') ? normaliseModulePath(posix.join(posix.dirname(path), text)) : text;
    const { name: defaultName, namedBindings } = statement.importClause;
    if (defaultName?.text === name) return `${from} default`;
    if (!namedBindings) continue;
    if (ts.isNamespaceImport(namedBindings)) {
      if (namedBindings.name.text === name) return `${from} *`;
    } else {
      const element = namedBindings.elements.find((specifier) => specifier.name.text === name);
      if (element) return `${from} ${(element.propertyName ?? element.name).text}`;
    }
  }
  return null;
}

/**
 * Chooses which file keeps the functions: the one that the other file already imports, directly or indirectly. Of two
 * unrelated files, it is the one that exports more of the functions or is imported more often. Both are null if each
 * file imports the other.
 */
function chooseKeeper(
  side: Side,
  otherSide: Side,
  sharedNames: readonly string[],
  importers: Importers,
): readonly [keeper: Side | null, taker: Side | null] {
  const [sideLoadsOther, otherLoadsSide] = [
    loadsIndirectly(side.path, otherSide.path, importers),
    loadsIndirectly(otherSide.path, side.path, importers),
  ];
  if (sideLoadsOther && otherLoadsSide) return [null, null];
  if (sideLoadsOther) return [otherSide, side];
  if (otherLoadsSide) return [side, otherSide];
  const countExported = (side: Side) => sharedNames.filter((name) => hasExportKeyword(side.helpers.get(name)!)).length;
  const computeRanks = (side: Side) => [
    countExported(side),
    importers.of(side.path).filter(({ isRelative }) => isRelative).length,
    -side.path.split('/').length,
  ];
  const [sideRank, otherRank] = [computeRanks(side), computeRanks(otherSide)];
  const position = sideRank.findIndex((value, index) => value !== otherRank[index]);
  return position < 0 || sideRank[position]! > otherRank[position]! ? [side, otherSide] : [otherSide, side];
}

/** True if the file `from` loads the file `to`, directly or indirectly, as far as relative imports show. */
function loadsIndirectly(from: string, to: string, importers: Importers): boolean {
  const pending = [to];
  const visited = new Set(pending.map(normaliseModulePath));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const { path, isRelative } of importers.of(next)) {
      if (!isRelative || visited.has(normaliseModulePath(path))) continue;
      if (path === from) return true;
      visited.add(normaliseModulePath(path));
      pending.push(path);
    }
  }
  return false;
}

function isImportedBy(path: string, by: string, importers: Importers): boolean {
  return importers.of(path).some((importer) => importer.path === by && importer.isRelative);
}

/** The reason why the file of `importer` must not import from the file of `keeper`, as a sentence; null if it may. */
function explainRefusedImport(keeper: Side, importer: Side, importers: Importers): string | null {
  if (!ts.isExternalModule(keeper.sourceFile) || !ts.isExternalModule(importer.sourceFile))
    return 'One of the files is not a module.';
  if (/\.[cm]?jsx?$/.test(importer.path) !== /\.[cm]?jsx?$/.test(keeper.path))
    return 'One of the files is TypeScript, the other is not.';
  if (!isImportedBy(keeper.path, importer.path, importers) && !loadsWithoutSideEffects(keeper.sourceFile))
    return `Loading ${keeper.path} has other effects than its declarations.`;
  return null;
}

/** The text of a file in which these functions are exported. */
function exportFunctions({ sourceFile, helpers }: Side, sharedNames: readonly string[]): string {
  return applyReplacements(
    sourceFile.text,
    sharedNames.flatMap((name): Replacement[] => {
      const helper = helpers.get(name)!;
      const isListed = sourceFile.statements.some(
        (statement) =>
          ts.isExportDeclaration(statement) &&
          !statement.moduleSpecifier &&
          statement.exportClause &&
          ts.isNamedExports(statement.exportClause) &&
          statement.exportClause.elements.some((element) => element.name.text === name && !element.propertyName),
      );
      const start = helper.getStart(sourceFile);
      return hasExportKeyword(helper) || isListed ? [] : [{ start, end: start, text: 'export ' }];
    }),
  );
}

/**
 * The text of a file that imports the functions of `keeper` instead of declaring them. `neededNames`: the functions that it
 * uses or exports. Refuses if a comment states that one of the functions is for other code.
 */
function importFunctions(
  { sourceFile, helpers, names, path, tree }: Side,
  keeper: Side,
  sharedNames: readonly string[],
): { readonly text: string; readonly neededNames: readonly string[] } | { readonly refused: string } {
  const style = detectStyle(sourceFile.text);
  const movedHelpers = sharedNames.map((name) => helpers.get(name)!);
  const usedImports: ImportStatementName[] = [];
  const reexportedNames: ImportStatementName[] = [];
  for (const name of sharedNames) {
    const helper = helpers.get(name)!;
    const declaredName = collectDescendants(helper).find(
      (node): node is ts.Identifier =>
        ts.isIdentifier(node) && node.text === name && (node.parent as ts.NamedDeclaration).name === node,
    );
    const symbol = declaredName && names.symbolOf(declaredName);
    const referencesOutside = symbol
      ? names
          .referencesOf(symbol)
          .filter(
            (reference) =>
              !movedHelpers.some((removed) => reference.pos >= removed.pos && reference.end <= removed.end),
          )
      : [];
    if (referencesOutside.length > 0) usedImports.push({ name, isType: false });
    if (hasExportKeyword(helper)) reexportedNames.push({ name, isType: false });
  }
  const specifier = createSpecifier(sourceFile, path, keeper.path, tree);
  const replacements: Replacement[] = removeStatements(sourceFile, movedHelpers);
  const existingImport = sourceFile.statements.find(
    (statement): statement is ts.ImportDeclaration =>
      ts.isImportDeclaration(statement) &&
      findSpecifierParents(sourceFile, specifier).includes(statement) &&
      statement.importClause?.namedBindings !== undefined &&
      ts.isNamedImports(statement.importClause.namedBindings) &&
      !statement.importClause.isTypeOnly,
  );
  const namedImports = existingImport?.importClause?.namedBindings as ts.NamedImports | undefined;
  const lines: string[] = [];
  if (usedImports.length > 0 && namedImports && namedImports.elements.length > 0)
    replacements.push({
      start: namedImports.elements.at(-1)!.end,
      end: namedImports.elements.at(-1)!.end,
      text: usedImports.map(({ name }) => `, ${name}`).join(''),
    });
  else if (usedImports.length > 0) lines.push(formatImportStatement(usedImports, specifier, style));
  if (reexportedNames.length > 0) lines.push(formatImportStatement(reexportedNames, specifier, style, 'export'));
  if (lines.length > 0) replacements.push(insertImport(sourceFile, lines.join(style.newline), style.newline));
  if (
    movedHelpers.some((helper) =>
      findCommentsAbove(sourceFile, helper).some(({ text }) => /@(public|api)\b/.test(text)),
    )
  )
    return refuse('Its comment says that it is there for others.');
  const remainingFile = removeNewlyUnused(
    path,
    sourceFile.text,
    applyReplacements(sourceFile.text, replacements),
    new Set(),
    style,
  );
  return 'refused' in remainingFile
    ? remainingFile
    : {
        text: remainingFile.text,
        neededNames: [...new Set([...usedImports, ...reexportedNames].map(({ name }) => name))],
      };
}
