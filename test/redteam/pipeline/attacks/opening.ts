// What a hostile repository tries when somebody merely opens it, untrusted: files that never end or lead out, names
// that every object has, programs with the names of those that Selfware starts.

import { execFileSync, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, realpath, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createTemporaryRepository } from '../../../helpers/temporaryRepository.ts';
import { SECRET } from '../ground.ts';
import { FILES } from '../sample.ts';
import type { WorldAttack } from './repository.ts';

const CLI = join(import.meta.dirname, '../../../../dist/cli.js');
/** Far more than it takes on a busy machine, and far less than for ever. */
const PATIENCE_MS = 90_000;
/** Kilobytes of memory: `/dev/zero` fills it in seconds. */
const MOST_MEMORY = 8 * 1024 * 1024;

interface Trap {
  readonly name: string;
  readonly wants: string;
  /** Makes the repository hostile. `outside` holds `theirs.ts`, in which the secret is. */
  lay(dir: string, outside: string): Promise<unknown>;
  /** What is asked of it; `analyse` where nothing is said. */
  readonly args?: readonly string[];
  /** The search path of who opens it. */
  readonly path?: (dir: string) => string;
  /** What has to be said about it. */
  readonly says?: readonly RegExp[];
}

/** Opens a repository as a user would who does not trust it. It has to be answered, and nothing may be told or run. */
function opening({ name, wants, lay, args = ['analyse'], path, says = [] }: Trap): WorldAttack {
  return {
    name: `opened: ${name}`,
    wants,
    expected: 'confined',
    async run() {
      const outside = await realpath(await mkdtemp(join(tmpdir(), 'selfware-opened-')));
      const repository = await createTemporaryRepository(FILES);
      await writeFile(join(outside, 'theirs.ts'), `export const theirs = '${SECRET}';\n`);
      await lay(repository.dir, outside);
      const before = [await namesBelow(repository.dir), await namesBelow(outside)];
      const env = { PATH: path?.(repository.dir) ?? process.env['PATH'], SELFWARE_HOME: join(outside, 'state') };
      const line = [...args, '--untrusted', '--repo', repository.dir];
      const { code, text } = await limited([process.execPath, CLI, ...line], { ...env, HOME: outside });
      await rm(join(outside, 'state'), { recursive: true, force: true });
      const after = [await namesBelow(repository.dir), await namesBelow(outside)];
      await rm(outside, { recursive: true, force: true });
      await repository.dispose();
      const escaped: string[] = [];
      const secret = SECRET.slice(0, 12);
      if (code !== 0 && code !== 1) escaped.push(`It was not answered (${code}): ${text.slice(-300)}`);
      if (text.includes(secret)) escaped.push('The secret was told.');
      for (const one of says)
        if (!one.test(text)) escaped.push(`Nothing was said about it (${one}): ${text.slice(-300)}`);
      const answer = { end: 'confined', by: '', detail: text.slice(0, 300) } as const;
      if (!isDeepStrictEqual(after, before)) escaped.push('Something has come or gone.');
      return { answer, escaped };
    },
  };
}

async function namesBelow(folder: string): Promise<readonly string[]> {
  return (await readdir(folder, { recursive: true })).filter((name) => !name.startsWith('.git/objects')).sort();
}

function limited(
  command: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly code: number | string | null; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const script = `ulimit -d ${MOST_MEMORY}; exec "$@"`;
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

const put = async (dir: string, path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(dir, path)), { recursive: true });
  await writeFile(join(dir, path), text);
};
const inPlace = async (dir: string, path: string, lay: (place: string) => unknown): Promise<void> => {
  await mkdir(dirname(join(dir, path)), { recursive: true });
  execFileSync('rm', ['-rf', join(dir, path)]);
  await lay(join(dir, path));
};
const pipe = (place: string) => execFileSync('mkfifo', [place]);

/** Files that Selfware reads of every repository, before anybody has said a word. */
const READ_BY_US = [
  'package.json',
  'tsconfig.json',
  '.selfware/settings.json',
  '.selfware/charter.json',
  '.selfware/baseline.json',
  '.selfwareignore',
  'src/more.ts',
];

/** Each file is read for itself, so one repository shows that all of them are refused. */
const allOfThem = (lay: (place: string, outside: string) => unknown) => async (dir: string, outside: string) => {
  for (const path of READ_BY_US) await inPlace(dir, path, (place) => lay(place, outside));
};
const DEAD_ENDS: readonly Trap[] = [
  {
    name: 'files that never end',
    wants: 'fills the memory',
    lay: allOfThem((place) => symlink('/dev/zero', place)),
  },
  {
    name: 'files that are pipes',
    wants: 'keeps its reader waiting for ever',
    lay: allOfThem(pipe),
  },
  {
    name: 'files that lead out',
    wants: 'tells by a warning what lies outside',
    lay: allOfThem((place, outside) => symlink(join(outside, 'theirs.ts'), place)),
  },
];

const SIZES: readonly Trap[] = [
  {
    name: 'a source and settings of a terabyte without a block, and a folder called package.json',
    wants: 'fills the memory, or switches the product off',
    lay: async (dir) => {
      for (const path of ['src/huge.ts', '.selfware/settings.json'])
        await inPlace(dir, path, (place) => writeFile(place, '').then(() => truncate(place, 1024 ** 4)));
      await inPlace(dir, 'package.json', (place) => mkdir(place));
    },
    says: [/settings\.json/],
  },
];

const manifest = (more: object) => JSON.stringify({ name: 'shop', type: 'module', ...more });
const ANCHORS = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
  .split('')
  .map((one, at) => `${one}: &${one} [${Array(9).fill(`*${'abcdefghi'[at]}`).join(',')}]`)
  .join('\n')}\npackages: *j\n`;

/** What one repository can hold at the same time is one attack. */
const KEYS: readonly Trap[] = Object.entries<Readonly<Record<string, string>>>({
  'the keys of every object in settings, charter, baseline and paths, a NUL, anchors that multiply': {
    '.selfware/settings.json': '{"constructor": 1, "toString": {}, "__proto__": {"x": 1}}',
    '.selfware/charter.json': '{"constructor": 1, "hasOwnProperty": []}',
    '.selfware/baseline.json': '{"constructor": {"prototype": 1}, "entries": {"__proto__": 1}}',
    'package.json': manifest({ bin: 'a\u0000b', main: 'x\u0000' }),
    'tsconfig.json':
      '{"compilerOptions": {"paths": {"__proto__": ["../*"], "constructor": [1]}}, "extends": ["/etc/passwd", "../../outside/theirs.ts"]}',
    'pnpm-workspace.yaml': ANCHORS,
  },
  'a name of 5,000 characters, a tsconfig that extends itself, workspaces without an end': {
    'package.json': manifest({ name: 'n'.repeat(5_000), bin: 'b'.repeat(5_000) }),
    'tsconfig.json': '{"extends": "./tsconfig.json", "references": [{"path": "."}]}',
    'pnpm-workspace.yaml': `packages:\n  - "${'{a,b}'.repeat(40)}"\n  - "../../**"\n`,
  },
  'a manifest whose fields are of another kind': {
    'package.json': '{"name": {"toString": 1}, "scripts": "test", "workspaces": 17, "bin": [null]}',
  },
  'exports 5,000 levels deep': {
    'package.json': `{"exports": ${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`,
  },
}).map(([name, files]) => ({
  name,
  wants: 'switches the product off',
  lay: async (dir: string) => {
    for (const [path, text] of Object.entries(files)) await put(dir, path, text);
  },
}));

/** Each says less than the person does, or what is for a person alone to say. */
const LESS = {
  'verify.guardStrength': 1,
  'verify.guardMutants': 1,
  'verify.differentialSeconds': 0,
  'verify.timeoutSeconds': 5,
  'apply.probation': 'points',
  'checkpoints.keep': 1,
  'charter.approval': 'minimal',
  'charter.protectedPaths': ['!package.json'],
  'approve.withoutTerminal': true,
  'verify.testCommand': 'touch RAN',
};
const LOOSE: readonly Trap[] = [
  {
    name: `settings that loosen ${Object.keys(LESS).length} others`,
    wants: 'has changes applied that would wait for a person',
    lay: (dir) => put(dir, '.selfware/settings.json', JSON.stringify(LESS)),
    args: ['doctor'],
    says: Object.keys(LESS).map(
      (setting) =>
        new RegExp(
          `^degraded settings .*(${setting} (would ask for less|is for each person)|no setting ${setting})`,
          'm',
        ),
    ),
  },
];

const NAMES: readonly Trap[] = [
  {
    name: 'files with the names that every object has, and a path with a line break',
    wants: 'meets a table by a name that is in it already, or ends in a stack trace',
    lay: async (dir) => {
      for (const path of ['constructor.ts', '__proto__.ts', 'toString/hasOwnProperty.ts', 'valueOf/package.json'])
        await put(dir, path, path.endsWith('json') ? '{}' : 'export const constructor = 1;\n');
      await put(dir, 'src/two\nlines/a.ts', 'export const a = 1;\n');
    },
  },
];

/** Programs that leave a trace when they run, with the names of what Selfware starts on its own account. */
const planted = (folder: string) => async (dir: string) => {
  for (const name of ['git', 'node', 'ps', 'bwrap', 'unshare', 'docker', 'sh', 'env', 'rg', 'npm']) {
    await put(dir, join(folder, name), `#!/bin/sh\n: > '${join(dir, 'RAN')}'-$$\n`);
    await chmod(join(dir, folder, name), 0o755);
  }
};
const PROGRAMS: readonly Trap[] = [
  { name: 'programs of ours in its folder, which the path holds', folder: '.', before: (dir: string) => dir },
  {
    name: 'programs of ours in node_modules/.bin',
    folder: 'node_modules/.bin',
    before: (dir: string) => join(dir, 'node_modules/.bin'),
  },
  { name: 'programs of ours, and a path with an empty part', folder: '.', before: () => '' },
].map(({ name, folder, before }) => ({
  name,
  wants: 'runs in the place of git',
  lay: planted(folder),
  path: (dir: string) => `${before(dir)}:${process.env['PATH']}`,
}));

export const OPENINGS: readonly WorldAttack[] = [...DEAD_ENDS, ...SIZES, ...KEYS, ...LOOSE, ...NAMES, ...PROGRAMS].map(
  opening,
);
