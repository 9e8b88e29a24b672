// The check of a version before it takes over: it needs a supervisor, and room for its copy of the ledger.

import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copyLedger } from '../../../server/src/adapters/sqlite/copyLedger.ts';
import { openLedger } from '../../../server/src/app/nights/sharedKnowledge.ts';
import { checkCommand } from '../../../server/src/cli/commands/nights/upgrade.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'selfware-check-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a ledger is copied if the disk has room for it', async () => {
  const [from, to] = [join(folder, 'from'), join(folder, 'to')];
  mkdirSync(to);
  const { ledger, close } = await openLedger(from, { write: () => undefined });
  await ledger.record({ type: 'wishAdded', data: { wish: 'w', text: 'text' } });
  await close();
  await expect(copyLedger(from, to, async () => 1_000)).rejects.toMatchObject({ reason: 'diskFull' });
  expect(readdirSync(to)).toEqual([]);
  expect((await copyLedger(from, to)).length).toBeGreaterThan(0);
});

test('nobody but a supervisor starts the check', async () => {
  const { send } = process;
  Object.assign(process, { send: undefined });
  try {
    const check = checkCommand(() => undefined).parseAsync(['--repo', folder], { from: 'user' });
    await expect(check).rejects.toMatchObject({ reason: 'usage' });
  } finally {
    Object.assign(process, { send });
  }
});
