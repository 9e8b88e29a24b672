// Finds the external packages of a repository: the ones that manifests declare, with the number of files that import
// them.

import type { DeclaredDependency, Manifest } from './manifests.ts';
import type { FileRecord } from '../../ports/catalogue.ts';
import { createWordSet } from '../../../util/wordSet.ts';
import { SCRIPT_LANGUAGES } from '../../paths/scriptFiles.ts';

/** An external package. */
export interface Dependency {
  readonly name: string;
  /** The kind of the dependency. `undeclared`: imported, but in no manifest. */
  readonly kind: DeclaredDependency['kind'] | 'undeclared';
  readonly version: string | null;
  /** The manifest nearest to the root that declares it; null if none does. */
  readonly source: string | null;
  /** Number of files that import it. */
  readonly files: number;
  /** Number of these files that are tests. */
  readonly tests: number;
}

/** Names of the built-in modules of Node. */
const NODE_MODULES = createWordSet(`
  assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain
  events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl
  stream string_decoder sys test timers tls trace_events tty url util v8 vm wasi worker_threads zlib
`);
/**
 * Minimum number of files, without tests, that import an undeclared package. A name with fewer is probably part of a
 * string.
 */
const UNDECLARED_FILES = 2;

/** The external packages, most used first, without the packages of the repository itself. */
export function findExternalDependencies(
  records: readonly FileRecord[],
  manifests: readonly Manifest[],
  isTest: (path: string) => boolean,
): Dependency[] {
  const localPackages = new Set(
    manifests.map(({ name, ecosystem }) => (name === null ? null : deriveImportName(ecosystem, name))),
  );
  const declarations = new Map<
    string,
    DeclaredDependency & { readonly ecosystem: Manifest['ecosystem']; readonly source: string }
  >();
  const describedByTypes = new Set<string>();
  for (const { dependencies, ecosystem, path: source } of manifests) {
    for (const dependency of dependencies) {
      const earlierDeclaration = declarations.get(dependency.name);
      // A package of types counts as the package that it describes.
      if (dependency.name.startsWith('@types/')) describedByTypes.add(dependency.name.slice('@types/'.length));
      if (!earlierDeclaration && !localPackages.has(deriveImportName(ecosystem, dependency.name)))
        declarations.set(dependency.name, { ...dependency, ecosystem, source });
    }
  }
  const usage = new Map<string, { files: number; tests: number }>();
  const byImport = new Map(
    [...declarations].map(([name, { ecosystem }]) => [`${ecosystem} ${deriveImportName(ecosystem, name)}`, name]),
  );
  for (const record of records) {
    if (record.generated) continue;
    for (const name of new Set(
      record.imports.flatMap((specifier) => findImportedPackage(record, specifier, byImport, localPackages)),
    )) {
      const count = usage.get(name) ?? { files: 0, tests: 0 };
      count.files++;
      if (isTest(record.path)) count.tests++;
      usage.set(name, count);
    }
  }
  const allNames = new Set([...declarations.keys(), ...usage.keys()]);
  return [...allNames]
    .map((name): Dependency => {
      const { kind = 'undeclared', version = null, source = null } = declarations.get(name) ?? {};
      return { name, kind, version, source, files: usage.get(name)?.files ?? 0, tests: usage.get(name)?.tests ?? 0 };
    })
    .filter(
      ({ name, kind, files, tests }) =>
        kind !== 'undeclared' || describedByTypes.has(name) || files - tests >= UNDECLARED_FILES,
    )
    .sort((a, b) => b.files - a.files || (a.name < b.name ? -1 : 1));
}

/** The name in imports, as far as it can be derived from the name of the package. */
function deriveImportName(ecosystem: Manifest['ecosystem'], name: string): string {
  return ecosystem === 'npm' || ecosystem === 'go' ? name : name.toLowerCase().replace(/[-.]/g, '_');
}

/**
 * The external package that an import refers to, as a list of one; empty if it refers to none, or to an unknown one.
 */
function findImportedPackage(
  { language }: FileRecord,
  specifier: string,
  byImport: ReadonlyMap<string, string>,
  ownNames: ReadonlySet<string | null>,
): string[] {
  if (language === null) return [];
  if (SCRIPT_LANGUAGES.has(language)) {
    if (!/^(@[a-z0-9~-][\w.~-]*\/)?[a-z0-9][\w.~-]*(\/|$)/i.test(specifier) || specifier.includes(':')) return [];
    const name = specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/');
    return NODE_MODULES.has(name) || ownNames.has(name) ? [] : [byImport.get(`npm ${name}`) ?? name];
  }
  if (language === 'go') {
    for (let path = specifier; path.includes('/'); path = path.slice(0, path.lastIndexOf('/'))) {
      const goPackage = byImport.get(`go ${path}`);
      if (goPackage) return [goPackage];
    }
    return [];
  }
  const ecosystem = language === 'python' ? 'python' : language === 'rust' ? 'rust' : null;
  const root = specifier.split(/[.:]/, 1)[0]!.toLowerCase();
  const externalPackage = ecosystem && root ? byImport.get(`${ecosystem} ${root}`) : undefined;
  return externalPackage ? [externalPackage] : [];
}
