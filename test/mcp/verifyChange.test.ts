// An agent asks whether a change is right: the working tree and a branch, over real pipes, with nothing written.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { manifestOf } from '../helpers/manifest.ts';
import { connectMcp, type McpConnection } from '../helpers/mcpClient.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

const CODE = 'export const half = (n) => n / 2;\n';
const TEST =
  "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport * as math from '../src/half.js';\n\ntest('halves', () => {\n  assert.equal(math.half(4), 2);\n});\n";

let repository: TemporaryRepository;
let mcp: McpConnection;

beforeAll(async () => {
  repository = await createTemporaryRepository({
    'package.json': manifestOf('halves'),
    'src/half.js': CODE,
    'test/half.test.js': TEST,
  });
  await repository.git('switch', '--quiet', '--create', 'better', 'main');
  await repository.write('src/half.js', CODE.replace('n / 2', 'n * 0.5'));
  await repository.git('commit', '--quiet', '--all', '--message', 'better');
  await repository.git('switch', '--quiet', 'main');
  mcp = await connectMcp(repository.dir);
});
afterAll(async () => {
  await mcp?.dispose();
  await repository?.dispose();
});

test('a weakened test in the working tree is named; nothing is written', async () => {
  await repository.write(
    'test/half.test.js',
    TEST.replace("test('halves', () => {", "test('halves', (t) => {\n  t.mock.method(math, 'half', () => 2);"),
  );
  const status = await repository.git('status', '--porcelain');
  const refs = await repository.git('for-each-ref');
  const messages: string[] = [];
  const { structuredContent, content } = await mcp.call(
    'verify_change',
    { base: 'HEAD', wait_seconds: 200 },
    { onprogress: ({ message }) => void messages.push(message ?? '') },
  );
  expect(structuredContent).toMatchObject({
    conclusion: 'notPassed',
    head: null,
    tests: { changes: [{ kind: 'loosened', path: 'test/half.test.js' }] },
    verdicts: expect.arrayContaining([expect.objectContaining({ gate: 'integrity', outcome: 'failed' })]),
  });
  expect(content[0]).toMatchObject({ text: expect.stringContaining('half.test.js') });
  expect(messages.length).toBeGreaterThan(0);
  expect(await repository.git('status', '--porcelain')).toBe(status);
  expect(await repository.git('for-each-ref')).toBe(refs);
  await repository.git('checkout', '--quiet', '--', '.');
});

test('one change at a time: an equal call waits for the running judgement, another one is refused', async () => {
  const branch = { base: 'main', head: 'better' };
  const begun = await mcp.call('verify_change', { ...branch, wait_seconds: 0 });
  expect(begun).toMatchObject({ isError: false, structuredContent: { running: true } });
  const other = await mcp.call('verify_change', { base: 'HEAD', wait_seconds: 0 });
  expect(other).toMatchObject({ isError: true, structuredContent: { error: { reason: 'conflict' } } });
  const { structuredContent } = await mcp.call('verify_change', { ...branch, wait_seconds: 200 });
  expect(structuredContent).toMatchObject({
    conclusion: expect.stringMatching(/^(?:passed|look)$/),
    tests: { changes: [] },
  });
});

test('a cancelled call ends its judgement, and what cannot be judged says so', async () => {
  const cancel = new AbortController();
  const running = mcp.call(
    'verify_change',
    { base: 'main', head: 'better', wait_seconds: 200 },
    { signal: cancel.signal, onprogress: () => cancel.abort() },
  );
  await expect(running).rejects.toThrow();
  await expect
    .poll(async () => (await mcp.call('verify_change', { base: 'main', wait_seconds: 60 })).structuredContent.error)
    .toMatchObject({ reason: 'usage', message: expect.stringContaining('nothing to judge') });
  const unknown = await mcp.call('verify_change', { base: '--help' });
  expect(unknown).toMatchObject({ isError: true });
});

test('nothing runs in a repository that is not trusted', async () => {
  const untrusted = await connectMcp(repository.dir, { args: ['--untrusted'] });
  try {
    const { structuredContent } = await untrusted.call('verify_change', { base: 'main', head: 'better' });
    expect(structuredContent.error).toMatchObject({ reason: 'untrusted' });
  } finally {
    await untrusted.dispose();
  }
});
