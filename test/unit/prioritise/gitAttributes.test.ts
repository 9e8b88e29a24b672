// .gitattributes as far as it says which files nobody edits, held against git itself where git agrees.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createForeignFileTest } from '../../../server/src/core/prioritise/gitAttributes.ts';

const PATHS = [
  'a.ts',
  'gen/a.ts',
  'gen/deep/a.ts',
  'gen/keep.ts',
  'src/a.pb.ts',
  'src/b.ts',
  'with space.ts',
  'third/lib/x.js',
  'third/ours/x.js',
  '[odd].ts',
  '#a.ts',
];
const cases: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['nothing', {}],
  [
    'patterns of any kind',
    {
      '': 'gen/** linguist-generated\n*.pb.ts linguist-generated=true\n"with space.ts" linguist-generated -diff\n/third/** linguist-vendored\n',
    },
  ],
  ['later lines win', { '': 'gen/** linguist-generated\ngen/keep.ts -linguist-generated\n*.ts text\n' }],
  [
    'false and unspecified',
    { '': '*.ts linguist-generated\nsrc/*.ts linguist-generated=false\ngen/keep.ts !linguist-generated\n' },
  ],
  ['deeper files win', { '': 'third/** linguist-vendored\n', third: 'ours/* -linguist-vendored\n' }],
  [
    'comments, macros, other attributes',
    {
      '': '# *.ts linguist-generated\n[attr]linguist-mine linguist-generated\n*.js text eol=lf linguist-documentation\n\n   src/b.ts   linguist-generated  \n',
    },
  ],
  ['odd names, Windows line ends', { '': '\\[odd].ts linguist-generated\r\nsrc/[ab].ts linguist-generated\r\n' }],
  ['patterns that never match', { '': 'gen/ linguist-generated\n' }],
];

test.each(cases)('%s', (_, files) => {
  const notOurs = createForeignFileTest(Object.entries(files).map(([folder, text]) => ({ folder, text })));
  expect(PATHS.filter(notOurs)).toEqual(byGit(files));
});

test('a folder holds for all in it, though git would only match its name', () => {
  expect(PATHS.filter(createForeignFileTest([{ folder: '', text: 'gen linguist-generated' }]))).toEqual([
    'gen/a.ts',
    'gen/deep/a.ts',
    'gen/keep.ts',
  ]);
});

function byGit(files: Readonly<Record<string, string>>): string[] {
  const dir = mkdtempSync(join(tmpdir(), 'selfware-attributes-'));
  try {
    execFileSync('git', ['init', '-q', dir]);
    for (const [folder, text] of Object.entries(files)) {
      const place = join(dir, folder, '.gitattributes');
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, text);
    }
    const out = execFileSync(
      'git',
      ['-C', dir, 'check-attr', '-z', 'linguist-generated', 'linguist-vendored', '--', ...PATHS],
      { encoding: 'utf8' },
    ).split('\0');
    const set = new Set<string>();
    for (let at = 0; at + 2 < out.length; at += 3)
      if (['set', 'true'].includes(out[at + 2] ?? '')) set.add(out[at] ?? '');
    return PATHS.filter((path) => set.has(path));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
