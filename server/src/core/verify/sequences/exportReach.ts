// Follows an export to the code behind it, also through other files, and explains why it must not be used in a test.

import { posix } from 'node:path';
import { ts } from 'ts-morph';
import { findOutsideName } from '../counterexamples/outsideNames.ts';
import { findImport, type LoadFile } from '../counterexamples/imports.ts';
import { findReferencedNames, parseModuleOutline, type ModuleOutline } from '../differential/declarations.ts';
import { SOURCE_FOLDERS } from '../../paths/builtFiles.ts';
import { isDeprecated } from '../counterexamples/members.ts';

/** An export, with the path of the file from which it is imported. */
export interface ExportOfFile {
  readonly path: string;
  /** `default` for a default export, `*` for all of the module. */
  readonly exportedAs: string;
}

/** Suffixes that a specifier may omit. */
const MODULE_SUFFIXES = ['', '.ts', '.js', '.mjs', '.cjs', '.tsx', '/index.ts', '/index.js', '/index.mjs'];
/** Functions whose mention does not exclude code, because their call is detected when it is made. */
const TIMERS = new Set(['setTimeout', 'setInterval', 'setImmediate']);
/** Maximum number of modules that re-export an export in sequence. */
const MAX_REEXPORTS = 10;
/** The outlines of parsed files. */
const cachedOutlines = new WeakMap<ts.SourceFile, ModuleOutline>();
/** The declarations that `findDeclaringPlace` has found, by the function that opens the files. */
const cachedPlacesByLoader = new WeakMap<LoadFile, Map<string, ExportOfFile | null>>();
/** The names of packages, by the function that opens their files. */
const cachedPackageNames = new WeakMap<LoadFile, string | null>();

/**
 * The file of a specifier in `file`. The specifier is relative, or begins with the name of this package
 * (`zustand/vanilla`). Null if there is no such file, or for another package.
 */
export function resolveModule(file: ts.SourceFile, specifier: string, load: LoadFile): ts.SourceFile | null {
  const base = specifier.startsWith('.') ? posix.join(posix.dirname(file.fileName), specifier) : null;
  if (base !== null && base !== '.' && base !== './') return findModule(base, load);
  const name = findPackageName(load);
  if (base === null && (name === null || !`${specifier}/`.startsWith(`${name}/`))) return null;
  const inner = base === null ? specifier.slice(name!.length + 1) : '';
  for (const folder of SOURCE_FOLDERS) {
    const module = findModule(posix.join(folder, inner === '' ? 'index' : inner), load);
    if (module) return module;
  }
  return null;
}

/** The name of this package; null if it has none. */
function findPackageName(load: LoadFile): string | null {
  const cachedNames = cachedPackageNames.get(load);
  if (cachedNames !== undefined) return cachedNames;
  const name = parsePackageName(load('package.json')?.text ?? '');
  cachedPackageNames.set(load, name);
  return name;
}

function parsePackageName(text: string): string | null {
  try {
    const { name } = JSON.parse(text) as { readonly name?: unknown };
    return typeof name === 'string' && name !== '' ? name : null;
  } catch {
    return null;
  }
}

function findModule(base: string, load: LoadFile): ts.SourceFile | null {
  for (const extension of MODULE_SUFFIXES)
    for (const path of [base + extension, base.replace(/\.([cm]?)js$/, '.$1ts') + extension]) {
      const file = load(path);
      if (file) return file;
    }
  return null;
}

/**
 * The export with the file that declares it: this file, or a module from which it is re-exported. Null if it is not
 * found.
 */
export function findDeclaringPlace({ path, exportedAs }: ExportOfFile, load: LoadFile): ExportOfFile | null {
  const cachedPlaces = cachedPlacesByLoader.get(load) ?? new Map<string, ExportOfFile | null>();
  cachedPlacesByLoader.set(load, cachedPlaces);
  const key = `${path}\0${exportedAs}`;
  const cachedPlace = cachedPlaces.get(key);
  if (cachedPlace !== undefined) return cachedPlace;
  const origin = followExport({ path, exportedAs }, load, 0);
  cachedPlaces.set(key, origin);
  return origin;
}

/**
 * The file that declares an export, with its name there; null if it is not found. `depth`: number of modules on the way
 * so far.
 */
function followExport(place: ExportOfFile, load: LoadFile, depth: number): ExportOfFile | null {
  const file = load(place.path);
  if (!file || depth > MAX_REEXPORTS || place.exportedAs === '*') return null;
  const followInModule = (specifier: string, exportedAs: string) => {
    const openedModule = resolveModule(file, specifier, load);
    return openedModule && followExport({ path: openedModule.fileName, exportedAs }, load, depth + 1);
  };
  const reexport = findReexport(file, place.exportedAs);
  if (reexport) return followInModule(reexport.from, reexport.imported);
  const declared = [...findOutline(file).declarations.values()].find(
    (declaration) => declaration.exportedAs === place.exportedAs,
  );
  if (declared?.kind === 'import') {
    const source = findImport(file, declared.name);
    return source && followInModule(source.from, source.imported);
  }
  if (declared) return place;
  for (const from of collectWildcardSpecifiers(file)) {
    const origin = followInModule(from, place.exportedAs);
    if (origin) return origin;
  }
  return null;
}

/** The reason why no test should use the export in steps, as a sentence; null if there is none. */
export function explainNotUsed(place: ExportOfFile, load: LoadFile): string | null {
  const declared = findDeclaringPlace(place, load);
  const { path, exportedAs } = declared ?? place;
  const file = load(path);
  if (!file) return 'Its code was not found.';
  const declaration = [...findOutline(file).declarations.values()].find(
    (candidate) => candidate.exportedAs === exportedAs,
  );
  if (declaration && isDeprecated(declaration.node)) return 'It is deprecated.';
  return explainUnusableCode(file, declaration?.name ?? null, load, new Set());
}

/** True if the class behind the export declares a deprecated member of this name. */
export function isDeprecatedMember(place: ExportOfFile, member: string, load: LoadFile): boolean {
  const declared = findDeclaringPlace(place, load);
  const file = declared && load(declared.path);
  if (!file) return false;
  const declaration = [...findOutline(file).declarations.values()].find(
    (candidate) => candidate.exportedAs === declared.exportedAs,
  );
  if (!declaration || !ts.isClassLike(declaration.node)) return false;
  return declaration.node.members.some((element) => element.name?.getText(file) === member && isDeprecated(element));
}

/**
 * The reason why a declaration of the file, or code that it refers to, must not be used. `name`: null for the whole
 * file. `visited`: the declarations that were already examined.
 */
function explainUnusableCode(
  file: ts.SourceFile,
  name: string | null,
  load: LoadFile,
  visited: Set<string>,
): string | null {
  const key = `${file.fileName}\0${name ?? '*'}`;
  if (visited.has(key)) return null;
  visited.add(key);
  const declaration = name === null ? null : findOutline(file).declarations.get(name);
  if (declaration === undefined) return null;
  if (declaration?.kind === 'import') return explainUnusableImport(file, declaration.name, load, visited);
  const node = declaration?.node ?? file;
  const mentioned = findReferencedNames(node);
  // A call that waits or reads the clock is detected when it is made.
  const outside = findOutsideName(new Set([...mentioned].filter((mentionedName) => !TIMERS.has(mentionedName))), file);
  if (outside !== null) return `It uses \`${outside}\`, which reaches outside or is shared.`;
  for (const mentionedName of mentioned) {
    const reason = explainUnusableCode(file, mentionedName, load, visited);
    if (reason !== null) return reason;
  }
  return null;
}

/** The reason why an imported name must not be used; null if there is none. */
function explainUnusableImport(file: ts.SourceFile, name: string, load: LoadFile, visited: Set<string>): string | null {
  const source = findImport(file, name);
  const openedModule = source && resolveModule(file, source.from, load);
  if (!openedModule) return null;
  const declared = findDeclaringPlace({ path: openedModule.fileName, exportedAs: source.imported }, load);
  const target = declared ? load(declared.path)! : openedModule;
  const declaration = declared
    ? [...findOutline(target).declarations.values()].find((candidate) => candidate.exportedAs === declared.exportedAs)
    : null;
  return explainUnusableCode(target, declaration?.name ?? null, load, visited);
}

function findOutline(file: ts.SourceFile): ModuleOutline {
  const outline = cachedOutlines.get(file) ?? parseModuleOutline(file);
  cachedOutlines.set(file, outline);
  return outline;
}

/** The origin of a name in `export { a as b } from './c'`; null if the file has no such line for it. */
function findReexport(file: ts.SourceFile, name: string): { readonly from: string; readonly imported: string } | null {
  for (const statement of file.statements) {
    if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier || !statement.exportClause) continue;
    if (!ts.isNamedExports(statement.exportClause) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const specifier = statement.exportClause.elements.find((element) => element.name.text === name);
    if (specifier)
      return { from: statement.moduleSpecifier.text, imported: (specifier.propertyName ?? specifier.name).text };
  }
  return null;
}

/** The specifiers in lines such as `export * from './a'`. */
function collectWildcardSpecifiers(file: ts.SourceFile): readonly string[] {
  return file.statements.flatMap((statement) =>
    ts.isExportDeclaration(statement) &&
    !statement.exportClause &&
    statement.moduleSpecifier &&
    ts.isStringLiteral(statement.moduleSpecifier)
      ? [statement.moduleSpecifier.text]
      : [],
  );
}
