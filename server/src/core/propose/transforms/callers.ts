// Searches the tree for uses of an exported function other than plain calls, because such a use might pass the function
// more arguments than it has parameters.

import { ts } from 'ts-morph';
import { findSpecifierParents, normaliseModulePath, readImporters, type ImportingFile } from '../exports/importers.ts';
import { collectDescendants } from '../syntax/locate.ts';
import { explainAutomaticUse } from './automaticImports.ts';
import { findComputedLoads, findComputedPage, isModuleLoad, findUsesOfLoaded } from './loads.ts';
import type { OpenedFile } from '../applyRecipe.ts';
import { hasExportKeyword, hasModifier } from '../../syntax/declarations/modifiers.ts';

/** The end of a refusal because of uses that cannot be read. */
const UNREAD_USES = 'it may hand the function on, or call it with more than it takes.';

/** A name that a file exports. */
interface ExportedName {
  readonly path: string;
  readonly name: string;
}

/**
 * The reason why importers of the file forbid a further parameter of `name`, as a sentence; null if they allow it.
 * Follows named, default and namespace imports, re-exports, and modules that are loaded at run time. Any other way of
 * loading the file is a reason, and so is a load by a computed name that may pass the function on.
 */
export function explainImporterConflict(
  name: string,
  parameterCount: number,
  { sourceFile, tree, path }: OpenedFile,
): string | null {
  const pendingNames: ExportedName[] = collectExportedNames(sourceFile, name).map((exported) => ({
    path,
    name: exported,
  }));
  if (pendingNames.length === 0) return null;
  const importers = readImporters(tree);
  if (!importers) return 'The repository has too many files to see all callers.';
  const pageWithComputedLoads = findComputedPage(importers);
  if (pageWithComputedLoads !== undefined)
    return `${pageWithComputedLoads} loads modules by computed names, and such a file is not read: ${UNREAD_USES}`;
  const automaticUseReason = explainAutomaticUse(
    pendingNames.map((exported) => exported.name).concat(name),
    path,
    importers,
    tree,
  );
  if (automaticUseReason !== null) return automaticUseReason;
  const computedLoads = findComputedLoads(importers);
  const followedKeys = new Set<string>();
  for (let currentName = pendingNames.pop(); currentName; currentName = pendingNames.pop()) {
    const key = `${currentName.path}\0${currentName.name}`;
    if (followedKeys.has(key)) continue;
    followedKeys.add(key);
    for (const importer of [...importers.of(currentName.path), ...importers.ofPackage(currentName.path)]) {
      if (normaliseModulePath(importer.path) === normaliseModulePath(currentName.path)) continue;
      const uses = findUsesBy(
        importer,
        currentName.name,
        importers.sourceFile(importer.path),
        importers.text(importer.path),
      );
      if ('refused' in uses) return uses.refused;
      if (!uses.uses.every((use) => isFittingCall(use, parameterCount)))
        return `${importer.path} hands it on, or calls it with more than it takes.`;
      pendingNames.push(...uses.reexportedNames.map((passed) => ({ path: importer.path, name: passed })));
    }
    for (const { path: loadingPath, call, sourceFile: file, mayLoad } of computedLoads) {
      if (loadingPath === currentName.path || !mayLoad(currentName.path)) continue;
      const uses = findUsesOfLoaded(file, call, currentName.name);
      if (uses === 'all' || !uses.every((use) => isFittingCall(use, parameterCount)))
        return `${loadingPath} loads modules by computed names, and may hand it on.`;
    }
  }
  return null;
}

/** True for a call with at most as many arguments as there are parameters. `callee`: `f` or `module.f`. */
export function isFittingCall(callee: ts.Node, parameterCount: number): boolean {
  const { parent } = callee;
  return (
    ts.isCallExpression(parent) &&
    parent.expression === callee &&
    parent.arguments.length <= parameterCount &&
    !parent.arguments.some(ts.isSpreadElement)
  );
}

/** The names under which a file exports its top-level declaration `name`. */
function collectExportedNames(sourceFile: ts.SourceFile, name: string): readonly string[] {
  return sourceFile.statements.flatMap((statement) => {
    if (ts.isExportAssignment(statement))
      return ts.isIdentifier(statement.expression) && statement.expression.text === name ? ['default'] : [];
    if (ts.isExportDeclaration(statement)) {
      const { exportClause, moduleSpecifier } = statement;
      if (moduleSpecifier || !exportClause || !ts.isNamedExports(exportClause)) return [];
      return collectSecondNames(exportClause.elements, name);
    }
    const isDeclarationOfName = ts.isFunctionDeclaration(statement)
      ? statement.name?.text === name
      : ts.isVariableStatement(statement) &&
        statement.declarationList.declarations.some(
          (declaration) => ts.isIdentifier(declaration.name) && declaration.name.text === name,
        );
    if (!isDeclarationOfName || !hasExportKeyword(statement)) return [];
    return [hasModifier(statement, ts.SyntaxKind.DefaultKeyword) ? 'default' : name];
  });
}

/** How a file uses an exported name. */
interface Uses {
  /** All uses of the name in the file. */
  readonly uses: readonly ts.Node[];
  /** Names under which the file re-exports it. */
  readonly reexportedNames: readonly string[];
}

/** The result for a file that does not use the name. */
const NO_USES: Uses = { uses: [], reexportedNames: [] };

/** Finds the uses of a name in a file that may import it. Refuses if uses in the file are unknown. */
function findUsesBy(
  { path, specifier, isRelative }: ImportingFile,
  name: string,
  sourceFile: ts.SourceFile | null,
  text: string,
): Uses | { readonly refused: string } {
  const isDefault = name === 'default';
  const mentionsName = isDefault || containsName(text, name);
  if (!sourceFile)
    return mentionsName
      ? { refused: `${path} uses it, and calls in such a file are not read: ${UNREAD_USES}` }
      : NO_USES;
  // A re-export of the whole module need not mention its members. A specifier that is not relative may also belong to a
  // package with the same name, so such a file counts only if it mentions the name or re-exports everything.
  if (!isRelative && !mentionsName && !/\bexport\s*\*/.test(text)) return NO_USES;
  const [uses, reexportedNames]: [ts.Node[], string[]] = [[], []];
  for (const node of findSpecifierParents(sourceFile, specifier)) {
    const usesOfNode = ts.isImportDeclaration(node)
      ? findImportedUses(sourceFile, node, name)
      : ts.isExportDeclaration(node)
        ? findUsesByReexport(node, name)
        : findLoadedUses(sourceFile, node, name);
    if (usesOfNode === 'all') return { refused: `${path} hands on the whole module.` };
    if (usesOfNode === 'other') return { refused: `${path} loads the file in a way that may hand it on.` };
    uses.push(...usesOfNode.uses);
    reexportedNames.push(...usesOfNode.reexportedNames);
  }
  return { uses, reexportedNames: reexportedNames };
}

/** Finds the uses of what an import declaration imports as `name`; `'all'` if the whole module is passed on. */
function findImportedUses(
  sourceFile: ts.SourceFile,
  { importClause }: ts.ImportDeclaration,
  name: string,
): Uses | 'all' {
  const { name: defaultName, namedBindings } = importClause ?? {};
  const localNames = defaultName && name === 'default' ? [defaultName.text] : [];
  if (namedBindings && ts.isNamespaceImport(namedBindings)) {
    const members = findUses(sourceFile, namedBindings.name.text).map((use) => findMember(use, name));
    if (members.includes('all')) return 'all';
    const uses = members.filter((member) => member !== null && member !== 'all');
    return { uses: [...localNames.flatMap((local) => findUses(sourceFile, local)), ...uses], reexportedNames: [] };
  }
  localNames.push(...collectSecondNames(namedBindings?.elements ?? [], name));
  return { uses: localNames.flatMap((local) => findUses(sourceFile, local)), reexportedNames: [] };
}

/** Finds the names under which an `export … from` re-exports `name`; `'all'` if it does so as part of an object. */
function findUsesByReexport({ exportClause }: ts.ExportDeclaration, name: string): Uses | 'all' {
  if (!exportClause) return { uses: [], reexportedNames: name === 'default' ? [] : [name] };
  if (ts.isNamespaceExport(exportClause)) return 'all';
  return { uses: [], reexportedNames: collectSecondNames(exportClause.elements, name) };
}

/** The second names of those import or export specifiers whose first name is `name`: `b` in `{ name as b }`. */
function collectSecondNames(elements: readonly (ts.ImportSpecifier | ts.ExportSpecifier)[], name: string): string[] {
  return elements
    .filter((element) => (element.propertyName ?? element.name).text === name)
    .map((element) => element.name.text);
}

/** True if the text contains the name as a word. */
function containsName(text: string, name: string): boolean {
  return new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(text);
}

/** Finds the references to a name, except its import and members of the same name. */
function findUses(sourceFile: ts.SourceFile, name: string): readonly ts.Identifier[] {
  return collectDescendants(sourceFile).filter((node): node is ts.Identifier => {
    if (!ts.isIdentifier(node) || node.text !== name) return false;
    const { parent } = node;
    if (ts.isImportSpecifier(parent) || ts.isImportClause(parent) || ts.isNamespaceImport(parent)) return false;
    return !((ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent)) && parent.name === node);
  });
}

/**
 * Finds the use of the member in `module.member`; null for a use of another member, and `'all'` if any member may be
 * used.
 */
function findMember(use: ts.Identifier, member: string): ts.Node | 'all' | null {
  const { parent } = use;
  if (ts.isPropertyAccessExpression(parent)) return parent.name.text === member ? parent : null;
  if (ts.isQualifiedName(parent)) return parent.right.text === member ? parent : null;
  return 'all';
}

/** Finds the uses of a module that is loaded at run time; `'other'` if they are unknown. */
function findLoadedUses(sourceFile: ts.SourceFile, node: ts.Node, name: string): Uses | 'other' {
  if (isMock(node)) return NO_USES;
  const uses = isModuleLoad(node) ? findUsesOfLoaded(sourceFile, node, name) : 'all';
  return uses === 'all' ? 'other' : { uses, reexportedNames: [] };
}

/** True for `jest.mock('…')` and similar calls, which call nothing of the file. */
function isMock(node: ts.Node): boolean {
  return (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    /^(do|un|dont|doUn)?mock$/i.test(node.expression.name.text)
  );
}
