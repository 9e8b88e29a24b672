// A peer for search: ripgrep searches any word of the question, and files are ranked by the number of matches. The
// binary comes from a package of npm or from the PATH.

import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { System } from './system.ts';

const binary = findBinary();
/** Minimum length of a searched word, because shorter words match in almost every file. */
const SHORTEST_WORD = 3;

/** The peer. */
export const ripgrep: System = {
  name: 'ripgrep',
  absent: binary
    ? null
    : 'there is no ripgrep binary for this platform, neither from npm (@vscode/ripgrep) nor in the PATH',
  async build({ root }, signal) {
    if (root === null) throw new Error('ripgrep reads files on disk.');
    return {
      async search(query, top) {
        const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? [])].filter(
          (word) => word.length >= SHORTEST_WORD,
        );
        if (words.length === 0) return [];
        const output = await runRipgrep(
          [
            '--count-matches',
            '--ignore-case',
            '--fixed-strings',
            '--no-messages',
            '--no-config',
            '--no-ignore',
            ...words.flatMap((word) => ['-e', word]),
            '.',
          ],
          root,
          signal,
        );
        return output
          .split('\n')
          .flatMap((line) => {
            const colon = line.lastIndexOf(':');
            return colon < 0
              ? []
              : [
                  {
                    path: line
                      .slice(0, colon)
                      .replace(/^\.[\\/]/, '')
                      .replaceAll('\\', '/'),
                    count: Number(line.slice(colon + 1)),
                  },
                ];
          })
          .sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1))
          .slice(0, top);
      },
    };
  },
};

function runRipgrep(args: readonly string[], cwd: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(binary!, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], signal });
    let output = '';
    child.stdout.on('data', (data) => (output += data));
    child.on('error', reject);
    // The exit code 1 means that nothing was found.
    child.on('close', (code) =>
      code === 0 || code === 1 ? resolve(output) : reject(new Error(`ripgrep ended with ${code}.`)),
    );
  });
}

/** The path or name of the binary; null if there is none. */
function findBinary(): string | null {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  try {
    const file = createRequire(import.meta.url).resolve(
      `@vscode/ripgrep-${process.platform}-${process.arch}/bin/${name}`,
    );
    if (existsSync(file)) return file;
  } catch (error) {
    if (
      (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND' &&
      (error as NodeJS.ErrnoException).code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED'
    )
      throw error;
  }
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return name;
  } catch {
    return null;
  }
}
