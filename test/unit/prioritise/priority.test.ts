// What a priority is made of: churn from commits, calibration by decisions, and the explanation of the product.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Opportunity } from '../../../server/src/core/model.ts';
import { runs } from '../../helpers/properties.ts';
import { calibrateConfidence, NO_DECISIONS, type Decisions } from '../../../server/src/core/prioritise/calibrate.ts';
import { computeChurn } from '../../../server/src/core/prioritise/churn.ts';
import { explainPriority } from '../../../server/src/core/prioritise/explainPriority.ts';
import { sumComplexity, computePriority } from '../../../server/src/core/prioritise/priority.ts';
import { selectCandidates, prioritise } from '../../../server/src/core/prioritise/prioritise.ts';
import type { PriorityContext } from '../../../server/src/core/prioritise/priorityContext.ts';

const DAY = 86_400_000;
const place = { startLine: 1, startColumn: 1, endLine: 1, endColumn: 9 };
const opportunity = (rest: Partial<Opportunity> = {}): Opportunity => ({
  id: 'one',
  rule: 'rule',
  path: 'src/a.ts',
  range: place,
  nameRange: place,
  symbol: null,
  severity: 'hint',
  impact: 40,
  confidence: 0.7,
  message: '',
  evidence: {},
  recipe: 'remove-else',
  ...rest,
});
const bare: PriorityContext = { inDegree: new Map(), refused: new Set() };
const commit = (daysAgo: number, ...paths: string[]) => ({
  hash: `${daysAgo}`,
  atMs: 1_000 * DAY - daysAgo * DAY,
  subject: '',
  paths,
});
const decided = (rest: Partial<Decisions>): PriorityContext => ({
  ...bare,
  decisions: new Map([['rule', { ...NO_DECISIONS, ...rest }]]),
});

describe('churn', () => {
  test('recent commits weigh more, sweeping ones less', () => {
    const churn = computeChurn([commit(0, 'new.ts'), commit(90, 'old.ts'), commit(0, 'a.ts', 'b.ts', 'c.ts', 'd.ts')]);
    expect(churn.get('new.ts')).toEqual({ commits: 1, weight: 1 });
    expect(churn.get('old.ts')?.weight).toBeCloseTo(0.5, 10);
    expect(churn.get('a.ts')?.weight).toBe(0.5);
    expect(churn.get('none.ts')).toBeUndefined();
  });

  test('is the same whenever it is asked: ages count from the newest commit', () => {
    const later = (commits: ReturnType<typeof commit>[]) =>
      commits.map((one) => ({ ...one, atMs: one.atMs + 700 * DAY }));
    const commits = [commit(3, 'a.ts'), commit(40, 'a.ts', 'b.ts')];
    expect(computeChurn(later(commits))).toEqual(computeChurn(commits));
    expect(computeChurn([])).toEqual(new Map());
  });
});

describe('calibration', () => {
  test.each<readonly [string, Partial<Decisions>, 'up' | 'down']>([
    ['kept', { kept: 12 }, 'up'],
    ['dismissed', { dismissed: 12 }, 'down'],
    ['wrong', { wrong: 12 }, 'down'],
    ['rejected', { rejected: 24 }, 'down'],
    ['rolled back', { rolledBack: 12 }, 'down'],
    ['suppressed', { suppressed: 12 }, 'down'],
  ])('a dozen of %s moves it, one hardly does', (_, decisions, way) => {
    const one = Object.fromEntries(Object.keys(decisions).map((key) => [key, 1]));
    const moved = calibrateConfidence(0.7, { ...NO_DECISIONS, ...decisions }).confidence - 0.7;
    expect(Math.sign(moved)).toBe(way === 'up' ? 1 : -1);
    expect(Math.abs(moved)).toBeGreaterThan(0.08);
    expect(Math.abs(calibrateConfidence(0.7, { ...NO_DECISIONS, ...one }).confidence - 0.7)).toBeLessThan(0.06);
  });

  test('"wrong" counts most against a rule', () => {
    const against = (kind: keyof Decisions) => calibrateConfidence(0.7, { ...NO_DECISIONS, [kind]: 3 }).confidence;
    for (const kind of ['dismissed', 'rejected', 'rolledBack', 'suppressed'] as const)
      expect(against('wrong')).toBeLessThan(against(kind));
  });

  test('copied comments are one opinion', () => {
    expect(calibrateConfidence(0.7, { ...NO_DECISIONS, suppressed: 500 }).confidence).toBe(
      calibrateConfidence(0.7, { ...NO_DECISIONS, suppressed: 12 }).confidence,
    );
  });

  test('stays between nothing and certainty, and moves only the way of the decisions', () => {
    const some = fc.nat({ max: 1_000 });
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        fc.record({ kept: some, rolledBack: some, rejected: some, dismissed: some, wrong: some, suppressed: some }),
        (prior, decisions) => {
          const { confidence } = calibrateConfidence(prior, decisions);
          const better = calibrateConfidence(prior, { ...decisions, kept: decisions.kept + 1 }).confidence;
          const worse = calibrateConfidence(prior, { ...decisions, dismissed: decisions.dismissed + 1 }).confidence;
          return confidence > 0 && confidence <= 1 && better >= confidence && worse <= confidence;
        },
      ),
      runs(100),
    );
  });

  test('what fell to even confidence is proposed no more, but still shown', () => {
    const able = opportunity({ confidence: 0.6 });
    expect(selectCandidates([able], decided({ dismissed: 1 }))).toHaveLength(1);
    expect(selectCandidates([able], decided({ dismissed: 12 }))).toEqual([]);
    expect(prioritise([able], decided({ dismissed: 12 }))).toEqual([able]);
    expect(selectCandidates([opportunity({ confidence: 0.45 })], decided({ kept: 12 }))).toHaveLength(1);
  });
});

describe('priority', () => {
  const many: PriorityContext = {
    pageRank: new Map([['src/a.ts', 0.4], ...Array.from({ length: 9 }, (_, at) => [`src/${at}.ts`, 0.6 / 9] as const)]),
    inDegree: new Map([['src/a.ts', 8]]),
    churn: computeChurn([commit(0, 'src/a.ts'), commit(2, 'src/a.ts')]),
    complexity: sumComplexity([
      { path: 'src/a.ts', cognitive: 20 },
      { path: 'src/a.ts', cognitive: 11 },
    ]),
    refused: new Set(),
  };

  test.each(['centrality', 'churn', 'complexity'] as const)('grows with %s', (name) => {
    const without = {
      centrality: { ...many, pageRank: new Map(), inDegree: new Map() },
      churn: { ...many, churn: new Map() },
      complexity: { ...many, complexity: new Map() },
    }[name];
    const [more, less] = [computePriority(opportunity(), many), computePriority(opportunity(), without)];
    expect(less[name]).toBe(1);
    expect(more[name]).toBeGreaterThan(1);
    expect(more.priority).toBeGreaterThan(less.priority);
  });

  test('no factor runs away', () => {
    const huge: PriorityContext = {
      ...many,
      pageRank: new Map([['src/a.ts', 1], ['b', 0], ...Array.from({ length: 998 }, (_, at) => [`${at}`, 0] as const)]),
      churn: new Map([['src/a.ts', { commits: 9_000, weight: 9_000 }]]),
      complexity: new Map([['src/a.ts', 90_000]]),
    };
    expect(computePriority(opportunity(), huge)).toMatchObject({ centrality: 2, churn: 2, complexity: 1.5 });
  });

  test('the explanation is the product that orders', () => {
    const { priority, factors, sentence } = explainPriority(opportunity(), {
      ...many,
      ...{ decisions: decided({ dismissed: 4, kept: 1 }).decisions! },
    });
    expect(factors.map(({ name }) => name)).toEqual([
      'impact',
      'centrality',
      'churn',
      'complexity',
      'confidence',
      'cost',
    ]);
    expect(
      factors.reduce((product, { name, value }) => (name === 'cost' ? product / value : product * value), 1),
    ).toBeCloseTo(priority, 10);
    expect(sentence).toMatch(
      /^Priority [\d.]+ = impact 40 × centrality 1\.46 \(8 files import it\) × churn 1\.32 \(2 commits, recent ones count more\) × complexity 1\.28 \(cognitive complexity 31 in the file\) × confidence 0\.61 \(the rule says 0\.7; 5 decisions here lowered it\) ÷ cost 1 \(recipe remove-else\)\.$/,
    );
    expect(JSON.parse(JSON.stringify(factors))).toEqual(factors);
  });

  test('what changes nothing is left out of the sentence', () => {
    expect(explainPriority(opportunity({ recipe: null }), bare).sentence).toBe(
      'Priority 9.33 = impact 40 × confidence 0.7 (the value of the rule; nothing has been decided about it here yet) ÷ cost 3 (work for a person).',
    );
  });

  test('rules that rest are no candidates', () => {
    expect(selectCandidates([opportunity()], { ...bare, pausedRules: new Set(['rule']) })).toEqual([]);
    expect(prioritise([opportunity()], { ...bare, pausedRules: new Set(['rule']) })).toHaveLength(1);
  });
});
