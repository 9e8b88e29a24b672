// Build information of the compiler: it comes from the unchanged repository, shortens a clean check, and an error is
// said by the repository's own command.

import { expect, test } from 'vitest';
import { addBuildInfo } from '../../../server/src/core/verify/gates/types/buildInfo.ts';
import type { Sandbox } from '../../../server/src/core/ports/sandbox.ts';
import { edit, toldBy, verifying, watched, type Verifying } from './verifying.ts';
import { createPart } from '../../helpers/createPart.ts';
import { thoroughTest } from '../../helpers/thorough.ts';

const files = {
  'package.json': '{ "private": true }',
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "lib": ["es5"], "types": [] }, "include": ["src"] }',
  'src/a.ts': 'export const a: number = 1;\n',
  'src/b.ts': "import { a } from './a';\nexport const b: number = a;\n",
};

thoroughTest(
  'it is made once from the unchanged repository, and what it finds wrong is checked again without it',
  async () => {
    await using given = await verifying(files, ['typescript']);
    const { sandbox, lines } = watched(given);
    const kept = new Map<string, Uint8Array>();
    const buildInfo = {
      read: async (name: string) => kept.get(name) ?? null,
      write: async (name: string, bytes: Uint8Array) => void kept.set(name, bytes),
    };
    let millis = 60_000;
    const lastRuns = { find: async () => ({ millis, tests: null }), keep: async () => undefined };
    const said = async (after: string) => {
      lines.length = 0;
      const verification = await given.verify([edit('src/a.ts', files['src/a.ts'], after)], {
        sandbox,
        buildInfo,
        lastRuns,
        only: ['applies', 'types'],
      });
      const runs = lines.filter((line) => line.includes('--noEmit')).map((line) => line.includes('--incremental'));
      return { verdict: toldBy('types', verification), runs };
    };
    // The unchanged repository, then the candidate; the plain command has nothing to add.
    expect(await said('export const a: number = 2;\n')).toEqual({
      verdict: 'types passed: No type error.',
      runs: [true, true],
    });
    const [info] = kept.values();
    expect(new TextDecoder().decode(info)).toContain('a.ts');
    expect(await said('export const a: number = 3;\n')).toEqual({
      verdict: 'types passed: No type error.',
      runs: [true],
    });
    // An error of the importer, too, and no candidate leaves its own information.
    const broken = await said("export const a: string = '';\n");
    expect(broken.verdict).toMatch(/^types failed: 1 new type error/);
    expect(broken.runs).toEqual([true, false, false]);
    expect([...kept.values()]).toEqual([info]);
    // A check that is fast begins from nothing.
    millis = 100;
    expect((await said('export const a: number = 4;\n')).runs).toEqual([false]);
  },
);

/** Verifies changes of `src/a.ts`, and tells of each type check whether it was a short one. A check takes `millis`. */
function checking(given: Verifying, millis: number) {
  const { sandbox: plain, lines } = watched(given);
  const sandbox: Sandbox = {
    ...plain,
    async open(signal) {
      const worktree = await plain.open(signal);
      return { ...worktree, run: async (...request) => ({ ...(await worktree.run(...request)), millis }) };
    },
  };
  const kept = new Map<string, Uint8Array>();
  const buildInfo = {
    read: async (name: string) => kept.get(name) ?? null,
    write: async (name: string, bytes: Uint8Array) => void kept.set(name, bytes),
  };
  const lastRuns = { find: async () => ({ millis: 10_000, tests: null }), keep: async () => undefined };
  return async (value: number) => {
    lines.length = 0;
    const after = `export const a: number = ${value};\n`;
    const parts = { sandbox, buildInfo, lastRuns, only: ['applies', 'types'] as const };
    await given.verify([edit('src/a.ts', files['src/a.ts'], after)], parts);
    return lines.filter((line) => line.includes('--noEmit')).map((line) => line.includes('--incremental'));
  };
}

thoroughTest('a repository whose types are not clean is tried once', async () => {
  const wrong = "export const c: number = '';\n";
  await using given = await verifying({ ...files, 'src/c.ts': wrong }, ['typescript']);
  const runsOf = checking(given, 1);
  expect((await runsOf(2))[0]).toBe(true);
  // The plain command alone judges the candidate; its result on the repository is kept.
  expect(await runsOf(3)).toEqual([false]);
});

thoroughTest('information that was outdated twice in a row is not made again', async () => {
  await using given = await verifying(files, ['typescript']);
  const runsOf = checking(given, 9_000);
  expect(await runsOf(2)).toEqual([true, true]);
  expect(await runsOf(3)).toEqual([true, true]);
  expect(await runsOf(4)).toEqual([false]);
});

test.each([
  ['tsc --noEmit', true],
  ['tsc --noEmit -p tsconfig.build.json --pretty false', true],
  ['tsc', false],
  ['tsc --noEmit && eslint .', false],
  ['tsc --noEmit --incremental', false],
  ['vue-tsc --noEmit', false],
  ['tsc -b --noEmit', false],
])('a script %s is shortened: %s', (text, isShortened) => {
  const script = { manager: 'npm', name: 'typecheck', plain: text } as const;
  const command = { source: 'package script', command: [text], shell: true, script };
  const manifest = { scripts: { typecheck: text } };
  const given = createPart<Parameters<typeof addBuildInfo>[1]>({ manifest });
  expect(addBuildInfo(command, given, 'x') !== null).toBe(isShortened);
});
