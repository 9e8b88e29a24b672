// The command that searches calls that break: what it prints, what it remembers, and where it refuses.

import { expect, test } from 'vitest';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const FILES = {
  'package.json': '{ "name": "names", "type": "module", "devDependencies": { "vitest": "4.0.0" } }\n',
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "module": "nodenext", "target": "esnext" } }\n',
  'src/names.ts': [
    'export function initial(name: string): string {',
    '  return name.split(" ").at(-2)!.charAt(0);',
    '}',
    'export function shout(name: string): string {',
    '  return name.toUpperCase();',
    '}',
    '',
  ].join('\n'),
  'src/shout.test.ts': [
    "import { expect, it } from 'vitest';",
    "import { shout } from './names.js';",
    '',
    "it('shouts', () => {",
    "  expect(shout('a')).toBe('A');",
    '});',
    '',
  ].join('\n'),
};

async function inRepository(work: (selfware: CommandLine) => Promise<void>): Promise<void> {
  const repository = await createTemporaryRepository(FILES, { git: true });
  const selfware = await createCommandLine(repository.dir);
  try {
    await work(selfware);
  } finally {
    await selfware.dispose();
    await repository.dispose();
  }
}

test('a call that breaks is printed with its test, remembered as an opportunity, and not searched again', () =>
  inRepository(async (selfware) => {
    const first = await selfware.run(['counterexamples', '--test', '--time', '120']);
    expect(first.stderr).not.toContain('selfware: ');
    expect(first.code).toBe(1);
    expect(first.stdout).toContain('src/names.ts:1:17 initial("")');
    expect(first.stdout).toContain("throws TypeError: Cannot read properties of undefined (reading 'charAt')");
    expect(first.stdout).toContain('src/names.test.ts:');
    expect(first.stdout).toContain("import { initial } from './names.js';");
    expect(first.stdout).toContain("expect(() => initial('')).not.toThrow(TypeError);");
    expect(first.stdout).toContain('1 counterexample in 1 file; 2 functions called');

    const again = await selfware.json(['counterexamples']);
    expect(again.value).toMatchObject({
      finds: [{ kind: 'engineError', name: 'initial', call: 'initial("")', unlikely: false }],
      known: 1,
      functions: 0,
      undone: 0,
    });
    const analysed = await selfware.json(['analyse', '--rule', 'counterexample']);
    expect(analysed.value).toMatchObject([{ id: again.value.finds[0].id, rule: 'counterexample', startLine: 1 }]);
  }));

test('nothing is called in an untrusted workspace', () =>
  inRepository(async (selfware) => {
    const refused = await selfware.run(['counterexamples', '--untrusted']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('This workspace is not trusted, so none of its functions is called.');
  }));

test('in a repository of another language, it says that nothing could be called', async () => {
  const repository = await createTemporaryRepository({
    'names.py': 'def initial(name: str) -> str:\n    return name[0]\n',
  });
  const selfware = await createCommandLine(repository.dir);
  try {
    const { stdout, code } = await selfware.run(['counterexamples']);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('Only functions of TypeScript and JavaScript are called'),
    ]);
  } finally {
    await selfware.dispose();
    await repository.dispose();
  }
});

thoroughTest(
  'a function is called once the entry of its package exports it, though its own file is the same',
  async () => {
    const repository = await createTemporaryRepository({
      'package.json': '{ "name": "names", "type": "module", "main": "./dist/index.js" }\n',
      'tsconfig.json': FILES['tsconfig.json'],
      'src/names.ts': FILES['src/names.ts'],
      'src/index.ts': "export { shout } from './names.js';\n",
    });
    const selfware = await createCommandLine(repository.dir);
    try {
      const before = await selfware.json(['counterexamples', '--time', '120']);
      expect(before.value).toMatchObject({ finds: [], leftOut: [{ name: 'initial' }] });
      await repository.write('src/index.ts', "export * from './names.js';\n");
      const after = await selfware.json(['counterexamples', '--time', '120']);
      expect(after.value.finds).toMatchObject([{ name: 'initial', call: 'initial("")' }]);
    } finally {
      await selfware.dispose();
      await repository.dispose();
    }
  },
);
