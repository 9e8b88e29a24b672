// `npm test`: on a fresh clone, installs all that the tests need, then runs every lane and sums what really ran.
// Lanes: types, unit (vitest: everything in-process, real git, SQLite, LanceDB, language server, Neovim, command line), workbench (real VS Code in a real browser), exthost (mocha in the real extension host).
// Usage: npm test [-- --lane NAME …]
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, environment, install, nodePath, root } from './prepare.mjs';

const wanted = process.argv.slice(2).filter((argument) => argument !== '--lane');
const output = join(root, 'test', 'output');
const SCORE_MS = 55_000;

install();
bundle();
installSystemPackages();
mkdirSync(output, { recursive: true });

const lanes = {
  types: () => exitCodeLane('types', join(root, 'node_modules/typescript/bin/tsc'), [['-p', '.'], ['-p', 'webview'], ['-p', 'test/webview']]),
  unit: vitestLane,
  workbench: () => countingLane('workbench', 'test/e2e/workbench.e2e.mjs'),
  exthost: () => countingLane('exthost', 'test/e2e/exthost.e2e.mjs'),
};

let passed = 0;
let failed = 0;
for (const [name, lane] of Object.entries(lanes)) {
  if (wanted.length && !wanted.includes(name)) continue;
  const startedAt = Date.now();
  if (name === 'workbench' || name === 'exthost') prepareWorkbench();
  const counts = await lane();
  passed += counts.passed;
  failed += counts.failed;
  console.log(`--- ${name}: ${counts.passed} passed, ${counts.failed} failed in ${Math.round((Date.now() - startedAt) / 1000)} s`);
}
if (passed + failed === 0) {
  console.error(`No test ran: there is no lane ${wanted.join(', ')}. Lanes: ${Object.keys(lanes).join(', ')}.`);
  failed = 1;
}
if (wanted.length === 0) tellScore();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Where this repository stands on the ruler. Told, never a gate: it can fail nothing. */
function tellScore() {
  const home = join(output, 'score');
  rmSync(home, { recursive: true, force: true });
  const done = spawnSync(nodePath(), [join(root, 'dist/cli.js'), 'score', '--repo', root, '--untrusted', '--no-color'], { cwd: root, env: environment({ SELFWARE_HOME: home }), encoding: 'utf8', timeout: SCORE_MS, stdio: ['ignore', 'pipe', 'ignore'] });
  console.log(`--- score (no gate): ${done.status === 0 ? done.stdout.trimEnd() : `not told within ${SCORE_MS / 1000} s`}`);
}

/** Each command is one check. */
function exitCodeLane(name, program, runs) {
  const counts = { passed: 0, failed: 0 };
  for (const args of runs) {
    const done = spawnSync(nodePath(), [program, ...args], { cwd: root, env: environment(), stdio: ['ignore', 'inherit', 'inherit'] });
    if (done.status === 0) counts.passed++;
    else counts.failed++;
  }
  return counts;
}

async function vitestLane() {
  const report = join(output, 'vitest.json');
  rmSync(report, { force: true });
  const code = await run(nodePath(), [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]);
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const result = JSON.parse(readFileSync(report, 'utf8'));
  const skipped = result.numTotalTests - result.numPassedTests - result.numFailedTests;
  const broken = result.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
  // A skipped test counts as failed: nothing is switched off here. So does a run that ends badly with all tests green.
  const bad = result.numFailedTests + skipped + broken;
  return { passed: result.numPassedTests, failed: bad === 0 && code !== 0 ? 1 : bad };
}

/** A script whose last line says `N passed, N failed`. */
async function countingLane(name, script) {
  let tail = '';
  const code = await run(nodePath(), [join(root, script)], (text) => (tail = (tail + text).slice(-4000)));
  const counts = [...tail.matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1);
  if (!counts) return { passed: 0, failed: 1 };
  const [ok, bad] = [Number(counts[1]), Number(counts[2])];
  return { passed: ok, failed: bad === 0 && code !== 0 ? 1 : bad };
}

function run(command, args, onText) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env: environment({ CI: process.env.CI ?? '' }), stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.on('data', (data) => {
      process.stdout.write(data);
      onText?.(String(data));
    });
    child.on('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** Chromium for the real VS Code, Neovim as a second editor: Debian's packages, only where missing. */
function installSystemPackages() {
  const missing = Object.entries({ chromium: ['chromium'], neovim: ['nvim'], git: ['git'] }).filter(([, [program]]) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0).map(([name]) => name);
  if (missing.length === 0) return;
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  console.error(`Installing ${missing.join(', ')} …`);
  const apt = (...args) => spawnSync([...sudo, 'apt-get'][0], [...sudo.slice(1), ...(sudo.length ? ['apt-get'] : []), ...args], { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  apt('update', '-qq');
  const done = apt('install', '-y', '-qq', '--no-install-recommends', ...missing);
  if (done.status !== 0) {
    console.error(`The tests need ${missing.join(', ')}, and apt-get could not install them. Install them by hand (Debian packages of these names) and run the command again.`);
    process.exit(2);
  }
}

function prepareWorkbench() {
  for (const script of ['scripts/setupEndToEnd.mjs', 'scripts/packageVsix.mjs']) {
    const done = spawnSync(nodePath(), [join(root, script)], { cwd: root, env: environment(), stdio: ['ignore', 2, 2] });
    if (done.status !== 0) {
      console.error(`${script} failed.`);
      process.exit(2);
    }
  }
}
