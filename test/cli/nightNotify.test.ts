// Who is told of an unattended run: the command and the address of the person, never those of the repository.

import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { gradesProject } from '../helpers/gradesProject.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

let repository: TemporaryRepository;
let selfware: CommandLine;
const posted: string[] = [];
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (data) => (body += data));
  request.on('end', () => {
    posted.push(body);
    response.writeHead(410).end();
  });
});

beforeAll(async () => {
  const files = gradesProject(['double']);
  const team = { ...JSON.parse(files['.selfware/settings.json']!), 'night.notifyCommand': 'touch "$HOME/evil"' };
  repository = await createTemporaryRepository({ ...files, '.selfware/settings.json': JSON.stringify(team) });
  selfware = await createCommandLine(repository.dir);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await selfware.dispose();
  await repository.dispose();
});

const own = (settings: object) => writeFile(join(selfware.home, 'settings.json'), JSON.stringify(settings));
const toldBefore = () => readFile(join(selfware.home, 'told'), 'utf8').catch(() => '');
const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

test('without a setting nobody is told, and the try says where to set one', async () => {
  const tried = await selfware.run(['night', 'notify']);
  expect([tried.code, tried.stderr]).toEqual([2, expect.stringContaining('Neither night.notifyCommand')]);
});

test('an address in clear text is refused with its reason', async () => {
  const tried = await selfware.run(['night', 'notify', '--set', 'night.notifyUrl=http://chat.example/']);
  expect(tried.code).not.toBe(0);
  expect(`${tried.stdout}${tried.stderr}`).toContain('It must begin with https://');
});

test('the end of a run is told by command and address; one that fails is a note, in the report, and stops nothing', async () => {
  await own({
    'night.notifyCommand': 'cat >> "$HOME/told"',
    'night.notifyUrl': address(),
    'night.searchFurther': false,
  });
  const run = await selfware.run(['night', '--for', '1h', '--no-wait']);
  expect(run.code, run.stderr).toBe(0);
  const lines = (await toldBefore())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([{ event: 'ended', changes: 1, branch: expect.stringMatching(/^selfware\/night-/) }]);
  expect(posted.map((body) => JSON.parse(body))).toEqual(lines);
  expect(run.stderr).toContain('You were not told by night.notifyUrl: It answered with the status 410.');
  expect((await selfware.run(['report'])).stdout).toContain('night.notifyUrl`: It answered with the status 410.');
  await expect(readFile(join(selfware.home, 'evil'))).rejects.toThrow('ENOENT');
});

test('a try shows what each of them does', async () => {
  const tried = await selfware.run(['night', 'notify', '--set', 'night.notifyCommand=echo reached; cat > /dev/null']);
  expect(tried.code).toBe(1);
  expect(tried.stdout).toContain('reached');
  expect(tried.stdout).toContain('Told by night.notifyCommand.');
  expect(tried.stdout).toContain('It answered with the status 410.');
});
