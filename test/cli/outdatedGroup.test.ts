// `selfware outdated --update-minor` with the real npm and a registry on the loopback: one proposal for all minor and
// patch updates, without the one that breaks a test, and what happens to updates that wait when another is applied.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { NPMRC, REGISTRY_HOST, startNpmRegistry, type NpmRegistry } from '../helpers/npmRegistry.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const RANGES = {
  adder: '^1.0.0',
  pinned: '1.0.0',
  shouter: '~1.0.0',
  needy: '^1.0.0',
  early: '0.1.0',
  folder: 'file:./folder',
};
const manifest = {
  ...{ name: 'sample', version: '1.0.0', type: 'module', scripts: { test: 'node --test' } },
  dependencies: RANGES,
  peerDependencies: { adder: '^1.0.0' },
};
const module = (name: string, value: string) => ({ code: `export const ${name} = () => '${value}';\n` });
const sources = {
  'src/index.js':
    "export { adder } from 'adder';\nexport { pinned } from 'pinned';\nexport { shouter } from 'shouter';\nexport { early } from 'early';\nexport { needy } from 'needy';\n",
  'test/index.test.js':
    "import test from 'node:test';\nimport assert from 'node:assert';\nimport { adder, early, needy, pinned, shouter } from '../src/index.js';\n\n" +
    "test('calls all', () => {\n  for (const each of [adder, early, needy, pinned]) assert.ok(each());\n});\n\n" +
    "test('shouts', () => {\n  assert.strictEqual(shouter(), 'A!');\n});\n",
};

let registry: NpmRegistry;
let repository: TemporaryRepository;
let selfware: CommandLine;

async function run(...args: readonly string[]) {
  const { code, stdout, stderr } = await selfware.run(['outdated', ...args], { env: registry.env });
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
  Object.assign(registry.packages, {
    adder: { '1.0.0': module('adder', 'a'), '1.1.0': module('adder', 'b'), '2.0.0': module('adder', 'c') },
    pinned: { '1.0.0': module('pinned', 'a'), '1.2.0': module('pinned', 'b'), '2.0.0': module('pinned', 'c') },
    shouter: { '1.0.0': module('shouter', 'A!'), '1.1.0': module('shouter', 'A?') },
    needy: {
      '1.0.0': module('needy', 'a'),
      '1.1.0': { ...module('needy', 'b'), manifest: { peerDependencies: { adder: '^2.0.0' } } },
    },
    early: { '0.1.0': module('early', 'a'), '0.2.0': module('early', 'b') },
  });
  const locked = (name: string, version: string) => ({
    ...{ version, resolved: `https://${REGISTRY_HOST}/${name}/-/${version}.tgz` },
  });
  const lock = {
    ...{ name: 'sample', version: '1.0.0', lockfileVersion: 3, requires: true },
    packages: {
      '': { ...manifest, type: undefined, scripts: undefined },
      folder: { version: '1.0.0' },
      'node_modules/folder': { resolved: 'folder', link: true },
      ...Object.fromEntries(
        ['adder', 'pinned', 'shouter', 'needy'].map((name) => [`node_modules/${name}`, locked(name, '1.0.0')]),
      ),
      'node_modules/early': locked('early', '0.1.0'),
    },
  };
  repository = await createTemporaryRepository({
    ...{ '.npmrc': NPMRC, ...sources },
    'folder/package.json': '{ "name": "folder", "version": "1.0.0" }\n',
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'package-lock.json': `${JSON.stringify(lock, null, 2)}\n`,
  });
  selfware = await createCommandLine(repository.dir);
  await selfware.decide();
});
afterAll(async () => {
  await selfware.dispose();
  await repository.dispose();
  await registry.close();
});

test('minor and patch updates are one proposal, without the one that breaks a test, which is named', async () => {
  const answer = await run('--update-minor', '--yes', '--json');
  const { proposal, culprits, left } = answer.parse();
  expect(answer.code).toBe(1);
  expect(proposal, answer.stderr).toMatchObject({ status: 'verified', title: 'update 2 dependencies: adder, pinned' });
  expect(proposal.rationale).toContain(
    'adder 1.0.0 → 1.1.0 (^1.0.0 allows it);\npinned 1.0.0 → 1.2.0 (1.0.0 → 1.2.0).',
  );
  expect(culprits).toEqual([
    { update: expect.objectContaining({ name: 'shouter', after: '1.1.0' }), reason: expect.stringMatching(/shouts/) },
  ]);
  expect(left).toMatchObject([
    { name: 'adder', reason: expect.stringContaining('2.0.0 is a major update') },
    { name: 'pinned', reason: expect.stringContaining('2.0.0 is a major update') },
    { name: 'early', reason: expect.stringContaining('0.2.0 is a major update') },
    { name: 'needy', reason: expect.stringContaining('needy@1.1.0 does not fit') },
    { name: 'folder', reason: 'folder comes from a folder.' },
  ]);
  // The range that allows the new version stays, and the peer range, too.
  const changed = `${JSON.stringify({ ...manifest, dependencies: { ...RANGES, pinned: '1.2.0' } }, null, 2)}\n`;
  const edits = new Map(proposal.edits.map(({ path, after }: { path: string; after: string }) => [path, after]));
  expect(edits.get('package.json')).toBe(changed);
  expect(edits.get('package-lock.json')).toMatch(/adder\/-\/1\.1\.0\.tgz/);
  expect(edits.get('package-lock.json')).toMatch(/shouter\/-\/1\.0\.0\.tgz/);
  // The proposals of parts do not wait for a decision.
  const { value: waiting } = await selfware.json(['proposals', 'list']);
  expect(waiting.map(({ id }: { id: string }) => id)).toEqual([proposal.id]);
});

thoroughTest('once an update is applied, those that waited are withdrawn, with the command for them', async () => {
  const { value: waiting } = await selfware.json(['proposals', 'list']);
  const [group] = waiting;
  const [single] = (await run('--update', 'early', '--yes', '--json')).parse();
  expect(single).toMatchObject({ status: 'verified', title: 'update early from 0.1.0 to 0.2.0' });
  const applied = await selfware.run(['proposals', 'approve', single.id]);
  expect(applied.stdout, applied.stderr).toContain('Applied.');
  expect(applied.stderr).toContain('1 other update waited and was made for the lock file before this one');
  expect(applied.stderr).toContain('`selfware outdated --update-minor`');
  const refused = await selfware.json(['proposals', 'show', group.id]);
  expect(refused.value).toMatchObject({ status: 'refused', reason: expect.stringContaining('--update-minor') });
  // The rest is planned for the new lock file.
  const again = (await run('--update-minor', '--yes', '--json')).parse();
  expect(again.proposal).toMatchObject({ status: 'verified', title: 'update 2 dependencies: adder, pinned' });
  // Somebody else changes the lock file.
  await repository.write('package-lock.json', `${await repository.read('package-lock.json')}\n`);
  const late = await selfware.run(['proposals', 'approve', again.proposal.id]);
  expect(late.code).toBe(2);
  expect(late.stderr).toContain('has changed since “update 2 dependencies: adder, pinned” was made');
  expect(late.stderr).toContain('`selfware outdated --update-minor`');
});
