// What was learned, through the built language server on a real repository: the sidebar lists it, and the command takes
// it back.

import { expect, test } from 'vitest';
import type { SidebarState } from '#protocol/state';
import { richCapabilities } from '../helpers/clientCapabilities.ts';
import { startRealServer } from '../helpers/lspServers.ts';
import { sampleProject } from '../helpers/sampleProject.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';

test('a dismissal is a lesson in the sidebar at once, and no longer after it was forgotten', async () => {
  const repository = await createTemporaryRepository(sampleProject);
  const server = await startRealServer(repository.dir, {
    capabilities: richCapabilities,
    initializationOptions: { canSave: true, trusted: true },
  });
  try {
    const { client } = server;
    await client.initialize();
    const state = (): Promise<SidebarState> => client.request('selfware/state');
    const execute = (command: string, argument: object = {}) =>
      client.request('workspace/executeCommand', { command: `selfware.server.${command}`, arguments: [argument] });
    await expect.poll(async () => (await state()).opportunityCount).toBeGreaterThan(0);
    expect((await state()).learned).toEqual({ total: 0, lessons: [] });
    const { rows } = await client.request('selfware/opportunities', { offset: 0, limit: 1 });
    const [{ id, path, rule }] = rows;
    const reason = 'It reads better as it is';
    const dismissal = { uri: client.uri(path), opportunity: id, kind: 'other', reason };
    expect(await execute('dismiss', dismissal)).toMatchObject({ ok: true });
    await expect.poll(async () => (await state()).learned.total).toBe(1);
    const [lesson] = (await state()).learned.lessons;
    expect(lesson?.text).toBe(`A person dismissed 1 finding of ${rule} as no problem here: “${reason}”`);
    expect(lesson?.origin).toEqual({ text: `From 1 finding: ${path}`, path });
    expect(lesson?.effects.join(' ')).toContain('A language model that works on something similar is told about it.');
    expect(await execute('forgetLesson', { lesson: 'l-nothing' })).toMatchObject({
      ok: false,
      message: expect.stringContaining('There is no lesson l-nothing'),
    });
    expect(await execute('forgetLesson')).toMatchObject({ ok: false });
    expect(await execute('forgetLesson', { lesson: lesson?.id })).toMatchObject({ ok: true });
    await expect.poll(async () => (await state()).learned.total).toBe(0);
    expect((await state()).events[0]).toMatchObject({ text: `Forgot: ${lesson?.text}` });
  } finally {
    await server.dispose();
    await repository.dispose();
  }
});
