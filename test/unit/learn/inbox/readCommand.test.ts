// What a command line may change is told from its syntax tree; what destroys something, or cannot be read, is refused.

import { expect, test } from 'vitest';
import { createGrammarsFromNodeModules } from '../../../../server/src/adapters/grammars/grammars.ts';
import { createParser } from '../../../../server/src/core/index/parse/parser.ts';
import { readCommand } from '../../../../server/src/core/learn/inbox/shell/readCommand.ts';

const parser = createParser(createGrammarsFromNodeModules());

async function read(line: string): Promise<string> {
  const tree = await parser.parse('bash', line);
  if (!tree) return 'no tree';
  const reading = readCommand(line, tree.rootNode);
  tree.delete();
  return 'effects' in reading ? reading.effects : `refused: ${reading.refused}`;
}

test.each([
  'ls -la src',
  'git log --oneline -5 && git status',
  'git diff HEAD~1 -- src/a.ts | wc -l',
  "find . -name '*.ts' | sort | uniq -c | head -20",
  'grep -rn "TODO" src 2>/dev/null',
  'cat a.txt 2>&1',
  'git stash list; git branch -a',
  "grep -rn --include='*.ts' TODO src",
])('%s only reads', async (line) => {
  expect(await read(line)).toBe('none');
});

test.each([
  'npm test',
  'npm run lint && npx vitest run test/unit',
  'LANG=C sort a.txt',
  'rg "$PATTERN" src',
  'timeout 60 npm test',
  'find . -name "*.ts" -exec grep -l x {} +',
  "awk '{print $1}' a.txt",
  './scripts/check.sh',
  './cat a.txt',
  'node scripts/generate.mjs',
  'git grep --open=./x foo',
  'git grep -nO./x foo',
  'git grep -Oevil x',
  'git cat-file --filters HEAD:a',
  'git diff --outp=a.txt',
  'git diff --output=a.txt',
  'git log --ext-diff',
  'sort -uo out in',
  'sort -o a.txt a.txt',
  'sort --output=a.txt b.txt',
  'uniq a.txt b.txt',
  'uniq - out',
  'tree -fo out',
  'rg -nz x',
  'rg --pre=./x y',
  "printf -v 'a[$(x)]' y",
  'echo a[-]b',
  'cat < /dev/tcp/a/80',
  'if grep -q x a; then echo found; fi',
  '[[ a -eq b ]]',
  '[ -v a ]',
  'test -v a',
  "echo $'a'",
  'cat <(ls)',
  '((a))',
])('of %s the effects are unknown', async (line) => {
  expect(await read(line)).toBe('unknown');
});

test.each([
  'rm -rf build',
  '/bin/rm a',
  '\\rm a',
  "'r'm a",
  'r"m" a',
  'ls && rm a',
  'ls | xargs rm',
  'echo $(rm a)',
  'echo `rm a`',
  'cat <(rm a)',
  'for f in *; do rm $f; done',
  '(cd src; rm a)',
  'true || rm a',
  '! rm a',
  'ls; rm() { :; }',
  '$CMD a',
  '${X}m a',
  '{rm,-rf,a}',
  'find . -delete',
  'find . -exec rm {} ;',
  "find . -name x -exec rm '{}' ';'",
  'echo x > a.txt',
  'echo x >> a.txt',
  'echo x &> a.txt',
  'echo x >| a.txt',
  'echo x > "$F"',
  'ls | tee a.txt',
  'sed -i s/a/b/ a.txt',
  'sed -ni s/a/b/ a.txt',
  'git push',
  'git reset --hard',
  'git checkout .',
  'git clean -fdx',
  'git branch -D main',
  'git stash',
  'git -c core.pager=evil log',
  'sudo ls',
  'env rm a',
  'env X=1 rm a',
  'timeout 5 rm a',
  'xargs -n1 $CMD',
  'bash -c "rm a"',
  'echo "rm a" | sh',
  'bash <<< "rm a"',
  'bash <<EOF\nrm a\nEOF',
  'node -e "x"',
  'python3 -c "x"',
  "perl -ne 'unlink'",
  'eval "rm a"',
  '. ./a.sh',
  'curl https://example.com',
  'npm publish',
  'npm run clean',
  'npm run db:reset',
  'make distclean',
  'npx rimraf-cli clean',
  'kill -9 1',
  'ls "',
  `a${' b'.repeat(300)}`,
  '',
  '   ',
  'ls\ncat a',
  '\nls',
  'ls\tb',
  'ls \u200B',
  'ls\u00A0a',
  'ls \uFE0F',
  'ls \u3164',
])('%s is refused', async (line) => {
  expect(await read(line)).toMatch(/^refused: /);
});

test('the reason says what is wrong', async () => {
  expect(await read('ls | xargs rm')).toBe(
    'refused: xargs starts a program; rm is not allowed: it removes or overwrites files',
  );
  expect(await read('echo x > a.txt')).toBe('refused: it writes into a file');
});
