// What stands in a question, and where: nothing twice, and configuration is not offered for change.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { askForProposal } from '../../../server/src/core/session/ask/askForProposal.ts';
import type { AskedData } from '../../../server/src/core/model/asks.ts';
import type { Proposer } from '../../../server/src/core/ports/proposers.ts';
import { sha256 } from '../../../server/src/util/hash.ts';
import { estimateTokens } from '../../../server/src/util/tokens.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';

const FILES = {
  'package.json': '{ "name": "rates", "description": "rate of a value" }\n',
  'src/rate.ts': 'export function rate(value: number): number {\n  return value / 100;\n}\n',
  'test/rate.test.ts': "import { rate } from '../src/rate.ts';\nif (rate(100) !== 1) throw new Error();\n",
};

/** The questions of a task whose answers do not parse: a request, or the first opportunity of a rule. */
async function questions(
  task: { readonly words: string } | { readonly rule: string },
  files: Readonly<Record<string, string>> = FILES,
): Promise<readonly string[]> {
  await using world = await createSessionWorld(files);
  const asked: string[] = [];
  const proposer: Proposer = {
    name: 'scripted',
    destination: null,
    async ask({ messages }) {
      asked.push(messages.at(-1)!.content);
      const edits = [{ file: 'src/rate.ts', search: 'value / 100', replace: `value / (${asked.length}` }];
      return { text: JSON.stringify({ description: 'd', edits }), finished: true, model: null, usage: null };
    },
  };
  const session = await world.session({
    change: () => ({ proposers: { open: () => proposer, list: async () => [] } }),
  });
  await session.analysis.analyse({ signal: new AbortController().signal });
  const found =
    'rule' in task ? (await session.opportunities.shown()).find(({ rule }) => rule === task.rule) : undefined;
  const request = { task: 'words' in task ? task : { opportunity: found!.id }, proposer: 'scripted', verify: true };
  await askForProposal(session, request, { signal: new AbortController().signal });
  return asked;
}

test('what a gate has refused is told once, among the attempts', async () => {
  const asked = await questions({ words: 'Make rate in src/rate.ts exact' });
  expect(asked).toHaveLength(3);
  expect(asked[2]).toContain('# Attempts so far');
  expect(asked[2]).not.toContain('The gate syntax refused');
});

test('of a file that is too large, the place is shown that the words are about, with a test and a user of the code', async () => {
  const filler = (number: number) =>
    `export function zone${number}(weight: number): number {\n  return weight * ${number} + ${number % 7};\n}\n\n`;
  const shipping = `import { round } from './round.ts';\n\n${Array.from({ length: 2_500 }, (_, n) => filler(n)).join('')}export function surchargeForIsland(weight: number): number {\n  return round(weight * 3);\n}\n`;
  const files = {
    ...FILES,
    'src/round.ts': 'export const round = (value: number): number => Math.round(value);\n',
    'src/shipping.ts': shipping,
    'src/checkout.ts': `import { surchargeForIsland } from './shipping.ts';\nexport const total = (weight: number): number => 5 + surchargeForIsland(weight);\n`,
    'test/shipping.test.ts': `import { surchargeForIsland } from '../src/shipping.ts';\nif (surchargeForIsland(1) !== 3) throw new Error();\n`,
  };
  const [asked] = await questions({ words: 'The surcharge for islands in shipping.ts must never be below 5' }, files);
  expect(asked).toContain('return round(weight * 3);');
  expect(asked).toContain("## src/shipping.ts\n\n⟦\nimport { round } from './round.ts';");
  expect(asked).toContain('(Lines are not shown here.)');
  expect(asked).toContain('## src/checkout.ts');
  expect(asked).toContain('## test/shipping.test.ts');
});

test('a manifest is shown, and stands among the files to change only if the words name it', async () => {
  const target = (question: string) => question.slice(question.indexOf('# Files to change'));
  const [unnamed] = await questions({ words: 'Make the rate of a value exact' });
  expect(unnamed).toContain('## package.json');
  expect(target(unnamed!)).not.toContain('## package.json');
  expect(target(unnamed!)).toContain('## test/rate.test.ts');
  const [named] = await questions({ words: 'Make the rate of a value exact, and say so in package.json' });
  expect(target(named!)).toContain('## package.json');
});

test('equal code in two files: both are files to change', async () => {
  const folder = new URL('../../../server/src/core/rules/duplicate-code/fixtures/found-two-files/', import.meta.url);
  const paths = ['package.json', 'src/a.ts', 'src/deep/b.ts', 'src/model.ts'];
  const files = Object.fromEntries(paths.map((path) => [path, readFileSync(new URL(path, folder), 'utf8')]));
  const [asked] = await questions({ rule: 'duplicate-code' }, files);
  const target = asked!.slice(asked!.indexOf('# Files to change'));
  expect(target).toContain('## src/a.ts');
  expect(target).toContain('## src/deep/b.ts');
});

test('the record of a question has the hash of its messages, which tells what code was shown, and none of its text', async () => {
  const recorded = async (text: string) => {
    await using world = await createSessionWorld({ ...FILES, 'src/rate.ts': text });
    let sent = '';
    const proposer: Proposer = {
      name: 'scripted',
      destination: null,
      async ask({ messages }) {
        sent ||= JSON.stringify(messages.map(({ role, content }) => ({ content, role })));
        return { text: 'I do not know.', finished: true, model: null, usage: null };
      },
    };
    const session = await world.session({
      change: () => ({ proposers: { open: () => proposer, list: async () => [] } }),
    });
    const request = { task: { words: 'Make rate in src/rate.ts exact' }, proposer: 'scripted', verify: false };
    await askForProposal(session, request, { signal: new AbortController().signal });
    const [asked] = await session.ledger.query({ types: ['asked'] });
    expect(JSON.stringify(asked!.data)).not.toContain('return value');
    const { shown, files } = asked!.data as AskedData;
    return { shown, files, expected: sha256(sent) };
  };
  const first = await recorded(FILES['src/rate.ts']);
  expect(first.shown).toBe(first.expected);
  expect(first.files).toContainEqual({ path: 'src/rate.ts', hash: sha256(FILES['src/rate.ts']) });
  expect((await recorded(FILES['src/rate.ts'])).shown).toBe(first.shown);
  expect((await recorded(FILES['src/rate.ts'].replace('100', '101'))).shown).not.toBe(first.shown);
});

test('with a model that reads little, long refused attempts leave room for the next question', async () => {
  await using world = await createSessionWorld(FILES);
  const MOST = 2_500;
  const sizes: number[] = [];
  const asked: string[] = [];
  const proposer: Proposer = {
    name: 'scripted',
    destination: null,
    maxQuestionTokens: async () => MOST,
    async ask({ messages }) {
      asked.push(messages.at(-1)!.content);
      sizes.push(messages.reduce((sum, { content }) => sum + estimateTokens(content), 0));
      const edits = [
        { file: 'src/rate.ts', search: 'value / 100', replace: `(${'value +\n'.repeat(1_500)}${asked.length}` },
      ];
      return { text: JSON.stringify({ description: 'd', edits }), finished: true, model: null, usage: null };
    },
  };
  const session = await world.session({
    change: () => ({ proposers: { open: () => proposer, list: async () => [] } }),
  });
  const request = { task: { words: 'Make rate in src/rate.ts exact' }, proposer: 'scripted', verify: true };
  const { stops } = await askForProposal(session, request, { signal: new AbortController().signal });
  expect([stops, asked.length]).toEqual([[], 3]);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(MOST);
  // The last attempt keeps the reason for which it was refused, and the code to change is still shown.
  expect(asked[2]).toMatch(/\n2\. It edited src\/rate\.ts\. syntax: /);
  expect(asked[2]).toContain('(The rest is not shown.)');
  expect(asked[2]).toContain('return value / 100;');
});
