// What a policy demands, of whom, and when it is met.

import { expect, test } from 'vitest';
import type { Strength, Verdict } from '../../../server/src/core/model.ts';
import type { JudgementBeforePolicy, TestChange, TreeChange } from '../../../server/src/core/model/judgement.ts';
import { noSuchCheck } from '../../../server/src/core/verify/answer.ts';
import { suggestNextStep } from '../../../server/src/core/verify/judge/judgementMarkdown.ts';
import { applyPolicy, mayNeedMutants, type PolicySubject } from '../../../server/src/core/verify/judge/policy.ts';
import { changesOnlyProse, createReadTextNotes } from '../../../server/src/core/verify/judge/files/prose.ts';
import { determineJudgedStrength } from '../../../server/src/core/verify/judge/strength.ts';
import { concludeJudgement } from '../../../server/src/core/verify/judge/conclusion.ts';
import { parsePolicy } from '../../../server/src/settings/policyFile.ts';

const verdict = (
  gate: Verdict['gate'],
  outcome: Verdict['outcome'],
  evidence: Verdict['evidence'] = {},
  reason = `${gate} is ${outcome}.`,
): Verdict => ({ gate, outcome, reason, evidence, millis: 1 });

const loosened: TestChange = {
  kind: 'loosened',
  path: 'test/a.test.ts',
  line: 3,
  test: 'adds',
  before: 'toBe(1)',
  after: 'toBeDefined()',
  oldTest: 'fails',
  said: null,
};

function judged(more: Partial<JudgementBeforePolicy> = {}): JudgementBeforePolicy {
  return {
    files: { changed: 1, added: 0, deleted: 0, renamed: 0, binary: 0, paths: [], remaining: [] },
    strength: 'tested',
    claims: [],
    verdicts: [verdict('tests', 'passed'), verdict('lint', 'passed'), verdict('charter', 'passed')],
    tests: { changes: [], added: 0 },
    points: { before: null, after: null },
    notes: [],
    ...more,
  };
}

const BY_AGENT = { authors: ['Some Agent[bot] <agent@example.com>'], paths: ['src/pay/a.ts'] };
const BY_PERSON = { authors: ['Ada <ada@example.com>'], paths: ['src/a.ts'] };

function met(policy: unknown, of: JudgementBeforePolicy, by: PolicySubject = BY_AGENT): boolean {
  const file = parsePolicy(JSON.stringify(policy), 'policy.json');
  return applyPolicy({ file, source: 'policy.json' }, of, by).met;
}

test('without a policy a failed check or a weakened test speaks against a change', () => {
  expect(applyPolicy(null, judged(), BY_PERSON).met).toBe(true);
  expect(applyPolicy(null, judged({ verdicts: [verdict('types', 'failed')] }), BY_PERSON).met).toBe(false);
  expect(applyPolicy(null, judged({ tests: { changes: [loosened], added: 0 } }), BY_PERSON).met).toBe(false);
  const expected: TestChange = { ...loosened, kind: 'expected' };
  expect(applyPolicy(null, judged({ tests: { changes: [expected], added: 2 } }), BY_PERSON).met).toBe(true);
});

test('what `--quick` leaves out is not judged, so a demand for it is not met', () => {
  const demandsOf = (require: unknown, more: Partial<JudgementBeforePolicy> = {}) => {
    const file = parsePolicy(JSON.stringify({ require }), 'policy.json');
    const of = judged({ strength: 'checked', quick: true, ...more });
    const policy = applyPolicy({ file, source: 'policy.json' }, of, BY_PERSON);
    const { kind } = concludeJudgement({ ...of, policy });
    return [policy.met, kind, policy.rules[0]!.demands.some(({ notJudged }) => notJudged)];
  };
  for (const require of [{ strength: 'proven' }, { strength: 'tested' }, { mutants: 50 }, { claims: ['fix'] }]) {
    expect(demandsOf(require)).toEqual([false, 'notJudged', true]);
    expect(demandsOf(require, { verdicts: [verdict('tests', 'failed')] }).slice(0, 2)).toEqual([false, 'notPassed']);
  }
  expect(demandsOf({ strength: 'checked' })[0]).toBe(true);
  expect(demandsOf({ strength: 'proven' }, { strength: 'unchecked' })).toEqual([false, 'notPassed', false]);
  expect(demandsOf({ mutants: 50 }, { onlyProse: true })[0]).toBe(true);
});

test('rules by author apply if not all authors are known', () => {
  const policy = { rules: [{ authors: ['*bot*'], require: { strength: 'proven' } }] };
  expect(met(policy, judged(), BY_PERSON)).toBe(true);
  expect(met(policy, judged(), { ...BY_PERSON, hasMoreAuthors: true })).toBe(false);
});

test('an unmet demand about tests says what became of which test', () => {
  const file = parsePolicy('{"rules": [{"authors": ["*bot*"], "require": {"tests": "added"}}]}', 'policy.json');
  const expected: TestChange = { ...loosened, kind: 'expected' };
  const { rules } = applyPolicy(
    { file, source: 'policy.json' },
    judged({ tests: { changes: [expected], added: 0 } }),
    BY_AGENT,
  );
  expect(rules[1]?.demands).toEqual([
    { what: 'tests are only added', met: false, found: 'expected value changed in test/a.test.ts:3 (adds).' },
  ]);
});

test('a rule without a name is named by what it names, or by its place in the policy', () => {
  const require = { tests: 'kept' } as const;
  const rules = [
    { require },
    { authors: ['nobody@'], require },
    { authors: ['*bot*'], paths: ['src/'], require },
    { require },
    { name: 'Agents', require },
  ];
  const answer = applyPolicy({ file: { rules }, source: 'policy.json' }, judged(), BY_AGENT);
  const names = ['every change', 'rule 1', '*bot*, src/', 'rule 4', 'Agents'];
  expect(answer.rules.map(({ name }) => name)).toEqual(names);
});

test('what only mutants may show is known before anything runs', () => {
  const asks = (policy: unknown) => mayNeedMutants(parsePolicy(JSON.stringify(policy), 'policy.json'));
  expect(asks({ require: { gates: 'passed', tests: 'kept' } })).toBe(false);
  for (const require of [{ mutants: 0 }, { strength: 'tested' }, { claims: ['fix', 'tests'] }]) {
    expect(asks({ require })).toBe(true);
    expect(asks({ rules: [{ paths: ['src/'], require }] })).toBe(true);
  }
});

test('a rule holds for whom and what it names', () => {
  const policy = {
    rules: [
      { authors: ['*[bot]*'], require: { strength: 'proven' } },
      { paths: ['src/pay/'], require: { protectedPaths: 'unchanged' } },
    ],
  };
  expect(met(policy, judged())).toBe(false);
  expect(met(policy, judged(), BY_PERSON)).toBe(true);
  expect(met(policy, judged({ strength: 'proven' }))).toBe(true);
  expect(met({ rules: [{ authors: ['AGENT@example'], require: { strength: 'proven' } }] }, judged())).toBe(false);
});

test.each([
  ['strength', { strength: 'checked' }, judged(), true],
  ['strength', { strength: 'proven' }, judged(), false],
  ['tests only added', { tests: 'added' }, judged({ tests: { changes: [], added: 3 } }), true],
  [
    'tests only added',
    { tests: 'added' },
    judged({ tests: { changes: [{ ...loosened, kind: 'expected' }], added: 3 } }),
    false,
  ],
  ['tests unchanged', { tests: 'unchanged' }, judged({ tests: { changes: [], added: 1 } }), false],
  [
    'a test file that is edited, whatever was found in it',
    { tests: 'unchanged' },
    judged({ tests: { changes: [], added: 0, edited: ['test/a.test.js'] } }),
    false,
  ],
  [
    'a test file to which tests are added',
    { tests: 'added' },
    judged({ tests: { changes: [], added: 1, edited: ['test/a.test.js'] } }),
    true,
  ],
  ['tests unasked', { tests: 'any' }, judged({ tests: { changes: [loosened], added: 0 } }), true],
  ['checks that could not run', { gates: 'passed' }, judged({ verdicts: [verdict('tests', 'unknown')] }), false],
  [
    'checks that are not there',
    { gates: 'passed' },
    judged({ verdicts: [verdict('lint', 'unknown', noSuchCheck('No linter.').evidence)] }),
    true,
  ],
  ['mutants', { mutants: 80 }, judged({ verdicts: [verdict('guard', 'passed', { noticed: 8, survived: 2 })] }), true],
  [
    'mutants that only the time limit ended',
    { mutants: 80 },
    judged({ verdicts: [verdict('guard', 'passed', { noticed: 9, stopped: 2, survived: 1 })] }),
    false,
  ],
  ['mutants', { mutants: 80 }, judged({ verdicts: [verdict('guard', 'unknown', { noticed: 7, survived: 3 })] }), false],
  [
    'mutants in the touched lines, where other lines are tested well',
    { mutants: 80 },
    judged({
      verdicts: [verdict('guard', 'passed', { noticed: 18, survived: 2, touchedNoticed: 1, touchedJudged: 3 })],
    }),
    false,
  ],
  [
    'mutants in the touched lines, where other lines are tested badly',
    { mutants: 80 },
    judged({
      verdicts: [verdict('guard', 'unknown', { noticed: 4, survived: 16, touchedNoticed: 4, touchedJudged: 4 })],
    }),
    true,
  ],
  [
    'mutants in the touched lines that only the time limit ended',
    { mutants: 80 },
    judged({
      verdicts: [
        verdict('guard', 'passed', { noticed: 9, stopped: 1, touchedNoticed: 4, touchedJudged: 4, touchedStopped: 1 }),
      ],
    }),
    false,
  ],
  [
    'no mutant in the touched lines that was judged',
    { mutants: 80 },
    judged({ verdicts: [verdict('guard', 'passed', { noticed: 9, touchedNoticed: 0, touchedJudged: 0 })] }),
    false,
  ],
  ['mutants not tried', { mutants: 80 }, judged(), false],
  [
    'equal answers in place of mutants',
    { mutants: 80, strength: 'proven' },
    judged({ strength: 'proven', verdicts: [verdict('differential', 'passed'), verdict('guard', 'unknown')] }),
    false,
  ],
  ['no mutant possible', { mutants: 80 }, judged({ verdicts: [verdict('guard', 'unknown', { possible: 0 })] }), true],
  [
    'points',
    { points: 'kept' },
    judged({ verdicts: [verdict('score', 'unknown', { before: 10, after: 9, price: 2 })] }),
    false,
  ],
  [
    'points',
    { points: 'price' },
    judged({ verdicts: [verdict('score', 'unknown', { before: 10, after: 9, price: 2 })] }),
    true,
  ],
  ['points not measured', { points: 'kept' }, judged(), false],
  [
    'silencers',
    { silencers: 'none' },
    judged({ verdicts: [verdict('integrity', 'unknown', { silenced: 'a' })] }),
    false,
  ],
  [
    'hidden faults',
    { hiddenFaults: 'none' },
    judged({ verdicts: [verdict('integrity', 'unknown', { hidden: 'a' })] }),
    false,
  ],
  ['no hidden faults', { hiddenFaults: 'none' }, judged({ verdicts: [verdict('integrity', 'passed')] }), true],
  ['claims', { claims: ['fix'] }, judged({ claims: [{ kind: 'fix', holds: true, evidence: '', price: null }] }), true],
  ['claims', { claims: ['fix'] }, judged({ claims: [{ kind: 'fix', holds: null, evidence: '', price: null }] }), false],
])('%s: %j', (_, require, of, answer) => {
  expect(met({ require }, of)).toBe(answer);
});

test.each([
  '{',
  '[]',
  '{"require": {"strength": "strong"}}',
  '{"rule": []}',
  '{"rules": [{"authors": [], "require": {}}]}',
  '{"rules": [{"name": "", "require": {"tests": "any"}}]}',
  '{"rules": [{"name": " ", "require": {"tests": "any"}}]}',
])('a policy that cannot be used is refused: %s', (text) => {
  expect(() => parsePolicy(text, 'policy.json')).toThrow(/policy\.json/);
});

const code = { path: 'src/a.ts', before: 'a', after: 'b' };
const change = { edits: [code], bytes: [], binary: [], left: [], renamed: [] };
const reached = { reachingFiles: 1, touchedPlaces: 1, reachedPlaces: 1 };

test('only the comparison proves a change of somebody else', () => {
  const tests = verdict('tests', 'passed', reached);
  expect(determineJudgedStrength([tests, verdict('differential', 'passed')], change)).toBe('proven');
  const doubt = verdict('integrity', 'unknown', { hidden: 'src/a.ts:1 has a new default.' });
  expect(determineJudgedStrength([doubt, tests, verdict('differential', 'passed')], change)).not.toBe('proven');
  expect(determineJudgedStrength([tests, verdict('guard', 'passed', { noticed: 9 })], change)).toBe('tested');
  expect(determineJudgedStrength([tests, verdict('types', 'failed')], change)).toBe('unchecked');
  const leftOut = verdict('guard', 'unknown', { leftOut: 1 });
  const data = { ...change, edits: [{ ...code, path: 'data/a.txt' }], named: ['data/a.txt'] };
  const all = verdict('tests', 'passed', { passed: 3 });
  expect(determineJudgedStrength([all], data)).toBe('tested');
  expect(determineJudgedStrength([all, leftOut], data)).toBe('checked');
});

test('a change is as strong as its weakest part', () => {
  const shown = [verdict('applies', 'passed'), verdict('tests', 'passed', reached), verdict('differential', 'passed')];
  const bytes = (path: string) => ({ ...change, bytes: [{ path, bytes: new Uint8Array([0]), executable: false }] });
  expect(determineJudgedStrength(shown, bytes('lib/a.wasm'))).toBe('unchecked');
  expect(determineJudgedStrength(shown, bytes('docs/a.png'))).toBe('proven');
  expect(determineJudgedStrength(shown, { ...change, left: [{ path: 'sub', what: 'a submodule' }] })).toBe('unchecked');
  expect(determineJudgedStrength(shown, { ...change, edits: [code, { ...code, path: 'test/a.test.ts' }] })).toBe(
    'tested',
  );
  expect(
    determineJudgedStrength([verdict('applies', 'passed')], { ...change, edits: [{ ...code, path: 'README.md' }] }),
  ).toBe('proven');
});

test('a change that is not accepted comes with its next step', () => {
  const stepOf = (more: Partial<JudgementBeforePolicy>, file = {}) => {
    const before = judged(more);
    const policy = applyPolicy({ file: parsePolicy(JSON.stringify(file), 'p'), source: 'p.json' }, before, {
      authors: [],
      paths: [],
    });
    return suggestNextStep({ ...before, base: 'b', head: null, authors: [], policy, seconds: 1 });
  };
  expect(stepOf({})).toBeNull();
  expect(stepOf({ tests: { changes: [loosened], added: 0 } })).toMatch(/^Make these tests as strict as before\./);
  expect(stepOf({ verdicts: [verdict('types', 'failed')] })).toMatch(/^Fix what the failed checks name\./);
  expect(stepOf({}, { require: { mutants: 80 } })).toBe('Meet the demand, or ask whoever maintains p.json.');
});

test.each<[name: string, path: string, named: readonly string[], onlyProse: boolean]>([
  ['a page of the documentation', 'docs/a.md', [], true],
  ['a source of a page of the documentation', 'docs/src/a.md', [], true],
  ['a page beside the code that it describes', 'src/README.md', [], true],
  ['a picture of the documentation', 'docs/a.png', [], true],
  ['a case of the tests', 'test/cases/b.md', [], false],
  ['a template of the program', 'src/templates/hello.md', [], false],
  ['a number of the program', 'src/vat.txt', [], false],
  ['a picture of the program', 'src/logo.png', [], false],
  ['a text that code names', 'data/vat.txt', ['data/vat.txt'], false],
])('%s is prose or data', (_, path, named, onlyProse) => {
  const isText = !path.endsWith('.png');
  const edited = {
    ...{ binary: [], left: [], renamed: [], named },
    edits: isText ? [{ ...code, path }] : [],
    bytes: isText ? [] : [{ path, bytes: new Uint8Array([0]), executable: false }],
  };
  const verdicts = [verdict('applies', 'passed'), verdict('tests', 'passed', reached)];
  expect(changesOnlyProse(edited)).toBe(onlyProse);
  expect(determineJudgedStrength(verdicts, edited)).toBe(onlyProse ? 'proven' : 'tested');
  expect(createReadTextNotes(edited)).toEqual(
    onlyProse ? [] : [`Programs or tests may read ${path}, so it counts as data.`],
  );
  const both = { ...edited, edits: [...edited.edits, { ...code, path: 'src/a.ts' }] };
  expect(determineJudgedStrength([...verdicts, verdict('differential', 'passed')], both)).toBe(
    onlyProse ? 'proven' : 'tested',
  );
});

test.each<[name: string, verdicts: readonly Verdict[], more: Partial<TreeChange>, strength: Strength]>([
  ['tests that pass', [verdict('tests', 'passed', { passed: 3 })], {}, 'tested'],
  ['tests that pass, none of which reaches it', [verdict('tests', 'passed', { reachingPassed: 0 })], {}, 'tested'],
  ['a run of no test', [verdict('tests', 'passed', { passed: 0 })], {}, 'unchecked'],
  ['tests that ran only in part', [verdict('tests', 'passed', { onlyFiles: 1 })], {}, 'unchecked'],
  ['tests that cannot run', [verdict('tests', 'unknown')], {}, 'unchecked'],
  ['a linter', [verdict('lint', 'passed')], {}, 'checked'],
  ['a failed check', [verdict('tests', 'passed'), verdict('lint', 'failed')], {}, 'unchecked'],
  [
    'tests that ran without a link',
    [verdict('tests', 'passed')],
    { left: [{ path: 'a.md', what: 'a link' }] },
    'unchecked',
  ],
  [
    'tests that do not reach code beside it',
    [verdict('tests', 'passed', { reachingPassed: 0 })],
    { edits: [code] },
    'unchecked',
  ],
])('a README that code names, and a picture that programs read, with %s', (_, verdicts, more, strength) => {
  const texts = {
    ...change,
    named: ['README.md'],
    bytes: [{ path: 'src/logo.png', bytes: new Uint8Array([0]), executable: false }],
    ...more,
    edits: [{ ...code, path: 'README.md' }, ...(more.edits ?? [])],
  };
  expect(determineJudgedStrength([verdict('applies', 'passed'), ...verdicts], texts)).toBe(strength);
});
