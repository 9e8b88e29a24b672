// Packs the command line for npm: dist/selfware-<version>.tgz, which is the same for all platforms. `npm install FILE`
// installs it into a repository or on a machine. Usage: node scripts/packageNpm.mjs
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platforms } from './nativeOf.mjs';
import { createNotices } from './notices.mjs';
import { buildIfChanged, root } from './prepare.mjs';
import { copyPages, copyParts, PROGRAM_PARTS } from './shippedParts.mjs';

const dist = join(root, 'dist');
const stagingFolder = mkdtempSync(join(tmpdir(), 'selfware-npm-'));

try {
  // Builds first, so that the current sources are packed.
  buildIfChanged();
  const { name, version, description, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifest = {
    ...{ name, version, description, license, type: 'module', bin: { selfware: 'dist/cli.js' } },
    engines: { node: '>=22.13' },
    // npm installs the binary that fits the platform. If none fits, Selfware uses the lexical index instead of LanceDB.
    optionalDependencies: listLanceLibraries(),
  };
  writeFileSync(join(stagingFolder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const part of ['LICENSE', 'CHANGELOG.md', 'schemas', 'docs/commands.md', 'docs/gate.md', 'docs/setup.md'])
    cpSync(join(root, part), join(stagingFolder, part), { recursive: true });
  writeFileSync(join(stagingFolder, 'README.md'), createReadme(description));
  writeFileSync(
    join(stagingFolder, 'THIRD-PARTY-NOTICES.txt'),
    createNotices(root, JSON.parse(readFileSync(join(dist, 'shipped.json'), 'utf8'))).text,
  );
  copyParts(PROGRAM_PARTS, stagingFolder);
  copyPages(stagingFolder);
  const [{ filename }] = JSON.parse(
    // No argument is a path, because the shell of Windows would split a path with a blank.
    execFileSync('npm', ['pack', '--json', '--ignore-scripts'], {
      cwd: stagingFolder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 2],
      shell: process.platform === 'win32',
    }),
  );
  cpSync(join(stagingFolder, filename), join(dist, filename));
  console.log(`${join(dist, filename)} ${(statSync(join(dist, filename)).size / 1e6).toFixed(1)} MB`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
} finally {
  rmSync(stagingFolder, { recursive: true });
}

/** LanceDB's binaries as npm packages, with the version that the lock file pins. */
function listLanceLibraries() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { version } = packages['node_modules/@lancedb/lancedb'];
  const names = Object.values(platforms).filter((platform) => platform !== null);
  return Object.fromEntries(names.map((platform) => [`@lancedb/lancedb-${platform}`, version]));
}

/** The README of the package. */
function createReadme(description) {
  return [
    '# Selfware',
    '',
    description,
    '',
    'This package holds the command line and the language server.',
    '',
    '```sh',
    'npx --no-install selfware preview             # looks around and changes nothing',
    'npx --no-install selfware verify --base main  # judges a branch, whoever wrote it',
    'npx --no-install selfware serve               # the language server, for any editor',
    '```',
    '',
    '[All commands](docs/commands.md) · [A gate for changes](docs/gate.md) · [Set-up of tests](docs/setup.md) ·',
    '[Changelog](CHANGELOG.md)',
    '',
  ].join('\n');
}
