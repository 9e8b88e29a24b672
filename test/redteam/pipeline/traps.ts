// A repository that came with a hostile `.git`: programs wherever git would run one. Each leaves a mark where it ran.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGround, never } from './ground.ts';
import { FILES } from './sample.ts';
import { createGitEnvironment, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';

/** A command that waits for words is ended after this. */
const GIT_MS = 10_000;

export interface Trap {
  readonly name: string;
  /** Configuration, with TRAP for the program that marks. */
  readonly config?: Readonly<Record<string, string>>;
  /** A hook of this name. */
  readonly hook?: string;
  /**
   * What the user would do to spring it, in the words of git; left out where it takes a terminal. Each is run whatever
   * becomes of the one before.
   */
  readonly springs?: readonly (readonly string[])[];
}

const hook = (name: string, ...springs: readonly (readonly string[])[]): Trap => ({
  name: `hook ${name}`,
  hook: name,
  ...(springs.length > 0 ? { springs } : {}),
});
const commit = ['commit', '--quiet', '--no-gpg-sign', '--allow-empty', '--message', 'x'];
const stage = ['add', 'src/cart.ts'];

export const TRAPS: readonly Trap[] = [
  hook('pre-commit', commit),
  hook('prepare-commit-msg', commit),
  hook('commit-msg', commit),
  hook('post-commit', commit),
  hook('post-checkout', ['checkout', '--quiet', '-b', 'other']),
  hook('post-index-change', ['update-index', '--force-remove', 'CODEOWNERS']),
  hook('reference-transaction', ['update-ref', 'refs/heads/new', 'HEAD']),
  hook('pre-auto-gc'),
  hook('pre-push'),
  { name: 'core.fsmonitor', config: { 'core.fsmonitor': 'TRAP' }, springs: [['status']] },
  {
    name: 'a filter that cleans',
    config: { 'filter.evil.clean': 'TRAP', 'filter.evil.required': 'true' },
    springs: [stage],
  },
  {
    name: 'a filter that smudges',
    config: { 'filter.evil.smudge': 'TRAP' },
    springs: [['cat-file', '--filters', 'HEAD:src/late.ts']],
  },
  { name: 'a filter that stays', config: { 'filter.long.process': 'TRAP' }, springs: [['add', 'src/parcel.ts']] },
  { name: 'diff.external', config: { 'diff.external': 'TRAP' }, springs: [['diff']] },
  { name: 'a driver of diffs', config: { 'diff.evil.command': 'TRAP' }, springs: [['diff']] },
  { name: 'texts for diffs', config: { 'diff.evil.textconv': 'TRAP' }, springs: [['diff', '--no-ext-diff']] },
  { name: 'core.pager', config: { 'core.pager': 'TRAP', 'pager.log': 'TRAP', 'pager.status': 'TRAP' } },
  {
    name: 'core.editor',
    config: { 'core.editor': 'TRAP', 'sequence.editor': 'TRAP' },
    springs: [['commit', '--no-gpg-sign', '--allow-empty']],
  },
  {
    name: 'core.sshCommand',
    config: { 'core.sshCommand': 'TRAP' },
    springs: [['ls-remote', 'ssh://nowhere.invalid/x']],
  },
  { name: 'core.askPass', config: { 'core.askPass': 'TRAP' } },
  { name: 'core.alternateRefsCommand', config: { 'core.alternateRefsCommand': 'TRAP' } },
  { name: 'alias', config: { 'alias.st': '!TRAP', 'alias.status': '!TRAP', 'alias.log': '!TRAP' }, springs: [['st']] },
  {
    name: 'gpg.program, asked by the log',
    config: { 'gpg.program': 'TRAP', 'log.showSignature': 'true', 'commit.gpgSign': 'true', 'tag.gpgSign': 'true' },
    springs: [['log']],
  },
  {
    name: 'credential.helper',
    config: { 'credential.helper': '!TRAP' },
    springs: [['-c', 'core.askPass=true', 'credential', 'fill']],
  },
  {
    name: 'url.insteadOf to a program',
    config: { 'url.ext::TRAP .insteadOf': 'https://example.com/', 'protocol.ext.allow': 'always' },
    springs: [['ls-remote', 'https://example.com/x']],
  },
  {
    name: 'objects that a program brings',
    config: {
      'remote.origin.url': 'ext::TRAP',
      'remote.origin.promisor': 'true',
      'remote.origin.partialCloneFilter': 'blob:none',
      'extensions.partialClone': 'origin',
      'core.repositoryFormatVersion': '1',
      'protocol.ext.allow': 'always',
    },
    springs: [['cat-file', '-p', '1234567890123456789012345678901234567890']],
  },
  { name: 'a merge driver', config: { 'merge.evil.driver': 'TRAP' } },
  {
    name: 'an update of a submodule',
    config: { 'submodule.modules/sub.update': '!TRAP', 'submodule.recurse': 'true' },
  },
  {
    name: 'a command of a trailer',
    config: { 'trailer.x.command': 'TRAP', 'trailer.x.ifMissing': 'add' },
    springs: [['interpret-trailers', '--trailer', 'x=y', 'CODEOWNERS']],
  },
  { name: 'include.path', config: { 'include.path': 'more' }, springs: [['status']] },
  { name: 'core.hooksPath', config: { 'core.hooksPath': 'HOOKS' }, springs: [commit] },
];

/**
 * Names of the traps that sprang, outside of any sandbox, while Selfware did all that it does; and while a person did
 * what `springs` says.
 */
export interface Sprung {
  readonly byUs: ReadonlySet<string>;
  readonly byGit: ReadonlySet<string>;
  /** What the life came to: a change was applied and rolled back, in spite of it all. */
  readonly applied: number;
  readonly changed: readonly string[];
  /** Command lines of what still runs afterwards. */
  readonly left: readonly string[];
}

/**
 * One whole life on the hostile repository, then the person's commands in a copy of it, to see that each trap would
 * spring.
 */
export async function springTraps(): Promise<Sprung> {
  let marks = '';
  await using ground = await createGround({
    files: { ...FILES, '.gitattributes': '*.ts filter=evil diff=evil merge=evil\nsrc/parcel.ts filter=long\n' },
    async prepare(repository, { outside }) {
      marks = join(outside, 'marks');
      await mkdir(marks);
      await sign(repository);
      await setTraps(repository, outside, marks);
      // Times that no longer fit the index: git asks the filters.
      await utimes(join(repository.dir, 'src/cart.ts'), 0, 0);
      await repository.write('src/late.ts', `${FILES['src/late.ts']}\n`);
    },
  });
  const operation = { signal: never };
  const changes = await ground.look();
  const { session } = ground;
  await session.memory.index(operation);
  await session.analysis.changedPaths();
  const { checkpoints, summary } = await live(session);
  for (const id of checkpoints.toReversed()) await session.changes.rollback(id, operation);
  await session.status();
  const byUs = new Set(await readdir(marks));
  const changed = (await changes()).filter((one) => !one.startsWith('outside/marks'));

  const copy = join(ground.outside, 'copy');
  await cp(ground.repository, copy, { recursive: true, verbatimSymlinks: true });
  await writeFile(join(copy, 'src/cart.ts'), '// changed\n');
  await writeFile(join(copy, 'src/parcel.ts'), '// changed\n');
  const byGit = new Set<string>();
  for (const trap of TRAPS) {
    await setTraps(
      {
        dir: copy,
        write: (path: string, text: string) => writeFile(join(copy, path), text),
        git: async (...args: readonly string[]) => (await gitIn(copy, args)).stdout,
      } as TemporaryRepository,
      ground.outside,
      marks,
      trap,
    );
    for (const name of await readdir(marks)) await rm(join(marks, name));
    for (const words of trap.springs ?? []) await gitIn(copy, words).catch(() => undefined);
    for (const name of await readdir(marks)) byGit.add(name);
  }
  return { byUs, byGit, applied: summary, changed, left: await runningBelow(ground.outside) };
}

/** Told where there is a /proc to tell it. */
async function runningBelow(folder: string): Promise<readonly string[]> {
  const lines = await Promise.all(
    (await readdir('/proc').catch(() => []))
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')),
  );
  return lines.filter((line) => line.includes(folder)).map((line) => line.replaceAll('\0', ' '));
}

async function live(
  session: Awaited<ReturnType<typeof createGround>>['session'],
): Promise<{ readonly checkpoints: readonly string[]; readonly summary: number }> {
  const checkpoints: string[] = [];
  const { applied } = await session.improve({
    signal: never,
    cycles: 1,
    dryRun: false,
    approval: 'minimal',
    maxChanges: 1,
    decide: async () => ({ verdict: 'approved', reason: null }),
    onEvent: (event) => void (event.type === 'applied' && checkpoints.push(event.checkpoint.id)),
  });
  return { checkpoints, summary: applied };
}

/** Git and whatever it starts: a transport of its own goes on waiting for words when git has been ended. */
async function gitIn(dir: string, args: readonly string[]): Promise<{ readonly stdout: string }> {
  const running = spawn('git', args, {
    cwd: dir,
    env: { ...createGitEnvironment(), GIT_EDITOR: undefined, EDITOR: undefined, VISUAL: undefined, TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  const parts: Buffer[] = [];
  running.stdout.on('data', (part: Buffer) => parts.push(part));
  // Commands that read nothing may have ended before.
  running.stdin.on('error', () => undefined);
  running.stdin.end('protocol=https\nhost=example.com\n\n');
  const timer = setTimeout(() => endGroup(running.pid), GIT_MS);
  const [code] = (await once(running, 'exit')) as [number | null];
  clearTimeout(timer);
  endGroup(running.pid);
  if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}`);
  return { stdout: Buffer.concat(parts).toString() };
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // All of them have ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** All traps, or one of them alone. */
async function setTraps(repository: TemporaryRepository, outside: string, marks: string, only?: Trap): Promise<void> {
  const traps = only ? [only] : TRAPS;
  const hooks = join(repository.dir, '.git/hooks');
  await mkdir(hooks, { recursive: true });
  for (const [at, trap] of TRAPS.entries()) {
    const program = join(outside, `trap-${at}`);
    await writeFile(
      program,
      `#!/bin/sh\n: > '${join(marks, trap.name.replaceAll('/', ' '))}'\ncase "$0" in *trap-*) cat 2>/dev/null;; esac\n`,
    );
    await chmod(program, 0o755);
  }
  if (only) {
    await rm(hooks, { recursive: true, force: true });
    await mkdir(hooks);
    await writeFile(
      join(repository.dir, '.git/config'),
      '[core]\n\trepositoryformatversion = 0\n[user]\n\tname = Test Person\n\temail = test@example.com\n',
    );
  }
  for (const trap of traps) {
    const program = join(outside, `trap-${TRAPS.indexOf(trap)}`);
    if (trap.hook) {
      await cp(program, join(hooks, trap.hook));
      await chmod(join(hooks, trap.hook), 0o755);
    }
    for (const [key, value] of Object.entries(trap.config ?? {})) {
      if (key === 'include.path')
        await writeFile(join(repository.dir, '.git/more'), `[core]\n\tfsmonitor = ${program}\n`);
      if (key === 'core.hooksPath') {
        await mkdir(join(outside, 'hooks'), { recursive: true });
        await cp(program, join(outside, 'hooks/pre-commit'));
      }
      if (key !== 'include.path' || only || !traps.some(({ config }) => config?.['core.fsmonitor']))
        await repository.git(
          'config',
          key.replace('TRAP', program),
          value.replace('TRAP', program).replace('HOOKS', join(outside, 'hooks')),
        );
    }
  }
}

/** HEAD becomes a commit with a signature that somebody would have to look at. */
async function sign(repository: TemporaryRepository): Promise<void> {
  const plain = await repository.git('cat-file', 'commit', 'HEAD');
  const [head = '', ...body] = plain.split('\n\n');
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQEzBAABCAAdFiEE\n -----END PGP SIGNATURE-----';
  const file = join(repository.dir, '.git/signed');
  await writeFile(file, `${head}\n${signature}\n\n${body.join('\n\n')}`);
  const id = (await repository.git('hash-object', '-t', 'commit', '-w', file)).trim();
  await repository.git('update-ref', 'refs/heads/main', id);
  await rm(file);
}
