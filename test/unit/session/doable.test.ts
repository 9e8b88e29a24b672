// "What can be done here" has one answer: what is listed, what improving tries, and the sentences that tell of both.

import { onlyByNameSentence } from '../../../server/src/cli/writers/onlyByName.ts';
import { describe, expect, test } from 'vitest';
import { NO_REASON, describeSkipCause, describeSkip } from '../../../server/src/core/model/skippedPlaces.ts';
import {
  canFindBreaking,
  canImprove,
  canSearch,
  countPossibleWork,
  emptySentence,
  improveSentence,
  namedSentence,
  languageSentence,
  hiddenOpportunitiesSentence,
  searchSentence,
} from '../../../server/src/core/session/analyse/possibleWorkText.ts';
import { findBestProposal } from '../../../server/src/core/session/propose/bestProposal.ts';
import type { PossibleWork } from '../../../server/src/core/session/analyse/analysisTypes.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createSessionWorld, type SessionOptions } from '../../helpers/memorySessionPorts.ts';

const operation = { signal: new AbortController().signal };
/** `else-after-return`, which is quiet unless somebody wants it, and nothing else. */
const quietFlaw = (name: string): string =>
  `/** Says which. */\nexport function ${name}(value: number): string {\n  if (value > 1) {\n    return 'many';\n  } else {\n    const best = 100;\n    const half = best / 2;\n    const good = value >= half;\n    const mark = good ? 'B' : 'C';\n    return mark;\n  }\n}\n`;
const shownFlaw = "import { a } from './a.ts';\n/** A constant. */\nexport const used = 1;\n";
const user = "import { a } from '../src/a.ts';\nimport { b } from '../src/b.ts';\na(1);\nb(1);\n";
const onlyQuiet = {
  'package.json': '{ "type": "module" }\n',
  'src/a.ts': quietFlaw('a'),
  'src/b.ts': quietFlaw('b').replace('many', 'lots'),
  'test/a.test.ts': user,
};

const switchedOn: SessionOptions = { settings: { 'analysis.rules': { 'else-after-return': 'hint' } } };

async function doableOf(files: Readonly<Record<string, string>>, options: SessionOptions = {}): Promise<PossibleWork> {
  await using world = await createSessionWorld(files);
  const session = await world.session(options);
  await session.analysis.analyse(operation);
  return (await session.status()).doable;
}

test('where only quiet rules find something, nothing is shown or tried, and every sentence says so', async () => {
  await using world = await createSessionWorld(onlyQuiet);
  const session = await world.session();
  expect((await session.status()).doable).toMatchObject({ analysed: false, shown: [], quiet: [] });
  await session.analysis.analyse(operation);
  expect(await session.opportunities.shown()).toEqual([]);
  const { doable } = await session.status();
  const counts = countPossibleWork(doable);
  expect(counts).toMatchObject({ shown: 0, improvable: 0 });
  expect(counts.quiet).toBeGreaterThanOrEqual(2);
  expect(canImprove({ ...doable, linterFixes: 0 })).toBe(false);
  expect(emptySentence(doable)).toBe('The rules that are shown by default found nothing.');
  expect(hiddenOpportunitiesSentence(doable)).toBe(`${counts.quiet} are hidden: their rules are quiet by default.`);
  expect(improveSentence({ ...doable, linterFixes: 0 })).toBe(
    'Improve has nothing to try: what was found is by rules that are off. `--rule` tries them: else-after-return.',
  );
  const [one] = doable.quiet;
  const quiet = (...rules: string[]) => rules.map((rule) => ({ ...one!, rule }));
  expect(improveSentence({ ...doable, linterFixes: 0, quiet: quiet('a', 'b', 'b', 'c', 'd') })).toMatch(
    / tries them: a, b, c and 1 more\.$/,
  );
  expect(improveSentence({ ...doable, linterFixes: 0, quiet: [{ ...one!, recipe: null }] })).toMatch(
    /rules that are off, and needs a person\.$/,
  );
  expect((await session.proposals.propose(operation)).proposal).toBeNull();
});

test('a rule that somebody switched on is tried, and a request for other rules leaves it alone', async () => {
  await using world = await createSessionWorld(onlyQuiet);
  const session = await world.session(switchedOn);
  await session.analysis.analyse(operation);
  const { doable } = await session.status();
  expect(improveSentence(doable)).toBe('Improve can try 2 of the 2 shown.');
  const named = (rule: string) => namedSentence(doable, (opportunity) => opportunity.rule === rule);
  expect(named('index-loop')).toBeNull();
  expect(named('else-after-return')).toBe('Improve can try 2 of the 2 shown that you named.');
  expect((await session.proposals.propose({ ...operation, rules: ['index-loop'] })).proposal).toBeNull();
  const { proposal } = await session.proposals.propose({ ...operation, rules: ['else-after-return'] });
  expect(doable.improvable.map(({ id }) => id)).toContain(proposal?.opportunity.id);
});

test('what is in a protected file is not promised, and the sentence says how much that is', async () => {
  const some = await doableOf(onlyQuiet, { ...switchedOn, protectedPaths: ['src/b.ts'] });
  expect(countPossibleWork(some).improvable).toBe(1);
  expect(improveSentence(some)).toBe('Improve can try 1 of the 2 shown; 1 more is in a protected file.');
  const none = await doableOf(onlyQuiet, { ...switchedOn, protectedPaths: ['src/'] });
  expect(improveSentence({ ...none, linterFixes: 0 })).toBe(
    'Improve has nothing to try: 2 of what is shown are in files that the charter protects.',
  );
});

test('where all that is shown is changed only on request, the sentence says how to ask', async () => {
  const some = await doableOf(onlyQuiet, switchedOn);
  const none = { ...some, improvable: [], linterFixes: 0, waiting: 0, turnedDown: [] };
  const [finding] = some.shown;
  const onRequest = { ...finding!, id: '4c96', recipe: 'remove-dependency' };
  expect(improveSentence({ ...none, shown: [{ ...finding!, recipe: null }] })).toBe(
    'Improve has nothing to try: what is shown needs a person.',
  );
  expect(improveSentence({ ...none, shown: [onRequest, { ...finding!, recipe: null }] })).toBe(
    'Improve has nothing to try by itself: 1 of what is shown is changed only if you ask for it: ' +
      'in the sidebar, or with `--opportunity 4c96` on the command line.',
  );
});

test('files with uncommitted changes are left alone, which the sentence says before it promises anything', async () => {
  await using world = await createSessionWorld(onlyQuiet);
  world.git.setDirty([{ path: 'src/b.ts', kind: 'modified' }]);
  const session = await world.session(switchedOn);
  await session.analysis.analyse(operation);
  const some = (await session.status()).doable;
  expect(some.unfinished).toBe(1);
  expect(improveSentence(some)).toBe('Improve can try 1 of the 2 shown; 1 more is in a file with uncommitted changes.');
  world.git.setDirty([
    { path: 'src/a.ts', kind: 'modified' },
    { path: 'src/b.ts', kind: 'modified' },
  ]);
  const none = { ...(await session.status()).doable, linterFixes: 0 };
  expect(canImprove(none)).toBe(false);
  expect(improveSentence(none)).toMatch(/^Commit first: .* 2 of what is shown are in files with uncommitted changes\./);
  expect(improveSentence({ ...none, linterFixes: null })).toMatch(/ so Improve asks the linters .* Commit first: /);
  expect((await session.proposals.propose(operation)).proposal).toBeNull();
});

test('what was dismissed, and what waits for a person, is not promised again', async () => {
  await using world = await createSessionWorld({ ...onlyQuiet, 'src/c.ts': shownFlaw });
  const session = await world.session(switchedOn);
  await session.analysis.analyse(operation);
  const before = countPossibleWork((await session.status()).doable);
  expect(before.improvable).toBeGreaterThan(0);
  const [first] = (await session.status()).doable.improvable;
  await session.opportunities.dismiss({ opportunity: first!.id, kind: 'notAProblem', reason: null });
  const { doable } = await session.status();
  expect(doable.improvable.map(({ id }) => id)).not.toContain(first!.id);
});

test('what waits for a decision is counted no more, improving goes on with the next, and at the end the sentence says why', async () => {
  await using world = await createSessionWorld(onlyQuiet);
  const session = await world.session(switchedOn);
  await session.analysis.analyse(operation);
  const doable = async () => (await session.status()).doable;
  const made = [];
  for (const left of [1, 0]) {
    const { verified } = await findBestProposal(session, undefined, operation);
    made.push(verified?.opportunity.path);
    expect(countPossibleWork(await doable()).improvable).toBe(left);
  }
  expect(made.toSorted()).toEqual(['src/a.ts', 'src/b.ts']);
  const withoutLinters = { ...(await doable()), linterFixes: 0 };
  expect(canImprove(withoutLinters)).toBe(false);
  expect(improveSentence(withoutLinters)).toBe(
    'Improve has nothing else to try: 2 of what was found wait for your decision.',
  );
  expect((await findBestProposal(session, undefined, operation)).passedOver).toMatchObject([
    { by: 'waiting' },
    { by: 'waiting' },
  ]);
});

test('a rule that somebody switched off is neither listed nor tried', async () => {
  const doable = await doableOf(onlyQuiet, {
    settings: { 'analysis.rules': { 'else-after-return': 'off' }, 'analysis.linters': false },
  });
  expect(doable.improvable).toEqual([]);
  expect(canImprove(doable)).toBe(false);
  expect(improveSentence(doable)).toMatch(/^Improve has nothing to try/);
});

test('protected files are not promised', async () => {
  expect(
    (await doableOf(onlyQuiet, { ...switchedOn, protectedPaths: ['src/b.ts'] })).improvable.map(({ path }) => path),
  ).toEqual(['src/a.ts']);
});

test('a list from before the analysis is not called complete, although the analysis has ended meanwhile', async () => {
  await using world = await createSessionWorld({ 'src/a.ts': 'export const a = 1;\n', 'src/flawed.ts': shownFlaw });
  // The status asks git first; the next question comes while the list is being ordered.
  const calls: (() => Promise<unknown>)[] = [];
  const session = await world.session({
    change: ({ git }) => ({
      git: {
        ...git,
        async state() {
          await calls.shift()?.();
          return git.state();
        },
      },
    }),
  });
  calls.push(
    async () => undefined,
    () => session.analysis.analyse(operation),
  );
  expect((await session.status()).doable).toMatchObject({ analysed: false, shown: [] });
  expect(calls).toEqual([]);
  const { doable } = await session.status();
  expect(doable.analysed).toBe(true);
  expect(doable.shown.map(({ rule }) => rule)).toContain('unused-import');
});

describe('what bars every change is said before anything is tried', () => {
  test('no trust', async () => {
    const doable = await doableOf(onlyQuiet, { trusted: false });
    expect(canImprove(doable)).toBe(false);
    expect(improveSentence(doable)).toContain('Trust the workspace first.');
  });

  test('a repository that git cannot read is not called a plain folder', async () => {
    await using world = await createSessionWorld(onlyQuiet);
    const trouble = async () => 'git cannot read this repository (bad object HEAD)';
    const session = await world.session({
      change: ({ git }) => ({ git: { ...git, state: async () => null, explainUnavailable: trouble } }),
    });
    await session.analysis.analyse(operation);
    const { doable } = await session.status();
    expect(doable.barrier).toMatchObject({ reason: 'notARepository', broken: true });
    expect(improveSentence(doable)).toContain('git cannot read this repository (bad object HEAD)');
    expect(improveSentence(doable)).not.toContain('git init');
  });

  test('no git, and the sentence is the one that improving fails with', async () => {
    await using world = await createSessionWorld(onlyQuiet);
    const session = await world.session({ change: ({ git }) => ({ git: { ...git, state: async () => null } }) });
    await session.analysis.analyse(operation);
    const { doable } = await session.status();
    expect(doable.barrier).toMatchObject({ reason: 'notARepository', action: expect.stringContaining('git init') });
    expect(canImprove(doable)).toBe(false);
    const asked = session.improve({
      ...operation,
      cycles: 1,
      dryRun: true,
      approval: 'strict',
      maxChanges: 1,
      decide: async () => ({ verdict: 'deferred', reason: null }),
    });
    await expect(asked).rejects.toMatchObject({ reason: 'notARepository', message: doable.barrier?.message });
  });
});

test('a place that was rolled back says so in the same words everywhere, and can be tried again', async () => {
  const before = {
    opportunity: 'x',
    rule: 'unused-import',
    path: 'src/a.ts',
    by: 'rolledBack',
    reason: 'The tests failed.',
    since: 1_795_442_700_000,
  } as const;
  expect(describeSkip(before)).toBe('Rolled back before: The tests failed (since 2026-11-23 14:05 UTC).');
  expect(describeSkip({ ...before, by: 'refused', reason: 'lint: 1 new problem.' })).toBe(
    'Refused by a check before: Linter: 1 new problem (since 2026-11-23 14:05 UTC).',
  );
  expect(describeSkipCause('refused')).toBe('Refused by a check before');
  expect(describeSkip({ ...before, reason: 'The same change was rolled back before.' })).toBe(
    'Rolled back before (since 2026-11-23 14:05 UTC).',
  );
  expect(describeSkip({ ...before, reason: NO_REASON })).toBe('Rolled back before (since 2026-11-23 14:05 UTC).');
  const doable = await doableOf(onlyQuiet, {});
  expect(improveSentence({ ...doable, improvable: [], linterFixes: 0, turnedDown: [before] })).toBe(
    'Improve has nothing new to try: 1 place was turned down before. Such a place is tried again only if you ask for it: in the sidebar, or with `--opportunity ID --again` on the command line.',
  );
});

describe('languages', () => {
  const without = (part: Partial<PossibleWork>): PossibleWork => ({
    analysed: true,
    shown: [],
    quiet: [],
    improvable: [],
    unfinished: 0,
    turnedDown: [],
    protected: 0,
    waiting: 0,
    linterFixes: 0,
    linterTrouble: [],
    barrier: null,
    languages: [],
    files: 3,
    ...part,
  });

  test('Go: no rules, and what there is all the same', async () => {
    const doable = await doableOf({ 'go.mod': 'module x\n', 'main.go': 'package main\n\nfunc main() {\n}\n' });
    expect(doable.languages).toEqual(['go']);
    expect(emptySentence(doable)).toContain('the code here is in Go');
    expect(emptySentence(doable)).toContain('`go vet` and `go fix`');
    expect(improveSentence(doable)).toMatch(/asks the linters/);
  });

  test('functions of Python and Go are searched for missing tests, and only scripts for calls that break', () => {
    for (const [language, breaks] of [
      ['typescript', true],
      ['python', false],
      ['go', false],
    ] as const) {
      const doable = without({ languages: [language] });
      expect(canSearch(doable)).toBe(true);
      expect(canFindBreaking(doable)).toBe(breaks);
      expect(searchSentence(doable)?.includes('counterexamples')).toBe(breaks);
    }
    expect(canSearch(without({ languages: ['elixir'] }))).toBe(false);
  });

  test('Elixir has no linter that is known; nothing is promised of it', () => {
    const sentence = languageSentence(without({ languages: ['elixir'] }));
    expect(sentence).toContain('the code here is in Elixir');
    expect(sentence).not.toContain('can fix');
  });

  test('texts alone, an empty folder, and scripts', async () => {
    expect(languageSentence(await doableOf({ 'README.md': '# Words\n' }))).toContain('holds no code');
    expect(languageSentence(without({ files: 0 }))).toBe('There is no file here yet.');
    expect(languageSentence(without({ languages: ['python', 'typescript'] }))).toBeNull();
  });

  test('nothing is said of languages before the repository was looked at', () => {
    expect(emptySentence(without({ analysed: false, languages: ['go'] }))).toBe(
      'Opportunities appear once the whole repository has been analysed.',
    );
  });
});

test('where git cannot say what is uncommitted, the rest of the status is there, with a notice', async () => {
  await using world = await createSessionWorld(onlyQuiet);
  let reason: 'unavailable' | 'cancelled' = 'unavailable';
  const dirty = async () => {
    throw new SelfwareError(reason, 'git cannot tell what has changed.');
  };
  const session = await world.session({
    ...switchedOn,
    change: ({ git }) => ({ git: { ...git, listUncommittedChanges: dirty } }),
  });
  await session.analysis.analyse(operation);
  const { doable, notices } = await session.status();
  expect(doable).toMatchObject({ unfinished: 0 });
  expect(doable.improvable).toHaveLength(2);
  expect(notices).toMatchObject([{ message: 'git cannot tell what has changed.' }]);
  reason = 'cancelled';
  await expect(session.status()).rejects.toMatchObject({ reason: 'cancelled' });
});

test('of a change that is made only by name, the sentence gives the command', async () => {
  await using world = await createSessionWorld(onlyQuiet);
  const session = await world.session(switchedOn);
  await session.analysis.analyse(operation);
  const { doable } = await session.status();
  const [one] = doable.shown;
  expect(onlyByNameSentence(doable, () => true)).toBeNull();
  const shown = [{ ...one!, id: 'dep1', recipe: 'remove-dependency' }];
  expect(onlyByNameSentence({ shown }, () => false)).toBeNull();
  expect(onlyByNameSentence({ shown }, () => true)).toBe(
    'A change of package.json is made only if you name the opportunity: `selfware propose dep1`.',
  );
});
