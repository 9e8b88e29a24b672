// Reads a git directory without a work tree: newest commit, its files, and patches of its history.

import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const COMMITS_A_CALL = 40;
const MAX_OUTPUT = 256 * 1024 * 1024;

export interface TreeFile {
  readonly path: string;
  readonly object: string;
  readonly size: number;
}

export interface Patch {
  readonly commit: string;
  readonly subject: string;
  readonly text: string;
}

export async function headOf(gitDir: string): Promise<string> {
  return (await git(gitDir, ['rev-parse', 'HEAD'])).trim();
}

/** Files of the newest commit. Snapshots can lack objects: their size is not known, they are left out. */
export async function filesOf(gitDir: string): Promise<TreeFile[]> {
  const listing = await git(gitDir, ['ls-tree', '-r', '-l', '-z', 'HEAD']);
  const files: TreeFile[] = [];
  for (const line of listing.split('\0')) {
    const match = /^100\d{3} blob (\w+) +(\d+)\t(.+)$/s.exec(line);
    if (match) files.push({ object: match[1]!, size: Number(match[2]), path: match[3]! });
  }
  return files;
}

/** Texts in the order of `objects`; null for one that the snapshot lacks. */
export async function textsOf(gitDir: string, objects: readonly string[]): Promise<(string | null)[]> {
  const child = spawn('git', ['--git-dir', gitDir, 'cat-file', '--batch'], { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.end(`${objects.join('\n')}\n`);
  const parts: Buffer[] = [];
  for await (const part of child.stdout) parts.push(part as Buffer);
  const all = Buffer.concat(parts);
  const texts: (string | null)[] = [];
  let at = 0;
  while (at < all.length) {
    const end = all.indexOf(10, at);
    const header = all.toString('utf8', at, end).split(' ');
    at = end + 1;
    if (header[1] === 'missing') {
      texts.push(null);
      continue;
    }
    const size = Number(header[2]);
    texts.push(all.toString('utf8', at, at + size));
    at += size + 1;
  }
  return texts;
}

/** Hashes of at most `limit` commits without merges, spread evenly over the whole history. */
export async function someCommits(gitDir: string, limit: number): Promise<string[]> {
  const all = (await git(gitDir, ['rev-list', '--no-merges', 'HEAD'])).split('\n').filter((hash) => hash !== '');
  const step = Math.max(1, all.length / limit);
  const chosen: string[] = [];
  for (let at = 0; at < all.length; at += step) chosen.push(all[Math.floor(at)]!);
  return chosen;
}

/**
 * Patches of commits. A batch that touches an object which the snapshot lacks ends early; the rest of it is left out.
 */
export async function* patchesOf(gitDir: string, commits: readonly string[]): AsyncGenerator<Patch> {
  for (let at = 0; at < commits.length; at += COMMITS_A_CALL) {
    const output = await patches(gitDir, commits.slice(at, at + COMMITS_A_CALL));
    for (const entry of output.split('\x01').slice(1)) {
      const [commit = '', subject = ''] = entry.slice(0, entry.indexOf('\n')).split('\x02');
      yield { commit, subject, text: entry.slice(entry.indexOf('\n') + 1) };
    }
  }
}

async function patches(gitDir: string, commits: readonly string[]): Promise<string> {
  const options = [
    'log',
    '--no-walk=unsorted',
    '-p',
    '-U4',
    '--no-color',
    '--no-renames',
    '--no-ext-diff',
    '--no-textconv',
    '--format=%x01%H%x02%s',
    ...commits,
  ];
  try {
    return await git(gitDir, options);
  } catch (error) {
    const { stdout } = error as { stdout?: string };
    if (typeof stdout !== 'string') throw error;
    return stdout.slice(0, Math.max(0, stdout.lastIndexOf('\x01')));
  }
}

async function git(gitDir: string, options: readonly string[]): Promise<string> {
  const { stdout } = await run('git', ['--git-dir', gitDir, ...options], { maxBuffer: MAX_OUTPUT });
  return stdout;
}
