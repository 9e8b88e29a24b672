// Which notation a question asks for, and which files an answer may replace as a whole.

import { expect, test } from 'vitest';
import { chooseAnswerFormat } from '../../../server/src/core/proposers/answerFormat.ts';
import type { Proposer, ProposerRequest } from '../../../server/src/core/ports/proposers.ts';
import type { Session } from '../../../server/src/core/session.ts';
import { askForProposal } from '../../../server/src/core/session/ask/askForProposal.ts';
import type { Settings } from '../../../server/src/settings/schema.ts';
import { createSessionWorld, type SessionWorld } from '../../helpers/memorySessionPorts.ts';

const RATE =
  'export function rate(value: number): number {\n  const unused = 1;\n  return value / 100;\n}\n\n' +
  'export const percent = 100;\n';
const BETTER = 'export function rate(value: number): number {\n  return value / 100;\n}\n';
const FILES = {
  'src/rate.ts': RATE,
  'test/rate.test.ts': "import { rate } from '../src/rate.ts';\nif (rate(100) !== 1) throw new Error();\n",
};
const operation = () => ({ signal: new AbortController().signal });
const words = { words: 'Make rate in src/rate.ts exact' };
const whole = (content: string, file = 'src/rate.ts') =>
  JSON.stringify({ description: 'A better rate', edits: [{ file, content }] });

/** A session whose proposers answer with these texts, one after the other. `onAsked` runs before each answer. */
async function answering(
  world: SessionWorld,
  replies: readonly string[],
  { settings = {}, onAsked = () => undefined }: { settings?: Partial<Settings>; onAsked?: () => void } = {},
): Promise<{ readonly session: Session; readonly asked: readonly ProposerRequest[] }> {
  const asked: ProposerRequest[] = [];
  const open = (name: string): Proposer => ({
    name,
    destination: null,
    async ask(request) {
      asked.push(request);
      onAsked();
      return { text: replies[asked.length - 1] ?? 'I do not know.', finished: true, model: null, usage: null };
    },
  });
  const session = await world.session({ settings, change: () => ({ proposers: { open, list: async () => [] } }) });
  return { session, asked };
}

test('a file that changed after it was shown is not replaced as a whole; its places are still edited', async () => {
  await using world = await createSessionWorld(FILES);
  const place = { file: 'src/rate.ts', search: 'value / 100', replace: 'value * 0.01' };
  const typed = `${RATE}export const typed = 1;\n`;
  const { session } = await answering(
    world,
    [whole(RATE.replace('value / 100', 'value * 0.01')), JSON.stringify({ description: 'd', edits: [place] })],
    { onAsked: () => world.tree.set('src/rate.ts', typed) },
  );
  // Two calls, because the second question shows the new text.
  const request = { task: words, proposer: 'scripted', verify: false };
  const { proposal, refusals } = await askForProposal(session, request, operation());
  expect(refusals).toEqual([expect.stringMatching(/^src\/rate\.ts is given as a whole, .*has changed since/)]);
  expect(proposal?.edits[0]?.after).toBe(typed.replace('value / 100', 'value * 0.01'));
});

test('a file of which a part was shown is not replaced as a whole', async () => {
  const long = `${RATE}${Array.from({ length: 2000 }, (_, index) => `export const a${index} = ${index};\n`).join('')}`;
  await using world = await createSessionWorld({ ...FILES, 'src/rate.ts': long });
  const settings = { 'models.contextTokens': 3000 };
  const { session, asked } = await answering(world, [whole(RATE), whole(RATE), whole(RATE)], { settings });
  const request = { task: words, proposer: 'scripted', verify: false };
  const { proposal, refusals } = await askForProposal(session, request, operation());
  expect(asked[0]?.messages.at(-1)?.content).toContain('(The rest of this file is not shown.)');
  expect(proposal).toBeNull();
  expect(refusals[0]).toMatch(/was shown only in part/);
});

test('a file with a secret, which the question does not show, is not replaced as a whole', async () => {
  const secret = `const key = 'ghp_${'a1B2'.repeat(9)}';\n`;
  await using world = await createSessionWorld({ ...FILES, 'src/rate.ts': secret + RATE });
  const { session } = await answering(world, [whole(`const key = '[redacted]';\n${BETTER}`)]);
  const request = { task: words, proposer: 'scripted', verify: false };
  const { refusals } = await askForProposal(session, request, operation());
  expect(refusals[0]).toMatch(/was shown only in part/);
});

/** Asks about the unused variable in `rate`. */
async function askAboutPlace(world: SessionWorld, proposer: string, replies: readonly string[]) {
  const { session, asked } = await answering(world, replies);
  await session.analysis.analyse(operation());
  const found = (await session.opportunities.listWithHidden()).shown.find(({ path }) => path === 'src/rate.ts');
  const task = { opportunity: found!.id };
  const outcome = await askForProposal(session, { task, proposer, verify: false }, operation());
  return { ...outcome, session, asked, task };
}

test.each(['ollama:small', 'gguf:small.gguf'])('%s is asked for the whole function, as code', async (proposer) => {
  await using world = await createSessionWorld(FILES);
  const reply = `Here it is:\n\`\`\`ts\n${BETTER}\`\`\`\n`;
  const { proposal, refusals, asked } = await askAboutPlace(world, proposer, [reply]);
  expect(refusals).toEqual([]);
  expect(proposal?.edits).toMatchObject([{ path: 'src/rate.ts', after: `${BETTER}\nexport const percent = 100;\n` }]);
  const [{ schema, messages }] = asked as [ProposerRequest];
  expect([schema, messages[0]?.content]).toEqual([undefined, expect.stringContaining('the whole function')]);
  expect(messages[1]?.content).toContain(
    '# The function to give as a whole, from src/rate.ts\n\n⟦\nexport function rate',
  );
});

test('code below the path of its file is the function, and not the whole file', async () => {
  await using world = await createSessionWorld(FILES);
  const { proposal } = await askAboutPlace(world, 'ollama:small', [`src/rate.ts\n\`\`\`ts\n${BETTER}\`\`\`\n`]);
  expect(proposal?.edits[0]?.after).toContain('percent');
});

test('a function with a secret, of which the question shows no more than a mark, is not asked for as a whole', async () => {
  const key = `ghp_${'a1B2'.repeat(9)}`;
  const text = RATE.replace('value / 100', `value / load('${key}')`);
  await using world = await createSessionWorld({ ...FILES, 'src/rate.ts': text });
  const marked = BETTER.replace('value / 100', "value / load('[redacted:github-token]')");
  const place = { file: 'src/rate.ts', search: '  const unused = 1;\n', replace: "  // '[redacted:github-token]'\n" };
  const replies = [`\`\`\`ts\n${marked}\`\`\`\n`, JSON.stringify({ description: 'd', edits: [place] })];
  const { proposal, refusals, asked } = await askAboutPlace(world, 'ollama:small', replies);
  expect(asked[0]?.messages[1]?.content).not.toContain('# The function to give as a whole');
  expect(asked[0]?.messages[1]?.content).not.toContain(key);
  expect(proposal).toBeNull();
  expect(refusals).toEqual([
    expect.stringContaining('no edit'),
    expect.stringMatching(/^src\/rate\.ts would get a “\[redacted:…\]”/),
    expect.any(String),
  ]);
});

test('another proposer is asked for JSON, with its schema, and a lone function is refused', async () => {
  await using world = await createSessionWorld(FILES);
  const reply = `\`\`\`ts\n${BETTER}\`\`\`\n`;
  const { proposal, refusals, asked } = await askAboutPlace(world, 'openai:large', [reply]);
  expect([proposal, refusals[0]]).toEqual([null, expect.stringContaining('no edit')]);
  expect(asked[0]?.schema).toBeDefined();
});

test('the second approach uses blocks', async () => {
  await using world = await createSessionWorld(FILES);
  const block =
    'A better rate.\n\nsrc/rate.ts\n<<<<<<< SEARCH\n  return value / 100;\n=======\n  return value * 0.01;\n>>>>>>> REPLACE\n';
  const { session, asked } = await answering(world, ['?', '?', '?', block]);
  const request = { task: words, proposer: 'scripted', verify: false };
  await askForProposal(session, request, operation());
  const { proposal } = await askForProposal(session, request, operation());
  expect(asked.map(({ schema }) => schema !== undefined)).toEqual([true, true, true, false]);
  expect(asked[3]?.messages[0]?.content).toContain('<<<<<<< SEARCH');
  expect(proposal?.edits[0]?.after).toContain('value * 0.01');
});

test('each approach has another notation', () => {
  const formats = (proposer: string, isOneFunction: boolean) =>
    [0, 2, 3, 5, 6, 8].map((rounds) => chooseAnswerFormat(proposer, rounds, isOneFunction));
  expect(formats('ollama:a', true)).toEqual(['function', 'function', 'blocks', 'blocks', 'json', 'json']);
  expect(formats('openai:a', true)).toEqual(['json', 'json', 'blocks', 'blocks', 'json', 'json']);
  expect(formats('ollama:a', false)).toEqual(['json', 'json', 'blocks', 'blocks', 'json', 'json']);
});
