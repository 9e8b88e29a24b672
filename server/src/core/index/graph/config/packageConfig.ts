// package.json files as far as imports care, and which of them form workspaces.

import { posix } from 'node:path';
import { stringOf, stringsOf, tableOf, valueOf, type ReadTable } from './readConfig.ts';

export interface PackageConfig {
  /** Folder of the package.json from the root; '' is the root. */
  readonly dir: string;
  readonly name: string | null;
  /** The values of `exports` and `imports` as written (any JSON), or null. */
  readonly exports: unknown;
  readonly imports: unknown;
  /** Entry files as written, the most telling first: source, types, module, main. */
  readonly entries: readonly string[];
  /** Folder of the workspace root that lists this package (or is it), or null. */
  readonly workspace: string | null;
  /** Folders that this package depends on by `file:`, `link:` or `portal:`, by name. */
  readonly links: Readonly<Record<string, string>>;
}

/** Every package.json with a table in it, sorted by folder. */
export async function readPackages(paths: readonly string[], readTable: ReadTable): Promise<PackageConfig[]> {
  const packages: PackageConfig[] = [];
  const workspaces: { readonly dir: string; readonly patterns: readonly string[] }[] = [];
  for (const path of paths.filter((candidate) => posix.basename(candidate) === 'package.json').sort()) {
    const table = await readTable(path, 'json');
    if (!table) continue;
    const dir = folderOf(path);
    const declared = valueOf(table, 'workspaces');
    const pnpm = await readTable(posix.join(dir, 'pnpm-workspace.yaml'), 'yaml');
    const lerna = await readTable(posix.join(dir, 'lerna.json'), 'json');
    const patterns = [
      ...stringsOf(declared),
      ...stringsOf(valueOf(declared, 'packages')),
      ...stringsOf(valueOf(pnpm, 'packages')),
      ...stringsOf(valueOf(lerna, 'packages')),
    ];
    if (patterns.length > 0) workspaces.push({ dir, patterns });
    packages.push({
      dir,
      name: stringOf(table, 'name'),
      exports: valueOf(table, 'exports') ?? null,
      imports: valueOf(table, 'imports') ?? null,
      entries: ['source', 'types', 'typings', 'module', 'main'].flatMap((field) => stringOf(table, field) ?? []),
      workspace: null,
      links: linksOf(dir, table),
    });
  }
  const memberships = workspaces.map(({ dir, patterns }) => ({ dir, holds: workspaceMatcher(patterns) }));
  return packages.map((pkg) => ({
    ...pkg,
    workspace:
      memberships.find(
        ({ dir, holds }) =>
          pkg.dir === dir || (isWithin(pkg.dir, dir) && holds(pkg.dir.slice(dir === '' ? 0 : dir.length + 1))),
      )?.dir ?? null,
  }));
}

/** The folder of a path; '' is the root. */
export function folderOf(path: string): string {
  const dir = posix.dirname(path);
  return dir === '.' ? '' : dir;
}

export function isWithin(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

function linksOf(dir: string, table: Parameters<typeof tableOf>[0]): Record<string, string> {
  const links: Record<string, string> = {};
  for (const field of ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']) {
    for (const [name, version] of Object.entries(tableOf(table, field))) {
      const target = typeof version === 'string' ? /^(?:file|link|portal):(.+)$/.exec(version)?.[1] : undefined;
      if (target) links[name] = posix.join(dir, target).replace(/^\.$/, '').replace(/\/$/, '');
    }
  }
  return links;
}

/** Later patterns win, those with `!` leave out. `*` is one level, `**` any number, `{a,b}` either. */
function workspaceMatcher(patterns: readonly string[]): (folder: string) => boolean {
  const compiled = patterns.map((pattern) => {
    const leavesOut = pattern.startsWith('!');
    const plain = posix.normalize(pattern.replace(/^!/, '')).replace(/\/$/, '');
    return { leavesOut, expression: globExpression(plain) };
  });
  return (folder) => {
    let held = false;
    for (const { leavesOut, expression } of compiled) if (expression.test(folder)) held = !leavesOut;
    return held;
  };
}

/** Each `*` becomes a class without its own neighbours' separators, so matching takes linear time in practice. */
function globExpression(glob: string): RegExp {
  const source = glob.slice(0, 200).replace(/\*\*\/?|\*|\{[^{}]*\}|[.+?^${}()|[\]\\]/g, (part) => {
    if (part.startsWith('**')) return part.endsWith('/') ? '(?:[^/]+/)*' : '.*';
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    if (part.length > 1)
      return `(?:${part
        .slice(1, -1)
        .split(',')
        .map((option) => option.replaceAll(/[.+?^${}()|[\]\\*]/g, '\\$&'))
        .join('|')})`;
    return `\\${part}`;
  });
  return new RegExp(`^${source}$`);
}
