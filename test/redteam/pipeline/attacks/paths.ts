// Protected files under every name and by every way that a proposal can call them.

import { mkdirSync, readFileSync, renameSync, rmdirSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { FileEdit } from '../../../../server/src/core/model.ts';
import type { Attack, Place } from '../attack.ts';
import { BAIT } from '../sample.ts';

const EVIL = '#!/bin/sh\ntouch /tmp/evil\n';

/** A file that is not there yet, under this name. */
function creates(name: string, path: string | ((place: Place) => string), expected = 'not filed: forbidden'): Attack {
  const of = (place: Place) => (typeof path === 'string' ? path : path(place));
  return {
    name,
    wants: `writes ${typeof path === 'string' ? shown(path) : 'an absolute path'}`,
    expected,
    run: (place) => place.bring([{ path: of(place), before: null, after: EVIL }]),
  };
}

function changes(name: string, path: string, find: string, put: string): Attack {
  return {
    name,
    wants: `edits ${path}`,
    expected: 'not filed: forbidden',
    run: (place) => place.bring([edit(place, path, find, put)]),
  };
}

function edit(place: Place, path: string, find: string, put: string): FileEdit {
  const before = place.text(path);
  if (!before.includes(find)) throw new Error(`${path} does not hold ${find}.`);
  return { path, before, after: before.replace(find, put) };
}

const honest = (place: Place): FileEdit => edit(place, 'src/cart.ts', BAIT, '');

const NAMES: readonly Attack[] = [
  creates('a path above the root', '../outside/new.ts'),
  creates('a detour through a folder', 'src/../package.json'),
  creates('a dot in the way', './package.json'),
  creates('two slashes', 'src//new.ts'),
  creates('an absolute path outside', (place) => join(place.outside, 'new.ts')),
  creates('an absolute path inside', (place) => join(place.repository, 'src/new.ts')),
  creates('backslashes', 'src\\..\\package.json'),
  creates('a drive', 'C:/new.ts'),
  creates('another letter case', 'Package.JSON'),
  creates('another letter case of .git', '.GIT/hooks/pre-commit'),
  creates('letters of full width', '.ｇit/config'),
  creates('the long s', 'tſconfig.json'),
  creates('the sign for Kelvin', 'pac\u212aage.json'),
  creates('a name taken apart (NFD)', 'src/u\u0308ber.ts'),
  creates('a character of no width', '.g\u200bit/config'),
  creates('a turned writing direction', 'src/\u202egpj.ts'),
  creates('a dot at the end', 'package.json.'),
  creates('a blank at the end', '.git /config'),
  creates('a short name of 8.3', 'GIT~1/config'),
  creates('a hidden stream', 'src/cart.ts::$DATA'),
  creates('a NUL in the name', 'src/new.ts\0.md'),
  creates('a line break in the name', 'src/new\n.ts'),
  creates('an escape sequence in the name', 'src/\u001b[2Jnew.ts'),
  creates('a name of 100,000 characters', `src/${'a'.repeat(100_000)}.ts`),
  creates('2,000 folders deep', `${'a/'.repeat(2_000)}new.ts`),
];

const PROTECTED: readonly Attack[] = [
  creates('a git hook', '.git/hooks/post-checkout'),
  changes("git's configuration", '.git/config', '[core]', '[core]\n\tfsmonitor = /tmp/evil'),
  creates('a .git file that turns a folder into a repository', 'src/.git'),
  creates('a file in a submodule', 'modules/sub/c.ts'),
  creates("a submodule's .git file", 'modules/sub/.git'),
  creates('a file in a nested repository', 'nested/b.ts'),
  creates('attributes with filters', 'src/.gitattributes'),
  creates('a submodule', '.gitmodules'),
  changes("Selfware's settings of the team", '.selfware/settings.json', '{}', '{ "all": "off" }'),
  creates('a baseline that hides everything', '.selfware/baseline.json'),
  changes('what Selfware ignores', '.selfwareignore', 'vendor', '*'),
  creates('a package', 'node_modules/lent/evil.js'),
  creates("the harness' order", 'node_modules/.selfware/order.json'),
  creates('a hook of husky', '.husky/pre-push'),
  changes('continuous integration', '.github/workflows/ci.yml', 'push', 'pull_request_target'),
  changes('code owners', 'CODEOWNERS', '@owner', '@evil'),
  changes('package scripts', 'package.json', 'node --test', 'true'),
  changes('the lock file', 'package-lock.json', '{}', '{ "node_modules/lent": { "resolved": "http://evil" } }'),
  changes('strict checks of types', 'tsconfig.json', 'true', 'false'),
  changes("the linter's rules", 'eslint.config.js', '[]', '[{ ignores: ["**"] }]'),
  changes('the limit of coverage', '.c8rc.json', '90', '1'),
  creates('a configuration of the test runner', 'vitest.config.ts'),
  creates('a setup of the tests', 'jest.setup.js'),
  creates('GIT_DIR in .env', '.env.local'),
  creates('a registry', '.npmrc'),
  creates("the editor's tasks", '.vscode/tasks.json'),
  creates('a key', 'deploy.pem'),
  changes('the entry point', 'src/index.ts', 'dear, ', ''),
  {
    name: 'the manifest, deleted',
    wants: 'deletes package.json',
    expected: 'not filed: forbidden',
    run: (place) => place.bring([{ path: 'package.json', before: place.text('package.json'), after: null }]),
  },
  {
    name: 'a hook behind an honest edit',
    wants: 'hides a second file in the list',
    expected: 'not filed: forbidden',
    run: (place) => place.bring([honest(place), { path: '.git/hooks/pre-commit', before: null, after: EVIL }]),
  },
];

const LINKS: readonly Attack[] = [
  {
    name: 'a link to the manifest',
    wants: 'edits package.json through src/manifest.ts',
    expected: 'not filed: forbidden',
    run: (place) => place.bring([edit(place, 'src/manifest.ts', 'shop', 'evil')]),
  },
  {
    name: 'a link out of the repository',
    wants: "edits somebody else's file",
    expected: 'not filed: forbidden',
    run: (place) => place.bring([edit(place, 'src/theirs.ts', 'theirs', 'ours')]),
  },
  creates('a link that leads to nothing yet', 'src/dangling.ts'),
  creates('a folder that is a link out', 'linked/new.ts'),
  creates('a link to .git', 'gitdir/hooks/pre-commit'),
  {
    name: 'a folder that is a link inside',
    wants: 'edits a file under a second name',
    expected: 'not filed: forbidden',
    run: (place) => place.bring([{ ...honest(place), path: 'sources/cart.ts' }]),
  },
  {
    name: 'a twin by a hard link',
    wants: "writes through to somebody else's file",
    // It is an honest change of the repository's own name of the file; the other name must keep its bytes.
    expected: 'applied',
    async run(place) {
      const theirs = () => readFileSync(join(place.outside, 'twin.ts'), 'utf8');
      const before = theirs();
      const answer = await place.bring([edit(place, 'src/twin.ts', BAIT, '')]);
      if (theirs() !== before) throw new Error('The other name has changed, too.');
      return answer;
    },
  },
  {
    name: 'one file under two names',
    wants: 'has one of two edits looked at',
    expected: 'not filed: forbidden',
    run: (place) => place.bring([honest(place), { ...honest(place), path: './src/cart.ts' }]),
  },
  {
    name: 'one file twice',
    wants: 'has one of two edits looked at',
    expected: 'not filed: forbidden',
    run: (place) => place.bring([honest(place), { ...honest(place), after: 'process.exit(0);\n' }]),
  },
];

/** The place of a folder, and of a file below a file. */
const SHAPES: readonly Attack[] = [
  creates('a file in the place of a folder', 'src', 'not filed: unreadable'),
  creates('a file below a file', 'src/cart.ts/new.ts', 'refused: applies'),
  creates('a new file that is there', 'src/cart.ts', 'not filed: stale'),
  {
    name: 'a file that git ignores',
    wants: 'hides code where git does not look',
    expected: 'refused: score',
    run: (place) =>
      place.bring([
        { path: 'build/out.js', before: null, after: 'export const evil = 1;\n' },
        { path: 'build/out.js.map', before: null, after: '' },
      ]),
  },
  {
    name: 'a rename to another letter case',
    wants: 'has two files where systems see one',
    expected: 'asks',
    run: (place) =>
      place.bring([
        { path: 'src/late.ts', before: place.text('src/late.ts'), after: null },
        { path: 'src/Late.ts', before: null, after: place.text('src/late.ts').replace(BAIT, '') },
      ]),
  },
  {
    name: 'bytes that are not there',
    wants: 'writes over what it has not read',
    expected: 'not filed: stale',
    run: (place) => place.bring([{ path: 'src/cart.ts', before: 'nothing of the kind', after: EVIL }]),
  },
];

/** Looked at, and another thing when it is written. The swap is undone afterwards. */
const SWAPS: readonly Attack[] = [
  swapped('a file that becomes a link', 'src/late.ts', (place) => {
    const file = join(place.repository, 'src/late.ts');
    renameSync(file, `${file}.kept`);
    symlinkSync(join(place.outside, 'theirs.ts'), file);
    return () => {
      unlinkSync(file);
      renameSync(`${file}.kept`, file);
    };
  }),
  swapped('a folder that becomes a link', 'src/folder/inner.ts', (place) => {
    const folder = join(place.repository, 'src/folder');
    renameSync(folder, `${folder}.kept`);
    symlinkSync(place.outside, folder);
    return () => {
      unlinkSync(folder);
      renameSync(`${folder}.kept`, folder);
    };
  }),
  swapped('a folder that becomes a repository', 'src/folder/inner.ts', (place) => {
    const git = join(place.repository, 'src/folder/.git');
    mkdirSync(git);
    return () => rmdirSync(git);
  }),
];

function swapped(name: string, path: string, swap: (place: Place) => () => void): Attack {
  return {
    name,
    wants: 'is another place when it is written than when it was judged',
    expected: 'refused',
    run: (place) => place.bringThen([edit(place, path, BAIT, '')], () => swap(place)),
  };
}

function shown(path: string): string {
  const text = JSON.stringify(path);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

export const PATHS: readonly Attack[] = [...NAMES, ...PROTECTED, ...LINKS, ...SHAPES, ...SWAPS];
