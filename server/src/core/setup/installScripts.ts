// Finds packages with install scripts, and the packages that the repository's settings allow to run them.

import { asObject, listNames, readManifest } from './manifest.ts';
import type { SetupFiles } from './manager.ts';

/** Captures the name of a package without its version: `esbuild@0.25.0`, `@scope/name@1`. */
const VERSIONED_NAME_PATTERN = /^(@?[^@]+)(?:@.*)?$/;
/** Matches the name of a package without a version. */
const NAME_PATTERN = /^(?:@\w[\w.~-]*\/)?\w[\w.~-]*$/;

/** Names of packages with install scripts according to the lock file of npm or pnpm; null if neither states them. */
export function findScriptPackages(files: SetupFiles): readonly string[] | null {
  const text = files.text('npm-shrinkwrap.json') ?? files.text('package-lock.json');
  if (text !== null) {
    const packages = asObject(readManifest(text)?.raw['packages']);
    return normalisePackageNames(
      Object.entries(packages)
        .filter(([, value]) => asObject(value)['hasInstallScript'] === true)
        .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)),
    );
  }
  const lock = files.text('pnpm-lock.yaml');
  if (lock === null || !lock.includes('requiresBuild: true')) return null;
  const names: string[] = [];
  let name = '';
  for (const line of lock.split('\n')) {
    name = /^ {2}['"]?\/?([^\s'"(]+?)[@/]\d/.exec(line)?.[1] ?? name;
    if (line.trim() === 'requiresBuild: true') names.push(name);
  }
  return normalisePackageNames(names);
}

/** Packages whose install scripts the settings of the repository allow. `because`: the file with that setting. */
export function findAllowedPackages(files: SetupFiles): readonly { readonly name: string; readonly because: string }[] {
  const manifest = readManifest(files.text('package.json'))?.raw ?? {};
  const pnpm = asObject(manifest['pnpm']);
  const manifestNames = [
    ...listNames(manifest['allowScripts']),
    ...listNames(pnpm['onlyBuiltDependencies']),
    ...listNames(pnpm['allowBuilds']),
    ...listNames(manifest['trustedDependencies']),
    ...Object.entries(asObject(manifest['dependenciesMeta']))
      .filter(([, meta]) => asObject(meta)['built'] === true)
      .map(([name]) => name),
  ];
  const workspaceNames = readYamlList(
    files.text('pnpm-workspace.yaml') ?? '',
    /^(?:onlyBuiltDependencies|allowBuilds):/,
  );
  return [
    ...normalisePackageNames(manifestNames).map((name) => ({ name, because: 'package.json' })),
    ...normalisePackageNames(workspaceNames).map((name) => ({ name, because: 'pnpm-workspace.yaml' })),
  ];
}

/** Package names without versions, each once, sorted. Omits names that a command line could interpret as options. */
export function normalisePackageNames(names: readonly string[]): readonly string[] {
  const bareNames = names
    .map((name) => VERSIONED_NAME_PATTERN.exec(name)?.[1] ?? '')
    .filter((name) => NAME_PATTERN.test(name));
  return [...new Set(bareNames)].sort();
}

/** The entries of one list in a simple YAML file: `- name` or `name: true`, indented below its key. */
function readYamlList(text: string, key: RegExp): readonly string[] {
  const entries: string[] = [];
  let isInside = false;
  for (const line of text.split('\n')) {
    if (/^\S/.test(line) && !line.startsWith('-') && !line.startsWith('#')) isInside = key.test(line);
    else if (isInside) {
      const entry = /^\s*-\s*['"]?([^\s'"]+)/.exec(line) ?? /^\s+['"]?([^\s'":]+)['"]?:\s*true\s*$/.exec(line);
      if (entry?.[1] !== undefined) entries.push(entry[1]);
    }
  }
  return entries;
}
