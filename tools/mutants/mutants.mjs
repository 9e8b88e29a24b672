// `node tools/mutants/mutants.mjs`: draws mutants of the safety code by a seed and counts how many the unit tests
// notice. See docs/benchmarks.md.
import { execFileSync, spawn } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfChanged, createChildEnvironment, findNodePath, root } from '../../scripts/prepare.mjs';
import { draw, hash, mutantsOf, ROOMS, sourceFiles } from './population.mjs';
import { report } from './report.mjs';

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '300' },
    only: { type: 'string', multiple: true },
    mutant: { type: 'string', multiple: true },
    tests: { type: 'string', multiple: true, default: ROOMS.map((room) => `test/unit/${room}`) },
    slowest: { type: 'string', default: '30' },
    out: { type: 'string', default: 'test/output/mutants' },
    again: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(`node tools/mutants/mutants.mjs [options]
  --seed S        decides which mutants are drawn (1)
  --count N       how many (300)
  --only FILE     draws from this source file alone; may be repeated
  --mutant NAME   runs this one of the drawn mutants alone; may be repeated
  --tests PATH    the folders and files of tests that count (test/unit/ROOM of the five rooms)
  --slowest S     leaves files of tests out that take more than so many seconds without a mutant (30)
  --out DIR       where results are kept; a second run goes on there (test/output/mutants)
  --again         forgets the results of earlier runs`);
  process.exit(0);
}

/** A file of tests is ended after this many times what it takes without a mutant, plus some seconds. */
const PATIENCE = 6;
const GRACE_MS = 15_000;

const slowest = 1000 * Number(options.slowest);
const out = join(root, options.out);
mkdirSync(out, { recursive: true });
const stateFile = join(out, 'state.json');
const state =
  !options.again && existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, 'utf8')) : { tests: {}, results: {} };
const save = () => writeFileSync(stateFile, JSON.stringify(state, null, 1));

buildIfChanged();
const sources = options.only ?? sourceFiles(root);
const { mutants } = await mutantsOf(root, Object.fromEntries(sources.map((file) => [file, true])));
state.compiles ??= {};
const { drawn, refused } = draw(root, mutants, options.seed, Number(options.count), state.compiles);
save();
const equivalent = JSON.parse(readFileSync(join(import.meta.dirname, 'equivalent.json'), 'utf8'));
console.log(`${drawn.length} of ${mutants.length} mutants drawn; ${refused} drawn before them do not compile.`);

const copy = mkdtempSync(join(tmpdir(), 'selfware-mutants-'));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
const idOf = await makeCopy();
await measureTests();
let done = 0;
const chosen = drawn.filter(({ name }) => !options.mutant || options.mutant.includes(name));
for (const mutant of chosen) {
  done += 1;
  if (equivalent[mutant.name] || state.results[mutant.name]?.outcome === 'killed') continue;
  const result = await tryMutant(mutant);
  state.results[mutant.name] = result;
  save();
  console.log(
    `${done}/${chosen.length} ${mutant.name} ${result.outcome} ${mutant.file}:${mutant.line} ${result.by ?? ''}`,
  );
}
console.log(report(out, { options, drawn, refused, population: mutants.length, equivalent, state }));

/** A copy of the tree that holds the drawn mutants, switched on one at a time by the environment. */
async function makeCopy() {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  for (const file of listed.split('\n').filter((name) => name && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true });
  linkTree(join(root, 'node_modules'), join(copy, 'node_modules'));
  const ranges = {};
  for (const { file, location } of drawn) (ranges[file] ??= []).push(location);
  const placed = await mutantsOf(root, ranges);
  for (const { name, content } of placed.files) writeFileSync(join(copy, name), content);
  // By place, because names count what is the same in a whole file, and only parts of it are instrumented now.
  const ids = new Map(placed.mutants.map((mutant) => [placeOf(mutant), mutant.id]));
  return new Map(drawn.map((mutant) => [mutant.name, ids.get(placeOf(mutant))]));
}

function placeOf({ file, start, end, kind, after }) {
  return JSON.stringify([file, start, end, kind, after]);
}

/** The same files under another name: a sandbox sees only the tree, so a link to the folder would lead nowhere. */
function linkTree(from, to) {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else {
      try {
        linkSync(source, target);
      } catch {
        copyFileSync(source, target);
      }
    }
  }
}

/** Runs each file of tests without a mutant, unless that was done: how long it takes and which mutants it reaches. */
async function measureTests() {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...options.tests], {
    cwd: root,
    encoding: 'utf8',
  });
  const sample = hash(drawn.map(({ name }) => name).join());
  const stamps = new Map(
    files
      .split('\n')
      .filter((file) => file.endsWith('.test.ts') && existsSync(join(root, file)))
      .map((file) => [file, hash(sample + readFileSync(join(root, file), 'utf8'))]),
  );
  for (const file of Object.keys(state.tests)) if (!stamps.has(file)) delete state.tests[file];
  const due = [...stamps.keys()].filter((file) => {
    const known = state.tests[file];
    return known?.stamp !== stamps.get(file) || (!known.passed && known.ms < slowest);
  });
  const names = new Map([...idOf].map(([name, id]) => [id, name]));
  for (const [index, file] of due.entries()) {
    const reached = join(copy, 'reached.json');
    rmSync(reached, { force: true });
    const start = Date.now();
    const { passed } = await runTests([file], { reached, limits: { [join(copy, file)]: slowest } });
    const ids = existsSync(reached) ? JSON.parse(readFileSync(reached, 'utf8')) : [];
    state.tests[file] = {
      stamp: stamps.get(file),
      passed,
      ms: Date.now() - start,
      reaches: ids.map((id) => names.get(id)).filter(Boolean),
    };
    save();
    console.log(
      `test ${index + 1}/${due.length} ${file} ${state.tests[file].ms} ms ${passed ? '' : 'FAILED, left out'}`,
    );
  }
}

/** Runs the files of tests that reach a mutant, those of its own room and the quickest first, until one fails. */
async function tryMutant(mutant) {
  const room = `test/unit/${mutant.file.split('/')[3]}/`;
  const files = Object.entries(state.tests)
    .filter(([, test]) => test.passed && test.ms <= slowest && test.reaches.includes(mutant.name))
    .sort(([a, one], [b, other]) => Number(b.startsWith(room)) - Number(a.startsWith(room)) || one.ms - other.ms)
    .map(([file]) => file);
  if (files.length === 0) return { outcome: 'not reached' };
  const limits = Object.fromEntries(
    files.map((file) => [join(copy, file), PATIENCE * state.tests[file].ms + GRACE_MS]),
  );
  const { passed, output } = await runTests(files, { limits, active: idOf.get(mutant.name) });
  if (passed) return { outcome: 'survived', tests: files.length };
  const by = / FAIL {1,2}(.*)/.exec(output)?.[1] ?? /Error:.*/.exec(output)?.[0] ?? '';
  return { outcome: 'killed', by: by.slice(0, 200), ended: /SIGKILL|exited unexpectedly/.test(output) };
}

/** Runs files of tests on the copy, in this order, up to the first failure. */
function runTests(files, { active = '', ...setUp }) {
  const order = files.map((file) => join(copy, file));
  const config = relative(root, join(import.meta.dirname, 'vitest.config.mjs'));
  const args = ['run', '--bail=1', '--reporter=dot', '--config', config, ...files];
  const child = spawn(findNodePath(), [join(copy, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: copy,
    env: createChildEnvironment({
      SELFWARE_IGNORE_LOAD: '1',
      NO_COLOR: '1',
      MUTANTS_RUN: JSON.stringify({ order, ...setUp }),
      __STRYKER_ACTIVE_MUTANT__: active,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  return new Promise((resolve) => child.on('close', (code) => resolve({ passed: code === 0, output })));
}
