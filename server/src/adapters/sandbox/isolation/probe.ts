// Tests a mechanism for real, because an installed tool may not be permitted to work, especially in a container.

import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { computeMachineLimits, STARTED_DESCRIPTOR } from '../limits.ts';
import { resolveSandboxFolders, prepareFolders, type SandboxFolders } from '../environment.ts';
import { removeTree } from '../removeTree.ts';
import { createEncloser } from './createEncloser.ts';
import type { Mechanism } from './mechanism.ts';
import { canMountOverlay, hideLowerEntry } from './overlay.ts';
import { collectVisiblePaths, type VisiblePaths } from './visiblePaths.ts';

/** Time limit in milliseconds for one command of the test. */
const PROBE_TIMEOUT_MS = 20_000;
/** Content of a file that commands must not be able to read. */
const SECRET_CONTENT = 'unreadable';

/**
 * The places in which the commands of a repository will run: disks, mounts and folders in memory may behave
 * differently.
 */
export interface ProbeFolders {
  readonly stateDir: string;
  readonly repository: string;
}

/** The result of a test. */
export interface MechanismProbe {
  /** The problem as part of a sentence; null if commands are isolated. */
  readonly trouble: string | null;
  /** The reason why packages cannot be shown under an overlay, as part of a sentence; null if they can. */
  readonly noOverlay: string | null;
}

/**
 * Tests a mechanism in `realPlaces`, or in a temporary folder if they are omitted. Throws nothing: an error during the
 * test counts as trouble with the mechanism.
 */
export async function probeMechanism(mechanism: Mechanism, realPlaces?: ProbeFolders): Promise<MechanismProbe> {
  const missing = mechanism.explainMissing();
  if (missing !== null) return createFailedProbe(missing);
  try {
    return await runWithProbeFolders(realPlaces, async (folder, places) =>
      runWithServer(async (port) => tryMechanism(mechanism, folder, places, port)),
    );
  } catch (error) {
    return createFailedProbe(`could not be tried: ${error instanceof Error ? firstLine(error.message) : 'unknown'}`);
  }
}

/** Runs the test with the same folders, layers and limits as a sandbox. */
async function tryMechanism(
  mechanism: Mechanism,
  folder: string,
  realPlaces: ProbeFolders,
  port: number,
): Promise<MechanismProbe> {
  const folders = resolveSandboxFolders(folder);
  const [outside, hidden] = [folders.programs, join(folder, 'hidden')];
  await Promise.all([mkdir(folders.tree), mkdir(hidden), prepareFolders(folders)]);
  await writeFile(join(hidden, 'secret'), SECRET_CONTENT);
  await writeFile(join(outside, 'theirs'), 'theirs');
  const env = { PATH: process.env['PATH'] ?? '' };
  const places = await collectVisiblePaths({ folders, env, ...realPlaces, sharedFolders: [] });
  const limits = computeMachineLimits();
  const encloser = await createEncloser(mechanism, places, folders, limits, []);
  const tree = folders.tree;
  const setup = {
    inside: tree,
    outside,
    secrets: [join(hidden, 'secret'), join(realPlaces.repository, '.git')],
    port,
    parent: process.pid,
  };
  const script = `(${tryEverything.toString()})(${JSON.stringify(setup)})`;
  const [program, ...args] = await encloser.enclose([process.execPath, '-e', script], tree, 1);
  const { failure, stderr } = await execute(program, args, tree);
  if (failure !== null) return createFailedProbe(`does not work here: ${firstLine(stderr) || failure}`);
  const report = await readFile(join(tree, 'report'), 'utf8').catch(() => null);
  if (report === null) return createFailedProbe('the working folder cannot be written');
  const escapes = JSON.parse(report) as string[];
  if ((await readFile(join(outside, 'theirs'), 'utf8')) !== 'theirs') escapes.push('files outside can be changed');
  if (escapes.length > 0) return createFailedProbe(escapes.join('; '));
  return { trouble: null, noOverlay: await tryOverlay(mechanism, folders, realPlaces, places) };
}

function createFailedProbe(problem: string): MechanismProbe {
  return { trouble: problem, noOverlay: problem };
}

/**
 * Tests an overlay, and returns the reason why it does not work; null if it works. The lower folder is the user's
 * packages, or the repository if it has none, and the upper one lies in the tree, because the disks of both determine
 * whether an overlay works. Tests merging, writing, removing and hiding.
 */
async function tryOverlay(
  mechanism: Mechanism,
  folders: SandboxFolders,
  { repository }: ProbeFolders,
  places: VisiblePaths,
): Promise<string | null> {
  if (!mechanism.canOverlay) return 'not with this mechanism';
  const packagesFolder = await realpath(join(repository, 'node_modules')).catch(() => null);
  const lower =
    packagesFolder !== null && (await stat(packagesFolder)).isDirectory() ? packagesFolder : await realpath(repository);
  const overlay = { lower, path: join(folders.tree, 'laid') };
  if (!canMountOverlay(overlay))
    return 'the path of the repository has a comma, a colon, a backslash or a quotation mark';
  const [coveredEntry, ...otherEntries] = await readdir(lower);
  await mkdir(join(overlay.path, 'selfware-ours'), { recursive: true });
  if (coveredEntry !== undefined) await hideLowerEntry(join(overlay.path, coveredEntry));
  const encloser = await createEncloser(mechanism, places, folders, computeMachineLimits(), [overlay]);
  const script =
    'mkdir selfware-new && echo written > selfware-new/a && rmdir selfware-ours && mkdir selfware-ours && ls -A > ../seen';
  const command = await encloser.enclose(['/bin/sh', '-c', script], overlay.path, 2);
  const [program, ...args] = command;
  const { failure, stderr } = await execute(program, args, folders.tree);
  await encloser.release(2);
  if (failure !== null) return firstLine(stderr) || failure;
  const visibleLines = (await readFile(join(folders.tree, 'seen'), 'utf8')).split('\n');
  const isComplete = [...otherEntries, 'selfware-ours'].every((name) => visibleLines.includes(name));
  const isCovered = coveredEntry === undefined || !visibleLines.includes(coveredEntry);
  const isWritten = (await readdir(overlay.path)).includes('selfware-new');
  return isComplete && isCovered && isWritten ? null : 'the folders are not laid over each other';
}

/**
 * Tries the operations that a command needs and those that must fail, and writes the problems into the file `report`.
 * Runs inside the isolation, as text, so it must not use anything outside of itself.
 */
async function tryEverything(setup: {
  inside: string;
  outside: string;
  secrets: readonly string[];
  port: number;
  parent: number;
}): Promise<void> {
  const fs = process.getBuiltinModule('node:fs');
  const net = process.getBuiltinModule('node:net');
  const escapes: string[] = [];
  const succeeds = (action: () => unknown) => {
    try {
      action();
      return true;
    } catch {
      return false;
    }
  };
  const connects = (port: number, host: string) =>
    new Promise<boolean>((resolve) => {
      const socket = net.connect({ port, host, timeout: 3_000 });
      for (const [event, answer] of [
        ['connect', true],
        ['error', false],
        ['timeout', false],
      ] as const)
        socket.once(event, () => (socket.destroy(), resolve(answer)));
    });
  if (succeeds(() => fs.writeFileSync(`${setup.outside}/theirs`, 'changed')))
    escapes.push('files outside can be changed');
  if (succeeds(() => fs.writeFileSync(`${setup.outside}/new`, ''))) escapes.push('files outside can be made');
  if (setup.secrets.some((path) => succeeds(() => fs.lstatSync(path)))) escapes.push('hidden files can be seen');
  if (
    process.platform === 'linux' &&
    succeeds(() => process.kill(setup.parent, 0)) &&
    setup.parent > 100 &&
    fs.readFileSync(`/proc/${setup.parent}/comm`, 'utf8') !== ''
  )
    escapes.push('processes outside can be reached');
  const localServer = net.createServer((socket) => socket.end());
  const isListening = await new Promise<boolean>((resolve) =>
    localServer.once('error', () => resolve(false)).listen(0, '127.0.0.1', () => resolve(true)),
  );
  if (!isListening) escapes.push('the local network does not work');
  else if (!(await connects((localServer.address() as AddressInfo).port, '127.0.0.1')))
    escapes.push('the local network does not work');
  localServer.close();
  if (process.platform === 'linux' && (await connects(setup.port, '127.0.0.1'))) escapes.push('the network is open');
  // Other mechanisms share the loopback of the machine, and only other machines are out of reach. Connecting to an
  // unused address is then refused immediately.
  if (
    process.platform !== 'linux' &&
    Object.values(process.getBuiltinModule('node:os').networkInterfaces())
      .flat()
      .some((address) => address && !address.internal && address.family === 'IPv4')
  ) {
    const code = await new Promise<string>((resolve) =>
      net
        .connect({ port: 9, host: '192.0.2.1', timeout: 1_000 })
        .once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
        .once('timeout', () => resolve('timeout')),
    );
    if (code !== 'EPERM' && code !== 'EACCES') escapes.push('the network is open');
  }
  fs.writeFileSync(`${setup.inside}/report`, JSON.stringify(escapes));
  process.exit(0);
}

function execute(
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<{ readonly failure: string | null; readonly stderr: string }> {
  return new Promise((resolve) => {
    // In an editor, the executable acts as Node only with this variable.
    const env = { PATH: '/usr/bin:/bin', HOME: cwd, ELECTRON_RUN_AS_NODE: '1' };
    const child = spawn(program, args, {
      cwd,
      env,
      detached: true,
      timeout: PROBE_TIMEOUT_MS,
      killSignal: 'SIGKILL',
      stdio: ['ignore', 'ignore', 'pipe', ...Array<'pipe'>(STARTED_DESCRIPTOR - 2).fill('pipe')],
    });
    let stderr = '';
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.once('error', (error) => resolve({ failure: firstLine(error.message), stderr }));
    child.once('close', (code) =>
      resolve({ failure: code === 0 ? null : `it ends with ${code ?? 'a signal'}`, stderr }),
    );
  });
}

/**
 * Runs `work` with a new folder for a sandbox, and with `realPlaces` or, if they are omitted, with temporary ones.
 * Removes the folder afterwards.
 */
async function runWithProbeFolders<T>(
  realPlaces: ProbeFolders | undefined,
  work: (folder: string, places: ProbeFolders) => Promise<T>,
): Promise<T> {
  const parent = realPlaces === undefined ? tmpdir() : join(realPlaces.stateDir, 'sandboxes');
  await mkdir(parent, { recursive: true });
  const top = await realpath(await mkdtemp(join(parent, 'probe-')));
  try {
    if (realPlaces !== undefined) return await work(top, realPlaces);
    const places = { stateDir: join(top, 'state'), repository: join(top, 'repository') };
    const folder = join(places.stateDir, 'sandbox');
    await Promise.all([
      mkdir(folder, { recursive: true }),
      mkdir(join(places.repository, '.git'), { recursive: true }),
    ]);
    return await work(folder, places);
  } finally {
    await removeTree(top);
  }
}

/** Runs `work` with the port of a server that commands must not reach, and closes the server afterwards. */
async function runWithServer<T>(work: (port: number) => Promise<T>): Promise<T> {
  const server: Server = createServer((socket) => socket.end());
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  try {
    return await work((server.address() as AddressInfo).port);
  } finally {
    server.close();
  }
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0]?.slice(0, 200) ?? '';
}
