// What a kept result depends on beside the tree: tools, isolation, set-up, installed packages.

import { expect, test } from 'vitest';
import type { Isolation } from '../../../server/src/core/ports/sandbox.ts';
import { describeEnvironment } from '../../../server/src/core/verify/environment.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';
import { createMemorySandbox } from '../../helpers/memorySandbox.ts';

const never = new AbortController().signal;

async function described({
  files = {},
  versions = {},
  kind = 'bubblewrap',
  id = 'one',
}: {
  files?: Record<string, string>;
  versions?: Record<string, string>;
  kind?: Isolation['kind'];
  id?: string;
}) {
  const table = Object.entries(versions).map(([line, stdout]) => [line, () => ({ stdout })] as const);
  const sandbox = {
    ...createMemorySandbox(createMemoryFiles(files), Object.fromEntries(table)),
    isolation: async () => ({ kind, confined: true, tried: [] }),
  };
  const setUp = { id, testCommand: null, services: [], values: {}, expectedTests: null };
  return describeEnvironment(await sandbox.open(never), { sandbox, setUp }, never);
}

test('each tool that the files ask for counts, and others do not', async () => {
  const of = (file: string, line: string, version: string) =>
    described({ files: { [file]: '' }, versions: { [line]: version } });
  for (const [file, line] of [
    ['README.md', 'node --version'],
    ['go.mod', 'go version'],
    ['Cargo.toml', 'cargo --version'],
  ] as const)
    expect(await of(file, line, '1'), line).not.toBe(await of(file, line, '2'));
  expect(await of('README.md', 'go version', '1')).toBe(await of('README.md', 'go version', '2'));
});

test('isolation, set-up and installed packages count', async () => {
  const usual = await described({});
  expect(await described({})).toBe(usual);
  expect(await described({ kind: 'container' })).not.toBe(usual);
  expect(await described({ id: 'two' })).not.toBe(usual);
  expect(await described({ files: { 'node_modules/.package-lock.json': '{}' } })).not.toBe(usual);
});
