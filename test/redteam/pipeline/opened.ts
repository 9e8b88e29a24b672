// Opens a repository that somebody has made hostile, as a user would who does not trust it, and looks at what became of
// it.

import { execFileSync, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { sharedCode } from '../../helpers/compiledCode.ts';
import { createTemporaryRepository } from '../../helpers/temporaryRepository.ts';
import type { WorldAttack } from './attacks/repository.ts';
import { SECRET, type Outcome } from './ground.ts';
import { FILES } from './sample.ts';

const CLI = join(import.meta.dirname, '../../../dist/cli.js');
/** Far more than it takes on a busy machine, and far less than for ever. */
const PATIENCE_MS = 90_000;
/** Kilobytes of memory: `/dev/zero` fills it in seconds. */
const MAX_MEMORY = 8 * 1024 * 1024;

export interface Trap {
  readonly name: string;
  readonly wants: string;
  /** Makes the repository hostile. `outside` holds `theirs.ts`, in which the secret is. */
  lay(dir: string, outside: string): Promise<unknown>;
  /** What is asked of it; `analyse` where nothing is said. */
  readonly args?: readonly string[];
  /** The search path of who opens it. */
  readonly path?: (dir: string) => string;
  /** More of the environment, as a file of the repository may say it for a server. */
  readonly env?: (dir: string) => Readonly<Record<string, string>>;
  /** The folder of it that is opened; all of it where nothing is said. */
  readonly within?: string;
  /** What has to be said about it. */
  readonly says?: readonly RegExp[];
  /** What has to be refused. */
  readonly isRefused?: boolean;
}

export function opening({ name, wants, ...trap }: Trap): WorldAttack {
  return { name: `opened: ${name}`, wants, expected: 'confined', run: () => opened(trap) };
}

/** It has to be answered, and nothing may be told or run. */
async function opened({
  lay,
  args = ['analyse'],
  path,
  env: more,
  within = '',
  says = [],
  isRefused = false,
}: Omit<Trap, 'name' | 'wants'>): Promise<Outcome> {
  const outside = await realpath(await mkdtemp(join(tmpdir(), 'selfware-opened-')));
  const repository = await createTemporaryRepository(FILES);
  await writeFile(join(outside, 'theirs.ts'), `export const theirs = '${SECRET}';\n`);
  await lay(repository.dir, outside);
  const before = [await namesBelow(repository.dir), await namesBelow(outside)];
  const env = { PATH: path?.(repository.dir) ?? process.env['PATH'], SELFWARE_HOME: join(outside, 'state') };
  const line = [...args, '--untrusted', '--repo', join(repository.dir, within)];
  const { code, text } = await limited([process.execPath, CLI, ...line], {
    ...env,
    HOME: outside,
    // An attack on the environment may be one on the code that is kept.
    ...(more?.(repository.dir) ?? sharedCode),
  });
  await rm(join(outside, 'state'), { recursive: true, force: true });
  const after = [await namesBelow(repository.dir), await namesBelow(outside)];
  await rm(outside, { recursive: true, force: true });
  await repository.dispose();
  const escaped: string[] = [];
  const secret = SECRET.slice(0, 12);
  if (isRefused ? code !== 2 : code !== 0 && code !== 1)
    escaped.push(`It was not answered (${code}): ${text.slice(-300)}`);
  if (text.includes(secret)) escaped.push('The secret was told.');
  for (const one of says) if (!one.test(text)) escaped.push(`Nothing was said about it (${one}): ${text.slice(-300)}`);
  const answer = { end: 'confined', by: '', detail: text.slice(0, 300) } as const;
  if (!isDeepStrictEqual(after, before)) escaped.push('Something has come or gone.');
  return { answer, escaped };
}

async function namesBelow(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name === 'objects') continue;
    found.push(entry.name);
    if (!entry.isDirectory()) continue;
    for (const name of await namesBelow(join(folder, entry.name))) found.push(`${entry.name}/${name}`);
  }
  return found.sort();
}

function limited(
  command: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly code: number | string | null; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const script = `ulimit -d ${MAX_MEMORY}; exec "$@"`;
    const child = spawn('/bin/sh', ['-c', script, 'sh', ...command], { env: { NO_COLOR: '1', ...env } });
    const parts: Buffer[] = [];
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part));
    child.stdin.end();
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code: code ?? signal, text: Buffer.concat(parts).toString() });
    });
  });
}

export const put = async (dir: string, path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(dir, path)), { recursive: true });
  await writeFile(join(dir, path), text);
};
export const inPlace = async (dir: string, path: string, lay: (place: string) => unknown): Promise<void> => {
  await mkdir(dirname(join(dir, path)), { recursive: true });
  execFileSync('rm', ['-rf', join(dir, path)]);
  await lay(join(dir, path));
};
export const pipe = (place: string) => execFileSync('mkfifo', [place]);
