// What a repository can have, as the command line says it: the same answer by `analyse`, `status` and `improve`, also
// where there is little.

import { expect, test } from 'vitest';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { sampleProject } from '../helpers/sampleProject.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';
import { thoroughTest } from '../helpers/thorough.ts';

/** Only what a rule says that is quiet unless somebody wants it. */
const onlyQuiet = {
  'package.json': sampleProject['package.json']!,
  'tsconfig.json': sampleProject['tsconfig.json']!,
  'src/clamp.ts':
    '/** Keeps a value within bounds. */\nexport function clamp(value: number, low: number, high: number): number {\n  return Math.min(high, Math.max(low, value));\n}\n',
  'src/grade.ts': sampleProject['src/grade.ts']!.replace('clamp, unusedHelper', 'clamp').replace(
    '\n/** What a score is told as. */\nexport type Grade = string;\n',
    '',
  ),
  'test/grade.test.js': sampleProject['test/grade.test.js']!,
};

async function inFolder(
  files: Readonly<Record<string, string>>,
  git: boolean,
  work: (selfware: CommandLine) => Promise<void>,
): Promise<void> {
  const repository = await createTemporaryRepository(files, { git });
  const selfware = await createCommandLine(repository.dir);
  try {
    await work(selfware);
  } finally {
    await selfware.dispose();
    await repository.dispose();
  }
}

thoroughTest('where only quiet rules find something, nothing is tried, unless the rule is named', () =>
  inFolder(onlyQuiet, true, async (selfware) => {
    const analysed = await selfware.run(['analyse']);
    expect(analysed).toMatchObject({ code: 0 });
    expect(analysed.stdout).toMatch(/^0 opportunities\./);
    const outlook = /\d+ (?:is|are) hidden: (?:its rule is|their rules are) quiet by default\./.exec(
      analysed.stdout,
    )?.[0];
    expect(outlook).toBeDefined();
    expect(analysed.stdout).toContain('`selfware unguarded` for mistakes that no test notices');
    const status = await selfware.json(['status']);
    expect(status.value.doable).toMatchObject({ shown: 0, improvable: 0 });
    expect((await selfware.run(['status'])).stdout).toContain(outlook);
    expect((await selfware.run(['improve', '--dry-run'])).stdout).toContain('0 proposed');
    const named = await selfware.run(['improve', '--dry-run', '--rule', 'else-after-return']);
    expect(named.stdout).toContain('1 proposed');
  }),
);

thoroughTest('without git, what improve fails with is what the others have said before', () =>
  inFolder(onlyQuiet, false, async (selfware) => {
    const analysed = await selfware.run(['analyse']);
    expect(analysed.code).toBe(0);
    expect(analysed.stdout).toContain('this folder is not a git repository. Run `git init` and commit once');
    const improved = await selfware.run(['improve']);
    expect(improved.code).toBe(2);
    expect(improved.stderr).toContain('this folder is not a git repository. Run `git init` and commit once');
    expect(improved.stdout).toBe('');
    expect((await selfware.json(['status'])).value.doable).toMatchObject({
      canImprove: false,
      barrier: { reason: 'notARepository' },
    });
  }),
);

test('a language without rules is said, with what it can have', () =>
  inFolder(
    { 'mix.exs': 'defmodule X.MixProject do\nend\n', 'lib/x.ex': 'defmodule X do\n  def one(value), do: value\nend\n' },
    true,
    async (selfware) => {
      for (const command of ['analyse', 'status'])
        expect((await selfware.run([command])).stdout).toContain(
          'the code here is in Elixir. Copies of code are found here',
        );
      const improved = await selfware.run(['improve']);
      expect(improved.stdout).toContain('Improve has nothing to try: nothing was found.');
      expect(improved.stdout).toContain('the code here is in Elixir');
      expect(improved.stdout).not.toContain('selfware unguarded');
    },
  ));

thoroughTest('texts alone, and an empty folder', async () => {
  await inFolder({ 'README.md': '# Words\n' }, true, async (selfware) => {
    expect((await selfware.run(['analyse'])).stdout).toContain('it holds no code that Selfware knows');
  });
  await inFolder({}, true, async (selfware) => {
    const { stdout } = await selfware.run(['status']);
    expect(stdout).toContain('There is no file here yet.');
    expect(stdout).not.toContain('0.00 of 0 points');
    expect((await selfware.run(['score'])).stdout).not.toContain('0.00 of 0 points');
  });
});

test('a list that --limit cuts says how many there are in all', () =>
  inFolder(sampleProject, true, async (selfware) => {
    const all = Number(/^(\d+) opportunities:$/m.exec((await selfware.run(['analyse'])).stdout)?.[1]);
    expect(all).toBeGreaterThan(1);
    const cut = await selfware.run(['analyse', '--limit', '1']);
    expect(cut.stdout).toMatch(new RegExp(`^1 of ${all} opportunities:$`, 'm'));
    expect((await selfware.run(['analyse', '--help'])).stdout).not.toContain('(default: [])');
  }));
