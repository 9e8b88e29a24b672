// A night in the background whose program is removed, and whose work other versions of the program take over: one that
// is healthy, one that dies, and one whose check fails.

import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliEntry, createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { gradesProject } from '../helpers/gradesProject.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

const dist = dirname(cliEntry);
const FILES = gradesProject(['double', 'half']);

let folder: string;
let repository: TemporaryRepository;
let selfware: CommandLine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfware-installed-'));
  repository = await createTemporaryRepository(FILES);
  selfware = await createCommandLine(repository.dir);
  await selfware.decide();
});
afterAll(async () => {
  await selfware.run(['stop']);
  await selfware.dispose();
  await repository.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** Installs the program under another version; returns its entry. `first`: its first statement. */
async function install(version: string, first = ''): Promise<string> {
  const root = join(folder, version);
  await cp(dist, join(root, 'dist'), { recursive: true, filter: (path) => !path.endsWith('.map') });
  const manifest = JSON.parse(await readFile(join(dist, '..', 'package.json'), 'utf8'));
  await writeFile(join(root, 'package.json'), JSON.stringify({ ...manifest, version }));
  const entry = join(root, 'dist', 'cli.js');
  const [line, ...rest] = (await readFile(entry, 'utf8')).split('\n');
  await writeFile(entry, [line, first, ...rest].join('\n'));
  return entry;
}

const night = async () => (await selfware.json(['report', '--all'])).value.at(-1);
const upgrades = async () =>
  (await night()).upgrades.map(({ version, step }: { version: string; step: string }) => `${version} ${step}`);
const upgradeTo = async (entry: string) => {
  const { code, stderr } = await selfware.run(['night', 'upgrade'], { entry });
  expect(code, stderr).toBe(0);
};
const poll = <T>(look: () => Promise<T>) => expect.poll(look, { interval: 1_000, timeout: 240_000 });

test('a night continues without its program, under another version, and after versions that are worth nothing', async () => {
  expect((await selfware.run(['night', 'upgrade'])).stderr).toContain('No unattended run works in the background');
  const before = await repository.read('src/half.js');
  const first = await install('100.0.0');
  const started = await selfware.run(['night', '--for', '1h', '--detach'], { entry: first });
  expect(started.code, started.stderr).toBe(0);
  await poll(async () => (await night())?.changes.length ?? 0).toBeGreaterThan(0);
  // The editor removes the folder of the old extension.
  await rm(join(folder, '100.0.0'), { recursive: true });
  await poll(async () => (await night()).state).toBe('waiting');

  const sick = await install('101.0.0', 'if (process.argv.includes("check")) process.exit(7);');
  await upgradeTo(sick);
  await poll(upgrades).toEqual(['101.0.0 offered', '101.0.0 refused']);
  const healthy = await install('103.0.0');
  await upgradeTo(healthy);
  await poll(async () => (await upgrades()).at(-1)).toBe('103.0.0 switched');
  // What is there already is not offered again.
  expect((await selfware.run(['night', 'upgrade'], { entry: healthy })).stderr).toContain('already');

  // Under the new version, the night follows a commit of the user.
  for (const [path, text] of Object.entries(gradesProject(['square'])))
    if (path.includes('square')) await repository.write(path, text);
  await repository.git('add', '--all');
  await repository.git('commit', '--quiet', '--message', 'Work of the user');
  await poll(async () => (await night()).changes.length).toBe(3);
  const { runs, changes, branch, upgrades: steps } = await night();
  expect(runs).toHaveLength(1);
  const { reason } = steps.find(({ step }: { step: string }) => step === 'switched');
  expect(reason).toMatch(/^Its check judged \d+ proposals? of the run as before\.$/);
  expect(runs[0].program.version).toBe('103.0.0');
  expect(steps.find(({ step }: { step: string }) => step === 'refused').reason).toBe('Its check ended with code 7.');
  const commits = (await repository.git('rev-list', '--reverse', `main..${branch}`)).trim().split('\n');
  expect(commits).toEqual(changes.map(({ commit }: { commit: string }) => commit));
  expect(await repository.read('src/half.js')).toBe(before);

  // Another run, because a new version waits while another is on probation, and after many starts.
  for (const word of ['stop', 'resume']) expect((await selfware.run([word])).code).toBe(0);
  expect((await selfware.run(['night', '--for', '1h', '--detach'], { entry: healthy })).code).toBe(0);
  await poll(async () => (await night()).state).toBe('waiting');
  const dies = await install('102.0.0', 'if (process.argv.includes("--supervised")) process.exit(3);');
  await upgradeTo(dies);
  await poll(upgrades).toContain('102.0.0 rolledBack');
  // What was rolled back is not tried again.
  expect((await selfware.run(['night', 'upgrade'], { entry: dies })).stderr).toContain('--again');
  expect((await upgrades()).filter((step: string) => step.startsWith('102'))).toHaveLength(3);
}, 900_000);
