// "Improve with a Model…" against the built server: the client answers `selfware/model/*`, as VS Code does for the
// models of its window.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CancellationTokenSource, type CancellationToken } from 'vscode-languageserver/node';
import type { EditorModelEnd, EditorModelList, EditorModelQuestion } from '#protocol/models';
import { plainCapabilities, richCapabilities } from '../helpers/clientCapabilities.ts';
import type { LspClient } from '../helpers/lspClient.ts';
import { startRealServer, type RealServer } from '../helpers/lspServers.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { manifestOf } from '../helpers/manifest.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const project = {
  'package.json': manifestOf('shop'),
  'src/page.ts': `import { readFileSync } from 'node:fs';

/** Answers with the text of a file. */
export async function page(req: { path: string }, res: { end(text: string): void }): Promise<void> {
  const text = readFileSync(req.path, 'utf8');
  res.end(text.trim());
}
`,
  'src/price.ts': `/** Price of an order. */
export function price(kind: string, count: number, member: boolean, day: number): number {
  let total = 0;
  if (kind === 'a') {
    if (count > 10) {
      if (member) {
        if (day > 5) {
          if (count > 20) {
            if (day > 6) {
              total = count * 2;
            }
          }
        }
      }
    }
  }
  return total;
}
`,
  'test/price.test.ts': `import { strictEqual } from 'node:assert';
import { test } from 'node:test';
import { price } from '../src/price.ts';

test('a price', () => {
  strictEqual(price('a', 21, true, 7), 42);
  strictEqual(price('a', 21, true, 6), 0);
  strictEqual(price('a', 20, true, 7), 0);
  strictEqual(price('a', 21, false, 7), 0);
  strictEqual(price('b', 21, true, 7), 0);
});
`,
};
const good = JSON.stringify({
  description: 'One condition',
  edits: [
    {
      file: 'src/price.ts',
      search: project['src/price.ts'].slice(project['src/price.ts'].indexOf('  let'), -2),
      replace:
        "  const applies = kind === 'a' && member && count > 10 && day > 5;\n" +
        '  return applies && count > 20 && day > 6 ? count * 2 : 0;\n',
    },
  ],
});
const model = { vendor: 'acme', id: 'small/1', title: 'Small', mostTokens: 16_000 };
const proposer = 'editor:acme/small/1';
const destination = 'the provider of the model, acme';

type Answer = (
  question: EditorModelQuestion,
  tell: (text: string) => Promise<void>,
  token: CancellationToken,
) => Promise<EditorModelEnd>;

let repository: TemporaryRepository;
let server: RealServer | null = null;
beforeEach(async () => (repository = await createTemporaryRepository(project)));
afterEach(async () => {
  await server?.dispose();
  server = null;
  await repository.dispose();
});

/** Says it in pieces. */
const saying =
  (text: string): Answer =>
  async (_, tell) => {
    for (let at = 0; at < text.length; at += 50) await tell(text.slice(at, at + 50));
    return { characters: text.length, failed: null };
  };

async function start(answer: Answer, list: EditorModelList = { models: [model], off: null }, trusted = true) {
  server = await startRealServer(repository.dir, {
    capabilities: richCapabilities,
    initializationOptions: { canSave: true, canAskModels: true, trusted },
  });
  const { client } = server;
  const calls: string[] = [];
  const asked: EditorModelQuestion[] = [];
  client.connection.onRequest('selfware/model/list', () => {
    calls.push('list');
    return list;
  });
  client.connection.onRequest('selfware/model/ask', (question: EditorModelQuestion, token: CancellationToken) => {
    calls.push('ask');
    asked.push(question);
    return answer(
      question,
      (text) => client.notify('selfware/model/text', { question: question.question, text }),
      token,
    );
  });
  await client.initialize();
  return { client, calls, asked };
}

const execute = (client: LspClient, argument: object = {}, token?: CancellationToken): Promise<any> =>
  client.request(
    'workspace/executeCommand',
    { command: 'selfware.server.improveWithModel', arguments: [argument], workDoneToken: 'work' },
    token,
  );

/** Of the quiet rules, too. */
async function opportunityOf(client: LspClient, rule: string): Promise<string> {
  await execute(client);
  await client.request('workspace/executeCommand', { command: 'selfware.server.index', arguments: [{}] });
  const { rows } = await client.request('selfware/opportunities', { filter: { quiet: true } });
  return rows.find((row: { readonly rule: string }) => row.rule === rule).id;
}

const ledger = async (client: LspClient): Promise<string> =>
  (await client.request('selfware/state')).events.map(({ type }: { readonly type: string }) => type).join();

test('nothing is listed before the command; consent is asked once, then the answer is verified and waits', async () => {
  const { client, calls, asked } = await start(saying(good));
  await client.request('workspace/executeCommand', { command: 'selfware.server.index', arguments: [{}] });
  expect(calls).toEqual([]);
  const { models } = await execute(client);
  // A server may run on this machine as well.
  expect(models.proposers.filter(({ name }: { readonly name: string }) => name.startsWith('editor:'))).toEqual([
    { name: proposer, title: 'Small', where: `code goes to ${destination}`, why: 'A model of this editor.' },
  ]);
  expect(models.missing).toContain('OPENAI_API_KEY is not set.');
  expect(models.best).toMatchObject({ place: 'src/page.ts:5', message: expect.stringContaining('readFileSync') });

  const opportunity = await opportunityOf(client, 'cognitive-complexity');
  const unasked = await execute(client, { proposer, opportunity });
  expect(unasked).toMatchObject({ ok: false, review: null, consent: { destination } });
  expect(await execute(client, { proposer, opportunity, agreed: 'somebody else' })).toMatchObject({
    consent: { destination },
  });
  expect(asked).toEqual([]);

  const outcome = await execute(client, { proposer, opportunity, agreed: destination });
  expect(outcome, outcome.message).toMatchObject({
    ok: true,
    review: { status: 'verified', files: [{ path: 'src/price.ts' }] },
  });
  expect(asked.map(({ vendor, id }) => [vendor, id])).toEqual([['acme', 'small/1']]);
  expect(asked[0]?.messages.map(({ role }) => role)).toEqual(['user', 'user']);
  expect(asked[0]?.messages[0]?.content).toContain('You change source code.');
  expect(
    client.received.some(({ params }) =>
      /^Asking editor:acme\/small\/1: [\d,]+ characters$/.test(params?.value?.message ?? ''),
    ),
  ).toBe(true);
  expect(client.received.some(({ method }) => method === 'selfware/reviewReady')).toBe(true);
  expect(await repository.read('src/price.ts')).toBe(project['src/price.ts']);

  const second = await execute(client, { proposer, words: 'Read src/page.ts without blocking' });
  expect(second).not.toHaveProperty('consent');
});

test('what failed is told with its reasons, and a page has all of them', async () => {
  const { client, asked } = await start(saying('I do not know.'));
  const outcome = await execute(client, { proposer, words: 'Make it fast', agreed: destination });
  expect(outcome).toMatchObject({
    ok: false,
    review: null,
    message: expect.stringMatching(
      /^acme\/small\/1 made no change that passed its checks\. Attempts 1 to 3: The reply /,
    ),
    page: { markdown: expect.stringContaining('## Attempt 3') },
  });
  expect(asked).toHaveLength(3);
  // After nine attempts the task waits for a person, and nobody is said to have failed again.
  for (let call = 0; call < 2; call += 1) await execute(client, { proposer, words: 'Make it fast' });
  expect(await execute(client, { proposer, words: 'Make it fast' })).toMatchObject({
    ok: false,
    message: expect.stringMatching(/^editor:acme\/small\S* was not asked\. 9 attempts have failed/),
  });
  expect(asked).toHaveLength(9);
});

test('cancelled, the question is cancelled at once, though the model does not notice', async () => {
  let seen: CancellationToken | undefined;
  const { client } = await start(async (_, tell, token): Promise<EditorModelEnd> => {
    seen = token;
    await tell('{"description"');
    return new Promise(() => {});
  });
  const source = new CancellationTokenSource();
  const answer = execute(client, { proposer, words: 'Make it fast', agreed: destination }, source.token);
  await client.until(() => client.received.some(({ params }) => /characters$/.test(params?.value?.message ?? '')));
  source.cancel();
  expect(await answer).toMatchObject({ ok: false, cancelled: true });
  await client.until(() => seen?.isCancellationRequested === true);
  expect(await ledger(client)).not.toContain('proposed');
});

const FAILURES: readonly (readonly [string, () => Promise<unknown>, string])[] = [
  [
    'the editor says why',
    async () => ({ characters: 0, failed: { reason: 'blocked', message: 'No more today.' } }),
    'No more today. Wait a while',
  ],
  ['a piece was lost', async () => ({ characters: 7, failed: null }), 'did not answer'],
  ['it is no answer', async () => 7, 'did not answer'],
  ['it throws', () => Promise.reject(new Error('broken')), 'did not answer'],
];

test.each(FAILURES)(
  'an answer that fails is never read: %s',
  async (_, answer, message) => {
    const { client, asked } = await start(answer as unknown as Answer);
    const outcome = await execute(client, { proposer, words: 'Make it fast', agreed: destination });
    expect(outcome).toMatchObject({ ok: false, review: null, message: expect.stringContaining(message) });
    expect(asked).toHaveLength(1);
  },
  120_000,
);

test('switched off in the editor, its models are not listed and not asked', async () => {
  const { client, calls } = await start(saying(good), { models: [], off: 'AI features are switched off.' });
  const { models } = await execute(client);
  expect(models).toMatchObject({ proposers: [], missing: expect.arrayContaining(['AI features are switched off.']) });
  expect(await execute(client, { proposer, words: 'Make it fast', agreed: destination })).toMatchObject({
    ok: false,
    message: 'AI features are switched off.',
  });
  expect(calls).not.toContain('ask');
});

test('nobody is asked about a workspace that is not trusted', async () => {
  const { client, calls } = await start(saying(good), { models: [model], off: null }, false);
  for (const given of [{}, { proposer, words: 'Make it fast', agreed: destination }])
    expect(await execute(client, given)).toMatchObject({ ok: false, message: expect.stringContaining('not trusted') });
  const add = { command: 'selfware.server.wishes', arguments: [{ add: 'Round up.' }] };
  expect(await client.request('workspace/executeCommand', add)).toMatchObject({
    ok: false,
    message: expect.stringContaining('not trusted'),
  });
  expect(calls).toEqual([]);
});

test('a client that cannot ask models is told whom it can ask, and cannot agree for a person', async () => {
  server = await startRealServer(repository.dir, { capabilities: plainCapabilities });
  const { client } = server;
  await client.initialize();
  const remote = 'openai-compatible:small@https://models.example/v1';
  expect(await execute(client)).toMatchObject({ ok: true, models: { proposers: [] } });
  expect(await execute(client, { proposer, words: 'Make it fast' })).toMatchObject({
    ok: false,
    message: expect.stringContaining('can be asked only there'),
  });
  expect(await execute(client, { proposer: remote, words: 'Make it fast', agreed: 'models.example' })).toMatchObject({
    ok: false,
    consent: { destination: 'models.example' },
  });
  const shown = client.received.filter(({ method }) => method === 'window/showMessage');
  expect(shown.map(({ params }) => params.message).join()).toMatch(/OPENAI_API_KEY is not set.*Nothing was sent/);
});

test('a place that no recipe changes is offered to a model, where the client can ask one', async () => {
  const { client } = await start(saying(good));
  await client.open('src/page.ts');
  const place = { line: 4, character: 18 };
  const actions = await client.request('textDocument/codeAction', {
    textDocument: { uri: client.uri('src/page.ts') },
    range: { start: place, end: place },
    context: { diagnostics: [] },
  });
  const offered = actions.filter(({ title }: { readonly title: string }) =>
    title.startsWith('Improve with a Model…: '),
  );
  expect(offered).toMatchObject([
    { command: { command: 'selfware.server.improveWithModel', arguments: [{ opportunity: expect.any(String) }] } },
  ]);
  expect(await execute(client, { proposer, opportunity: offered[0].command.arguments[0].opportunity })).toMatchObject({
    consent: { destination },
  });
});

thoroughTest('tests for a file can be asked for, or whatever is worth most', async () => {
  const { client, asked } = await start(saying('I do not know.'));
  const tests = pathToFileURL(join(repository.dir, 'src/price.ts')).href;
  const about = () => asked.map(({ messages }) => messages.at(-1)!.content.includes('Write tests for src/price.ts'));
  const outcome = await execute(client, { proposer, tests, agreed: destination });
  expect(outcome).toMatchObject({ ok: false, page: { title: 'Selfware: Attempts' } });
  expect(about()).toEqual([true, true, true]);
  expect(asked[0]!.messages.at(-1)!.content).toMatch(/src\/price\.ts:\d+ \S/);
  // Its attempts of this run are used up: the next task is another one.
  expect(await execute(client, { proposer })).toMatchObject({ ok: false });
  expect(about().slice(3)).not.toContain(true);
  expect(await execute(client, { proposer, tests: 'file:///elsewhere/a.ts' })).toMatchObject({
    ok: false,
    message: expect.stringContaining('in no open folder'),
  });
});

test('a model makes the examples of a migration after consent; the places that match are listed', async () => {
  const file = (name: string) => `export const ${name} = (kind: string) => kind.substr(1);\n`;
  const names = ['one', 'two', 'three'];
  for (const name of names) await repository.write(`src/${name}.ts`, file(name));
  await repository.git('add', '--all');
  await repository.git('commit', '--quiet', '--message', 'More');
  const examples = names.slice(0, 2).map((name) => ({
    file: `src/${name}.ts`,
    search: file(name),
    replace: file(name).replace('substr', 'slice'),
  }));
  const { client, asked } = await start(saying(JSON.stringify({ description: 'slice', edits: examples })));
  const find = (argument: object): Promise<any> =>
    client.request('workspace/executeCommand', {
      command: 'selfware.server.findRecipes',
      arguments: [{ source: 'asked', words: 'slice instead of substr', proposer, ...argument }],
    });
  expect(await find({})).toMatchObject({ ok: false, consent: { destination } });
  expect(asked).toEqual([]);
  const found = await find({ agreed: destination });
  expect(found.recipes, found.message).toMatchObject([{ title: '$a.substr(1) → $a.slice(1)', places: 3 }]);
});
