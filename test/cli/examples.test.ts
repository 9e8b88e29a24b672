// The command that runs the examples of the documentation: what it prints, remembers and proposes.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const README = `# Names

\`\`\`js
import { initials, stamp, folder } from 'names';

initials('ada lovelace'); //=> 'AL'
initials('alan turing'); //=> 'A.T.'
console.log(initials(''));
// => 'none'
stamp(); //=> 5
folder(); //=> '/'
initials(undefined); //=> ''
\`\`\`

\`\`\`js
unknown(initials('a')); //=> 'A'
\`\`\`
`;
const FILES = {
  'package.json': '{ "name": "names", "type": "module", "main": "./dist/index.js" }\n',
  'src/upper.ts': [
    '/**',
    ' * @example',
    " * upper('a'); // => 'A'",
    " * upper('b'); // => 'b'",
    ' */',
    'export const upper = (text: string): string => text.toUpperCase();',
    '',
  ].join('\n'),
  'src/index.ts': [
    'export function initials(name: string): string {',
    "  return name.split(' ').map((word) => word.charAt(0).toUpperCase()).join('');",
    '}',
    'export const stamp = (): number => Date.now();',
    'export const folder = (): string => process.cwd();',
    '',
  ].join('\n'),
  'README.md': README,
};

async function inRepository(work: (selfware: CommandLine, repository: TemporaryRepository) => Promise<void>) {
  const repository = await createTemporaryRepository(FILES, { git: true });
  const selfware = await createCommandLine(repository.dir);
  try {
    await work(selfware, repository);
  } finally {
    await selfware.dispose();
    await repository.dispose();
  }
}

test('wrong results are printed and remembered, and what proves nothing is listed', () =>
  inRepository(async (selfware, repository) => {
    const first = await selfware.run(['examples', '--skipped']);
    expect(first.stdout).toContain("README.md:7  initials('alan turing')\n    says  'A.T.'\n    is    'AT'\n");
    expect(first.stdout).toContain("README.md:9  initials('')\n    says  'none'\n    is    ''\n");
    expect(first.stdout).toContain("src/upper.ts:4  upper('b')\n    says  'b'\n    is    'B'\n");
    expect(first.stdout).toContain('3 wrong examples among 9 stated results in 2 documents.');
    expect(first.stdout).toContain('README.md:10  Its result depends on the time, the language or chance.');
    expect(first.stdout).toContain('README.md:11  Its result depends on the working folder.');
    expect(first.stdout).toContain('README.md:12  It throws TypeError: Cannot read properties of undefined');
    expect(first.stdout).toContain('README.md:16  It throws ReferenceError: unknown is not defined');
    expect(first.code).toBe(1);
    const listed = await selfware.json(['analyse', '--rule', 'wrong-example']);
    expect(listed.value).toMatchObject([
      { path: 'README.md', startLine: 7 },
      { path: 'README.md', startLine: 9 },
      { path: 'src/upper.ts', startLine: 4 },
    ]);
    await repository.write('README.md', README.replace("'A.T.'", "'AT'"));
    expect((await selfware.json(['analyse', '--rule', 'wrong-example'])).value).toMatchObject([
      { path: 'src/upper.ts' },
    ]);
  }));

test('nothing is run in an untrusted workspace', () =>
  inRepository(async (selfware) => {
    const refused = await selfware.run(['examples', '--untrusted']);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('This workspace is not trusted')]);
  }));

thoroughTest('the proposal corrects all results of the document, proves it, and waits for a person', () =>
  inRepository(async (selfware, repository) => {
    await writeFile(join(selfware.home, 'settings.json'), '{"approve.withoutTerminal": true}');
    await selfware.run(['examples']);
    await selfware.run(['improve', 'README.md', '--rule', 'wrong-example']);
    const { value } = await selfware.json(['proposals']);
    expect(value).toMatchObject([
      { status: 'deferred', title: 'Correct 2 examples in README.md', claim: { kind: 'findings', holds: true } },
    ]);
    expect(await repository.read('README.md')).toBe(README);
    await selfware.run(['proposals', 'approve', value[0].id]);
    expect(await repository.read('README.md')).toBe(README.replace("'A.T.'", "'AT'").replace("'none'", "''"));
    expect((await selfware.run(['examples'])).stdout).toContain('1 wrong example among 9 stated results');
  }),
);
