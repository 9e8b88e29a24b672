// What ships, looked at in the package itself: its parts, its size, the licences, the page of the Marketplace, and how
// fast its server answers.
// Usage: node test/e2e/package.e2e.mjs   (SELFWARE_VSIX names another package)

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { StreamMessageReader, StreamMessageWriter, createMessageConnection } from 'vscode-languageserver/node';
import { createNotices } from '../../scripts/notices.mjs';
import { packagedExtension, root, runSteps } from './harness.mjs';

const vsix = packagedExtension();
const folder = mkdtempSync(join(tmpdir(), 'sw-package-'));
const at = (...path) => join(folder, 'extension', ...path);
const text = (...path) => readFileSync(at(...path), 'utf8');
const manifest = () => JSON.parse(text('package.json'));

const steps = {
  'it unpacks, and its size is told': () => {
    execFileSync('unzip', ['-q', vsix, '-d', folder]);
    console.log(
      `   package: ${(statSync(vsix).size / 1e6).toFixed(1)} MB (goal: 75 MB), ` +
        `extension.cjs ${(statSync(at('dist/extension.cjs')).size / 1e3).toFixed(0)} kB`,
    );
  },

  'it holds natives of its target only, and nothing of the working copy': () => {
    const all = readdirSync(folder, { recursive: true });
    const natives = all.filter((path) => path.endsWith('.node'));
    equal(
      natives.filter((path) => basename(path) !== `lancedb.${process.platform}-${process.arch}-gnu.node`),
      [],
    );
    equal(
      all.filter((path) => /\.map$|\.ts$|node_modules|(^|\/)test\/|\.built$|shipped\.json$/.test(path)),
      [],
    );
    for (const part of [
      'main.js',
      'cli.js',
      'worker.js',
      'harness.js',
      'localModel.js',
      'languageClient.cjs',
      'webview/main.js',
    ])
      if (!existsSync(at('dist', part))) throw new Error(`dist/${part} does not ship.`);
  },

  'everything that the manifest names is there': () => {
    const { contributes, main, icon } = manifest();
    const named = [
      main,
      icon,
      ...contributes.jsonValidation.map(({ url }) => url),
      ...contributes.viewsContainers.activitybar.map(({ icon: picture }) => picture),
      ...contributes.walkthroughs.flatMap(({ steps: each }) => each.map(({ media }) => media.svg)),
    ];
    equal(
      named.filter((path) => !existsSync(at(path))),
      [],
    );
  },

  'the pages of rules and recipes are where the documentation links to them': () => {
    const linked = ['rules.md', 'recipes.md', 'transforms.md'].flatMap((page) =>
      [...text('docs', page).matchAll(/\]\(\.\.\/(server\/[^)#]+)/g)].map(([, path]) => path),
    );
    if (new Set(linked).size < 60) throw new Error(`Only ${new Set(linked).size} pages are linked.`);
    equal(
      linked.filter((path) => !existsSync(at(path))),
      [],
    );
  },

  'the walkthrough has at most five steps, each ticked by doing it': () => {
    const { contributes } = manifest();
    const commands = new Set(contributes.commands.map(({ command }) => command));
    for (const { steps: each } of contributes.walkthroughs) {
      if (each.length > 5) throw new Error(`${each.length} steps.`);
      for (const { id, completionEvents, description } of each) {
        if (!completionEvents?.every((event) => /^on(Command|Context|View):selfware\./.test(event)))
          throw new Error(`${id}: ${completionEvents}`);
        equal(
          [...description.matchAll(/command:(selfware\.\w+)/g)]
            .map(([, command]) => command)
            .filter((command) => !commands.has(command)),
          [],
        );
      }
    }
  },

  'the licence of every package that went into it is listed, with its text': () => {
    const shipped = JSON.parse(readFileSync(join(root, 'dist/shipped.json'), 'utf8'));
    const { entries, text: expected } = createNotices(root, shipped);
    if (entries.length < 40) throw new Error(`Only ${entries.length} packages: the bundle knows more.`);
    equal(text('THIRD-PARTY-NOTICES.txt'), expected);
    for (const name of ['@lancedb/lancedb', 'ts-morph', 'vscode-languageclient', 'lit-html', 'web-tree-sitter'])
      if (!entries.some((entry) => entry.name === name)) throw new Error(`${name} is not listed.`);
  },

  'the page of the Marketplace brings its pictures along and leads nowhere that is not there': () => {
    const page = text('readme.md');
    if (!/!\[[^\]]+\]\(data:image\//.test(page)) throw new Error('It has no picture.');
    equal(
      [...page.matchAll(/\]\((?!data:)([^)]+)\)/g)]
        .map(([, target]) => target)
        .filter((target) => !/^https:/.test(target)),
      [],
    );
  },

  'the server of the package answers `initialize`, and the time is told': async () => {
    const millis = [];
    for (let round = 0; round < 3; round++) millis.push(await initialize());
    console.log(
      `   initialize: ${Math.round(Math.min(...millis))} ms, the best of ${millis.length} starts (goal: 250 ms)`,
    );
  },

  'the npm package installs into another repository, without a network, and judges its changes there': () => {
    const told = execFileSync(process.execPath, [join(root, 'scripts/packageNpm.mjs')], { encoding: 'utf8' });
    const archive = /^(\S+\.tgz) /m.exec(told)[1];
    const repository = join(folder, 'repository');
    const files = {
      'package.json': '{ "name": "halves", "type": "module", "scripts": { "test": "node --test" } }\n',
      '.gitignore': 'node_modules\n',
      'half.js': 'export const half = (value) => value / 2;\n',
      'half.test.js':
        "import test from 'node:test';\nimport assert from 'node:assert';\nimport { half } from './half.js';\n" +
        "test('half', () => assert.equal(half(4), 2));\n",
    };
    mkdirSync(repository);
    for (const [name, content] of Object.entries(files)) writeFileSync(join(repository, name), content);
    const run = (command, ...args) =>
      spawnSync(command, args, {
        cwd: repository,
        env: { PATH: process.env.PATH, HOME: folder, SELFWARE_HOME: join(folder, 'state'), SELFWARE_IGNORE_LOAD: '1' },
        encoding: 'utf8',
      });
    const install = ['--save-dev', '--omit=optional', '--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
    const installed = run('npm', 'install', ...install, archive);
    if (installed.status !== 0) throw new Error(installed.stderr);
    run('git', 'init', '--quiet');
    run('git', 'add', '--all');
    run('git', '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', 'halves');
    const verify = () => run(process.execPath, 'node_modules/selfware/dist/cli.js', 'verify', '--base', 'HEAD');
    writeFileSync(join(repository, 'half.js'), 'export const half = (value) => value * 0.5;\n');
    const good = verify();
    if (good.status !== 0 || !good.stdout.includes('\nPassed: ')) throw new Error(good.stdout + good.stderr);
    writeFileSync(join(repository, 'half.js'), 'export const half = (value) => value;\n');
    const bad = verify();
    if (bad.status !== 1 || !bad.stdout.includes('this check fails: Tests')) throw new Error(bad.stdout + bad.stderr);
  },
};

const { passed, failed } = await runSteps(steps);
rmSync(folder, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Milliseconds from the start of the process to its answer. */
async function initialize() {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [at('dist/main.js'), '--stdio'], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, SELFWARE_HOME: folder },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.listen();
  const { serverInfo } = await connection.sendRequest('initialize', {
    processId: null,
    rootUri: null,
    capabilities: {},
    workspaceFolders: null,
  });
  const millis = performance.now() - startedAt;
  if (serverInfo.name !== 'Selfware') throw new Error(`Somebody else answers: ${serverInfo.name}`);
  const ended = new Promise((done) => child.once('exit', done));
  connection.dispose();
  child.stdin.end();
  await ended;
  return millis;
}

function equal(found, wanted) {
  const [one, other] = [found, wanted].map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  if (one !== other) throw new Error(`Found ${one.slice(0, 500)}, not ${other.slice(0, 500)}`);
}
