// What a proposer is asked for when nobody names a task: which comes first, how often each is asked, and when it ends.

import { expect, test } from 'vitest';
import type { CycleEvent, ImproveRequest } from '../../../server/src/core/session/cycleEvents.ts';
import type { Proposer, ProposerRequest } from '../../../server/src/core/ports/proposers.ts';
import type { WorkKind, WorkScope } from '../../../server/src/core/model/workScope.ts';
import type { Settings } from '../../../server/src/settings/schema.ts';
import { openLedger } from '../../../server/src/app/nights/sharedKnowledge.ts';
import { recordKept } from '../../helpers/learnedLedger.ts';
import { createSessionWorld, failingRun, passingRun, type SessionWorld } from '../../helpers/memorySessionPorts.ts';

const FILES = {
  'src/rate.ts': `export function rate(value: number, kind: string): number {
  if (kind === 'a') {
    if (value > 1) {
      return value > 100 ? value - 1 : value + 1;
    }
  }
  return value / 100;
}
`,
  'test/rate.test.ts': "import { rate } from '../src/rate.ts';\nif (rate(100, 'b') !== 1) throw new Error();\n",
};
/** A place that no recipe can change. */
const WITH_A_PLACE = {
  ...FILES,
  'src/load.ts': `export async function write(save: (text: string) => Promise<void>, work: () => string) {
  try {
    await save(work());
  } catch (error) {}
}
`,
};
const ADDED = JSON.stringify({
  description: 'More tests',
  edits: [{ file: 'test/rate.test.ts', append: "if (rate(2, 'a') !== 3) throw new Error();\n" }],
});

/** Answers each question with what `reply` says; runs until nothing is left. */
async function improving(
  world: SessionWorld,
  reply: (request: ProposerRequest, at: number) => string,
  settings: Partial<Settings> = {},
  approval: ImproveRequest['approval'] = 'strict',
) {
  const asked: ProposerRequest[] = [];
  const proposer: Proposer = {
    name: 'scripted',
    destination: null,
    async ask(request) {
      asked.push(request);
      return { text: reply(request, asked.length), finished: true, model: 'scripted-1', usage: null };
    },
  };
  const change = () => ({ proposers: { open: () => proposer, list: async () => [] } });
  const session = await world.session({ settings: { 'verify.guardSeconds': 3600, ...settings }, change });
  const events: CycleEvent[] = [];
  const request: ImproveRequest = {
    cycles: 30,
    dryRun: false,
    approval,
    maxChanges: 100,
    proposer: 'scripted',
    signal: new AbortController().signal,
    decide: async () => ({ verdict: 'deferred', by: 'charter', reason: 'Nobody is there.' }),
    onEvent: (event) => events.push(event),
  };
  await session.improve(request);
  const kinds = asked.map(({ task }) => task.kind);
  const last = events.filter((event) => event.type === 'stopped').at(-1);
  return { asked, kinds, ended: last?.type === 'stopped' ? last.reason : null, session };
}

test('a failing test comes first, then tests that are missing, then places that no recipe can change', async () => {
  await using world = await createSessionWorld(WITH_A_PLACE, { commands: { 'run-tests': () => failingRun } });
  const { asked, kinds, ended } = await improving(world, () => 'I do not know.');
  expect([...new Set(kinds)]).toEqual(['fix', 'tests', 'opportunity']);
  for (const task of new Set(asked.map((one) => one.task.id)))
    expect(asked.filter((one) => one.task.id === task)).toHaveLength(3);
  expect(asked[0]?.messages.at(-1)?.content).toContain('The test “one” fails');
  // What the repository says is fenced, also within a task.
  expect(asked[0]?.messages.at(-1)?.content).toMatch(/the runner says:\n⟦\n[^⟧]*⟧\n- The test is right/);
  expect(asked[3]?.messages.at(-1)?.content).toMatch(
    /would notice:\n⟦\n[^⟧]*src\/rate\.ts:2 kind === 'a' → (?:true|false) \(the line is: if \(kind === 'a'\) \{\)/,
  );
  expect(ended).toMatch(/^Nothing is left to try/);
});

test('what is a copy that no tool looks at is nobody’s task', async () => {
  const copied = Object.fromEntries(
    Object.entries(WITH_A_PLACE).map(([path, text]) => [
      path,
      path.startsWith('src/') ? `// @ts-nocheck\n${text}` : text,
    ]),
  );
  await using world = await createSessionWorld(copied, { commands: { 'run-tests': () => passingRun } });
  expect((await improving(world, () => 'I do not know.')).kinds).toEqual([]);
});

test('a place in a protected file is nobody’s task: no answer about it could pass', async () => {
  const { 'src/load.ts': load, ...others } = WITH_A_PLACE;
  await using world = await createSessionWorld({ ...others, '.github/load.ts': load });
  const { asked } = await improving(world, () => 'I do not know.');
  expect(asked.map(({ task }) => task.path)).not.toContain('.github/load.ts');
  expect(asked.length).toBeGreaterThan(0);
});

test('a place that a recipe leaves in the form of its file is nobody’s task', async () => {
  const joined = ['a', 'b', 'c', 'd'].map((name) => `export const ${name} = (x: string, y: string) => x + '-' + y;\n`);
  await using world = await createSessionWorld({ ...FILES, 'src/join.ts': joined.join('') });
  const { asked } = await improving(world, () => 'I do not know.');
  const rules = asked.flatMap(({ task }) => (task.path === 'src/join.ts' ? [task.rule] : []));
  expect(rules).not.toContain('string-concat');
});

test('a task whose proposal waits for a person is not asked again', async () => {
  await using world = await createSessionWorld(FILES, { commands: { 'run-tests': () => passingRun } });
  const { asked, session } = await improving(world, ({ task }) => (task.kind === 'tests' ? ADDED : 'I do not know.'));
  const filed = (await session.proposals.all()).filter(({ author }) => author === 'model');
  expect(filed).toHaveLength(1);
  expect(filed[0]).toMatchObject({ claimed: 'tests' });
  const ofTests = asked.filter(({ task }) => task.kind === 'tests');
  // Refused by its checks, it is asked again with the reason; and the same edits are never tried twice.
  expect(ofTests).toHaveLength(filed[0]!.status === 'refused' ? 3 : 1);
  const second = ofTests[1]?.messages.at(-1)?.content;
  if (second !== undefined) {
    expect(second).toContain('It edited test/rate.test.ts');
    expect(second).toContain("+if (rate(2, 'a') !== 3) throw new Error();");
  }
});

test('a kept fix is asked for again once its test fails again', async () => {
  await using world = await createSessionWorld(WITH_A_PLACE, { commands: { 'run-tests': () => failingRun } });
  const asked: string[] = [];
  const proposer: Proposer = {
    name: 'scripted',
    destination: null,
    async ask({ task }) {
      asked.push(task.id);
      const replace = `catch (error) {\n    throw error; // ${asked.length}\n  }`;
      const edits = [{ file: 'src/load.ts', search: 'catch (error) {}', replace }];
      return { text: JSON.stringify({ description: 'Throw it', edits }), finished: true, model: null, usage: null };
    },
  };
  const session = await world.session({
    change: () => ({ proposers: { open: () => proposer, list: async () => [] } }),
  });
  const { signal } = new AbortController();
  const { ledger, close } = await openLedger(world.stateDir, { write: () => undefined });
  const keepNext = async (kind: WorkKind) => {
    const scope = { kinds: [kind], places: kind === 'fixes' ? ['src', 'test'] : ['src/load.ts'] };
    const { proposal } = await session.questions.askNext({ proposer: 'scripted', ...scope, signal });
    if (proposal === null) return null;
    const { id } = proposal;
    await ledger.record({ type: 'verifying', data: { proposal: id } });
    const passed = { gate: 'syntax', outcome: 'passed', reason: '', evidence: {}, millis: 1 } as const;
    const points = { verdicts: [passed], pointsBefore: null, pointsAfter: null };
    await ledger.record({ type: 'verified', data: { proposal: id, ...points } });
    await recordKept(ledger, proposal);
    return proposal.claimed;
  };
  expect([await keepNext('fixes'), await keepNext('fixes')]).toEqual(['fix', 'fix']);
  expect(asked).toEqual(['fix one', 'fix one']);
  await close();
});

test('a run asks for at most three comments that document code', async () => {
  // No recipe makes a doc comment of a comment about the file.
  const undocumented = (name: string) =>
    `// This file adds numbers up.\nexport function ${name}(value: number): number {\n  return value + 1;\n}\n\n/** Nothing at all. */\nexport const ${name}Zero = 0;\n`;
  const files = Object.fromEntries(
    ['one', 'two', 'three', 'four', 'five'].map((name) => [`src/${name}.ts`, undocumented(name)]),
  );
  await using world = await createSessionWorld(files, { commands: { 'run-tests': () => passingRun } });
  const rules = { 'analysis.rules': { 'undocumented-export': 'hint' } } as const;
  const { asked } = await improving(world, () => 'I do not know.', rules);
  const documented = asked.filter(({ task }) => task.rule === 'undocumented-export');
  expect(new Set(documented.map(({ task }) => task.id)).size).toBe(3);
});

test('a failing test is one task, by whatever part of its name somebody asks for it', async () => {
  await using world = await createSessionWorld(FILES, { commands: { 'run-tests': () => failingRun } });
  const asked: string[] = [];
  const proposer: Proposer = {
    name: 'scripted',
    destination: null,
    async ask({ task }) {
      asked.push(task.id);
      return { text: 'I do not know.', finished: true, model: null, usage: null };
    },
  };
  const session = await world.session({
    change: () => ({ proposers: { open: () => proposer, list: async () => [] } }),
  });
  const { signal } = new AbortController();
  for (const fix of ['', 'on', 'one']) await session.questions.ask({ task: { fix }, proposer: 'scripted', signal });
  expect(asked).toEqual(['fix one', 'fix one', 'fix one']);
});

test('a budget that is used up ends the run, with what to do', async () => {
  await using world = await createSessionWorld(FILES, { commands: { 'run-tests': () => passingRun } });
  const { kinds, ended } = await improving(world, () => 'I do not know.', { 'models.tokensPerDay': 1_500 });
  expect(kinds.length).toBeGreaterThan(0);
  expect(kinds.length).toBeLessThan(6);
  expect(ended).toContain('models.tokensPerDay');
});

test('nothing is asked once the rate of changes is used up, and the reason names it', async () => {
  await using world = await createSessionWorld(FILES, { commands: { 'run-tests': () => passingRun } });
  const authors = { 'charter.authors': { model: { changesADay: 0 } } };
  const { kinds, ended } = await improving(world, () => 'I do not know.', authors, 'minimal');
  expect(kinds).toEqual([]);
  expect(ended).toMatch(/^Paused: the charter allows a language model 0 changes a day/);
  // What a person is asked about each time counts as the person's change.
  expect((await improving(world, () => 'I do not know.', authors)).kinds).not.toEqual([]);
});

test('in another place nothing is asked for', async () => {
  await using world = await createSessionWorld(FILES, { commands: { 'run-tests': () => passingRun } });
  const session = await world.session({ change: () => ({ proposers: { open: () => never, list: async () => [] } }) });
  const outcome = await session.questions.askNext({
    proposer: 'never',
    places: ['docs'],
    signal: new AbortController().signal,
  });
  expect(outcome).toEqual({ proposal: null, tried: [], hasMore: false, stopReason: null });
});

test('a failing test elsewhere is a task if it reaches a file in the places, unless it is excluded', async () => {
  const stdout = `TAP version 14
1..1
# Subtest: test/rate.test.ts
    # Subtest: one
        not ok 1 - AssertionError: 1 == 2
        1..1
    not ok 1 - one # time=1ms
    # Subtest: two
        ok 1 - is two
        1..1
    ok 2 - two # time=1ms
    1..2
not ok 1 - test/rate.test.ts # time=2ms
`;
  await using world = await createSessionWorld(FILES, { commands: { 'run-tests': () => ({ exitCode: 1, stdout }) } });
  const ask = async (scope: WorkScope) => {
    const kinds: string[] = [];
    const proposer: Proposer = {
      name: 'scripted',
      destination: null,
      async ask({ task }) {
        kinds.push(task.kind);
        return { text: 'I do not know.', finished: true, model: 'scripted-1', usage: null };
      },
    };
    const session = await world.session({
      change: () => ({ proposers: { open: () => proposer, list: async () => [] } }),
    });
    const { signal } = new AbortController();
    await session.questions.askNext({ proposer: 'scripted', kinds: ['fixes'], ...scope, signal });
    return [...new Set(kinds)];
  };
  expect(await ask({ places: ['docs'] })).toEqual([]);
  expect(await ask({ places: ['src'], excluded: ['test'] })).toEqual([]);
  expect(await ask({ places: ['src'] })).toEqual(['fix']);
});

test('where the tests do not run, the end of the run says so, why, and what to do', async () => {
  const notThere = { exitCode: 127, stdout: '', stderr: 'sh: 1: run-tests: not found' };
  await using world = await createSessionWorld(FILES, { commands: { 'run-tests': () => notThere } });
  const { kinds, ended } = await improving(world, () => 'I do not know.');
  expect(kinds).toEqual([]);
  expect(ended).toMatch(/tests of this repository do not run here: .*run-tests.*run `selfware setup`/);
});

const never: Proposer = {
  name: 'never',
  destination: null,
  ask: () => Promise.reject(new Error('It was asked.')),
};

test('a place where three answers failed in one and the same way is left alone in later runs', async () => {
  await using world = await createSessionWorld(WITH_A_PLACE, { commands: { 'run-tests': () => failingRun } });
  const first = await improving(world, () => 'I do not know.');
  const second = await improving(world, () => 'I do not know.');
  expect(first.kinds).toContain('opportunity');
  expect(second.kinds).toEqual([]);
  // Answers that fail in different ways are tried with another approach.
  await using other = await createSessionWorld(WITH_A_PLACE, { commands: { 'run-tests': () => failingRun } });
  const ways = [
    'I do not know.',
    '{"description": "x", "edits": []}',
    '{"description": "x", "edits": [{"file": "a"}]}',
  ];
  const reply = (_request: ProposerRequest, at: number) => ways[at % 3]!;
  await improving(other, reply);
  expect((await improving(other, reply)).kinds).toContain('opportunity');
});

test('of a list, nobody is asked unasked whose changes for this rule a person turned down twice', async () => {
  const places = Object.fromEntries(
    ['one', 'two', 'three', 'four'].map((name) => [
      `src/${name}.ts`,
      WITH_A_PLACE['src/load.ts'].replace('write', name),
    ]),
  );
  await using world = await createSessionWorld(places, { commands: { 'run-tests': () => passingRun } });
  const asked: string[] = [];
  const open = (name: string): Proposer => ({
    name,
    destination: null,
    async ask({ task }) {
      asked.push(`${name} ${task.rule}`);
      const edits = [
        { file: task.path, search: 'catch (error) {}', replace: 'catch (error) {\n    throw error;\n  }' },
      ];
      return { text: JSON.stringify({ description: 'Throw it', edits }), finished: true, model: name, usage: null };
    },
  });
  const session = await world.session({ change: () => ({ proposers: { open, list: async () => [] } }) });
  const operation = { signal: new AbortController().signal };
  const turnDownNext = async (proposer: string) => {
    const { proposal } = await session.questions.askNext({ ...operation, proposer });
    if (proposal)
      await session.proposals.decide({ proposal: proposal.id, verdict: 'rejected', by: 'person', reason: 'No' });
  };
  await turnDownNext('ollama:m');
  await turnDownNext('ollama:m');
  expect(asked).toEqual(['ollama:m swallowed-error', 'ollama:m swallowed-error']);
  await turnDownNext('ollama:m');
  expect(asked).toHaveLength(2);
  await turnDownNext('ollama:m,ollama:n');
  expect(asked.slice(2)).toEqual(['ollama:n swallowed-error']);
});

/**
 * The names of those who are asked until nothing is left. A person does not want what the first of the list does about
 * the places, so that the second is asked there; `elsewhere`: names whose questions leave this machine.
 */
async function askedOfTwo(names: readonly [string, string], tests: readonly string[], elsewhere: readonly string[]) {
  const place = (name: string) => WITH_A_PLACE['src/load.ts'].replace('write', name);
  const files = {
    ...FILES,
    ...Object.fromEntries(
      tests.flatMap((name) => [
        [`src/${name}.ts`, FILES['src/rate.ts'].replace('rate', name)],
        [`test/${name}.test.ts`, FILES['test/rate.test.ts'].replaceAll('rate', name)],
      ]),
    ),
    ...Object.fromEntries(['one', 'two', 'three', 'four'].map((name) => [`src/${name}.ts`, place(name)])),
  };
  await using world = await createSessionWorld(files, { commands: { 'run-tests': () => passingRun } });
  const asked: string[] = [];
  let answers = true;
  const open = (name: string): Proposer => ({
    name,
    destination: elsewhere.includes(name) ? 'example.com' : null,
    async ask({ task }) {
      asked.push(name);
      const replace = 'catch (error) {\n    throw error;\n  }';
      const edits = [{ file: task.path, search: 'catch (error) {}', replace }];
      const text = answers ? JSON.stringify({ description: 'Throw it', edits }) : 'I do not know.';
      return { text, finished: true, model: name, usage: null };
    },
  });
  const sessionWith = () => world.session({ change: () => ({ proposers: { open, list: async () => [] } }) });
  const operation = { signal: new AbortController().signal };
  const first = await sessionWith();
  await first.consents.agree({ destination: 'example.com', sends: ['excerpts'] });
  for (const name of ['one', 'two']) {
    const scope = { places: [`src/${name}.ts`], proposer: names[0] };
    const { proposal } = await first.questions.askNext({ ...operation, ...scope });
    const decision = { verdict: 'rejected', by: 'person', reason: 'No' } as const;
    await first.proposals.decide({ proposal: proposal!.id, ...decision });
  }
  await first.close();
  answers = false;
  asked.length = 0;
  const later = await sessionWith();
  for (let hasMore = true; hasMore; )
    ({ hasMore } = await later.questions.askNext({ ...operation, proposer: names.join() }));
  return { asked, switches: asked.filter((name, index) => name !== asked[index - 1]) };
}

test('of two models on this machine, one answers all its tasks before the other one is loaded', async () => {
  const { asked, switches } = await askedOfTwo(['ollama:small', 'ollama:large'], ['rise'], []);
  expect(switches).toEqual(['ollama:small', 'ollama:large']);
  expect(asked.filter((name) => name === 'ollama:small')).toHaveLength(6);
});

test('a task for a model elsewhere waits for no other model, and no task waits more than five times', async () => {
  const elsewhere = await askedOfTwo(['ollama:small', 'ollama:large-cloud'], ['rise'], ['ollama:large-cloud']);
  expect(elsewhere.asked.slice(0, 4)).toEqual([...Array(3).fill('ollama:small'), 'ollama:large-cloud']);
  // The tests of three further files come after the first place: nine questions.
  const { asked } = await askedOfTwo(['ollama:small', 'ollama:large'], ['rise', 'fall', 'wave'], []);
  expect(asked.slice(0, 9)).toEqual([...Array(8).fill('ollama:small'), 'ollama:large']);
});
