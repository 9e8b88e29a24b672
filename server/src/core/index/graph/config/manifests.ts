// Manifests of other languages as far as imports care: Go modules, Rust crates, PHP, Python and Ruby source roots.

import { posix } from 'node:path';
import { folderOf } from './packageConfig.ts';
import { isTable, stringOf, stringsOf, tableOf, valueOf, type ReadTable, type ReadText } from './readConfig.ts';

export interface OtherManifests {
  readonly goModules: readonly {
    readonly dir: string;
    readonly module: string;
    readonly replace: Readonly<Record<string, string>>;
  }[];
  /** `root` is the file that the crate begins with; `name` as code spells it. */
  readonly crates: readonly { readonly dir: string; readonly name: string; readonly root: string }[];
  /** PSR-4 and PSR-0 prefixes with their folder. */
  readonly phpRoots: readonly { readonly prefix: string; readonly dir: string }[];
  /** Folders that packages lie in. */
  readonly pythonRoots: readonly string[];
  readonly rubyRoots: readonly string[];
}

export async function readManifests(
  paths: readonly string[],
  readTable: ReadTable,
  read: ReadText,
): Promise<OtherManifests> {
  const known = new Set(paths);
  const named = (name: string) => paths.filter((path) => posix.basename(path) === name).sort();
  const goModules: OtherManifests['goModules'][number][] = [];
  for (const path of named('go.mod')) {
    const found = goModule(folderOf(path), (await read(path)) ?? '');
    if (found) goModules.push(found);
  }
  const crates: OtherManifests['crates'][number][] = [];
  for (const path of named('Cargo.toml')) {
    const table = await readTable(path, 'toml');
    const dir = folderOf(path);
    const name = stringOf(tableOf(table, 'lib'), 'name') ?? stringOf(tableOf(table, 'package'), 'name');
    const root = [stringOf(tableOf(table, 'lib'), 'path') ?? 'src/lib.rs', 'src/main.rs']
      .map((file) => posix.join(dir, file))
      .find((file) => known.has(file));
    if (name !== null && root !== undefined) crates.push({ dir, name: name.replaceAll('-', '_'), root });
  }
  const phpRoots: OtherManifests['phpRoots'][number][] = [];
  for (const path of named('composer.json')) {
    const table = await readTable(path, 'json');
    for (const autoload of [tableOf(table, 'autoload'), tableOf(table, 'autoload-dev')]) {
      for (const standard of ['psr-4', 'psr-0']) {
        for (const [prefix, folders] of Object.entries(tableOf(autoload, standard))) {
          for (const folder of stringsOf(folders))
            phpRoots.push({
              prefix,
              dir: inside(posix.join(folderOf(path), folder, standard === 'psr-0' ? prefix.replaceAll('\\', '/') : '')),
            });
        }
      }
    }
  }
  const pythonRoots = new Set<string>();
  for (const path of [...named('pyproject.toml'), ...named('setup.cfg'), ...named('setup.py')])
    pythonRoots.add(folderOf(path));
  for (const path of named('pyproject.toml'))
    for (const folder of pythonFolders(await readTable(path, 'toml')))
      pythonRoots.add(inside(posix.join(folderOf(path), folder)));
  const rubyRoots = paths
    .filter((path) => /\.gemspec$/.test(path))
    .map((path) => inside(posix.join(folderOf(path), 'lib')));
  return {
    goModules,
    crates,
    phpRoots: phpRoots.sort((a, b) => b.prefix.length - a.prefix.length),
    pythonRoots: [...pythonRoots],
    rubyRoots,
  };
}

/** https://go.dev/ref/mod#go-mod-file: the module directive, and `replace` by a folder. */
function goModule(dir: string, text: string): OtherManifests['goModules'][number] | null {
  const module = /^[^\S\n]*module\s+"?([^\s"]+)"?/m.exec(text)?.[1];
  if (!module) return null;
  const replace: Record<string, string> = {};
  for (const [, from, to] of text.matchAll(
    /^[^\S\n]*(?:replace\s+)?([^\s()]+)(?:\s+v\S+)?\s*=>\s*(\.{1,2}\/\S*|\.{1,2})\s*(?:\/\/.*)?$/gm,
  ))
    replace[from!] = inside(posix.join(dir, to!));
  return { dir, module, replace };
}

/** Where the usual build tools are told to look: setuptools, poetry, hatch, pdm, pytest. */
function pythonFolders(table: unknown): string[] {
  const tool = tableOf(table, 'tool');
  const setuptools = tableOf(tool, 'setuptools');
  const poetry = valueOf(tableOf(tool, 'poetry'), 'packages');
  return [
    ...stringsOf(valueOf(tableOf(tableOf(setuptools, 'packages'), 'find'), 'where')),
    ...stringsOf(valueOf(tableOf(setuptools, 'package-dir'), '')),
    ...(Array.isArray(poetry) ? poetry : []).filter(isTable).flatMap((entry) => stringOf(entry, 'from') ?? []),
    ...stringsOf(
      valueOf(tableOf(tableOf(tableOf(tableOf(tool, 'hatch'), 'build'), 'targets'), 'wheel'), 'packages'),
    ).map((folder) => posix.dirname(folder)),
    ...stringsOf(valueOf(tableOf(tableOf(tool, 'pytest'), 'ini_options'), 'pythonpath')),
  ];
}

function inside(path: string): string {
  return path === '.' ? '' : path.replace(/(?<!\/)\/+$/, '');
}
