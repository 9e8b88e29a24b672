// "Check for Outdated Dependencies…": consent first, then the list, the update that was chosen, and its review.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CommandOutcome } from '#protocol/review';
import { richCapabilities } from '../helpers/clientCapabilities.ts';
import { startRealServer } from '../helpers/lspServers.ts';
import { NPMRC, REGISTRY_HOST, startNpmRegistry } from '../helpers/npmRegistry.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';
import { thoroughTest } from '../helpers/thorough.ts';

thoroughTest('nothing is asked before the person agrees; an approved update is checked and reviewed', async () => {
  const registry = await startNpmRegistry();
  registry.packages['adder'] = {
    '1.0.0': { code: 'export const add = (a, b) => a + b;\n' },
    '1.1.0': { code: 'export const add = (a, b) => b + a;\n' },
  };
  const dependencies = { adder: '^1.0.0' };
  const resolved = `https://${REGISTRY_HOST}/adder/-/1.0.0.tgz`;
  const packages = { '': { dependencies }, 'node_modules/adder': { version: '1.0.0', resolved } };
  const repository = await createTemporaryRepository({
    '.npmrc': NPMRC,
    'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' }, dependencies }),
    'package-lock.json': JSON.stringify({ lockfileVersion: 3, requires: true, packages }),
    'test/add.test.js':
      "import test from 'node:test';\nimport assert from 'node:assert';\nimport { add } from 'adder';\ntest('adds', () => assert.strictEqual(add(1, 2), 3));\n",
  });
  const home = await mkdtemp(join(tmpdir(), 'selfware-home-'));
  const options = { capabilities: richCapabilities, initializationOptions: { canSave: true } };
  const { client, dispose } = await startRealServer(repository.dir, options, home, registry.env);
  const execute = (argument: object) =>
    client.request<CommandOutcome>('workspace/executeCommand', {
      command: 'selfware.server.outdated',
      arguments: [argument],
    });
  try {
    await client.initialize();
    const question = await execute({});
    expect(question).toMatchObject({ ok: false, registries: { hosts: [REGISTRY_HOST] } });
    expect(await execute({ agreed: 'another.example' })).toMatchObject({ ok: false });
    expect(await execute({ update: 'adder' })).toMatchObject({ ok: false });
    expect(registry.requests).toEqual([]);
    expect(await execute({ agreed: `${REGISTRY_HOST} packages` })).toMatchObject({ ok: false });
    expect(registry.requests).toEqual([]);
    const list = await execute({ agreed: question.registries?.agreement });
    expect(list.updates).toMatchObject([
      { name: 'adder', manifest: 'package.json', version: '1.1.0', description: '1.0.0 → 1.1.0 (latest, minor)' },
    ]);
    const draft = await execute({ update: 'adder', version: '1.1.0' });
    expect(draft.page?.markdown).toContain('npm ci --ignore-scripts');
    expect(await execute({ approved: 'another' })).toMatchObject({ ok: false, review: null });
    const outcome = await execute({ approved: draft.approve });
    expect(outcome, outcome.message).toMatchObject({ ok: true, review: { title: 'update adder from 1.0.0 to 1.1.0' } });
    // An update that the person turned down is checked again only if the person agrees to that.
    const rejection = { proposal: outcome.review!.id, reason: 'Not this month' };
    await client.request('workspace/executeCommand', { command: 'selfware.server.reject', arguments: [rejection] });
    const repeated = await execute({ update: 'adder', version: '1.1.0' });
    expect(repeated).toMatchObject({ ok: true, again: repeated.approve });
    expect(repeated.message).toContain('Not this month');
    expect(await execute({ approved: repeated.approve })).toMatchObject({
      ok: false,
      message: expect.stringContaining('Not this month'),
    });
    expect(await execute({ approved: repeated.approve, again: true })).toMatchObject({ ok: true });
    expect(await repository.git('status', '--porcelain')).toBe('');
  } finally {
    await dispose();
    await repository.dispose();
    await registry.close();
    await rm(home, { recursive: true, force: true });
  }
});

test('an editor that shows no reviews makes no update', async () => {
  const registry = await startNpmRegistry();
  const dependencies = { adder: '^1.0.0' };
  const repository = await createTemporaryRepository({
    '.npmrc': NPMRC,
    'package.json': JSON.stringify({ dependencies }),
    'package-lock.json': JSON.stringify({ lockfileVersion: 3, packages: { '': { dependencies } } }),
  });
  const options = { capabilities: richCapabilities, initializationOptions: { canSave: true, canReview: false } };
  const { client, dispose } = await startRealServer(repository.dir, options, undefined, registry.env);
  try {
    await client.initialize();
    for (const argument of [{ update: 'adder', version: '1.1.0' }, { approved: 'a-hash' }])
      expect(
        await client.request('workspace/executeCommand', {
          command: 'selfware.server.outdated',
          arguments: [argument],
        }),
      ).toMatchObject({ ok: false, review: null, message: expect.stringContaining('selfware outdated --update') });
    expect(registry.requests).toEqual([]);
  } finally {
    await dispose();
    await repository.dispose();
    await registry.close();
  }
});
