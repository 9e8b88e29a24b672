// Several answers to one question: the gates that run nothing judge each, and only the best pays for tests. With a
// proposer that is right with a given chance, the loop succeeds as often as nine attempts allow.

import { expect, test } from 'vitest';
import type { AnsweredData } from '../../../server/src/core/model/asks.ts';
import { askForProposal } from '../../../server/src/core/session/ask/askForProposal.ts';
import type { Proposer, ProposerRequest } from '../../../server/src/core/ports/proposers.ts';
import type { Session } from '../../../server/src/core/session.ts';
import type { Proposal } from '../../../server/src/core/model.ts';
import { computeAccount, type AskEvent } from '../../../server/src/core/proposers/accounts.ts';
import { findStopReason } from '../../../server/src/core/proposers/budgets.ts';
import type { TaskRequest } from '../../../server/src/core/session/ask/askTypes.ts';
import { sortBestAnswersFirst } from '../../../server/src/core/proposers/bestAnswer.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import type { Settings } from '../../../server/src/settings/schema.ts';
import { createSessionWorld, failingRun, passingRun, type SessionWorld } from '../../helpers/memorySessionPorts.ts';
import { createPart } from '../../helpers/createPart.ts';
import { sample } from '../../helpers/thorough.ts';

const SOURCE = `/** Price of an order. */
export function rate(value: number, count: number, member: boolean): number {
  let total = 0;
  if (value > 0) {
    if (count > 10) {
      if (member) {
        if (value < 100) {
          if (count > 20) {
            if (value < 90) {
              total = value / 100;
            }
          }
        }
      }
    }
  }
  return total;
}
`;
const FILES = {
  'src/rate.ts': SOURCE,
  'test/rate.test.ts': "import { rate } from '../src/rate.ts';\nif (rate(50, 21, true) !== 0.5) throw new Error();\n",
};
const operation = () => ({ signal: new AbortController().signal });
const edit = (search: string, replace: string) =>
  JSON.stringify({ description: 'A better rate', edits: [{ file: 'src/rate.ts', search, replace }] });
const BODY = SOURCE.slice(SOURCE.indexOf('  let'), SOURCE.lastIndexOf('}'));
/** Right, and worth points. `value` makes the texts differ. */
const better = (value = 'value / 100') =>
  edit(
    BODY,
    `  const applies = value > 0 && value < 100 && value < 90 && count > 10 && count > 20 && member;\n  return applies ? ${value} : 0;\n`,
  );
const unparsable = (number: number) => edit('value / 100', `value / (${number}`);
/** Parses, and loses points. */
const worse = edit(
  '  return total;',
  '  if (value > 7) {\n    if (value > 8) {\n      if (value > 9) return 0;\n    }\n  }\n  return total;',
);

interface Scripted {
  readonly session: Session;
  readonly asked: readonly ProposerRequest[];
}

async function scripted(
  world: SessionWorld,
  reply: (question: number) => string | Error,
  settings: Partial<Settings> = {},
): Promise<Scripted> {
  const asked: ProposerRequest[] = [];
  const proposer = (name: string): Proposer => ({
    name,
    destination: null,
    async ask(request) {
      asked.push(request);
      const text = reply(asked.length);
      if (text instanceof Error) throw text;
      return { text, finished: true, model: 'm', usage: { input: 100, output: 10, cached: 0, estimated: false } };
    },
  });
  const session = await world.session({
    settings,
    change: () => ({ proposers: { open: proposer, list: async () => [] } }),
  });
  return { session, asked };
}

async function world(
  tests: (texts: ReadonlyMap<string, string>) => boolean = () => true,
  [passed, failed]: readonly [typeof passingRun, typeof passingRun] = [passingRun, failingRun],
) {
  let runs = 0;
  const made = await createSessionWorld(FILES, {
    commands: {
      'run-tests': (texts) => {
        if (texts.get('src/rate.ts') !== SOURCE) runs += 1;
        return tests(texts) ? passed : failed;
      },
    },
  });
  return { made, runsOfTests: () => runs };
}

async function opportunityOf(session: Session): Promise<string> {
  await session.memory.index(operation());
  await session.analysis.analyse(operation());
  const { shown, quiet } = (await session.status()).doable;
  const found = [...shown, ...quiet].find(
    ({ path, rule }) => path === 'src/rate.ts' && rule === 'cognitive-complexity',
  );
  return found!.id;
}

const outcomesOf = async (session: Session) =>
  (await session.ledger.query({ types: ['answered'] })).map(
    ({ data }) => (data as { readonly outcome: string }).outcome,
  );

test('of three answers, those that do not parse or lose points never reach the tests', async () => {
  const { made, runsOfTests } = await world();
  await using _world = made;
  const answers = [unparsable(1), worse, better()];
  const { session, asked } = await scripted(made, (question) => answers[question - 1] ?? '?', { 'models.samples': 3 });
  const opportunity = await opportunityOf(session);
  const { proposal, usage, refusals } = await askForProposal(
    session,
    { task: { opportunity }, proposer: 'p', verify: true },
    operation(),
  );
  expect(proposal, refusals.join()).toMatchObject({ status: 'verified', author: 'model' });
  expect(asked).toHaveLength(3);
  expect(new Set(asked.map(({ id }) => id)).size).toBe(3);
  expect(usage).toMatchObject({ input: 300, output: 30 });
  expect((await session.proposals.all()).length).toBe(1);
  expect(await outcomesOf(session)).toEqual(['refused', 'refused', 'spare', 'proposed']);
  expect(await session.proposals.cost(proposal!.id)).toMatchObject({ attempts: 1, usage: { input: 300 } });
  expect(runsOfTests()).toBeGreaterThan(0);
});

test('the best answer is tested first; if it fails, the next one follows without a question', async () => {
  const { made } = await world((texts) => !texts.get('src/rate.ts')!.includes('value * 0.01'));
  await using _world = made;
  // The first is shorter, so that it comes first.
  const answers = [better('value * 0.01'), better('(value + value) / 200')];
  const { session, asked } = await scripted(made, (question) => answers[question - 1] ?? '?', { 'models.samples': 2 });
  const opportunity = await opportunityOf(session);
  const { proposal, refusals } = await askForProposal(
    session,
    { task: { opportunity }, proposer: 'p', verify: true },
    operation(),
  );
  expect(refusals, refusals.join('\n')).toHaveLength(1);
  expect(proposal?.edits[0]?.after).toContain('(value + value) / 200');
  expect(asked).toHaveLength(2);
});

test('refused content never reaches a gate twice, and nobody files it again', async () => {
  const { made } = await world();
  await using _world = made;
  const { session } = await scripted(made, () => worse, { 'models.samples': 2 });
  const opportunity = await opportunityOf(session);
  const before = made.sandbox.openedCount();
  const opened = () => made.sandbox.openedCount() - before;
  const { proposal, refusals } = await askForProposal(
    session,
    { task: { opportunity }, proposer: 'p', verify: true },
    operation(),
  );
  expect(proposal).toBeNull();
  expect(refusals[0]).toContain('score: ');
  expect(refusals[1]).toMatch(/^The same edits were refused before: It edited src\/rate\.ts\. score: /);
  // Its sandbox was opened once, for the first answer.
  expect(opened()).toBe(1);
  // The figures of a run name the gate, and leave out the repetitions.
  const answered = (await session.ledger.query({ types: ['answered'] })).map(({ data }) => data as AnsweredData);
  expect(answered[0]).toMatchObject({ outcome: 'refused', gate: 'score' });
  expect(answered.slice(1).map(({ gate, duplicate }) => [gate, duplicate])).toEqual(
    answered.slice(1).map(() => [undefined, true]),
  );
});

test('a refusal holds for its task alone, and only until the task begins afresh', async () => {
  const { made } = await world();
  await using _world = made;
  const { session } = await scripted(made, () => worse, { 'models.samples': 2, 'models.tokensPerDay': 1_000_000 });
  const opportunity = await opportunityOf(session);
  const ask = (task: TaskRequest, ignoresEarlier: boolean) =>
    askForProposal(session, { task, proposer: 'p', ignoresEarlier, verify: true }, operation());
  const judgedAt = async () =>
    (await session.ledger.query({ types: ['answered'] })).flatMap(({ data }, at) =>
      typeof (data as { readonly content?: unknown }).content === 'string' ? [at] : [],
    );
  await ask({ opportunity }, false);
  await ask({ opportunity }, false);
  expect(await judgedAt()).toEqual([0]);
  // Meanwhile a person may have changed what refused the edits.
  const { refusals } = await ask({ opportunity }, true);
  expect(refusals[0]).toMatch(/^It edited src\/rate\.ts\. score: /);
  expect(await judgedAt()).toEqual([0, 12]);
  const other = await ask({ words: 'Make rate in src/rate.ts longer' }, false);
  expect(other.refusals[0] ?? '').not.toMatch(/^The same edits were refused before/);
  expect((await judgedAt())[2]).toBe(18);
});

test('what the tests say is told to the next question; the same edits are tested again if a person begins afresh', async () => {
  let areTestsRight = false;
  const { made, runsOfTests } = await world((texts) => texts.get('src/rate.ts') === SOURCE || areTestsRight);
  await using _world = made;
  const { session, asked } = await scripted(made, () => better());
  const opportunity = await opportunityOf(session);
  const ask = (ignoresEarlier: boolean) =>
    askForProposal(session, { task: { opportunity }, proposer: 'p', ignoresEarlier, verify: true }, operation());
  const { refusals } = await ask(false);
  expect(refusals[1]).toMatch(/^The same change was refused before: /);
  expect(asked[1]?.messages.at(-1)?.content).toMatch(
    /tests: .*\nWhat the tests say:\nTAP version 13\nnot ok 1 - one\n/,
  );
  areTestsRight = true;
  const before = runsOfTests();
  expect((await ask(false)).proposal?.status).not.toBe('verified');
  expect(runsOfTests()).toBe(before);
  expect((await ask(true)).proposal?.status).toBe('verified');
});

test('of the output of failing tests, a question shows what fails; what it leaves out is counted', async () => {
  const tap = (fails: boolean) => {
    const many = Array.from({ length: 200 }, (_, index) => `ok ${index + 2} - the price of order number ${index}\n`);
    const first = fails ? 'not ok 1 - one\n  ---\n  error: got 1, want 2\n  ...\n' : 'ok 1 - one\n';
    const counts = `1..201\n# tests 201\n# pass ${fails ? 200 : 201}\n# fail ${fails ? 1 : 0}\n`;
    return { exitCode: fails ? 1 : 0, stdout: `\u001b[31mTAP version 13\u001b[0m\n${many.join('')}${first}${counts}` };
  };
  const { made } = await world((texts) => texts.get('src/rate.ts') === SOURCE, [tap(false), tap(true)]);
  await using _world = made;
  const { session, asked } = await scripted(made, (question) => better(`value / 100 + ${question}`));
  const opportunity = await opportunityOf(session);
  await askForProposal(session, { task: { opportunity }, proposer: 'p', verify: true }, operation());
  const question = asked[1]!.messages.at(-1)!.content;
  expect(question).toContain('What the tests say:');
  expect(question).toContain('got 1, want 2');
  expect(question).not.toContain('order number 17');
  const events = await session.ledger.query({ types: ['asked'] });
  const saved = events.map(({ data }) => (data as { readonly savedTokens?: number }).savedTokens ?? 0);
  expect(saved[0]).toBe(0);
  expect(saved[1]).toBeGreaterThan(1_500);
  expect((await session.questions.spending()).savedTokens).toBe(saved.reduce((sum, tokens) => sum + tokens, 0));
});

test('a proposer that fails between two answers leaves the first one', async () => {
  const { made } = await world();
  await using _world = made;
  const { session } = await scripted(
    made,
    (question) => (question === 1 ? better() : new SelfwareError('unavailable', 'Gone.')),
    { 'models.samples': 3 },
  );
  const opportunity = await opportunityOf(session);
  const { proposal } = await askForProposal(
    session,
    { task: { opportunity }, proposer: 'p', verify: true },
    operation(),
  );
  expect(proposal?.status, proposal?.reason ?? '').toBe('verified');
});

test('a change that waits is shown instead of asking again; whoever begins afresh is asked until an answer fits', async () => {
  const { made } = await world();
  await using _world = made;
  const replies = [better(), '?', better('value * 0.01')];
  const { session, asked } = await scripted(made, (question) => replies[question - 1] ?? '?');
  const opportunity = await opportunityOf(session);
  const ask = (ignoresEarlier: boolean) =>
    askForProposal(session, { task: { opportunity }, proposer: 'p', ignoresEarlier, verify: true }, operation());
  const first = await ask(false);
  expect(first.proposal?.status).toBe('verified');
  const waiting = await ask(false);
  expect(waiting.proposal?.id).toBe(first.proposal!.id);
  expect(waiting.stops).toEqual([expect.stringContaining('already waiting')]);
  expect(asked).toHaveLength(1);
  const afresh = await ask(true);
  expect(asked).toHaveLength(3);
  expect(afresh.stops).toEqual([]);
  expect(afresh.proposal?.id).not.toBe(first.proposal!.id);
});

test('better means: fits the claim, then points, then a smaller change', () => {
  const one = (fits: boolean, gain: number | null, after: string) => ({
    matchesClaim: fits,
    gain,
    edits: [{ path: 'a', before: 'one two three', after }],
  });
  const answers = [
    one(false, 9, 'x'),
    one(true, null, 'one'),
    one(true, 1, 'completely new'),
    one(true, 1, 'one 2 three'),
    one(true, 2, 'completely new'),
  ];
  expect(sortBestAnswersFirst(answers)).toEqual([answers[4], answers[3], answers[2], answers[1], answers[0]]);
});

/** A generator of numbers in [0, 1) that repeats (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const usage = { input: 100, output: 10, cached: 0, estimated: false };
const limits = {
  taskTokens: Infinity,
  dayTokens: Infinity,
  runTokens: null,
  taskMoney: null,
  runMoney: null,
  dayMoney: null,
};
const proposed = { id: 'p', status: 'proposed' } as Proposal;

/** The loop alone: a session that asks by the budget of attempts, and whose proposals pass their gates by chance. */
function sessionByChance(passes: () => boolean): Parameters<typeof askForProposal>[0] {
  const events: AskEvent[] = [];
  let number = 0;
  return createPart<Parameters<typeof askForProposal>[0]>({
    memory: { index: async () => undefined },
    questions: {
      async ask({ task }: { readonly task: { readonly words: string } }) {
        const stop = findStopReason(computeAccount(events, task.words, 'run', 0), limits, 0, {
          name: 'p',
          price: null,
        });
        if (stop) return { proposal: null, refused: stop.reason, final: stop.scope, left: 0, model: null, usage: null };
        const of = { kind: 'request', id: task.words, opportunity: null, path: null } as const;
        number += 1;
        const [ask, budget] = [`ask-${number}`, { replyTokens: 0, seconds: 0 }];
        const none = { reason: null, proposal: 'p', model: null, usage, format: null, rung: null, millis: 0 };
        events.push({ at: 0, asked: { ask, run: 'run', task: of, proposer: 'p', promptTokens: 0, budget } });
        events.push({ at: 0, answered: { ask, task: of, outcome: 'proposed', ...none } });
        return { proposal: proposed, refused: null, final: false, left: 0, model: null, usage };
      },
    },
    failedTasks: { interventions: async () => [] },
    verification: { verify: async () => ({ ...proposed, status: passes() ? 'verified' : 'refused' }) },
  });
}

test.each(sample([0.5, 0, 0.2, 1], 1))('200 tasks: skill %s succeeds as nine attempts allow', async (skill) => {
  const random = randomFrom(7);
  let attempts = 0;
  const session = sessionByChance(() => {
    attempts += 1;
    return random() < skill;
  });
  let found = 0;
  for (let task = 0; task < 200; task += 1) {
    const request = { task: { words: `Task ${task}` }, proposer: 'p', verify: true };
    const ask = () => askForProposal(session, request, operation());
    // Three calls with three attempts each; then the task waits for a person.
    let outcome = await ask();
    for (let call = 1; call < 3 && outcome.proposal?.status !== 'verified'; call += 1) outcome = await ask();
    if (outcome.proposal?.status === 'verified') found += 1;
    else expect((await ask()).refusals).toEqual([expect.stringContaining('9 attempts')]);
  }
  expect(found / 200).toBeGreaterThanOrEqual(1 - (1 - skill) ** 9 - 0.05);
  if (skill === 0) expect([found, attempts]).toEqual([0, 200 * 9]);
  if (skill === 1) expect(attempts).toBe(200);
});

test.each(sample([3, 1], 1))(
  'through all gates, with %s answers a question, it verifies as often',
  async (samples) => {
    const { made } = await world();
    await using _world = made;
    const [random, skill, tasks] = [randomFrom(11), 0.3, 8];
    const bad = (question: number) => [unparsable(question), 'I do not know.', edit('nowhere', 'x')][question % 3]!;
    const reply = (question: number) => (random() < skill ? better(`value / ${100 + question}`) : bad(question));
    const { session } = await scripted(made, reply, {
      'models.samples': samples,
      'models.tokensPerDay': 1_000_000_000,
    });
    const opportunity = await opportunityOf(session);
    let verified = 0;
    for (let task = 0; task < tasks; task += 1) {
      for (let call = 0; call < 3; call += 1) {
        const request = { task: { opportunity }, proposer: 'p', ignoresEarlier: call === 0, verify: true };
        const { proposal } = await askForProposal(session, request, operation());
        made.clock.advance(3_600_000);
        if (proposal?.status !== 'verified') continue;
        verified += 1;
        break;
      }
    }
    expect(verified / tasks).toBeGreaterThanOrEqual(1 - (1 - skill) ** (9 * samples) - 0.05);
  },
  600_000,
);
