// What becomes of a proposal by claim, strength, author and approval level: the whole table, cell by cell.

import { expect, test } from 'vitest';
import type { ApprovalLevel } from '../../../server/src/core/charter/approvalLevel.ts';
import { createCharter } from '../../../server/src/core/charter/charter.ts';
import { meetsRequirement } from '../../../server/src/core/charter/additionalRequirement.ts';
import { decideApply } from '../../../server/src/core/charter/course.ts';
import type { Strength, Verdict } from '../../../server/src/core/model.ts';
import { authorOf, AUTHORS } from '../../../server/src/core/model/authors.ts';
import { CLAIM_KINDS, type ClaimKind } from '../../../server/src/core/model/claims.ts';
import { GATE_ORDER, type GateName } from '../../../server/src/core/model/gates.ts';
import { NAMED_CALLS } from '../../../server/src/core/model/evidence.ts';
import { UNNOTICED_KEY } from '../../../server/src/core/model/proofs.ts';
import { determineStrength } from '../../../server/src/core/verify/strength.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';

const LEVELS: readonly ApprovalLevel[] = ['strict', 'moderate', 'minimal'];
/** Gates that know nothing where a change is only this strong. */
const OPEN: Readonly<Record<Strength, readonly GateName[]>> = {
  proven: [],
  tested: ['differential', 'guard'],
  checked: ['differential', 'guard'],
  unchecked: ['differential', 'guard', 'types', 'lint'],
};
const STRENGTHS = Object.keys(OPEN) as readonly Strength[];

const cells = CLAIM_KINDS.flatMap((claim) =>
  STRENGTHS.flatMap((strength) =>
    AUTHORS.flatMap((author) =>
      LEVELS.flatMap((approval) =>
        [true, false].flatMap((onlyAdds) =>
          [true, false].map((meetsRequirement) => ({ claim, strength, author, approval, onlyAdds, meetsRequirement })),
        ),
      ),
    ),
  ),
);

/** Written out by hand, apart from the table. */
function expected({ claim, strength, author, approval, onlyAdds, meetsRequirement: beyond }: (typeof cells)[number]) {
  if (claim === 'upkeep' && author !== 'recipe') return 'refused';
  if (claim === 'findings' || claim === 'upkeep' || claim === 'request') return 'waits';
  if (claim !== 'points' && claim !== 'types') {
    const trusted = claim !== 'fix' || author === 'recipe' || author === 'person';
    return trusted && beyond && approval !== 'strict' && strength === 'proven' ? 'unasked' : 'waits';
  }
  if (approval === 'strict' || strength === 'unchecked') return 'waits';
  return strength === 'proven' || (author === 'recipe' && onlyAdds) ? 'unasked' : 'waits';
}

test.each(CLAIM_KINDS)('every cell of %s says what it should', (kind) => {
  const [told, wanted] = [new Map<string, string>(), new Map<string, string>()];
  for (const cell of cells.filter(({ claim }) => claim === kind)) {
    const { strength, author, approval, onlyAdds, meetsRequirement: beyond } = cell;
    const key = [strength, author, approval, onlyAdds ? 'adds' : 'changes', beyond ? 'beyond' : 'just'].join(' ');
    told.set(key, decideApply(cell));
    wanted.set(key, expected(cell));
  }
  expect(told.size).toBe(4 * 5 * 3 * 2 * 2);
  expect(told).toEqual(wanted);
});

test('nothing that anybody but a recipe brings is applied unasked unless it is proven', () => {
  const unasked = cells.filter((cell) => cell.author !== 'recipe' && decideApply(cell) === 'unasked');
  expect(unasked.length).toBeGreaterThan(0);
  expect(unasked.filter(({ strength }) => strength !== 'proven')).toEqual([]);
});

test.each(LEVELS)('the charter does at the level %s what the table says, never more', (level) => {
  const charter = createCharter({
    files: createMemoryFiles({}),
    protectedPaths: [],
    approval: level,
    maxChanges: 1,
    strengthOf: determineStrength,
    isOurs: (recipe) => recipe === 'ours',
  });
  const wrong = cells
    // What only a recipe of ours adds is for a recipe alone.
    .filter(({ approval, author, onlyAdds }) => approval === level && (author === 'recipe' || !onlyAdds))
    // Verdicts of weaker tests and shown ones do not come together.
    .filter(({ claim, strength, meetsRequirement: beyond }) => !(claim in SHOWS && beyond && strength !== 'proven'))
    .filter((cell) => {
      const { claim, author, onlyAdds } = cell;
      const proposal = {
        recipe: author === 'recipe' ? 'ours' : 'brought',
        author,
        safety: onlyAdds ? ('additive' as const) : ('behaviorPreserving' as const),
        edits: [{ path: 'a.ts', before: 'a();\n', after: 'b();\n' }],
        verdicts: verdictsOf(cell),
        claim: { kind: claim, holds: true, evidence: '', price: null },
      };
      const [why, refusal] = [charter.reasonToAsk(proposal), charter.refusal(proposal)];
      const course = refusal !== null ? 'refused' : why === null ? 'unasked' : 'waits';
      return course !== decideApply(cell) || (refusal !== null && why === null);
    });
  expect(wrong).toEqual([]);
});

test('on the branch of an unattended run, the evidence decides, whoever made the change', () => {
  const wrong = cells.filter((cell) => {
    const { claim, strength, author, onlyAdds } = cell;
    const refused = claim === 'upkeep' && author !== 'recipe';
    const shown = strength === 'proven' || strength === 'tested' || (strength === 'checked' && onlyAdds);
    return decideApply({ ...cell, approval: 'branch' }) !== (refused ? 'refused' : shown ? 'unasked' : 'waits');
  });
  expect(wrong).toEqual([]);
});

test('not even a branch takes what was not shown, what edits tests or settings, or an unexplained difference', () => {
  const charter = createCharter({
    files: createMemoryFiles({}),
    protectedPaths: [],
    approval: 'branch',
    maxChanges: 1,
    strengthOf: determineStrength,
    isOurs: () => false,
  });
  const claim = { kind: 'points' as const, holds: true, evidence: '', price: null };
  const cell = {
    claim: 'points',
    strength: 'proven',
    author: 'model',
    approval: 'minimal',
    onlyAdds: false,
    meetsRequirement: true,
  } as const;
  const proposal = {
    recipe: 'brought',
    author: 'model' as const,
    safety: 'behaviorChanging' as const,
    edits: [{ path: 'a.ts', before: 'a();\n', after: 'b();\n'.repeat(500) }],
    verdicts: verdictsOf(cell),
    claim,
  };
  const differs = verdictsOf(cell).map((one) =>
    one.gate === 'differential' ? { ...one, outcome: 'unknown' as const, evidence: { call: 'f(1)' } } : one,
  );
  expect(charter.reasonToAsk(proposal)).toBeNull();
  expect(charter.reasonToAsk({ ...proposal, claim: { ...claim, holds: null, evidence: 'No test.' } })).toBe(
    'What it gains was not shown: No test.',
  );
  expect(charter.reasonToAsk({ ...proposal, safety: 'critical' })).toContain('It edits tests, settings');
  expect(charter.reasonToAsk({ ...proposal, verdicts: differs })).toContain('`f(1)` answers differently');
  // What the tests of a fix name may differ, and nothing else.
  const named = verdictsOf(cell).map((one) =>
    one.gate === 'differential' ? { ...one, outcome: 'unknown' as const, evidence: { [NAMED_CALLS]: 'f(0)' } } : one,
  );
  const withFix = { ...proposal, claim: { ...claim, kind: 'fix' as const } };
  expect(charter.reasonToAsk({ ...withFix, verdicts: differs })).toContain('`f(1)` answers differently');
  expect(charter.reasonToAsk({ ...withFix, verdicts: named })).toBeNull();
  const requested = { ...proposal, claim: { ...claim, kind: 'request' as const } };
  expect(charter.reasonToAsk({ ...requested, verdicts: differs })).toBeNull();
  expect(charter.reasonToAsk({ ...proposal, verdicts: [] })).not.toBeNull();
  // Code that is meant to differ may do more than its tests show. Recipes and persons are trusted with that.
  const unnoticed = verdictsOf(cell).map((one) =>
    one.gate === 'guard' ? { ...one, evidence: { [UNNOTICED_KEY]: 'a.ts:1 `b.trim()` → `b`' } } : one,
  );
  const fix = { ...proposal, verdicts: unnoticed, claim: { ...claim, kind: 'fix' as const } };
  expect(charter.reasonToAsk(fix)).toBe(
    'It may do more than its tests show: none of them notices this change: a.ts:1 `b.trim()` → `b`',
  );
  expect(charter.reasonToAsk({ ...fix, author: 'person' })).toBeNull();
  expect(charter.reasonToAsk({ ...fix, claim })).toBeNull();
  // A request brings the test that shows it; tests that exist stay as they are.
  const brings = (evidence: Verdict['evidence']) =>
    verdictsOf(cell).map((one) =>
      one.gate === 'integrity' ? { ...one, outcome: 'unknown' as const, reason: 'It edits a test.', evidence } : one,
    );
  const asked = { ...proposal, safety: 'critical' as const, claim: { ...claim, kind: 'request' as const } };
  expect(charter.reasonToAsk({ ...asked, verdicts: brings({ testsOnlyAdded: 1 }) })).toBeNull();
  expect(charter.reasonToAsk({ ...asked, verdicts: brings({}) })).not.toBeNull();
  expect(charter.reasonToAsk({ ...asked, claim, verdicts: brings({ testsOnlyAdded: 1 }) })).not.toBeNull();
});

test('who is not named is a recipe, or an agent if the change was brought', () => {
  expect(authorOf({ recipe: 'remove-copy' })).toBe('recipe');
  expect(authorOf({ recipe: 'brought' })).toBe('agent');
  expect(authorOf({ recipe: 'brought', author: 'person' })).toBe('person');
});

/** What each claim needs beyond itself, as its gates put it. */
const SHOWS: Readonly<Partial<Record<ClaimKind, Partial<Record<GateName, Partial<Verdict>>>>>> = {
  fix: { differential: { outcome: 'unknown', evidence: { mendsOnly: 1 } } },
  tests: {
    claim: { evidence: { kind: 'tests' } },
    integrity: { outcome: 'unknown', evidence: { onlyAppends: 1 } },
    differential: { outcome: 'unknown' },
    guard: { outcome: 'unknown' },
  },
  speed: { claim: { evidence: { kind: 'speed', smallerChange: -0.21, smallerConfidence: 0.81 } } },
  memory: { claim: { evidence: { kind: 'memory', smallerChange: -0.21, smallerConfidence: 0.81 } } },
};

function verdictsOf({ strength, claim, meetsRequirement: beyond }: (typeof cells)[number]): readonly Verdict[] {
  const open = [...OPEN[strength], ...(claim === 'points' ? [] : ['score'])];
  return GATE_ORDER.map((gate): Verdict => {
    const shown = beyond ? SHOWS[claim]?.[gate] : undefined;
    return {
      gate,
      outcome: open.includes(gate) ? 'unknown' : 'passed',
      reason: '',
      millis: 0,
      ...shown,
      evidence: {
        ...(gate === 'tests' && strength === 'tested' ? { reachingFiles: 1 } : {}),
        ...shown?.evidence,
      },
    };
  });
}

test('new tests whose code can act outside the program wait, whoever has written them', () => {
  const cell = { claim: 'tests', strength: 'proven', author: 'model', approval: 'minimal', onlyAdds: false } as const;
  const verdicts = verdictsOf({ ...cell, meetsRequirement: true });
  expect(meetsRequirement('tests', verdicts)).toBe(true);
  const acting = verdicts.map((verdict) =>
    verdict.gate === 'claim' ? { ...verdict, evidence: { ...verdict.evidence, outside: '`node:fs`' } } : verdict,
  );
  expect(meetsRequirement('tests', acting)).toBe(false);
});

test('new tests of which one notices nothing wait', () => {
  const cell = { claim: 'tests', strength: 'proven', author: 'model', approval: 'minimal', onlyAdds: false } as const;
  const verdicts = verdictsOf({ ...cell, meetsRequirement: true }).map((verdict) =>
    verdict.gate === 'claim' ? { ...verdict, evidence: { ...verdict.evidence, quietTests: 1 } } : verdict,
  );
  expect(meetsRequirement('tests', verdicts)).toBe(false);
});

test.each([
  ['a gain of exactly 20 %', 'speed', { smallerChange: -0.2, smallerConfidence: 1 }],
  ['a confidence of exactly 0.8', 'speed', { smallerChange: -0.5, smallerConfidence: 0.8 }],
  ['a loss', 'memory', { smallerChange: 0.5, smallerConfidence: 1 }],
  ['no figure', 'memory', {}],
] as const)('%s is too little for %s', (_, kind, evidence) => {
  const cell = {
    claim: kind,
    strength: 'proven',
    author: 'recipe',
    approval: 'minimal',
    onlyAdds: false,
    meetsRequirement: true,
  } as const;
  const verdicts = verdictsOf(cell).map((verdict) =>
    verdict.gate === 'claim' ? { ...verdict, evidence: { kind, ...evidence } } : verdict,
  );
  expect(meetsRequirement(kind, verdictsOf(cell))).toBe(true);
  expect(meetsRequirement(kind, verdicts)).toBe(false);
});
