// What a hostile repository tries before anybody has proposed anything: links, folders and settings that lead out of
// it.

import { chmod, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../../../../server/src/settings/schema.ts';
import type { TemporaryRepository } from '../../../helpers/temporaryRepository.ts';
import { createGround, ended, never, SECRET, type Ground } from '../ground.ts';
import type { Answer } from '../attack.ts';
import { BAIT, FILES } from '../sample.ts';

/** Makes a world of its own. */
export interface WorldAttack {
  readonly name: string;
  readonly wants: string;
  readonly expected: string;
  /** As in `Attack`. */
  readonly onlyShutIn?: boolean;
  run(): Promise<{ readonly answer: Answer; readonly escaped: readonly string[] }>;
}

interface Around {
  readonly outside: string;
  readonly home: string;
}

type Prepare = (repository: TemporaryRepository, around: Around) => Promise<void>;

/** A test that tells, by its name, what it can read of `path`. */
const spy = (path: string) =>
  `import { readFileSync } from 'node:fs';\nimport { test } from 'node:test';\nlet loot = 'nothing';\ntry { loot = readFileSync(${JSON.stringify(path)}, 'utf8'); } catch (error) { loot = error.code; }\ntest('read ' + loot, () => { throw new Error(loot); });\n`;

/** A session on the repository verifies an honest change; `escaped` says what of it got out. */
function world(
  name: string,
  wants: string,
  prepare: Prepare,
  more: {
    readonly expected?: string;
    readonly files?: Readonly<Record<string, string>>;
    readonly settings?: Partial<Settings>;
    readonly act?: (ground: Ground) => Promise<Answer>;
    readonly onlyShutIn?: boolean;
  } = {},
): WorldAttack {
  const { expected = 'confined', files = FILES, settings = {}, act = verified, onlyShutIn = false } = more;
  return {
    name,
    wants,
    expected,
    onlyShutIn,
    async run() {
      await using ground = await createGround({ files, settings, prepare });
      const changes = await ground.look();
      const answer = await act(ground).catch((error: unknown) => ended('refused', error));
      const told = JSON.stringify([await ground.session.proposals.all(), await ground.session.ledger.query({})]);
      const escaped = told.includes(SECRET) ? ['The secret was read.'] : [];
      return { answer, escaped: [...escaped, ...(await changes())] };
    },
  };
}

async function verified(ground: Ground): Promise<Answer> {
  const edits = [
    { path: 'src/late.ts', before: ground.text('src/late.ts'), after: ground.text('src/late.ts').replace(BAIT, '') },
  ];
  const { id } = await ground.session.proposals.proposeEdits(
    { title: 'A change', rationale: '', edits },
    { signal: never },
  );
  const { verdicts } = await ground.session.verification.verify(id, { signal: never });
  const tests = verdicts.find(({ gate }) => gate === 'tests');
  return { end: 'confined', by: '', detail: `tests ${tests?.outcome}: ${tests?.reason}` };
}

/** Each place has a test of its own that tries to read it. */
const spying = (...paths: readonly string[]) => ({
  onlyShutIn: true,
  files: { ...FILES, ...Object.fromEntries(paths.map((path, at) => [`test/spy-${at}.test.js`, spy(path)])) },
});

/** Written by the package manager's own means, so a person would not look at it. */
const scripts = (lines: Readonly<Record<string, string>>) => ({
  onlyShutIn: true,
  files: {
    ...FILES,
    'package.json': JSON.stringify({ name: 'shop', type: 'module', scripts: { test: 'node --test', ...lines } }),
  },
});

export const REPOSITORIES: readonly WorldAttack[] = [
  world(
    'a package, a program and a source that are links to keys, a link that climbs, a file that git ignores',
    'reads keys in the sandbox',
    async (repository, { home }) => {
      const at = (path: string) => join(repository.dir, path);
      await mkdir(at('node_modules/.bin'));
      await symlink(join(home, '.ssh'), at('node_modules/evil'));
      await symlink(join(home, '.ssh/id_ed25519'), at('node_modules/.bin/evil'));
      await symlink(join(home, '.ssh/id_ed25519'), at('test/key'));
      await symlink('../../outside/theirs.ts', at('test/climbs'));
    },
    spying('node_modules/evil/id_ed25519', 'node_modules/.bin/evil', 'test/key', 'test/climbs', '.env'),
  ),
  world(
    'node_modules that is a link to a home folder',
    'reads keys through node_modules',
    async (repository, { home }) => {
      await rm(join(repository.dir, 'node_modules'), { recursive: true });
      await symlink(join(home, '.ssh'), join(repository.dir, 'node_modules'));
    },
    spying('node_modules/id_ed25519'),
  ),
  world(
    'objects borrowed from a home folder',
    'reads keys where objects are lent',
    (repository, { home }) => repository.write('.git/objects/info/alternates', `${join(home, '.ssh')}\n`),
    {
      onlyShutIn: true,
      files: {
        ...FILES,
        'test/spy.test.js': `import { readFileSync } from 'node:fs';\nimport { test } from 'node:test';\nconst place = readFileSync('.git/objects/info/alternates', 'utf8').split('\\n').find((line) => line.endsWith('.ssh')) ?? '../../../../home/.ssh';\nlet loot = 'nothing';\ntry { loot = readFileSync(place + '/id_ed25519', 'utf8'); } catch (error) { loot = error.code; }\ntest('read ' + loot, () => { throw new Error(loot); });\n`,
      },
    },
  ),
  world(
    'a work tree that is the folder above',
    "copies somebody's files into the sandbox",
    (repository) => repository.git('config', 'core.worktree', '../..').then(() => undefined),
    { ...spying('../outside/theirs.ts'), expected: 'refused: notARepository' },
  ),
  world(
    'scripts before and after the tests',
    "writes outside by `pretest`, and sets up a hook in the user's git by `posttest`",
    async () => undefined,
    scripts({
      pretest: 'touch ../../../../outside/evil ../outside/evil ../../evil || true',
      posttest: 'for up in .. ../.. ../../..; do touch $up/.git/hooks/pre-commit; done; true',
    }),
  ),
  world(
    '.selfware that is a link',
    'has the baseline written elsewhere',
    async (repository, { outside }) => {
      await rm(join(repository.dir, '.selfware'), { recursive: true });
      await symlink(outside, join(repository.dir, '.selfware'));
    },
    {
      expected: 'refused: forbidden',
      act: async (ground) => (
        await ground.session.analysis.analyse({ signal: never }),
        await ground.session.opportunities.baseline('create'),
        { end: 'applied', by: '', detail: 'The baseline was written.' }
      ),
    },
  ),
  world(
    'a formatter in a repository that nobody trusts',
    'is run before anybody has looked',
    async (repository) => {
      await repository.write('.prettierrc', '{}');
      await repository.write('node_modules/.bin/prettier', '#!/bin/sh\ntouch ../../../../outside/evil\nexit 0\n');
      await chmod(join(repository.dir, 'node_modules/.bin/prettier'), 0o755);
    },
    {
      expected: 'refused: untrusted',
      async act(ground) {
        const session = await ground.open({}, false);
        await session.proposals.proposeTransform(
          { kind: 'addFunction', path: 'src/late.ts', source: 'function added() { return 1; }' },
          { signal: never },
        );
        return { end: 'applied', by: '', detail: 'The formatter was run.' };
      },
    },
  ),
  world('a manifest and settings of nonsense', 'ends the program when it starts', async () => undefined, {
    files: {
      ...FILES,
      'package.json':
        '{ "main": { "evil": 1 }, "bin": ["a", 1, null], "scripts": { "test": "node --test" }, "workspaces": 7, "type": "module" }',
      '.selfware/settings.json': '[[[[',
      'tsconfig.json': '{ "extends": "/etc/passwd", "compilerOptions": { "plugins": [{ "name": "./evil.js" }] } }',
    },
  }),
  world('files with names of options', 'is taken for an option of a program', async () => undefined, {
    files: {
      ...FILES,
      'src/--output=evil.ts': FILES['src/late.ts']!,
      '-rf': 'x',
      '--upload-pack=evil': 'x',
      'src/$(touch evil).ts': FILES['src/late.ts']!,
    },
    act: async (ground) => {
      const answers = [];
      for (const path of ['src/--output=evil.ts', 'src/$(touch evil).ts'])
        answers.push(
          await ground.bring([{ path, before: ground.text(path), after: ground.text(path).replace(BAIT, '') }]),
        );
      await ground.restore();
      return { end: 'confined', by: '', detail: answers.map(({ end, detail }) => `${end} ${detail}`).join('; ') };
    },
  }),
  world('a test that prints keys', 'has secrets kept in the ledger', async () => undefined, {
    files: {
      ...FILES,
      'test/spy.test.js':
        "import { test } from 'node:test';\nimport { late } from './late.js';\nconsole.log(['AKIA', 'IOSFODNN7EXAMPLE'].join(''), ['ghp_', '0123456789abcdefghijklmnopqrstuvwxyz'].join(''));\ntest('fails ' + ['ghp_', '0123456789abcdefghijklmnopqrstuvwxyz'].join(''), () => { if (late) throw new Error('password=' + 'hunter22222'); });\n",
      'test/late.js': 'export const late = true;\n',
    },
    async act(ground) {
      const answer = await verified(ground);
      const told = JSON.stringify(await ground.session.ledger.query({}));
      for (const loot of ['AKIAIOSFODNN7EXAMPLE', 'ghp_0123456789abcdefghijklmnopqrstuvwxyz', 'hunter22222'])
        if (told.includes(loot)) throw new Error(`The ledger holds ${loot}.`);
      return answer;
    },
  }),
  world(
    'a repository inside that calls itself the outer one',
    'has our git work elsewhere',
    async (repository, { outside }) => {
      await mkdir(join(outside, 'other'));
      await rename(join(repository.dir, 'CODEOWNERS'), join(outside, 'other/CODEOWNERS'));
      await writeFile(join(repository.dir, 'src/folder/.git'), `gitdir: ${outside}/other\n`);
    },
    {
      act: async (ground) =>
        ground.bring([
          {
            path: 'src/folder/inner.ts',
            before: ground.text('src/folder/inner.ts'),
            after: ground.text('src/folder/inner.ts').replace(BAIT, ''),
          },
        ]),
      expected: 'not filed: forbidden',
    },
  ),
];
