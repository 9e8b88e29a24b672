// Packs the extension for one platform: dist/selfware-<target>.vsix.
// Usage: node scripts/packageVsix.mjs [--target linux-x64]   (default: this machine)
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { findLanceLibrary, platforms } from './nativeOf.mjs';
import { createNotices } from './notices.mjs';
import { buildIfChanged, root } from './prepare.mjs';
import { copyPages, copyParts, PROGRAM_PARTS } from './shippedParts.mjs';

const dist = join(root, 'dist');
const target = findArgument('--target') ?? `${process.platform}-${process.arch}`;
const vsix = join(dist, `selfware-${target}.vsix`);
const stagingFolder = mkdtempSync(join(tmpdir(), 'selfware-vsix-'));
/** The media type of each kind of picture, by its file extension. */
const mediaTypesByExtension = { '.png': 'image/png', '.gif': 'image/gif', '.webp': 'image/webp' };

try {
  if (!Object.hasOwn(platforms, target))
    throw new Error(`There is no target ${target}. Targets: ${Object.keys(platforms).join(', ')}.`);
  const library = findLanceLibrary(target);
  // Builds first, so that the current sources are packed.
  buildIfChanged();
  copyShippedFiles(library);
  const output = execFileSync(
    process.execPath,
    [
      join(root, 'node_modules/@vscode/vsce/vsce'),
      'package',
      '--no-dependencies',
      '--no-rewrite-relative-links',
      '--allow-missing-repository',
      '--target',
      target,
      '--out',
      vsix,
    ],
    { cwd: stagingFolder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  );
  process.stderr.write(output);
  const libraryNote = library ? '' : ', without LanceDB (it has no binary for this target): the lexical index serves';
  console.log(`${vsix} ${(statSync(vsix).size / 1e6).toFixed(1)} MB${libraryNote}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
} finally {
  rmSync(stagingFolder, { recursive: true });
}

/** Copies exactly what ships into the staging folder, so that no other file of the working copy is packed. */
function copyShippedFiles(library) {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // These fields are removed: bundled packages are not dependencies, and scripts and imports name files that do not
  // ship.
  for (const name of [
    'scripts',
    'imports',
    'dependencies',
    'devDependencies',
    'optionalDependencies',
    'overrides',
    'private',
    'bin',
  ])
    delete manifest[name];
  writeFileSync(join(stagingFolder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const name of ['CHANGELOG.md', 'LICENSE', 'media', 'docs', 'schemas'])
    cpSync(join(root, name), join(stagingFolder, name), {
      recursive: true,
      filter: (path) => !/[\\/]media[\\/](icon\.svg|.*\.(gif|webp)|(?!icon).*\.png)$|\.csv$/.test(path),
    });
  copyPages(stagingFolder);
  writeFileSync(
    join(stagingFolder, 'README.md'),
    embedPictures(readFileSync(join(root, 'docs', 'extension.md'), 'utf8')),
  );
  writeFileSync(
    join(stagingFolder, 'THIRD-PARTY-NOTICES.txt'),
    createNotices(root, JSON.parse(readFileSync(join(dist, 'shipped.json'), 'utf8'))).text,
  );
  cpSync(join(root, '.vscodeignore'), join(stagingFolder, '.vscodeignore'));
  copyParts(['extension.cjs', 'languageClient.cjs', 'webview', ...PROGRAM_PARTS], stagingFolder);
  mkdirSync(join(stagingFolder, 'dist', 'native'));
  if (!library) return;
  const packed = join(stagingFolder, 'dist', 'native', basename(library));
  cpSync(library, packed);
  stripSymbols(packed);
}

/**
 * Removes the symbols (names of functions, which only a debugger reads) from the library; they are an eighth of its
 * size. Does nothing if binutils are not installed.
 */
function stripSymbols(library) {
  if (!target.startsWith('linux') || !target.endsWith(process.arch)) return;
  const result = spawnSync('strip', ['--strip-unneeded', library], { stdio: ['ignore', 'ignore', 2] });
  if (result.error && result.error.code !== 'ENOENT') throw result.error;
}

/** The page with its pictures embedded: they have no public address, and nothing should be loaded from the network. */
function embedPictures(page) {
  return page.replace(
    /!\[([^\]]*)\]\((?:\.\.\/)?(media\/[^)]+)\)/g,
    (_, alt, path) =>
      `![${alt}](data:${mediaTypesByExtension[extname(path)]};base64,${readFileSync(join(root, path)).toString('base64')})`,
  );
}

/** The value that follows an option on the command line; undefined if there is none. */
function findArgument(name) {
  const index = process.argv.indexOf(name);
  return index < 0 ? undefined : process.argv[index + 1];
}
