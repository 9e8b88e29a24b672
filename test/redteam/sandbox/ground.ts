// The ground on which attacks are tried: a repository in a real sandbox, and around it what they go for.

import { spawn, type ChildProcess } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { createSandbox } from '../../../server/src/adapters/sandbox/sandbox.ts';
import type { ChosenIsolation } from '../../../server/src/adapters/sandbox/isolation/choose.ts';
import type { CommandLimits } from '../../../server/src/adapters/sandbox/limits.ts';
import { createIds, systemClock } from '../../../server/src/adapters/system/system.ts';
import { createTemporaryRepository } from '../../helpers/temporaryRepository.ts';
import { tasksOfMachine } from './tasksOfMachine.ts';
import { fingerprint, never, silentLog } from '../../adapters/sandbox/sandboxOf.ts';
import { hasEscaped, type Attack, type Ground } from './attack.ts';
import type { RunResult, Sandbox } from '../../../server/src/core/ports/sandbox.ts';

/** Small, so that an attack on them takes a moment. */
const LIMITS: CommandLimits = {
  memoryBytes: 300 * 1024 ** 2,
  freeMemoryBytes: 64 * 1024 ** 2,
  maxTasks: 400,
  fileBytes: 64 * 1024 ** 2,
  diskBytes: 128 * 1024 ** 2,
  freeDiskBytes: 64 * 1024 ** 2,
  outputBytes: 16 * 1024 ** 2,
  silenceMs: 30_000,
};
const SECRET = 'correct-horse-battery-staple';
const SECRETS_AT_HOME = ['.ssh/id_ed25519', '.aws/credentials', '.npmrc', '.config/gh/hosts.yml', '.netrc'];
/** An attack that goes on is ended after this. */
const TIMEOUT_MS = 30_000;
/** Shorter for those that wait for nothing but that. */
const ENDLESS_MS = 2_000;

/** Of this process, so that no attack is blamed for the traces of another. */
let attacks = 0;

export interface Outcome {
  readonly attack: string;
  readonly escaped: boolean;
  readonly result: RunResult;
}

export interface Battleground {
  readonly sandbox: Sandbox;
  attack(attack: Attack): Promise<Outcome>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Not in a temporary folder, because those are hidden anyway: most of what matters on a machine is not in one. */
export async function battleground(choice: ChosenIsolation): Promise<Battleground> {
  const cache = join(import.meta.dirname, '../../../node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const top = await mkdtemp(join(cache, 'redteam-'));
  const [outside, home, stateDir] = ['outside', 'home', 'state'].map((name) => join(top, name)) as [
    string,
    string,
    string,
  ];
  const repository = await createTemporaryRepository(
    { 'a.txt': 'a\n', 'package.json': '{}\n', 'packages/a/package.json': '{}\n', '.gitignore': 'node_modules\n.env\n' },
    { within: top },
  );
  await repository.write('node_modules/lent/index.js', 'theirs\n');
  await repository.write('packages/a/node_modules/private/index.js', 'theirs\n');
  await repository.write('.env', SECRET);
  const colleague = join(top, 'colleague');
  for (const folder of ['lib', '.git']) await mkdir(join(colleague, folder), { recursive: true });
  for (const file of ['.env', 'lib/.env', 'deploy.key', '.git/config']) await writeFile(join(colleague, file), SECRET);
  await writeFile(join(colleague, 'package.json'), '{}');
  await symlink(colleague, join(repository.dir, 'node_modules/linked'));
  for (const folder of [outside, home, stateDir, ...SECRETS_AT_HOME.map((file) => join(home, file, '..'))])
    await mkdir(folder, { recursive: true });
  await Promise.all(
    [join(stateDir, 'ledger.db'), ...SECRETS_AT_HOME.map((file) => join(home, file))].map((file) =>
      writeFile(file, SECRET),
    ),
  );

  await writeFile(join(outside, 'customers.csv'), SECRET);
  let reached = false;
  const servers: Server[] = [];
  const listen = async (where: string | { readonly port: number; readonly host: string }) => {
    const server = createServer((socket) => ((reached = true), socket.destroy()));
    servers.push(server.listen(where));
    await once(server, 'listening');
    return server;
  };
  const tcpPort = ((await listen({ port: 0, host: '::' })).address() as AddressInfo).port;
  const abstractName = `selfware-redteam-${process.pid}-${Date.now()}`;
  if (process.platform === 'linux') await listen(`\0${abstractName}`);
  await listen(join(outside, 'socket'));
  await listen(join(home, '.gnupg-agent'));
  const udp = createSocket('udp4', () => (reached = true)).bind(0, '127.0.0.1');
  await once(udp, 'listening');

  const outer = {
    HOME: process.env['HOME'],
    USERHOME: process.env['USERHOME'],
    SELFWARE_TEST_SECRET: process.env['SELFWARE_TEST_SECRET'],
  };
  process.env['HOME'] = home;
  process.env['SELFWARE_TEST_SECRET'] = SECRET;
  const sandbox = createSandbox(repository.dir, stateDir, {
    clock: systemClock,
    ids: createIds(systemClock),
    log: silentLog,
    limits: LIMITS,
    maxIdle: 1,
    chooseMechanism: async () => choice,
  });
  const address =
    Object.values(networkInterfaces())
      .flat()
      .find((one) => one && !one.internal && one.family === 'IPv4')?.address ?? null;

  return {
    sandbox,
    async attack(attack) {
      const worktree = await sandbox.open(never);
      attacks += 1;
      const bystander = spawn('sleep', ['600'], { stdio: 'ignore', env: { ...process.env, SECRET } });
      const mark = `redteam-mark-${process.pid}-${attacks}`;
      const ground: Ground = {
        outside,
        home,
        repository: repository.dir,
        stateDir,
        sandbox: join(worktree.dir, '..'),
        secret: SECRET,
        tcpPort,
        udpPort: udp.address().port,
        abstractName,
        address,
        bystander: bystander.pid ?? 0,
        parent: process.pid,
        mark,
      };
      try {
        await writeFile(join(outside, 'theirs'), 'theirs');
        const before = await stateOf(ground);
        reached = false;
        for (const [path, text] of Object.entries(attack.files ?? {}))
          await worktree.write([{ path, before: null, after: text }]);
        const env = { MARK: mark, OUTSIDE: outside, USERHOME: home, REPOSITORY: repository.dir };
        const command =
          attack.shell === undefined
            ? ['node', '-e', `(${String(attack.program)})(${JSON.stringify(ground)})`]
            : [attack.shell];
        const request = {
          command,
          shell: attack.shell !== undefined,
          env,
          timeoutMs: attack.name === 'never end' ? ENDLESS_MS : TIMEOUT_MS,
        };
        if (attack.twice) await worktree.run(request, never);
        const tasks = await tasksOfMachine();
        const result = await worktree.run(request, never);
        const scene = {
          tasks: await tasks.grown(),
          ground,
          result,
          reached,
          damaged: isGone(bystander) || JSON.stringify(before) !== JSON.stringify(await stateOf(ground)),
          left: await leftBy(mark),
          traces: await tracesOf(ground),
        };
        return { attack: attack.name, escaped: await hasEscaped(attack, scene), result };
      } finally {
        bystander.kill('SIGKILL');
        await endLeft(mark);
        for (const trace of await tracesOf(ground)) await rm(trace, { recursive: true, force: true });
        await worktree.dispose();
      }
    },
    async [Symbol.asyncDispose]() {
      await sandbox.close();
      for (const [name, value] of Object.entries(outer)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      udp.close();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
      await rm(top, { recursive: true, force: true });
    },
  };
}

function isGone({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Everything that must stay as it is, with its bytes. Not the sandbox itself. */
async function stateOf({ outside, repository, home }: Ground): Promise<unknown> {
  const theirs = await fingerprintOf(join(outside, 'theirs'));
  return [
    theirs,
    await fingerprint(repository),
    await Promise.all(SECRETS_AT_HOME.map((file) => fingerprintOf(join(home, file)))),
  ];
}

async function fingerprintOf(file: string): Promise<string> {
  const stat = await lstat(file).catch(() => null);
  return stat ? `${stat.mode} ${stat.mtimeMs} ${await readFile(file, 'utf8')}` : 'gone';
}

async function tracesOf({ outside, home, stateDir, repository, mark }: Ground): Promise<string[]> {
  const names = await Promise.all(
    [
      outside,
      home,
      stateDir,
      repository,
      join(repository, 'node_modules/lent'),
      join(repository, '.git/objects'),
      join(repository, '.git/hooks'),
      '/tmp',
      '/dev/shm',
      '/var/tmp',
    ].map(async (folder) => (await readdir(folder).catch(() => [])).map((name) => `${folder}/${name}`)),
  );
  return names.flat().filter((path) => path.includes(mark));
}

async function leftBy(mark: string): Promise<string[]> {
  return (await markedProcesses(mark)).map(({ command }) => command);
}

async function endLeft(mark: string): Promise<void> {
  for (const { pid } of await markedProcesses(mark)) process.kill(pid, 'SIGKILL');
}

async function markedProcesses(mark: string): Promise<{ readonly pid: number; readonly command: string }[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const all = await Promise.all(
    pids.map(async (pid) => ({
      pid: Number(pid),
      command: (await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')).replaceAll('\0', ' '),
    })),
  );
  return all.filter(({ command }) => command.split(/\s+/).some((word) => word === mark));
}
