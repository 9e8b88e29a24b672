// `selfware outdated` with the real npm and a registry on the loopback: the list, updates through all gates, and what
// leaves the machine.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { NPMRC, REGISTRY_HOST, REGISTRY_TOKEN, startNpmRegistry, type NpmRegistry } from '../helpers/npmRegistry.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const manifest = {
  name: 'sample',
  version: '1.0.0',
  type: 'module',
  scripts: { test: 'node --test' },
  dependencies: { adder: '^1.0.0', fenced: '^1.0.0', gone: '^1.0.0' },
  devDependencies: { shouter: '~1.0.0' },
};
const locked = (name: string) => ({ version: '1.0.0', resolved: `https://${REGISTRY_HOST}/${name}/-/1.0.0.tgz` });
const tests =
  "import test from 'node:test';\nimport assert from 'node:assert';\nimport { sum, shouted } from '../src/index.js';\n\n" +
  "test('sums', () => {\n  assert.strictEqual(sum(1, 2), 3);\n});\n\n" +
  "test('shouts', () => {\n  assert.strictEqual(shouted('a'), 'A!');\n});\n";
const files = {
  '.npmrc': NPMRC,
  'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
  'src/index.js':
    "import { add } from 'adder';\nimport { shout } from 'shouter';\nexport const sum = (a, b) => add(a, b);\nexport const shouted = (text) => shout(text);\n",
  'test/index.test.js': tests,
};

/** What all runs have printed. */
const outputs: string[] = [];
let registry: NpmRegistry;
let repository: TemporaryRepository;
let selfware: CommandLine;

async function run(...args: readonly string[]) {
  const { code, stdout, stderr } = await selfware.run(['outdated', ...args], { env: registry.env });
  outputs.push(stdout + stderr);
  const parse = () => {
    try {
      return JSON.parse(stdout);
    } catch (cause) {
      throw new Error(`No JSON:\n${stdout}\n${stderr}`, { cause });
    }
  };
  return { code, stdout, stderr, parse };
}

beforeAll(async () => {
  registry = await startNpmRegistry();
  const shout = (end: string) => ({ code: `export const shout = (text) => text.toUpperCase() + '${end}';\n` });
  Object.assign(registry.packages, {
    adder: {
      '1.0.0': { code: 'export const add = (a, b) => a + b;\n' },
      '1.1.0': { code: 'export const add = (a, b) => b + a;\n' },
    },
    shouter: { '1.0.0': shout('!'), '1.0.1': shout('!'), '2.0.0': shout('?') },
    fenced: { '1.0.0': { code: '' } },
  });
  registry.advisories['adder'] = [{ vulnerable_versions: '<1.1.0', title: 'Adds too much' }];
  registry.refusedNames.add('fenced');
  const lock = {
    ...{ name: 'sample', version: '1.0.0', lockfileVersion: 3, requires: true },
    packages: {
      '': {
        name: 'sample',
        version: '1.0.0',
        dependencies: manifest.dependencies,
        devDependencies: manifest.devDependencies,
      },
      ...Object.fromEntries(['adder', 'fenced', 'gone'].map((name) => [`node_modules/${name}`, locked(name)])),
      'node_modules/shouter': { ...locked('shouter'), dev: true },
    },
  };
  repository = await createTemporaryRepository({ ...files, 'package-lock.json': `${JSON.stringify(lock, null, 2)}\n` });
  selfware = await createCommandLine(repository.dir);
});
afterAll(async () => {
  await selfware.dispose();
  await repository.dispose();
  await registry.close();
});

test('without consent, nothing is asked; the plan names the host and what is sent', async () => {
  const { code, stderr } = await run();
  expect([code, stderr]).toEqual([2, expect.stringContaining('needs a person')]);
  expect((await run('--yes')).code).toBe(2);
  const { stdout } = await run('--plan');
  expect(stdout).toContain(`npm asks ${REGISTRY_HOST} about 4 dependencies.`);
  expect(stdout).toContain('names and versions of all packages in package-lock.json');
  expect((await run('--plan', '--json')).parse()).toMatchObject({ hosts: [REGISTRY_HOST], unasked: [REGISTRY_HOST] });
  expect(registry.requests).toEqual([]);
});

test('what is vulnerable comes first, and one package that fails does not lose the others', async () => {
  await selfware.decide();
  expect((await run()).stderr).toContain('a script has to say so by --yes');
  const answer = await run('--yes', '--json');
  const { dependencies, hosts } = answer.parse();
  expect([answer.code, hosts]).toEqual([1, [REGISTRY_HOST]]);
  expect(dependencies).toMatchObject([
    {
      ...{ name: 'adder', current: '1.0.0', wanted: '1.1.0', latest: '1.1.0', update: 'minor', unknown: null },
      advisories: [{ severity: 'high', title: 'Adds too much', fixed: '1.1.0', through: null }],
    },
    { name: 'shouter', current: '1.0.0', wanted: '1.0.1', latest: '2.0.0', update: 'major', advisories: [] },
    { name: 'fenced', latest: null, unknown: { reason: expect.stringContaining('wants a token (E401)') } },
    { name: 'gone', latest: null, unknown: { reason: expect.stringContaining('gone are unknown') } },
  ]);
  // The consent is kept, so nobody is asked again.
  const { stdout } = await run();
  expect(stdout).toMatch(/adder +1\.0\.0 +1\.1\.0 +1\.1\.0 +minor\n {2}high: Adds too much, fixed in 1\.1\.0/);
  // The token went to the registry, as npm sends it.
  expect([...registry.tokens]).toContain(`Bearer ${REGISTRY_TOKEN}`);
});

test('a registry that does not answer leaves all unknown, with exit code 2', async () => {
  registry.isOffline = true;
  try {
    const answer = await run('--json');
    expect(answer.code).toBe(2);
    const { unknown, dependencies } = answer.parse();
    expect(unknown).toHaveLength(2);
    expect(dependencies.every(({ update }: { update: string }) => update === 'unknown')).toBe(true);
    expect(unknown[0]).toMatchObject({
      reason: expect.stringMatching(/^Versions are unknown: /),
      action: expect.stringContaining('run it again'),
    });
  } finally {
    registry.isOffline = false;
  }
});

test('an update that keeps the tests green is proposed, applied when approved, and rolled back', async () => {
  await keepOnly('adder', 'shouter');
  // Consent to the registry is no request: nothing is made before a person asks for the update.
  const asked = registry.requests.length;
  const unrequested = await run('--update', 'adder');
  expect([unrequested.code, unrequested.stderr]).toEqual([
    2,
    expect.stringContaining('filed as the request of a person'),
  ]);
  expect(registry.requests).toHaveLength(asked);
  const [proposal] = (await run('--update', 'adder', '--yes', '--json')).parse();
  expect(proposal).toMatchObject({ status: 'verified', claim: { kind: 'request', holds: true } });
  expect(proposal.rationale).toContain('It fixes high: Adds too much');
  expect(proposal.edits.map(({ path }: { path: string }) => path)).toEqual(['package.json', 'package-lock.json']);
  expect(proposal.verdicts).toContainEqual(expect.objectContaining({ gate: 'tests', outcome: 'passed' }));
  // At no level it is applied unasked.
  const improved = await selfware.run(['improve', '--auto', '--cycles', '1', '--set', 'charter.approval=minimal']);
  expect(improved.code, improved.stderr).toBe(0);
  expect(improved.stdout).toContain('0 proposed, 0 passed their checks, 0 refused, 0 applied, 0 kept');
  expect(improved.stdout).toContain('1 waits for a decision: selfware proposals list');
  expect(await repository.read('package.json')).toContain('"adder": "^1.0.0"');
  expect((await selfware.run(['proposals', 'approve', proposal.id])).stdout).toContain('Applied.');
  expect(await repository.read('package.json')).toContain('"adder": "^1.1.0"');
  expect(await repository.read('package-lock.json')).toContain('adder/-/1.1.0.tgz');
  const { value } = await selfware.json(['proposals', 'show', proposal.id]);
  expect(value.status).toBe('kept');
  const undone = await selfware.run(['checkpoints', 'rollback', value.checkpoint]);
  expect(undone.code, undone.stderr).toBe(0);
  expect(await repository.git('status', '--porcelain')).toBe('');
});

thoroughTest('an update that breaks a test is refused, with its name', async () => {
  const [proposal] = (await run('--update', 'shouter@2.0.0', '--yes', '--json')).parse();
  expect(proposal).toMatchObject({ status: 'refused', reason: expect.stringMatching(/^tests: [^]*shouts/) });
  expect((await selfware.run(['proposals', 'approve', proposal.id])).code).toBe(2);
  expect(await repository.git('status', '--porcelain')).toBe('');
  const impossible = await run('--update', 'no-such-one,adder@9.9.9', '--yes');
  expect(impossible.code).toBe(2);
  expect(impossible.stderr).toContain('No package.json here asks for no-such-one');
  expect(impossible.stderr).toContain('The registry has no adder@9.9.9');
});

test('the token is in no output, ledger or file of the state', async () => {
  expect(outputs.length).toBeGreaterThan(8);
  for (const output of outputs) expect(output).not.toContain(REGISTRY_TOKEN);
  for (const entry of await readdir(selfware.home, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = await readFile(join(entry.parentPath, entry.name));
    expect(bytes.includes(REGISTRY_TOKEN), join(entry.parentPath, entry.name)).toBe(false);
  }
});

/** Leaves only these dependencies, which all can be installed. */
async function keepOnly(...names: readonly string[]): Promise<void> {
  const pick = (table: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(table).filter(([name]) => names.includes(name)));
  const tables = { dependencies: pick(manifest.dependencies), devDependencies: pick(manifest.devDependencies) };
  await repository.write('package.json', `${JSON.stringify({ ...manifest, ...tables }, null, 2)}\n`);
  const lock = JSON.parse((await repository.read('package-lock.json'))!);
  Object.assign(lock.packages[''], tables);
  for (const name of ['fenced', 'gone']) if (!names.includes(name)) delete lock.packages[`node_modules/${name}`];
  await repository.write('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
  await repository.git('commit', '--quiet', '--all', '--message', 'fewer dependencies');
}
