// Follows an exported name through the files that re-export it, and decides whether any file imports it.

import { ts } from 'ts-morph';
import { findSpecifierParents, normaliseModulePath, type ImportingFile, type Importers } from './importers.ts';

/** All places that re-export a name. */
export interface ReExporters {
  /** The entries in `export { name } from …` that re-export the name. */
  readonly specifiers: readonly {
    readonly path: string;
    readonly sourceFile: ts.SourceFile;
    readonly node: ts.ExportSpecifier;
  }[];
}

/** Maximum number of re-exports in a row that are followed before the search gives up. */
const MAX_HOPS = 8;

/**
 * A name whose importers are searched, as they write it. `hops`: number of re-exports between the export and this name.
 */
interface FollowedName {
  readonly path: string;
  readonly name: string;
  readonly hops: number;
}

/** The reason why it is not certain that no file imports the name. */
interface Refusal {
  readonly refused: string;
}

/**
 * Finds the re-exports of a name. Refuses if any file imports the name or may import it, or if the chain of re-exports
 * is too long. `name`: the exported name, as importers write it.
 */
export function findReExporters(importers: Importers, path: string, name: string): ReExporters | Refusal {
  const specifiers: ReExporters['specifiers'][number][] = [];
  const pendingNames: FollowedName[] = [{ path, name, hops: 0 }];
  const followedKeys = new Set<string>();
  const parse = createParser(importers);
  for (let currentName = pendingNames.pop(); currentName; currentName = pendingNames.pop()) {
    const key = `${currentName.path}\0${currentName.name}`;
    if (followedKeys.has(key)) continue;
    followedKeys.add(key);
    if (currentName.hops > MAX_HOPS) return { refused: 'The name is passed on too often to be followed.' };
    for (const importer of importers.of(currentName.path)) {
      if (normaliseModulePath(importer.path) === normaliseModulePath(currentName.path)) continue;
      const reExports = findReExportsOfFile(importer, currentName, parse(importer.path), importers.text(importer.path));
      if ('refused' in reExports) return reExports;
      specifiers.push(...reExports.specifiers);
      pendingNames.push(...reExports.names);
    }
  }
  return { specifiers };
}

/** Creates a function that parses each file once. */
function createParser(importers: Importers): (path: string) => ts.SourceFile | null {
  const parsedFiles = new Map<string, ts.SourceFile | null>();
  return (path) => {
    const cached = parsedFiles.get(path);
    if (cached !== undefined) return cached;
    const sourceFile = importers.sourceFile(path);
    parsedFiles.set(path, sourceFile);
    return sourceFile;
  };
}

/** The re-exports of the name in one importing file. */
interface ReExportsOfFile extends ReExporters {
  /** Names under which the importing file re-exports the name. */
  readonly names: readonly FollowedName[];
}

/** Finds the re-exports of the name in one importing file. Refuses if the file uses the name or may use it. */
function findReExportsOfFile(
  importer: ImportingFile,
  { name, hops }: FollowedName,
  sourceFile: ts.SourceFile | null,
  text: string,
): ReExportsOfFile | Refusal {
  const { path, specifier, isRelative } = importer;
  const mayUse = (name === 'default' ? /\bimport\s+[\w$]+|\bdefault\b/ : createNamePattern(name)).test(text);
  if (!sourceFile) return mayUse ? { refused: `${path} may use it.` } : { specifiers: [], names: [] };
  const specifiers: ReExporters['specifiers'][number][] = [];
  const names: FollowedName[] = [];
  for (const node of findSpecifierParents(sourceFile, specifier)) {
    if (ts.isImportDeclaration(node)) {
      if (importsName(node, name, text))
        return {
          refused: `${path} imports it${isRelative ? '' : ', or something of that name from a like-named file'}.`,
        };
    } else if (!ts.isExportDeclaration(node)) {
      if (mayUse) return { refused: `${path} loads the file in a way that may use it.` };
    } else if (!node.exportClause) names.push({ path, name, hops: hops + 1 });
    else if (ts.isNamespaceExport(node.exportClause)) return { refused: `${path} passes on everything as one object.` };
    else {
      const reExportingEntries = node.exportClause.elements.filter(
        (element) => (element.propertyName ?? element.name).text === name,
      );
      if (reExportingEntries.length > 0 && !isRelative) return { refused: `${path} passes on something of that name.` };
      specifiers.push(...reExportingEntries.map((element) => ({ path, sourceFile, node: element })));
      names.push(...reExportingEntries.map((element) => ({ path, name: element.name.text, hops: hops + 1 })));
    }
  }
  return { specifiers, names };
}

/** Creates the pattern that matches the name as a word. */
function createNamePattern(name: string): RegExp {
  return new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`);
}

/** True if the import binds the name, or if it binds the whole module and the text mentions the name. */
function importsName({ importClause }: ts.ImportDeclaration, name: string, text: string): boolean {
  if (!importClause) return false;
  if (name === 'default' && importClause.name) return true;
  const bindings = importClause.namedBindings;
  if (!bindings) return false;
  if (ts.isNamespaceImport(bindings)) return createNamePattern(name).test(text);
  return bindings.elements.some((element) => (element.propertyName ?? element.name).text === name);
}
