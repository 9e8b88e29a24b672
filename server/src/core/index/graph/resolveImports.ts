// Resolves the imports of one file to the imported files, and to the definitions behind the names that they bind.

import type { GraphRecord, DefinitionPlace, SymbolTable, LookupTrace } from './symbolTable.ts';
import { SCRIPT_LANGUAGES } from '../../paths/scriptFiles.ts';

/** The resolved imports of one file. */
export interface ResolvedImports {
  /** Files that the file imports, as written. */
  readonly imports: Set<string>;
  /** Files among them that are loaded at run time. Type-only imports are erased. */
  readonly loads: Set<string>;
  /** Files whose definitions the file uses; re-exports are followed. */
  readonly through: Set<string>;
  /** Definitions by the name that the importing file gives them. */
  readonly boundPlaces: ReadonlyMap<string, readonly DefinitionPlace[]>;
  /** Files that are imported as a whole (`*`), without naming an export. */
  readonly wildcardFiles: readonly string[];
}

/** Resolves the imports of a file. Adds to `trace` everything on which the result depends. */
export function resolveImports(record: GraphRecord, table: SymbolTable, trace: LookupTrace): ResolvedImports {
  const { path, references, language } = record;
  const bindings = (references?.bindings ?? []).map((binding) => ({
    binding,
    places: table.findBoundPlaces(record, binding, trace),
  }));
  const reExports = (references?.exports ?? []).filter(([from]) => from !== '');
  const through = new Set(
    [
      ...bindings.map(({ places }) => places),
      ...reExports.map((binding) => table.findBoundPlaces(record, binding, trace)),
    ]
      .flat()
      .map((place) => place.path),
  );
  const bound = new Map<string, readonly DefinitionPlace[]>();
  const wildcardFiles: string[] = [];
  for (const { binding, places } of bindings) {
    const [, , localName] = binding;
    if (localName === '*') wildcardFiles.push(...places.map((place) => place.path));
    else if (!bound.has(localName)) bound.set(localName, places);
  }

  const modules = language === 'python' ? collectModulePaths(bindings) : [];
  const imports = new Set(modules);
  const loads = new Set(modules);
  const erasedSpecifiers = new Set(references?.types ?? []);
  const boundSpecifiers = new Set([
    ...bindings.flatMap(({ binding: [from, name] }) => (language === 'python' ? [from, `${from}.${name}`] : [from])),
    ...reExports.map(([from]) => from),
  ]);
  for (const specifier of record.imports) {
    for (const target of table.resolve(record, specifier)) {
      imports.add(target);
      if (!erasedSpecifiers.has(specifier)) loads.add(target);
      if (boundSpecifiers.has(specifier)) continue;
      through.add(target);
      trace.files.add(target);
      if (!SCRIPT_LANGUAGES.has(language)) wildcardFiles.push(target);
    }
  }
  for (const files of [imports, loads, through]) files.delete(path);
  return { imports, loads, through, boundPlaces: bound, wildcardFiles };
}

/** Paths of the modules to which imported names refer: `from package import module`. */
function collectModulePaths(
  bindings: readonly { readonly binding: readonly string[]; readonly places: readonly DefinitionPlace[] }[],
): string[] {
  return bindings
    .filter(({ binding }) => binding[1] !== '*')
    .flatMap(({ places }) => places.filter(({ symbol }) => symbol === null).map((place) => place.path));
}
