// Prepares a fresh clone so that the built program runs: installs packages from the npm registry, then builds the
// bundle. This file runs on the Node of the machine (20 or newer) with nothing installed, so it uses only built-in
// modules.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of this repository. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** A file that records which packages were installed. */
const STAMP = join(root, 'node_modules', '.selfware-installed');

const [major, minor] = process.versions.node.split('.').map(Number);
const isRecentEnough = major > 22 || (major === 22 && minor >= 13);

/**
 * The path of a Node ≥ 22.13: the one that npm has installed if there is one, otherwise the one of the machine. Ends
 * this process with a message if neither is recent enough.
 */
export function findNodePath() {
  const installedNode = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(installedNode)) return installedNode;
  if (isRecentEnough) return process.execPath;
  console.error(
    `Selfware needs Node 22.13 or newer; this is ${process.versions.node}, and npm has no Node package for ${process.platform}-${process.arch}. Install a newer Node and run the command again.`,
  );
  process.exit(2);
}

/** The environment for child processes, in which the programs of node_modules come first in the path. */
export function createChildEnvironment(extra = {}) {
  return { ...process.env, PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter), ...extra };
}

/** Runs a program with its output on stderr. If the program fails, ends this process with a message. */
export function runOrExit(command, args, options = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    env: createChildEnvironment(),
    stdio: ['ignore', 2, 2],
    ...options,
  });
  if (result.error || result.status !== 0) {
    console.error(
      `${[command, ...args].join(' ')} failed${result.error ? `: ${result.error.message}` : ` with exit code ${result.status}`}.`,
    );
    process.exit(2);
  }
}

/**
 * Installs the pinned packages, unless those of the current lock file and dependencies are already installed. Changes
 * of other parts of package.json (settings, commands) do not matter.
 */
export function installPackages() {
  if (isInstalled()) return;
  console.error('Installing packages (half a minute or so) …');
  runOrExit(
    process.platform === 'win32' ? 'npm.cmd' : 'npm',
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    { env: process.env },
  );
  writeFileSync(STAMP, identifyWantedPackages());
}

/** True if the current packages are already installed. */
export function isInstalled() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === identifyWantedPackages();
}

/** A text that identifies the packages that have to be installed. */
function identifyWantedPackages() {
  const { dependencies, devDependencies, optionalDependencies, overrides } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  return `${hashFiles(['package-lock.json'])} ${createHash('sha256')
    .update(JSON.stringify([dependencies, devDependencies, optionalDependencies, overrides]))
    .digest('hex')}`;
}

/** Builds the bundle, unless no source has changed since the last build. */
export function buildIfChanged() {
  const stampFile = join(root, 'dist', '.built');
  const wantedDigest = hashFiles([
    'package.json',
    'package-lock.json',
    'esbuild.mjs',
    ...listFiles('server/src'),
    ...listFiles('client/src'),
    ...listFiles('webview/src'),
  ]);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wantedDigest) return;
  console.error('Building …');
  runOrExit(findNodePath(), ['esbuild.mjs']);
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, wantedDigest);
}

/** The hash of the names and contents of these files. */
function hashFiles(files) {
  // The hash does not contain the version of Node: `npm test` may begin under another version than the tests, which
  // would install everything again while they run.
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** All files below a folder, sorted. */
function listFiles(folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => statSync(join(root, name)).isFile())
    .sort();
}
