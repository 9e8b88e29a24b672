// `npm test`: in a fresh clone, installs all that the tests need, then runs the lanes and prints how many tests passed
// and failed. CONTRIBUTING.md ("Lanes") describes the lanes, including those that run only by name: vitest runs unit,
// redteam (attacks on the sandbox, while no other test runs), pipeline, thorough, long, agents, inference, prometheus
// and faketime; package checks the packages that are shipped; the others run in a real VS Code, in a browser or in the
// extension host. The lanes types and format run at the same time as those with windows, which leave the machine idle
// for a third of their time.
// Usage: npm test [-- --lane NAME …] [--isolation KIND] KIND is the mechanism that isolates commands while redteam and
// pipeline attack them (bubblewrap, unshare, container, or none), in place of the first one that works.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import {
  SANDBOX_ATTACKS,
  PIPELINE_ATTACKS,
  PROMETHEUS,
  FAKETIME,
  LONG,
  AGENTS,
  INFERENCE,
  MAX_FLAKY,
  PACKAGE_LANES,
  WINDOW_LANES,
} from './laneFolders.mjs';
import { buildIfChanged, createChildEnvironment, installPackages, findNodePath, root } from './prepare.mjs';
import { findFakeTimeObstacle, installSystemPackages } from './systemPackages.mjs';

const parsedArgs = parseArgs({
  allowPositionals: true,
  options: { lane: { type: 'string', multiple: true }, isolation: { type: 'string' } },
});
const wantedLanes = [...(parsedArgs.values.lane ?? []), ...parsedArgs.positionals];
const output = join(root, 'test', 'output');

/** The tests make the machine busy, so its load is ignored. Tests about a busy machine simulate the load. */
const TEST_ENVIRONMENT = {
  SELFWARE_IGNORE_LOAD: '1',
  ...(parsedArgs.values.isolation === undefined ? {} : { SELFWARE_TEST_ISOLATION: parsedArgs.values.isolation }),
};

installPackages();
buildIfChanged();
installSystemPackages(wantedLanes);
mkdirSync(output, { recursive: true });

/**
 * Lanes that run at the same time as those with windows: one core is enough for them, and windows wait more than they
 * compute.
 */
const lanesBesideWindows = {
  types: () =>
    runExitCodeLane(
      ['-p .', '-p webview', '-p test/webview'].map((args) => [
        findNodePath(),
        [join(root, 'node_modules/typescript/bin/tsc'), ...args.split(' ')],
      ]),
    ),
  format: () =>
    runExitCodeLane([
      [
        findNodePath(),
        [join(root, 'node_modules/@biomejs/biome/bin/biome'), 'ci', '--colors=off', '--error-on-warnings'],
      ],
    ]),
};

const lanes = {
  unit: () =>
    runVitestLane(
      'unit',
      ['test', 'tools'],
      [...SANDBOX_ATTACKS, ...LONG, ...AGENTS, ...INFERENCE, ...PROMETHEUS, ...FAKETIME],
    ),
  // It runs alone, because a fork bomb uses all resources of the machine, so tests that run at the same time would
  // fail.
  redteam: () => runVitestLane('redteam', SANDBOX_ATTACKS),
  package: () => runCountingLane('package', 'test/e2e/package.e2e.mjs'),
  minutes: () => runCountingLane('minutes', 'test/e2e/firstMinutes.e2e.mjs'),
  workbench: () => runCountingLane('workbench', 'test/e2e/workbench.e2e.mjs'),
  exthost: () => runCountingLane('exthost', 'test/e2e/exthost.e2e.mjs', { SELFWARE_TEST_GREP: '^(?!reviews )' }),
};

/**
 * Lanes that run only by name (`npm test -- --lane hour`): with them, the whole run would take an hour on two cores.
 */
const longLanes = {
  pipeline: () => runVitestLane('pipeline', PIPELINE_ATTACKS, [], { SELFWARE_EVERY_ATTACK: '1' }),
  thorough: () => runVitestLane('thorough', listThoroughFiles(), [], { SELFWARE_THOROUGH: '1' }),
  long: () => runVitestLane('long', LONG),
  agents: () => runVitestLane('agents', AGENTS),
  inference: () => runVitestLane('inference', INFERENCE),
  prometheus: () => runVitestLane('prometheus', PROMETHEUS),
  faketime: () => runFakeTimeLane(),
  hour: () => runCountingLane('hour', 'test/e2e/firstHour.e2e.mjs'),
  decision: () => runCountingLane('decision', 'test/e2e/decision.e2e.mjs'),
  review: () => runCountingLane('review', 'test/e2e/review.e2e.mjs'),
  several: () => runCountingLane('several', 'test/e2e/severalFiles.e2e.mjs'),
  folders: () => runCountingLane('folders', 'test/e2e/folders.e2e.mjs'),
  models: () => runCountingLane('models', 'test/e2e/models.e2e.mjs'),
  night: () => runCountingLane('night', 'test/e2e/night.e2e.mjs'),
  wishes: () => runCountingLane('wishes', 'test/e2e/wishes.e2e.mjs'),
  rules: () => runCountingLane('rules', 'test/e2e/rules.e2e.mjs'),
  repeat: () => runCountingLane('repeat', 'test/e2e/repeat.e2e.mjs'),
  pictures: () => runCountingLane('pictures', 'test/e2e/pictures.e2e.mjs'),
  reviews: () => runCountingLane('reviews', 'test/e2e/exthost.e2e.mjs', { SELFWARE_TEST_GREP: '^reviews ' }),
  oldest: () => runOldestLane(),
};

let passed = 0;
let failed = 0;
/** The failures. They are printed again at the end, because if a log is shortened, its end is kept. */
const failures = [];
/**
 * Tests that failed and then passed on the same commit, with the output of both runs. They are defects that somebody
 * has to find, but no reason to reject a change.
 */
const flaky = [];
/** The end of the output of a run, indented, for the report of a flaky test. */
const formatOutputEnd = (outputText) => outputText.trimEnd().slice(-1500).replaceAll(/^/gm, '    ');
const readFirstLine = (text) => text.split('\n', 1)[0];
const listFailures = (name, counts) => (counts.failures ?? []).map((failure) => `${name}: ${failure.slice(0, 1500)}`);
const chooseLanes = (candidateLanes) =>
  Object.entries(candidateLanes).filter(([name]) => wantedLanes.length === 0 || wantedLanes.includes(name));
const lanesToRun = chooseLanes(wantedLanes.length ? { ...lanes, ...longLanes } : lanes);
let laneBeside = null;
for (const [name, lane] of lanesToRun) {
  if (PACKAGE_LANES.has(name) && laneBeside === null) {
    // The workbench is prepared only once, because the sources are the same for all lanes.
    prepareWorkbench();
    laneBeside = runBeside();
  }
  await runLane(name, lane);
}
await (laneBeside ?? runBeside());

/** Runs the lanes types and format, then prints the score, one after the other. */
async function runBeside() {
  for (const [name, lane] of chooseLanes(lanesBesideWindows)) await runLane(name, lane);
  if (wantedLanes.length === 0) await printScore();
}

async function runLane(name, lane) {
  const startedAt = Date.now();
  let counts = await lane();
  if (counts.failed > 0 && WINDOW_LANES.has(name)) {
    const firstFailures = listFailures(name, counts);
    counts = await lane();
    const secondFailures = listFailures(name, counts).map(readFirstLine);
    const nowPassing = firstFailures.filter((failure) => !secondFailures.includes(readFirstLine(failure)));
    flaky.push(...nowPassing.map((failure) => ({ failure, secondOutput: formatOutputEnd(counts.printed) })));
  }
  passed += counts.passed;
  failed += counts.failed;
  failures.push(...listFailures(name, counts));
  console.log(
    `--- ${name}: ${counts.passed} passed, ${counts.failed} failed in ${Math.round((Date.now() - startedAt) / 1000)} s`,
  );
}

if (passed + failed === 0) {
  console.error(
    `No test ran: there is no lane ${wantedLanes.join(', ')}. Lanes: ${Object.keys({ ...lanesBesideWindows, ...lanes, ...longLanes }).join(', ')}.`,
  );
  failed = 1;
}
for (const { failure, secondOutput } of flaky)
  console.log(`FLAKY ${failure}\n  Run again alone: passed. The output of that run ends with:\n${secondOutput}`);
for (const failure of failures.slice(0, 20)) console.log(`FAILED ${failure}`);
if (failures.length > 20) console.log(`and ${failures.length - 20} more failed`);
if (flaky.length > 0) console.log(`${flaky.length} flaky: failed, and passed when run again alone`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Prints the points of this repository. They never make the run fail. */
async function printScore() {
  // A state folder inside the repository would be refused, so it is a temporary folder.
  const home = mkdtempSync(join(tmpdir(), 'selfware-score-'));
  const args = [join(root, 'dist/cli.js'), 'score', '--repo', root, '--untrusted', '--no-color'];
  const { code, text } = await runAndCollect(findNodePath(), args, { env: { SELFWARE_HOME: home }, stderr: 'ignore' });
  rmSync(home, { recursive: true, force: true });
  console.log(`--- score (no gate): ${code === 0 ? text.trimEnd() : 'not told'}`);
}

/**
 * Runs the lane `faketime`. If libfaketime does not work on this machine, the result is unknown, which counts as
 * failed.
 */
function runFakeTimeLane() {
  const obstacle = findFakeTimeObstacle();
  if (obstacle === null) return runVitestLane('faketime', FAKETIME);
  return { passed: 0, failed: 1, failures: [`unknown, because libfaketime does not work here: ${obstacle}`] };
}

/** Runs commands one after the other. Each counts as one check. Its output is printed when it has ended. */
async function runExitCodeLane(runs) {
  const counts = { passed: 0, failed: 0, failures: [] };
  for (const [program, args] of runs) {
    const { code, text } = await runAndCollect(program, args);
    process.stdout.write(text);
    if (code === 0) counts.passed++;
    else {
      counts.failed++;
      counts.failures.push(`${program} ${args.join(' ')}`);
    }
  }
  return counts;
}

function runAndCollect(program, args, { env = {}, stderr = 'pipe' } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      env: createChildEnvironment(env),
      stdio: ['ignore', 'pipe', stderr],
    });
    const parts = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => parts.push(part));
    child.on('error', (error) => resolve({ code: 1, text: `${error.message}\n` }));
    child.on('close', (code) => resolve({ code: code ?? 1, text: Buffer.concat(parts).toString() }));
  });
}

/**
 * Runs tests with vitest. Files with failing tests run once more, alone. A test that then passes is reported as flaky,
 * with the output of both runs, and counts as passed. A real defect lets the test fail both times.
 */
async function runVitestLane(name, folders, excludedPaths = [], env = {}) {
  const expected = listTestFiles(folders, excludedPaths, env.SELFWARE_THOROUGH === '1');
  const firstRun = await runVitest(name, excludedPaths.length > 0 ? expected : folders, expected, () => true, env);
  if (firstRun.failed > MAX_FLAKY || firstRun.suspects.length === 0) return firstRun;
  const suspects = new Map(firstRun.suspects.map((suspect) => [createKey(suspect), suspect]));
  const paths = [...new Set(firstRun.suspects.map(({ file }) => file))];
  const isSuspect = (file, title) =>
    suspects.has(createKey({ file, title: null })) || suspects.has(createKey({ file, title }));
  const secondRun = await runVitest(`${name}-again`, paths, paths, isSuspect, env);
  const secondFailureKeys = new Set(secondRun.suspects.map(({ file, title }) => createKey({ file, title })));
  const failedAgain = ({ file, title }) =>
    secondFailureKeys.has(createKey({ file, title })) || secondFailureKeys.has(createKey({ file, title: null }));
  const nowPassing = firstRun.suspects.filter((suspect) => !failedAgain(suspect));
  flaky.push(
    ...nowPassing.map(({ message }) => ({
      failure: `${name}: ${message.slice(0, 1500)}`,
      secondOutput: formatOutputEnd(secondRun.printed),
    })),
  );
  const failures = secondRun.suspects.map(({ message }) => message);
  return { passed: firstRun.passed + secondRun.passed, failed: failures.length, failures };
}

/** The key of a test, or of a file of which no test could be run (`title` is null). */
function createKey({ file, title }) {
  return JSON.stringify([file, title]);
}

/** The test files of these folders, as `vitest.config.ts` includes them, by absolute path. */
function listTestFiles(folders, excludedPaths, withThorough) {
  const all = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).map(
    (path) => `test/${path.replaceAll('\\', '/')}`,
  );
  const isBelowAny = (path, parents) => parents.some((parent) => path === parent || path.startsWith(`${parent}/`));
  return all
    .filter(
      (path) =>
        path.endsWith('.test.ts') &&
        (withThorough || !path.endsWith('.thorough.test.ts')) &&
        !/^test\/e2e\/|\/fixtures\/|\/node_modules\//.test(path) &&
        isBelowAny(path, folders) &&
        !isBelowAny(path, excludedPaths),
    )
    .map((path) => join(root, path));
}

/** The test files with tests that run only in the lane `thorough`, relative to the root. */
function listThoroughFiles() {
  const hasThorough = (path) => /\.thorough\.test\.ts|helpers\/thorough\.ts/.test(path + readFileSync(path, 'utf8'));
  return listTestFiles(['test'], [], true)
    .filter(hasThorough)
    .map((path) => relative(root, path).replaceAll('\\', '/'));
}

/**
 * Runs vitest once. A file in `expected` (absolute paths) that is missing in the report counts as failed, because its
 * process could not be started. Tests for which `isCounted` returns false are ignored.
 */
async function runVitest(name, files, expected, isCounted, env) {
  const report = join(output, `vitest-${name}.json`);
  rmSync(report, { force: true });
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  let printed = '';
  const code = await run(findNodePath(), [vitest, 'run', ...files, ...reporters], (text) => (printed += text), env);
  if (!existsSync(report)) return { passed: 0, failed: 1, failures: ['vitest wrote no report'], suspects: [], printed };
  const result = JSON.parse(readFileSync(report, 'utf8'));
  const unreported = expected.filter((path) => !result.testResults.some((file) => file.name === path));
  for (const file of result.testResults)
    file.assertionResults = file.assertionResults.filter(({ fullName }) => isCounted(file.name, fullName));
  const tests = result.testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map((test) => ({
      file,
      title: test.fullName,
      status: test.status,
      message: (test.failureMessages ?? []).join('\n'),
    })),
  );
  const brokenFiles = result.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  // A skipped test counts as failed, because no test may be switched off. A run also counts as failed if it ends with
  // an error although all tests passed.
  const failedTests = tests.filter(({ status }) => status !== 'passed');
  const suspects = [
    ...failedTests.map(({ file, title, status, message }) => ({
      file,
      title,
      message: `${file} > ${title} (${status})\n${message}`,
    })),
    ...brokenFiles.map(({ name: file, message }) => ({ file, title: null, message: `${file}\n${message}` })),
    ...unreported.map((file) => ({ file, title: null, message: `${file} did not run` })),
  ];
  const failures = suspects.map(({ message }) => message);
  if (failures.length === 0 && code !== 0) failures.push(`all tests passed, and vitest ended with ${code}`);
  return { passed: tests.length - failedTests.length, failed: failures.length, failures, suspects, printed };
}

/**
 * Runs a script that prints each failure as `FAILED name` with its error below, and `N passed, N failed` on its last
 * line.
 */
async function runCountingLane(_name, script, env = {}) {
  let printed = '';
  const code = await run(findNodePath(), [join(root, script)], (text) => (printed += text), env);
  const failures = [...printed.matchAll(/^FAILED (.*(?:\n.*){0,5})/gm)].map(([, text]) => text);
  const countMatch = [...printed.matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1);
  if (!countMatch)
    return { passed: 0, failed: 1, failures: [...failures, `${script} told no sum and ended with ${code}`], printed };
  const [passedCount, failedCount] = [Number(countMatch[1]), Number(countMatch[2])];
  if (failedCount === 0 && code !== 0) failures.push(`${script} ended with ${code}`);
  return { passed: passedCount, failed: failedCount === 0 && code !== 0 ? 1 : failedCount, failures, printed };
}

/**
 * Tests the main path, and what the extension offers to other extensions and agents, in the oldest VS Code that
 * `engines` allows.
 */
async function runOldestLane() {
  prepare('scripts/setupEndToEnd.mjs', join(root, 'test/e2e/oldest'));
  const host = { SELFWARE_E2E_HOST: 'oldest' };
  const parts = [
    await runCountingLane('oldest', 'test/e2e/workbench.e2e.mjs', host),
    await runCountingLane('oldest', 'test/e2e/exthost.e2e.mjs', { ...host, SELFWARE_TEST_GREP: '^(?!reviews )' }),
  ];
  return {
    passed: sumField(parts, 'passed'),
    failed: sumField(parts, 'failed'),
    failures: parts.flatMap(({ failures }) => failures),
  };
}

function sumField(parts, field) {
  return parts.reduce((total, part) => total + part[field], 0);
}

function run(command, args, onText, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: createChildEnvironment({ CI: process.env.CI ?? '', ...TEST_ENVIRONMENT, ...env }),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
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

function prepareWorkbench() {
  for (const script of ['scripts/setupEndToEnd.mjs', 'scripts/packageVsix.mjs']) prepare(script);
}

function prepare(script, ...args) {
  const result = spawnSync(findNodePath(), [join(root, script), ...args], {
    cwd: root,
    env: createChildEnvironment(),
    stdio: ['ignore', 2, 2],
  });
  if (result.status === 0) return;
  console.error(`${script} failed.`);
  process.exit(2);
}
