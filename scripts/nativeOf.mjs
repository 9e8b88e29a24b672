// Finds the LanceDB binary for a platform: the installed one, or one for another platform from the npm registry, as the
// lock file pins it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

/**
 * LanceDB's name of the platform, by target of VS Code; null if LanceDB has no binary for it. The target for Alpine
 * Linux is missing, because Alpine has another C library.
 */
export const platforms = {
  'linux-x64': 'linux-x64-gnu',
  'linux-arm64': 'linux-arm64-gnu',
  'darwin-x64': null,
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'win32-x64-msvc',
  'win32-arm64': 'win32-arm64-msvc',
};

/**
 * The path of LanceDB's binary for a target of VS Code; null if there is none. Throws if the pinned binary cannot be
 * fetched.
 */
export function findLanceLibrary(target) {
  const platform = platforms[target];
  if (platform === null) return null;
  const [name, file] = [`@lancedb/lancedb-${platform}`, `lancedb.${platform}.node`];
  const installedFile = join(root, 'node_modules', name, file);
  return existsSync(installedFile) ? installedFile : fetchNativeLibrary(name, file);
}

/**
 * Fetches a binary and returns its path. It is stored in a folder that is named after the hash of its package, so that
 * it is fetched only once. Throws if the hash differs from the one in the lock file.
 */
function fetchNativeLibrary(name, file) {
  const pinnedPackage = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages[
    `node_modules/${name}`
  ];
  const digest = createHash('sha256').update(pinnedPackage.integrity).digest('hex').slice(0, 16);
  const folder = join(root, 'dist', 'natives', digest);
  const storedFile = join(folder, 'package', file);
  if (existsSync(storedFile)) return storedFile;
  console.error(`Fetching ${name} ${pinnedPackage.version} …`);
  mkdirSync(join(root, 'dist', 'natives'), { recursive: true });
  const scratch = mkdtempSync(join(root, 'dist', 'natives', 'fetch-'));
  try {
    execFileSync(
      process.platform === 'win32' ? 'npm.cmd' : 'npm',
      [
        'pack',
        `${name}@${pinnedPackage.version}`,
        '--pack-destination',
        scratch,
        '--ignore-scripts',
        '--loglevel=error',
      ],
      { cwd: root, stdio: ['ignore', 'ignore', 2], shell: process.platform === 'win32' },
    );
    const [archive] = readdirSync(scratch);
    const integrity = `sha512-${createHash('sha512')
      .update(readFileSync(join(scratch, archive)))
      .digest('base64')}`;
    if (integrity !== pinnedPackage.integrity)
      throw new Error(
        `${name} ${pinnedPackage.version} is not what package-lock.json pins: ${integrity} instead of ${pinnedPackage.integrity}. Nothing was packed.`,
      );
    execFileSync('tar', ['-xzf', archive, `package/${file}`], { cwd: scratch, stdio: ['ignore', 'ignore', 2] });
    rmSync(join(scratch, archive));
    renameSync(scratch, folder);
    return storedFile;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
