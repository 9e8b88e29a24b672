// Packs the extension for one platform: dist/selfware-<target>.vsix. Usage: node scripts/packageVsix.mjs [--target linux-x64] (default: this machine)
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const target = argument('--target') ?? `${process.platform}-${process.arch}`;
const vsix = join(dist, `selfware-${target}.vsix`);
const stage = mkdtempSync(join(tmpdir(), 'selfware-vsix-'));

try {
  collect();
  execFileSync(process.execPath, [join(root, 'node_modules/@vscode/vsce/vsce'), 'package', '--no-dependencies', '--no-rewrite-relative-links', '--skip-license', '--target', target, '--out', vsix], { cwd: stage, stdio: ['ignore', 2, 2] });
  console.log(`${vsix} ${(statSync(vsix).size / 1e6).toFixed(1)} MB`);
} finally {
  rmSync(stage, { recursive: true });
}

/** A folder with exactly what ships, so that nothing of the working copy slips in. */
function collect() {
  if (!existsSync(join(dist, 'extension.cjs'))) throw new Error('There is no dist/extension.cjs. Run `npm run build` first.');
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // What is bundled is no dependency; scripts and imports speak of files that do not ship.
  for (const name of ['scripts', 'imports', 'dependencies', 'devDependencies', 'optionalDependencies', 'overrides', 'private', 'bin']) delete manifest[name];
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE', 'media', 'docs']) if (existsSync(join(root, name))) cpSync(join(root, name), join(stage, name), { recursive: true });
  cpSync(join(root, '.vscodeignore'), join(stage, '.vscodeignore'));
  mkdirSync(join(stage, 'dist'));
  for (const name of ['extension.cjs', 'main.js', 'cli.js', 'worker.js', 'chunks', 'webview', 'grammars', 'models']) if (existsSync(join(dist, name))) cpSync(join(dist, name), join(stage, 'dist', name), { recursive: true, filter: (path) => !path.endsWith('.map') });
  mkdirSync(join(stage, 'dist', 'native'));
  for (const name of nativeLibraries()) cpSync(join(dist, 'native', name), join(stage, 'dist', 'native', name));
}

/** Of the platform only: they are the heaviest part. */
function nativeLibraries() {
  const folder = join(dist, 'native');
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.includes(`.${target.replace('alpine', 'linux')}`)) : [];
}

function argument(name) {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}
