// Who decides on the command line: a person at a terminal, or a script that the person has allowed in settings of their
// own. Never an agent.

import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliEntry, createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { sampleProject } from '../helpers/sampleProject.ts';
import { sharedCode } from '../helpers/compiledCode.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

let repository: TemporaryRepository;
let selfware: CommandLine;
let id = '';

beforeAll(async () => {
  repository = await createTemporaryRepository(sampleProject);
  selfware = await createCommandLine(repository.dir);
  await selfware.run(['improve', '--cycles', '1']);
  id = (await selfware.json(['proposals', 'list'])).value[0].id;
});
afterAll(async () => {
  await selfware?.dispose();
  await repository?.dispose();
});

test.each(['approve', 'keep'])('%s without a terminal is refused, and says how a script may', async (verb) => {
  const { code, stderr } = await selfware.run(['proposals', verb, id]);
  expect(code).toBe(2);
  expect(stderr).toContain('needs a person who answers at a terminal');
  expect(stderr).toContain(join(selfware.home, 'settings.json'));
});

test('a set-up without a terminal is refused, and says how to look at the plan', async () => {
  const { code, stderr } = await selfware.run(['setup']);
  expect(code).toBe(2);
  expect(stderr).toContain('`selfware setup --plan` shows what would run. Run it in a terminal.');
});

test('neither an option nor the repository can say that no terminal is needed', async () => {
  const set = await selfware.run(['proposals', 'approve', id, '--set', 'approve.withoutTerminal=true']);
  expect([set.code, set.stderr]).toEqual([2, expect.stringContaining('Unknown setting')]);
  await repository.write('.selfware/settings.json', '{"approve.withoutTerminal": true}');
  const team = await selfware.run(['proposals', 'approve', id]);
  expect([team.code, team.stderr]).toEqual([2, expect.stringContaining('there is no setting approve.withoutTerminal')]);
  expect(team.stderr).toContain('needs a person');
  await repository.write('.selfware/settings.json', sampleProject['.selfware/settings.json']!);
});

test('a no at a terminal leaves everything as it is', async () => {
  const before = await contents();
  const status = (await selfware.json(['proposals', 'show', id])).value.status;
  const declined = await atTerminal(['proposals', 'approve', id], 'n');
  expect(declined).toContain('Apply this change?');
  expect(await contents()).toBe(before);
  expect((await selfware.json(['proposals', 'show', id])).value.status).toBe(status);
});

test('setup without a terminal needs the word --yes besides the setting', async () => {
  await selfware.decide();
  const { code, stderr } = await selfware.run(['setup']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('has to say so by --yes')]);
  expect(stderr).toContain('selfware setup --plan');
});

test('an agent is told apart by what its processes inherit, and refused at a terminal and with the setting too', async () => {
  await selfware.decide();
  for (const mark of ['SELFWARE_AGENT', 'CLAUDECODE']) {
    const { code, stderr } = await selfware.run(['proposals', 'approve', id], { env: { [mark]: '1' } });
    expect([code, stderr]).toEqual([2, expect.stringContaining('an agent has started this command')]);
    const loosened = await selfware.run(['improve', '--auto', '--approval', 'minimal'], { env: { [mark]: '1' } });
    expect([loosened.code, loosened.stderr]).toEqual([2, expect.stringContaining('is for a person')]);
  }
  await writeFile(join(selfware.home, 'settings.json'), '{}');
});

const MARKED = { env: { SELFWARE_AGENT: '1' } };

test.each([
  ['dismiss', 'x', '--reason', 'fine'],
  ['undismiss', 'x'],
  ['commit'],
  ['checkpoints', 'prune', '--keep', '0'],
  ['baseline', 'create'],
  ['proposals', 'reject', 'x'],
])('an agent does not hide, commit or give up ways back for a person: %s', async (...args) => {
  const { code, stderr } = await selfware.run(args, MARKED);
  expect([code, stderr]).toEqual([2, expect.stringContaining('an agent has started this command')]);
});

test.each([
  ['dismiss', 'x', '--reason', 'fine'],
  ['undismiss', 'x'],
  ['proposals', 'reject', 'x'],
  ['learned', 'forget', 'x'],
  ['inbox', 'reject', 'x', '--reason', 'no'],
  ['rules', 'off', 'x'],
  ['rules', 'seed'],
  ['rules', 'refuse', 'AGENTS.md'],
  ['learn', 'recipes', '--forget', 'x'],
])('a script speaks for a person only if their settings say so: %s', async (...args) => {
  const { code, stderr } = await selfware.run(args);
  expect([code, stderr]).toEqual([2, expect.stringContaining('needs a person, and there is no terminal here')]);
  expect(stderr).toContain('"approve.withoutTerminal": true');
  await selfware.decide();
  expect((await selfware.run(args)).stderr).not.toContain('needs a person');
  await writeFile(join(selfware.home, 'settings.json'), '{}');
});

test('a command that asks nothing may be piped; one that asks says why it cannot', async () => {
  const piped = (args: readonly string[]) => selfware.runWithAnswers(args, [], { isPiped: true });
  expect(await piped(['proposals', 'reject', 'x'])).toMatch(/^(?!.*needs a person).*\bx\b/s);
  expect(await piped(['proposals', 'approve', id])).toContain(
    'needs a person who answers at a terminal, and its output goes to a file or another program.',
  );
});

test('the kill switch is released by a person at a terminal alone', async () => {
  await selfware.run(['stop']);
  expect((await selfware.run(['resume'])).stderr).toContain('Resuming needs a person who answers at a terminal');
  expect((await selfware.run(['resume', '--all'])).stderr).toContain('Resuming needs a person');
  await selfware.decide();
  expect((await selfware.run(['resume'], MARKED)).stderr).toContain('an agent has started this command');
  expect((await selfware.json(['status'])).value.charter.stopped).toBe(true);
  await writeFile(join(selfware.home, 'settings.json'), '{}');
  expect(await atTerminal(['resume'], 'y', 'Let Selfware work again?')).toContain('Ready.');
  expect((await selfware.json(['status'])).value.charter.stopped).toBe(false);
  expect(await selfware.run(['resume'])).toMatchObject({ code: 0, stdout: 'Ready.\n' });
});

test.each([
  'charter.approval="minimal"',
  'charter.maxChanges=11',
  'charter.protectedPaths=["!.github/**"]',
  'verify.testCommand="true"',
  'verify.guardStrength=1',
  'verify.differentialSeconds=0',
  'apply.probation="points"',
  'checkpoints.keep=1',
  'memory.embedderUrl="http://127.0.0.1:1"',
  'index.store="s3://theirs/x"',
])('an agent loosens nothing by --set, nor does who starts a server for agents: %s', async (pair) => {
  const marked = await selfware.run(['status', '--set', pair], MARKED);
  expect([marked.code, marked.stderr]).toEqual([2, expect.stringContaining(`(${pair.split('=')[0]}) is for a person`)]);
  const served = await selfware.run(['serve', '--mcp', '--set', pair]);
  expect([served.code, served.stdout, served.stderr]).toEqual([
    2,
    '',
    expect.stringContaining('Write it to your own settings'),
  ]);
});

test('an agent may ask for more, and say how things look', async () => {
  const more = [
    'charter.approval="strict"',
    'charter.maxChanges=1',
    'charter.protectedPaths=["src/**"]',
    'hover.enable=false',
  ];
  const pairs = [...more, 'verify.guardStrength=100'].flatMap((pair) => ['--set', pair]);
  const { code, stderr } = await selfware.run(['status', ...pairs], MARKED);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('is for a person')]);
});

test('an agent is told apart by the server that the same process has started', async () => {
  await selfware.decide();
  const env = { PATH: process.env['PATH'], HOME: selfware.home, SELFWARE_HOME: selfware.home, ...sharedCode };
  const server = spawn(process.execPath, [cliEntry, 'serve', '--mcp', '--repo', repository.dir], {
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const hello = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };
  const status = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'status', arguments: {} } };
  server.stdin.write(`${JSON.stringify(hello)}\n`);
  // An answer about the repository is given once it is open.
  await new Promise<void>((resolve) => {
    let told = '';
    server.stdout.on('data', (part: Buffer) => {
      told += part.toString();
      if (told.includes('"id":1') && !told.includes('"id":2'))
        server.stdin.write(
          `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n${JSON.stringify(status)}\n`,
        );
      if (told.includes('"id":2')) resolve();
    });
  });
  const { code, stderr } = await selfware.run(['proposals', 'approve', id]);
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.stdin.end();
  await ended;
  expect([code, stderr]).toEqual([2, expect.stringContaining(`process ${process.pid} has started both`)]);
});

test('the doctor says which settings are the person’s own; a script may decide once they say so', async () => {
  await selfware.decide();
  const { value } = await selfware.json(['doctor']);
  expect(value.find(({ name }: { name: string }) => name === 'own settings')).toMatchObject({
    detail: `${join(selfware.home, 'settings.json')}: approve.withoutTerminal`,
  });
  const kept = await selfware.run(['proposals', 'keep', id]);
  expect(kept.stderr).not.toContain('needs a person');
  await writeFile(join(selfware.home, 'settings.json'), '{}');
});

test('a yes at a terminal applies what was shown', async () => {
  const before = await contents();
  const told = await atTerminal(['proposals', 'approve', id], 'y');
  expect(told.indexOf('@@')).toBeLessThan(told.indexOf('Apply this change?'));
  expect(told).toContain('Applied.');
  expect(await contents()).not.toBe(before);
});

test('whoever rejects at the question of improve is asked for the reason, which is kept', async () => {
  const { value: found } = await selfware.json(['analyse', '--rule', 'else-after-return']);
  const [down, enter] = ['\u001b[B', '\r'];
  const said = await selfware.runWithAnswers(
    ['improve', '--opportunity', found[0].id],
    [
      ['Apply "', down + down + enter],
      ['Why?', `We like it so.${enter}`],
    ],
  );
  expect(said).toContain('Why?');
  const { value: proposals } = await selfware.json(['proposals', 'list', '--all']);
  expect(proposals).toContainEqual(expect.objectContaining({ status: 'rejected', reason: 'We like it so.' }));
});

/** All sources, in one text. */
async function contents(): Promise<string> {
  return (
    await Promise.all(
      ['src/grade.ts', 'src/clamp.ts', 'src/sum.ts'].map((path) =>
        readFile(join(repository.dir, path), 'utf8').catch(() => ''),
      ),
    )
  ).join('\0');
}

/** What is said on a terminal, with keys pressed once there is a question. */
function atTerminal(args: readonly string[], key: string, question = 'Apply this change?'): Promise<string> {
  return selfware.runWithAnswers(args, [[question, key]]);
}
