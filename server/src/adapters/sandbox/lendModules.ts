// Lends the installed packages to a sandbox: real node_modules folders whose entries are links to the user's packages.

import { lstat, mkdir, readdir, realpath, stat, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { copyRegularSync, readRegular } from '../files/door.ts';
import { publishedFiles } from './publishedFiles.ts';
import type { RepositoryContent } from './repositoryContent.ts';
import { isInside } from './inside.ts';

/**
 * Folders whose name starts with a dot are caches, except these, in which package managers keep the packages
 * themselves.
 */
const STORES = new Set(['.pnpm', '.store', '.prisma', '.bun']);

export interface Lent {
  /** Where the links lead, links of links included: absolute folders without links. They have to be readable. */
  readonly folders: readonly string[];
  /** False when packages have come or gone since. */
  isCurrent(): Promise<boolean>;
}

interface Loan {
  readonly top: string;
  readonly tree: string;
  readonly sources: Set<string>;
  /** Time of the last change of each folder that was listed and each file that was copied. */
  readonly listed: Map<string, bigint>;
}

/**
 * For each package folder (one with a package.json) that has packages installed. The folder itself is real, because
 * tools write
 * caches into it; a link to a folder of the repository (a workspace package) leads to the sandbox's copy of that
 * folder.
 */
export async function lendModules(content: RepositoryContent, tree: string): Promise<Lent> {
  const loan: Loan = { top: await realpath(content.top), tree, sources: new Set(), listed: new Map() };
  const packages = new Set(
    content.files
      .filter((path) => /(^|\/)package\.json$/.test(path) && !path.split('/').includes('node_modules'))
      .map((path) => dirname(path)),
  );
  for (const folder of ['.', dirname(`${content.prefix}.`)]) packages.add(folder);
  for (const folder of packages) {
    const source = await realFolder(join(content.top, folder, 'node_modules'));
    if (!source || !(isInside(loan.top, source) || (await holdsPackages(source)))) continue;
    // A folder under another name may hold anything beside its packages.
    if (isInside(loan.top, source) || basename(source) === 'node_modules') loan.sources.add(source);
    await lendFolder(source, join(tree, folder, 'node_modules'), loan);
  }
  return {
    folders: [...loan.sources],
    async isCurrent() {
      for (const [folder, changed] of loan.listed) if ((await changeOf(folder)) !== changed) return false;
      return true;
    },
  };
}

async function changeOf(folder: string): Promise<bigint | null> {
  return (await stat(folder, { bigint: true }).catch(() => null))?.mtimeNs ?? null;
}

async function lendFolder(source: string, target: string, loan: Loan): Promise<void> {
  await mkdir(target, { recursive: true });
  loan.listed.set(source, (await changeOf(source)) ?? 0n);
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const from = join(source, entry.name);
    const to = join(target, entry.name);
    if (await present(to)) continue; // Tracked by git, so the sandbox has a copy already.
    if (entry.isDirectory() && (entry.name.startsWith('@') || entry.name === '.bin')) await lendFolder(from, to, loan);
    else if (entry.isFile()) await lendFile(from, to, entry.name);
    else if (!entry.name.startsWith('.') || STORES.has(entry.name)) await lendEntry(from, to, loan);
  }
}

/**
 * Programs find their package next to themselves, so they stay where they are; notes of the package manager are copied.
 */
async function lendFile(from: string, to: string, name: string): Promise<void> {
  if (name.startsWith('.')) await writeFile(to, await readRegular(from, from));
  else await symlink(from, to);
}

async function lendEntry(from: string, to: string, loan: Loan): Promise<void> {
  const real = await realpath(from).catch(() => null);
  if (real === null) return; // A link that leads nowhere.
  const ownFolder = isInside(loan.top, real) && !relative(loan.top, real).split(/[\\/]/).includes('node_modules');
  if (!isInside(loan.top, real)) {
    // What a link leads to can be read by commands: nothing but packages, and of a package that somebody works on
    // nothing but what it would publish.
    if (!(await isPackaged(real, basename(from)))) return;
    if ((await isFolder(real)) && !isInstalled(real, basename(from))) return lendContent(real, to, loan);
    loan.sources.add(real);
  }
  // Anything else keeps its first step, so that a package manager's layout of links stays as it is.
  await symlink(ownFolder ? join(loan.tree, relative(loan.top, real)) : from, to);
}

/** A copy of what the package would publish; the packages that it needs itself are lent as they are. */
async function lendContent(from: string, to: string, loan: Loan): Promise<void> {
  const { files, read } = await publishedFiles(from);
  for (const path of read) loan.listed.set(join(from, path), (await changeOf(join(from, path))) ?? 0n);
  for (const path of files) {
    // Lets the thread answer others in between.
    await mkdir(dirname(join(to, path)), { recursive: true });
    copyRegularSync(join(from, path), join(to, path));
  }
  const own = await realFolder(join(from, 'node_modules'));
  if (own !== join(from, 'node_modules') || (await present(join(to, 'node_modules')))) return;
  loan.sources.add(own);
  await mkdir(to, { recursive: true });
  await symlink(own, join(to, 'node_modules'));
}

/** What a package manager has put into a node_modules or its store: not whatever else happens to lie below one. */
function isInstalled(real: string, name: string): boolean {
  if (STORES.has(name) && basename(real) === name) return true;
  const parts = real.split(/[\\/]/);
  const [first = '.', ...deeper] = parts.slice(parts.lastIndexOf('node_modules') + 1);
  if (!parts.includes('node_modules') || STORES.has(first)) return parts.includes('node_modules');
  return !first.startsWith('.') && deeper.length === (first.startsWith('@') ? 1 : 0);
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path)).isDirectory();
}

/**
 * A folder with a manifest, what lies among installed packages, a store under its own name, or a program of a package.
 */
async function isPackaged(real: string, name: string): Promise<boolean> {
  if (isInstalled(real, name)) return true;
  const { mode, directory } = await stat(real).then((found) => ({ mode: found.mode, directory: found.isDirectory() }));
  if (directory) return present(join(real, 'package.json'));
  if ((mode & 0o111) === 0) return false;
  const home = await realpath(homedir()).catch(() => homedir());
  for (let folder = dirname(real); !isInside(folder, home) && dirname(folder) !== folder; folder = dirname(folder))
    if (await present(join(folder, 'package.json'))) return true;
  return false;
}

/** Of a folder elsewhere that stands in place of node_modules. */
async function holdsPackages(folder: string): Promise<boolean> {
  if (basename(folder) === 'node_modules') return true;
  const names = await readdir(folder);
  const found = await Promise.all(
    names.filter((name) => !name.startsWith('.')).map((name) => present(join(folder, name, 'package.json'))),
  );
  return found.includes(true);
}

async function realFolder(path: string): Promise<string | null> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : null;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

async function present(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}
