// The pages of evidence and explanation, and what the editor's commands about changes answer.

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EvidenceAnswer, ExplainAnswer } from '#protocol/review';
import type { Points, Proposal, Verdict } from '../../server/src/core/model.ts';
import { renderEvidence } from '../../server/src/lsp/evidenceText.ts';
import { richCapabilities } from '../helpers/clientCapabilities.ts';
import { startInnerServer, type InnerServer } from '../helpers/lspServers.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import type { StoredEvent } from '../../server/src/core/ports/ledger.ts';
import { createPart } from '../helpers/createPart.ts';

let repository: TemporaryRepository;
beforeEach(
  async () =>
    (repository = await createTemporaryRepository(
      { 'src/a.ts': 'one\n  poor two\nthree\n', 'src/deep/b.ts': 'poor b\n' },
      { git: false },
    )),
);
afterEach(() => repository.dispose());

async function start(): Promise<InnerServer> {
  const server = startInnerServer(repository.dir, {
    capabilities: richCapabilities,
    initializationOptions: { canSave: true },
  });
  await server.client.initialize();
  await server.client.until(() => server.sessions.at(-1)?.calls.includes('indexed') ?? false);
  return server;
}

const execute = ({ client }: InnerServer, command: string, argument: object = {}) =>
  client.request('workspace/executeCommand', { command: `selfware.server.${command}`, arguments: [argument] });

const verdict = (
  gate: Verdict['gate'],
  outcome: Verdict['outcome'],
  reason: string,
  evidence: Verdict['evidence'] = {},
  millis = 1,
): Verdict => ({ gate, outcome, reason, evidence, millis });
const points = (total: number, codeQuality: number): Points => ({
  ruler: { version: '3', hash: 'a'.repeat(64) },
  total,
  max: 100,
  categories: {
    codeQuality: { points: codeQuality, max: 40, unknown: [] },
    testCoverage: { points: null, max: 20, unknown: ['coverage'] },
    safety: { points: 10, max: 20, unknown: [] },
    performance: { points: 1, max: 10, unknown: [] },
    maintainability: { points: 1, max: 10, unknown: [] },
  },
});
const proposal: Proposal = {
  id: 'p-2',
  title: 'Remove `x` | and <b>more</b>',
  rationale: '',
  recipe: 'remove-unused',
  opportunity: { id: 'o-1', rule: 'unused-local', path: 'src/a.ts', symbol: null },
  base: 'b'.repeat(40),
  edits: [],
  safety: 'behaviorPreserving',
  createdAt: 0,
  status: 'refused',
  verdicts: [],
  pointsBefore: null,
  pointsAfter: null,
  reason: null,
  checkpoint: null,
};
const event = (sequence: number, type: string, data: object) =>
  createPart<StoredEvent>({ sequence, type, data, id: String(sequence), at: 0 });

test('every check with its time and what it means, points by category, and what is not known', () => {
  const page = renderEvidence(
    {
      ...proposal,
      verdicts: [verdict('types', 'passed', 'No new error.', {}, 1234), verdict('lint', 'unknown', 'No linter.')],
      pointsBefore: points(50, 38),
      pointsAfter: points(50.5, 38.5),
    },
    [],
  );
  expect(page).toContain('| Types | ✓\u00a0passed | 1.2\u00a0s | No new error. |');
  expect(page).toContain('- *Types:* The type checker finds no error');
  expect(page).toContain('| Linter | ?\u00a0unknown | 1\u00a0ms | No linter. |');
  expect(page).toContain('| Code quality | 38 | 38.5 | +0.5 | 40 |');
  expect(page).toContain('| Test coverage | unknown | unknown |  | 20 |');
  expect(page).toContain('| **all** | **50** | **50.5** | **+0.5** | 100 |');
  expect(page).toContain('Not known, and counted for neither side: coverage.');
});

test('names and reasons are no markup', () => {
  const page = renderEvidence(
    { ...proposal, verdicts: [verdict('types', 'failed', 'a | b\n`c | d` <img src=x>')] },
    [],
  );
  expect(page).toContain('# Remove `x` \\| and \\<b\\>more\\</b\\>');
  expect(page).toContain('| a \\| b `c \\| d` \\<img src=x\\> |');
});

test('a counterexample with its test, and how well tests guard the lines', () => {
  const page = renderEvidence(
    {
      ...proposal,
      verdicts: [
        verdict('tests', 'passed', '3 tests passed.', { reachingFiles: 2 }),
        verdict('differential', 'failed', 'They differ.', {
          call: 'f(0)',
          before: 'returns 1',
          after: 'returns 2',
          test: "test('f', () => {});\n```\n",
        }),
        verdict('guard', 'unknown', 'Weak.', { missed: 'src/a.ts:3 + → -' }),
      ],
    },
    [],
  );
  expect(page).toContain('| f(0) | returns 1 | returns 2 |');
  expect(page).toContain("````\ntest('f', () => {});\n```\n");
  expect(page).toContain('2 test files can reach the change');
  expect(page).toContain('```\nsrc/a.ts:3 + → -\n```');
});

test.each([
  ['the first', [event(1, 'proposed', { proposal: { id: 'p-2', opportunity: { id: 'o-1' } } })], 'Attempt 1 on'],
  [
    'after a refusal of the recipe',
    [
      event(2, 'proposed', { proposal: { id: 'p-2', opportunity: { id: 'o-1' } } }),
      event(1, 'attempt', { opportunity: 'o-1', outcome: 'refused' }),
    ],
    'Attempt 2 on',
  ],
  [
    'before another one',
    [
      event(1, 'proposed', { proposal: { id: 'p-2', opportunity: { id: 'o-1' } } }),
      event(3, 'proposed', { proposal: { id: 'p-3', opportunity: { id: 'o-1' } } }),
      event(2, 'attempt', { opportunity: 'other', outcome: 'refused' }),
    ],
    'Attempt 1 of 2 on',
  ],
])('which attempt it is: %s', (_, events, expected) => {
  expect(renderEvidence(proposal, events)).toContain(expected);
});

test('the pages on request', async () => {
  const server = await start();
  const { review } = await execute(server, 'improve');
  const evidence = await server.client.request<EvidenceAnswer>('selfware/evidence', { proposal: review.id });
  expect(evidence).toMatchObject({ title: review.title, markdown: expect.stringContaining('## Checks'), test: null });
  await server.client.open('src/a.ts');
  const { items } = await server.client.request('textDocument/diagnostic', {
    textDocument: { uri: server.client.uri('src/a.ts') },
  });
  const explained = await server.client.request<ExplainAnswer>('selfware/explain', {
    uri: server.client.uri('src/a.ts'),
    opportunity: items[0].data.id,
  });
  expect(explained.markdown).toContain('line 2 of src/a.ts');
  expect(
    await server.client.request('selfware/explain', { uri: server.client.uri('src/a.ts'), opportunity: 'gone' }),
  ).toBeNull();
});

test('a folder is improved, and nothing outside of it', async () => {
  const server = await start();
  const uri = (path: string) => `file://${repository.dir}/${path}`;
  const { review } = await execute(server, 'improve', { uris: [uri('src/deep')] });
  expect(review.files.map(({ path }: { path: string }) => path)).toEqual(['src/deep/b.ts']);
  expect(await execute(server, 'improve', { uris: [uri('src/dee')] })).toMatchObject({ ok: false });
  expect(await execute(server, 'improve', { uris: ['file:///elsewhere'] })).toMatchObject({
    ok: false,
    message: expect.stringContaining('an open folder'),
  });
  expect(await execute(server, 'improve', { uris: [`file://${repository.dir}`] })).toMatchObject({ ok: true });
});

test('a rejection with what is wrong teaches the rule; one of an unknown kind is refused', async () => {
  const server = await start();
  const { review } = await execute(server, 'improve');
  expect(await execute(server, 'reject', { proposal: review.id, kind: 'nonsense' })).toMatchObject({
    ok: false,
    message: expect.stringContaining('notAProblem'),
  });
  expect(await execute(server, 'reject', { proposal: review.id, kind: 'wrong', reason: 'It is wrong.' })).toMatchObject(
    { ok: true },
  );
  expect(await server.sessions.at(-1)?.opportunities.dismissals()).toMatchObject([
    { kind: 'wrong', reason: 'It is wrong.' },
  ]);
});

test('keep, judge and commit answer with a sentence', async () => {
  const server = await start();
  expect(await execute(server, 'judge')).toMatchObject({
    ok: true,
    message: 'No applied change waits for its checks.',
  });
  expect(await execute(server, 'keep')).toMatchObject({
    ok: false,
    message: expect.stringContaining('No applied change waits for its checks'),
  });
  expect(await execute(server, 'commit', { changes: 'x' })).toMatchObject({
    ok: false,
    message: expect.stringContaining('list of texts'),
  });
  expect(await execute(server, 'apply', { proposal: 'p-1', texts: [{ path: 1 }] })).toMatchObject({
    ok: false,
    message: expect.stringContaining('list of files'),
  });
});

test('a change that is rolled back by itself, or stuck, is told with its way back; other editors get the words', async () => {
  const change = { proposal: 'p-1', title: 'A change', status: 'conflicted', checkpoint: 'c-1' } as const;
  const notice = {
    severity: 'error',
    message: 'A change failed its probation.',
    action: 'Undo your edits.',
    change,
  } as const;
  const ours = await start();
  ours.sessions.at(-1)?.emit({ type: 'notice', notice });
  const told = await ours.client.waitFor(({ method }) => method === 'selfware/outcome');
  expect(told.params).toEqual({ ...change, message: 'A change failed its probation.' });
  expect(
    ours.client.received.some(
      ({ method, params }) => method === 'window/showMessage' && params.message.includes('probation'),
    ),
  ).toBe(false);
  const plain = startInnerServer(repository.dir, { capabilities: richCapabilities });
  await plain.client.initialize();
  await plain.client.until(() => plain.sessions.at(-1)?.calls.includes('indexed') ?? false);
  plain.sessions.at(-1)?.emit({ type: 'notice', notice });
  await plain.client.waitFor(
    ({ method, params }) => method === 'window/showMessage' && params.message.includes('Undo your edits'),
  );
});
