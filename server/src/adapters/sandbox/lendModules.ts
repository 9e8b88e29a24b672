// Lends the installed packages to a sandbox: real node_modules folders whose entries are links to the user's packages.

import { lstat, mkdir, readdir, readFile, realpath, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { isInside } from './copyTree.ts';
import type { RepositoryContent } from './repositoryContent.ts';

/** Folders whose name starts with a dot are caches, except these, in which package managers keep the packages themselves. */
const STORES = new Set(['.pnpm', '.store', '.prisma', '.bun']);

interface Loan {
  readonly top: string;
  readonly tree: string;
}

/**
 * For each package folder (one with a package.json) that has packages installed. The folder itself is real, because tools write
 * caches into it; a link to a folder of the repository (a workspace package) leads to the sandbox's copy of that folder.
 */
export async function lendModules(content: RepositoryContent, tree: string): Promise<void> {
  const loan = { top: await realpath(content.top), tree };
  const packages = new Set(content.files.filter((path) => /(^|\/)package\.json$/.test(path) && !path.split('/').includes('node_modules')).map((path) => dirname(path)));
  for (const folder of ['.', dirname(`${content.prefix}.`)]) packages.add(folder);
  for (const folder of packages) {
    const source = await realFolder(join(content.top, folder, 'node_modules'));
    if (source) await lendFolder(source, join(tree, folder, 'node_modules'), loan);
  }
}

async function lendFolder(source: string, target: string, loan: Loan): Promise<void> {
  await mkdir(target, { recursive: true });
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const from = join(source, entry.name);
    const to = join(target, entry.name);
    if (await present(to)) continue; // Tracked by git, so the sandbox has a copy already.
    if (entry.isDirectory() && (entry.name.startsWith('@') || entry.name === '.bin')) await lendFolder(from, to, loan);
    else if (entry.isFile()) await lendFile(from, to, entry.name);
    else if (!entry.name.startsWith('.') || STORES.has(entry.name)) await lendEntry(from, to, loan);
  }
}

/** Programs find their package next to themselves, so they stay where they are; notes of the package manager are copied. */
async function lendFile(from: string, to: string, name: string): Promise<void> {
  if (name.startsWith('.')) await writeFile(to, await readFile(from));
  else await symlink(from, to);
}

async function lendEntry(from: string, to: string, loan: Loan): Promise<void> {
  const real = await realpath(from).catch(() => null);
  if (real === null) return; // A link that leads nowhere.
  const ownFolder = isInside(loan.top, real) && !relative(loan.top, real).split(/[\\/]/).includes('node_modules');
  // Anything else keeps its first step, so that a package manager's layout of links stays as it is.
  await symlink(ownFolder ? join(loan.tree, relative(loan.top, real)) : from, to);
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
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
