// A look-up with answers of npm from a table: what is run, what is sent with whose consent, and how often.

import { expect, test } from 'vitest';
import { planLookUp } from '../../../server/src/core/session/setup/lookUpPlan.ts';
import { lookUp } from '../../../server/src/core/session/setup/outdated.ts';
import { draftUpdate, installBothSides, type MadeUpdate } from '../../../server/src/core/session/setup/updating.ts';
import type { SessionContext } from '../../../server/src/core/session/context.ts';
import type { LookUpResult, NetworkScratch } from '../../../server/src/core/ports/packages.ts';
import { createChoices, createGroupChoice } from '../../../server/src/lsp/commands/outdated.ts';

const signal = new AbortController().signal;
const HOST = 'one.example';
const both = [{ type: 'consented', at: 0, data: { destination: HOST, sends: ['packages', 'lockedPackages'] } }];

function repositoryWith(
  texts: Readonly<Record<string, string>>,
  consents: readonly object[],
  answer: (names: readonly string[], kind: string) => object,
) {
  const commands: (readonly string[])[] = [];
  const placed = new Map<string, string>();
  const audited: string[] = [];
  const encode = (text: string) => new TextEncoder().encode(text);
  const scratch = (): NetworkScratch => ({
    async place(files) {
      for (const [path, bytes] of files) placed.set(path, new TextDecoder().decode(bytes!));
    },
    read: async (path) => encode(placed.get(path) ?? texts[path]!),
    async run({ command }): Promise<LookUpResult> {
      commands.push(command);
      if (command[1] === 'audit') audited.push(placed.get('node_modules/.selfware-audit/npm-shrinkwrap.json')!);
      const asked = JSON.parse(placed.get('node_modules/.selfware-outdated/package.json') ?? '{}').dependencies ?? {};
      const stdout = JSON.stringify(answer(Object.keys(asked), command[1]!));
      return { command, stdout, exitCode: 1, outcome: 'exited', output: '', millis: 1 };
    },
    refusedHosts: [],
    [Symbol.asyncDispose]: async () => undefined,
  });
  const context = {
    trusted: true,
    ledger: { query: async () => consents },
    ports: {
      files: { read: async (path: string) => (path in texts ? encode(texts[path]!) : null) },
      packages: {
        files: async () => ({ tracked: Object.keys(texts), others: [] }),
        openScratch: async () => scratch(),
      },
    },
  } as unknown as SessionContext;
  return { context, commands, placed, audited };
}

const manifestOf = (...names: readonly string[]) =>
  JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [name, '^1.0.0'])) });
const lockOf = (hosts: Readonly<Record<string, string>>) =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: Object.fromEntries(
      Object.entries(hosts).map(([name, host]) => [
        `node_modules/${name}`,
        { version: '1.0.0', resolved: `https://${host}/${name}.tgz` },
      ]),
    ),
  });
const npmrc = `registry=https://${HOST}\ngit=./evil.sh\n`;

test('npm gets no setting of the repository that names a program, and no program to start', async () => {
  const texts = { '.npmrc': npmrc, 'package.json': manifestOf('a'), 'package-lock.json': lockOf({ a: HOST }) };
  const { context, commands, placed } = repositoryWith(texts, both, (_, kind) =>
    kind === 'audit' ? { vulnerabilities: {} } : {},
  );
  await lookUp(context, { signal });
  expect(commands.map(([, kind]) => kind)).toEqual(['outdated', 'audit']);
  for (const command of commands)
    for (const option of ['--git=/bin/false', '--script-shell=/bin/false', '--ignore-scripts'])
      expect(command).toContain(option);
  for (const path of ['.npmrc', 'node_modules/.selfware-outdated/.npmrc', 'node_modules/.selfware-audit/.npmrc'])
    expect(placed.get(path)).toBe(`registry=https://${HOST}/\n`);
});

test('who has agreed to names of direct dependencies has not agreed to all names and versions', async () => {
  const names = [{ type: 'consented', at: 0, data: { destination: HOST, sends: ['packages'] } }];
  const texts = { '.npmrc': npmrc, 'package.json': manifestOf('a') };
  const plan = (more: Readonly<Record<string, string>>, consents: readonly object[]) =>
    planLookUp(repositoryWith({ ...texts, ...more }, consents, () => ({})).context, signal);
  const lock = { 'package-lock.json': lockOf({ a: HOST }) };
  expect(await plan({}, names)).toMatchObject({ data: ['packages'], unasked: [] });
  expect(await plan(lock, names)).toMatchObject({ data: ['packages', 'lockedPackages'], unasked: [HOST] });
  expect((await plan(lock, both)).unasked).toEqual([]);
});

test('a package from a host that would not be asked is in no question, and is unknown', async () => {
  const texts = {
    '.npmrc': npmrc,
    'package.json': manifestOf('a', 'secret'),
    'package-lock.json': lockOf({ a: HOST, secret: 'private.example', deep: 'private.example' }),
  };
  const asked: string[] = [];
  const { context, audited } = repositoryWith(texts, both, (names, kind) => {
    if (kind !== 'audit') asked.push(...names);
    const vulnerabilities = { secret: { severity: 'high', nodes: ['node_modules/secret'], via: [] } };
    return kind === 'audit' ? { vulnerabilities } : { a: { wanted: '1.0.0', latest: '1.0.0' } };
  });
  const { dependencies, others, unknown } = await lookUp(context, { signal });
  expect([asked, audited.length, audited.join()]).toEqual([['a'], 1, expect.not.stringMatching(/secret|deep/)]);
  expect(dependencies).toMatchObject([
    { name: 'a', update: 'none', advisories: [], unknown: null },
    { name: 'secret', advisories: null, unknown: { reason: expect.stringContaining('secret (private.example)') } },
  ]);
  // What is known of a dependency without an answer of its own is not lost.
  expect(others).toMatchObject([{ severity: 'high', through: 'secret' }]);
  expect(unknown).toMatchObject([{ reason: expect.stringContaining('deep (private.example), secret') }]);
});

test('consent that is withdrawn between two requests stops the next one, also in the ledger of the repository', async () => {
  const texts = { '.npmrc': npmrc, 'package.json': manifestOf('a'), 'package-lock.json': lockOf({ a: HOST }) };
  for (const ledgerName of ['ledger', 'repositoryLedger']) {
    const consents: object[] = [...both];
    const { context, commands } = repositoryWith(texts, both, () => {
      consents.push({ type: 'consentWithdrawn', at: 1, data: { destination: HOST } });
      return {};
    });
    const own = { ...context, [ledgerName]: { query: async () => consents } } as SessionContext;
    await expect(lookUp(own, { signal })).rejects.toMatchObject({ reason: 'forbidden' });
    expect(commands.map(([, kind]) => kind)).toEqual(['outdated']);
    // Nothing is downloaded either.
    const made = { installs: [{ order: { name: 'a' } }] } as unknown as MadeUpdate;
    const installed: unknown[] = [];
    const packages = {
      ...own.ports.packages,
      find: async () => null,
      install: async (order: unknown) => (installed.push(order), { kept: {} }),
    };
    const installing = { ...own, ports: { ...own.ports, packages } } as unknown as SessionContext;
    await expect(installBothSides(installing, made, { signal })).rejects.toMatchObject({ reason: 'forbidden' });
    expect(installed).toEqual([]);
  }
});

test('advisories of a dependency that the lock file does not contain are unknown', async () => {
  const texts = { '.npmrc': npmrc, 'package.json': manifestOf('a', 'late'), 'package-lock.json': lockOf({ a: HOST }) };
  const { context } = repositoryWith(texts, both, (_, kind) => (kind === 'audit' ? { vulnerabilities: {} } : {}));
  const { dependencies, unknown } = await lookUp(context, { signal });
  expect(dependencies).toMatchObject([
    { name: 'a', advisories: [] },
    { name: 'late', advisories: null },
  ]);
  expect(unknown).toMatchObject([{ reason: expect.stringContaining('does not contain: late') }]);
});

test('an update of a lock file of format 1 is refused before npm runs', async () => {
  const dependencies = { a: { version: '1.0.0', resolved: `https://${HOST}/a.tgz` } };
  const lock = JSON.stringify({ lockfileVersion: 1, dependencies });
  const texts = { '.npmrc': npmrc, 'package.json': manifestOf('a'), 'package-lock.json': lock };
  const { context, commands } = repositoryWith(texts, both, () => ({}));
  const request = { packages: [{ name: 'a', version: 'latest' }], scripts: [] };
  await expect(draftUpdate(context, request, { signal })).rejects.toMatchObject({
    reason: 'unavailable',
    message: expect.stringContaining('format 1'),
  });
  expect(commands).toEqual([]);
});

test('a registry that refuses everything is asked three times, not twice for each package', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const refuse = repositoryWith({ '.npmrc': npmrc, 'package.json': manifestOf(...names) }, both, () => ({
    error: { code: 'E401' },
  }));
  const { dependencies } = await lookUp(refuse.context, { signal });
  expect(refuse.commands).toHaveLength(3);
  expect(dependencies.every(({ unknown }) => unknown?.reason.includes('E401'))).toBe(true);
  // One refused package does not lose the others.
  const one = repositoryWith({ '.npmrc': npmrc, 'package.json': manifestOf(...names) }, both, (asked) =>
    asked.includes('c')
      ? { error: { code: 'E401' } }
      : Object.fromEntries(asked.map((name) => [name, { wanted: '1.0.0', latest: '1.0.0' }])),
  );
  const found = await lookUp(one.context, { signal });
  expect(found.dependencies.filter(({ latest }) => latest === null).map(({ name }) => name)).toEqual(['c']);
});

test('advisories that belong to no direct dependency are listed as their own', async () => {
  const texts = {
    '.npmrc': npmrc,
    'package.json': manifestOf('a'),
    'package-lock.json': lockOf({ a: HOST, deep: HOST }),
  };
  const via = [{ title: 'Bad', severity: 'high', range: '<2.0.0' }];
  const { context } = repositoryWith(texts, both, (_, kind) =>
    kind === 'audit'
      ? { vulnerabilities: { deep: { isDirect: false, effects: [], nodes: ['node_modules/deep'], via } } }
      : {},
  );
  const { dependencies, others } = await lookUp(context, { signal });
  expect([dependencies[0]!.advisories, others]).toMatchObject([[], [{ title: 'Bad', through: 'deep' }]]);
});

test('an editor lists what is vulnerable without an update, and what is unknown, with its manifest', () => {
  const dependency = {
    ...{ name: 'a', manifest: 'packages/own/package.json', table: 'dependencies' as const, spec: '^1.0.0' },
    ...{ current: '1.0.0', wanted: '1.0.0', latest: '1.0.0', update: 'none' as const, advisories: [], unknown: null },
  };
  const advisory = { severity: 'high' as const, title: 'Bad', url: null, range: '*', fixed: null, through: 'b' };
  expect(createChoices(dependency)).toEqual([]);
  expect(createChoices({ ...dependency, advisories: [advisory] })).toEqual([
    {
      ...{ name: 'a', manifest: 'packages/own/package.json', version: null, detail: 'high: Bad (in b)' },
      description: '1.0.0: vulnerable, no update is known, packages/own/package.json',
    },
  ]);
  const unknown = { reason: 'The registry wants a token.', action: 'Ask it yourself.' };
  expect(
    createChoices({ ...dependency, wanted: null, latest: null, update: 'unknown', advisories: null, unknown }),
  ).toMatchObject([{ version: null, detail: 'The registry wants a token. Ask it yourself.' }]);
  expect(createChoices({ ...dependency, latest: '2.0.0', update: 'major' })).toMatchObject([
    { version: '2.0.0', manifest: 'packages/own/package.json' },
  ]);
});

test('an editor offers all minor and patch updates as one, if there are two', () => {
  const dependency = {
    ...{ name: 'a', manifest: 'package.json', table: 'dependencies' as const, spec: '^1.0.0', current: '1.0.0' },
    ...{ wanted: '1.1.0', latest: '2.0.0', update: 'major' as const, advisories: [], unknown: null },
  };
  const early = { ...dependency, name: 'early', spec: '^0.1.0', current: '0.1.0', wanted: '0.1.0', latest: '0.2.0' };
  const alias = { ...dependency, name: 'alias', spec: 'npm:real@^1.0.0' };
  expect(createGroupChoice([dependency, early, alias])).toEqual([]);
  expect(createGroupChoice([dependency, early, { ...dependency, name: 'b', spec: '1.0.0', latest: '1.2.0' }])).toEqual([
    {
      ...{ name: 'All minor and patch updates', manifest: '', version: 'minor', isGroup: true },
      ...{ description: '2 known, as one change', detail: 'a, b' },
    },
  ]);
});
