// `selfware feedback` and `selfware rules` from outside: experiences add up to findings, and a rule is written only by
// whoever has read, across processes.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { thoroughTest } from '../helpers/thorough.ts';

let repository: TemporaryRepository;
let selfware: CommandLine;

beforeAll(async () => {
  repository = await createTemporaryRepository({ 'src/a.js': 'export const a = 1;\n' });
  selfware = await createCommandLine(repository.dir);
});
afterAll(async () => {
  await selfware.dispose();
  await repository.dispose();
});

const SECRET = `ghp_${'a1B2'.repeat(9)}`;

test('experiences add up to a finding, which a later commit settles; secrets are left out', async () => {
  expect((await selfware.run(['feedback'])).stdout).toContain('There is no feedback yet.');
  for (const note of ['No testing steps, please', 'Again', `With ${SECRET}`]) {
    const run = await selfware.run(['feedback', 'record', 'user_correction', 'output-hygiene', '--note', note]);
    expect([run.code, run.stdout.trim()]).toEqual([0, 'Recorded.']);
  }
  const unknown = await selfware.run(['feedback', 'record', 'user_anger', 'output-hygiene']);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('Use one of: tool_success')]);
  const { value } = await selfware.json(['feedback', 'analyze']);
  expect(value.counts.user_correction).toBe(3);
  expect(value.findings).toEqual([
    expect.objectContaining({ kind: 'user_correction', dimension: 'output-hygiene', dealtWith: null }),
  ]);
  expect(value.findings[0].events).toHaveLength(3);
  expect(JSON.stringify(value)).not.toContain(SECRET);

  await new Promise((resolve) => setTimeout(resolve, 1100));
  await repository.write('src/a.js', 'export const a = 2;\n');
  await repository.git('commit', '--quiet', '--all', '--message', 'Output-hygiene: leave testing steps out');
  const after = await selfware.run(['feedback']);
  expect(after.stdout).toContain('A commit since then names it: Output-hygiene: leave testing steps out');
});

thoroughTest(
  'a rule needs the version that was read, also from another process; an agent’s is off until a person agrees',
  async () => {
    const read = async () => (await selfware.json(['rules', 'read', 'code'])).value;
    const update = (version: string, add: string, more: readonly string[] = []) =>
      selfware.run(['rules', 'update', 'CODE', '--version', version, '--add', add, ...more]);
    const { version } = await read();
    const guess = await update('1', 'Return early instead of nesting.', ['--events', '1']);
    expect([guess.code, guess.stderr]).toEqual([2, expect.stringContaining('Read them first')]);
    // This test is no terminal, so it counts as an agent, which has to name events.
    const without = await update(version, 'Return early instead of nesting.');
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('needs the events that show it')]);
    const invented = await update(version, 'Return early instead of nesting.', ['--events', '999999']);
    expect([invented.code, invented.stderr]).toEqual([2, expect.stringContaining('has no event 999999')]);
    const [events] = (await selfware.json(['feedback'])).value.findings.map((one: { events: number[] }) => one.events);
    const written = await update(version, 'Return early instead of nesting.', ['--events', events.join(',')]);
    expect(written.code, written.stderr).toBe(0);
    // The file has changed since it was read.
    const stale = await update(version, 'Name constants in capitals.', ['--events', String(events[0])]);
    expect([stale.code, stale.stderr]).toEqual([2, expect.stringContaining('are not at version')]);

    const [rule] = (await selfware.json(['rules', 'list'])).value;
    expect(rule).toMatchObject({ file: 'CODE', state: 'off', by: 'agent', events });
    expect((await read()).text).toBe('# CODE\n\n');
    const byAgent = await selfware.run(['rules', 'on', rule.id], { env: { CLAUDECODE: '1' } });
    expect([byAgent.code, byAgent.stderr]).toEqual([2, expect.stringContaining('is for a person')]);
    const script = await selfware.run(['rules', 'on', rule.id]);
    expect([script.code, script.stderr]).toEqual([2, expect.stringContaining('there is no terminal here')]);
    expect((await selfware.run(['rules'])).stdout).toContain('by an agent  not tried  Return early');
    await selfware.decide();
    expect((await selfware.run(['rules', 'on', rule.id])).stdout).toContain('Now on: Return early');
    expect((await read()).text).toBe('# CODE\n\n- Return early instead of nesting.\n');
    expect((await selfware.run(['rules', 'remove', rule.id])).code).toBe(0);
    expect((await selfware.run(['rules'])).stdout).toContain('No rule was written yet.');
    expect((await selfware.run(['ledger', 'verify'])).code).toBe(0);
    await writeFile(join(selfware.home, 'settings.json'), '{}');
  },
);

thoroughTest(
  'shipped rules are added on a person’s word; rules of the repository need a person who reads them',
  async () => {
    await repository.write('AGENTS.md', 'Use tabs everywhere.\n');
    const agent = { env: { CLAUDECODE: '1' } };
    for (const args of [
      ['seed'],
      ['accept', 'AGENTS.md'],
      ['refuse', 'AGENTS.md'],
      ['trial', 'x', '--proposer', 'p'],
    ]) {
      const run = await selfware.run(['rules', ...args], agent);
      expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('is for a person')]);
    }
    await selfware.decide();
    const seeded = await selfware.json(['rules', 'seed']);
    expect(seeded.value[0]).toMatchObject({ file: 'SOUL', state: 'on', template: 1 });
    const listed = await selfware.run(['rules']);
    await writeFile(join(selfware.home, 'settings.json'), '{}');
    expect(listed.stdout).toContain('AGENTS.md  brought along  off');
    const alone = await selfware.run(['rules', 'accept', 'AGENTS.md']);
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('needs a person')]);
    await writeFile(join(selfware.home, 'settings.json'), '{"approve.withoutTerminal": true}');
    const accepted = await selfware.run(['rules', 'accept', 'AGENTS.md']);
    expect([accepted.code, accepted.stdout]).toEqual([0, expect.stringContaining('Accepted: AGENTS.md')]);
    expect((await selfware.run(['rules'])).stdout).toContain('AGENTS.md  brought along  on');
    await repository.write('AGENTS.md', 'Use tabs everywhere, and skip the tests.\n');
    expect((await selfware.run(['rules'])).stdout).toContain('off (changed since it was accepted)');
    const learned = await selfware.run(['learned']);
    expect(learned.stdout).toContain('Rule (SOUL, on, not tried): Say plainly what you do not know');
  },
);
