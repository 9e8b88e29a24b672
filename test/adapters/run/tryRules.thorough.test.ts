// A run that waits tries a rule of the repository: its proposer answers recorded tasks with and without the rule.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLedger } from '../../../server/src/app/nights/sharedKnowledge.ts';
import type { NightRequest } from '../../../server/src/app/nights/night.ts';
import { resolveNightFolders } from '../../../server/src/app/nights/nightFolders.ts';
import { runNight } from '../../../server/src/app/nights/runNight.ts';
import { foldRuleBook } from '../../../server/src/core/learn/ruleBook.ts';
import type { RuleEvent, RuleFile } from '../../../server/src/core/model/feedback.ts';
import { createDecidedChanges, recordDecided } from '../../helpers/learnedLedger.ts';
import { answerMailbox, type MailboxAnswers } from '../../helpers/mailboxAnswers.ts';
import { manifestOf } from '../../helpers/manifest.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';

const log = { write: () => undefined };
const HARMFUL = 'Explain every change in prose instead.';

let repository: TemporaryRepository;
let home: string;
let mail: MailboxAnswers;
beforeEach(async () => {
  const tested = "import test from 'node:test';\ntest('nothing', () => undefined);\n";
  repository = await createTemporaryRepository({ 'package.json': manifestOf('tried'), 'test/a.test.js': tested });
  home = await mkdtemp(join(tmpdir(), 'selfware-rules-'));
  mail = await answerMailbox(join(home, 'mail'), ({ text }) => {
    const [, name] = /let (total\d+) = 0;/.exec(text) ?? [];
    const file = /src\/part\d+\.ts/.exec(text)?.[0];
    if (name === undefined || text.includes(HARMFUL)) return [];
    return [{ file, search: `let ${name} = 0;`, replace: `const ${name} = 0;` }];
  });
});
afterEach(async () => {
  await mail.stop();
  await repository.dispose();
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
});

/** Runs until it has waited and said what became of a rule, or until it begins to wait if `tokens` is 0. */
async function notesOfRun(tokens: number): Promise<readonly string[]> {
  const end = new AbortController();
  const notes: string[] = [];
  const personSettings = {
    ...{ 'night.searchFurther': false, 'night.canaryEvery': 0, 'night.ruleTokens': tokens },
    'models.answerSeconds': 60,
  };
  const request: NightRequest = {
    ...{ rootDir: repository.dir, personSettings, env: environment(), log, waits: true, signal: end.signal },
    plan: { until: Date.now() + 3_600_000, maxChanges: 1, proposer: `mailbox:${join(home, 'mail')}`, places: null },
    onEvent(event) {
      if (event.type === 'note') notes.push(event.text);
      if (event.type === 'waiting' ? tokens === 0 : event.type === 'note' && /rule/.test(event.text)) end.abort();
    },
  };
  await runNight(request);
  return notes;
}

const environment = () => ({ PATH: process.env['PATH'], SELFWARE_HOME: home, SELFWARE_IGNORE_LOAD: '1' });

/** Writes rules as a person, in a repository with sixteen recorded tasks. */
async function written(rules: readonly { readonly id: string; readonly file: RuleFile; readonly text: string }[]) {
  const { state } = resolveNightFolders(repository.dir, environment());
  await recordDecided(state, createDecidedChanges(16));
  const { ledger, close } = await openLedger(state, log);
  for (const { id, file, text } of rules)
    await ledger.record({
      type: 'ruleWritten',
      data: { file, rule: id, text, by: 'person', version: await ledger.ruleVersion(file), events: [] },
    });
  await close();
}

/** The rules with their trials, read from the ledger of the repository. */
async function rules() {
  const { ledger, close } = await openLedger(resolveNightFolders(repository.dir, environment()).state, log);
  const events = await ledger.query({ types: ['ruleWritten', 'ruleSwitched', 'ruleTried'] });
  await close();
  return foldRuleBook(events as unknown as readonly (RuleEvent & { readonly at: number; readonly sequence: number })[]);
}

test('a rule that makes answers worse is off after a trial in idle time; without tokens, none is tried', async () => {
  await written([
    { id: 'tools', file: 'TOOLS', text: 'Run the tests before you call it done.' },
    { id: 'harmful', file: 'CODE', text: HARMFUL },
  ]);
  expect(await notesOfRun(0)).toEqual([]);
  expect(mail.asked.filter(({ text }) => text.includes('total'))).toEqual([]);

  expect((await notesOfRun(1_000_000)).join('\n')).toMatch(/A rule was tried: .*prose.* so it is off now\./);
  const [tools, harmful] = await rules();
  expect(harmful).toMatchObject({ state: 'off', trial: { outcome: 'harmful', with: 0, without: 14 } });
  expect(tools).toMatchObject({ state: 'on', trial: null });
});
