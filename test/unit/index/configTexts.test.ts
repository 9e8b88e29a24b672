// Configuration that somebody has made slow to read, or to fill a terminal: it costs what its length costs, prints
// nothing, and a long one keeps nobody waiting but its own thread.

import { expect, test } from 'vitest';
import { parseConfig, type Format } from '../../../server/src/core/index/graph/config/readConfig.ts';
import { loadProjectConfig } from '../../../server/src/core/session/index/imports.ts';
import type { SessionContext } from '../../../server/src/core/session/context.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';
import { createPart } from '../../helpers/createPart.ts';

const FRAGMENTS: readonly (readonly [Format, string])[] = (
  [
    '`',
    "'''",
    '"',
    '<!--',
    '/* ',
    '(',
    '{',
    '[',
    ': ',
    'a: ',
    'a: 1\n',
    '- ',
    '&a ',
    '*a ',
    '!!x ',
    '[a]\n',
    '# ',
  ] as const
).flatMap((fragment) => (['json', 'yaml', 'toml'] as const).map((format) => [format, fragment] as const));

/** A square law makes it 16. */
const MAX_GROWTH = 9;
const LENGTH = 12_000;

/** Processor time of this thread, the least of several tries. */
function millisOf(format: Format, fragment: string, length: number, tries: number): number {
  const text = fragment.repeat(Math.ceil(length / fragment.length));
  let least = Infinity;
  for (let at = 0; at < tries; at += 1) {
    const start = process.threadCpuUsage();
    parseConfig({ path: 'a', text, format });
    const { user, system } = process.threadCpuUsage(start);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

test('a text four times as long takes no more than some four times as long', () => {
  const slow = FRAGMENTS.filter(([format, fragment]) => {
    const short = millisOf(format, fragment, LENGTH, 1);
    if (millisOf(format, fragment, 4 * LENGTH, 1) <= MAX_GROWTH * Math.max(short, 8)) return false;
    const again = millisOf(format, fragment, LENGTH, 3);
    return millisOf(format, fragment, 4 * LENGTH, 3) > MAX_GROWTH * Math.max(again, 8);
  });
  expect(slow).toEqual([]);
});

test('what a text says is not printed', async () => {
  const printed: string[] = [];
  const onWarning = ({ message }: Error) => void printed.push(message);
  process.on('warning', onWarning);
  parseConfig({ path: 'pnpm-workspace.yaml', text: 'packages: !!evil [a]\n', format: 'yaml' });
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', onWarning);
  expect(printed).toEqual([]);
});

test.each([
  ['pnpm-workspace.yaml', 'a: [\n', 'line'],
  ['pyproject.toml', 'a = [\n', 'invalid value'],
  ['package.json', '{ "a": \n', 'end of input'],
])('what is wrong with %s is said with its place', (path, text, place) => {
  const format = path.endsWith('json') ? 'json' : path.endsWith('toml') ? 'toml' : 'yaml';
  expect(parseConfig({ path, text, format })).toMatchObject({
    notice: { message: expect.stringContaining(place) },
  });
});

const LONG = `packages:\n${'  - packages/a\n'.repeat(2_000)}`;

function contextOf(text: string, run: SessionContext['ports']['jobs']['run']) {
  const notices: string[] = [];
  const tree = { 'package.json': '{}', 'pnpm-workspace.yaml': text };
  const state = { notices: [] };
  const context = createPart<SessionContext>({
    state,
    ports: { jobs: { run }, files: createMemoryFiles(tree), log: { write: () => undefined } },
    emit: (event: { readonly notice?: { readonly message: string } }) => notices.push(event.notice?.message ?? ''),
  });
  const records = Object.keys(tree).map((path) => ({ path, hash: path }));
  return { read: () => loadProjectConfig(context, records), notices };
}

test('a long text is read as a job, a short one at once', async () => {
  const asked: unknown[] = [];
  const run = (async (name: string, input: { readonly path: string }) => {
    asked.push([name, input.path]);
    return { table: {} };
  }) as unknown as SessionContext['ports']['jobs']['run'];
  await contextOf('packages: [a]\n', run).read();
  expect(asked).toEqual([]);
  await contextOf(LONG, run).read();
  expect(asked).toEqual([['configure', 'pnpm-workspace.yaml']]);
});

test('a text that takes too long is a notice, and the rest goes on', async () => {
  const { read, notices } = contextOf(LONG, () => Promise.reject(new SelfwareError('timedOut', 'ended')));
  expect((await read()).packages).toHaveLength(1);
  expect(notices.join()).toContain('pnpm-workspace.yaml cannot be read: it takes too long.');
});
