// A night as a service of systemd: the printed unit is valid, and its command makes a night.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSystemdUnit } from '../../server/src/cli/commands/nights/systemdUnit.ts';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { gradesProject } from '../helpers/gradesProject.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const ANALYZE = '/usr/bin/systemd-analyze';
let repository: TemporaryRepository;
let selfware: CommandLine;
let folder: string;
beforeEach(async () => {
  repository = await createTemporaryRepository(gradesProject(['grade']));
  selfware = await createCommandLine(repository.dir);
  folder = await mkdtemp(join(tmpdir(), 'selfware-unit-'));
});
afterEach(async () => {
  await selfware.dispose();
  await repository.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** Fails if systemd is there and does not accept the unit. */
async function verify(unit: string): Promise<void> {
  const file = join(folder, 'selfware-night.service');
  await writeFile(file, unit);
  if (existsSync(ANALYZE))
    expect((await promisify(execFile)(ANALYZE, ['verify', '--man=no', file])).stderr).not.toContain('selfware-night');
}

/** The quoted words of a line, as systemd reads them. */
const wordsOf = (line: string) =>
  [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word]) => word!.replaceAll(/\\(.)/g, '$1').replaceAll('$$', '$'));

thoroughTest(
  'the printed unit is valid; its command makes the night that was ordered, and ends it in time',
  async () => {
    const printed = await selfware.run([
      'night',
      'src',
      '--for',
      '10m',
      '--max-changes',
      '1',
      '--no-wait',
      '--systemd',
    ]);
    expect(printed.code, printed.stderr).toBe(0);
    expect((await selfware.json(['report', '--all'])).value).toEqual([]);
    await verify(printed.stdout);
    const lines = printed.stdout.split('\n');
    const [program, ...args] = wordsOf(lines.find((line) => line.startsWith('ExecStart='))!);
    const variables = lines.filter((line) => line.startsWith('Environment=')).flatMap(wordsOf);
    const env = Object.fromEntries(
      variables.map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]),
    );
    const before = Date.now();
    const [code] = await once(spawn(program!, args, { env, cwd: '/', stdio: 'ignore' }), 'close');
    expect(code).toBe(0);
    const [night] = (await selfware.json(['report', '--all'])).value;
    expect(night.changes).toHaveLength(1);
    const { plan } = night.runs[0];
    expect(plan).toMatchObject({ maxChanges: 1, places: ['src'] });
    expect(plan.until - before).toBeGreaterThan(9 * 60_000);
    expect(plan.until - before).toBeLessThan(11 * 60_000);
  },
);

test('names of folders cannot add anything to the unit', async () => {
  const rootDir = '/tmp/a "b" 100%\n\\$HOME;x';
  const unit = createSystemdUnit({ rootDir, command: ['/bin/true', rootDir], env: { PATH: '/a "b"%h' } });
  expect(unit).toContain('ExecStart="/bin/true" "/tmp/a \\"b\\" 100%%\\x0a\\\\$$HOME;x"\n');
  expect(unit).toContain('Environment="PATH=/a \\"b\\"%%h"\n');
  await verify(unit);
});

test('what asks a person each time cannot be a service', async () => {
  const refused = await selfware.run(['night', '--proposer', 'ollama:x', '--research', '--systemd']);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('a service cannot have it')]);
});
