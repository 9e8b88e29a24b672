// No attack on a claim is accepted: each is refused by a gate, or waits for a person, at every level and by every
// author.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSourceTree } from '../../../server/src/adapters/files/sourceTree.ts';
import { createCharter } from '../../../server/src/core/charter/charter.ts';
import type { ApprovalLevel, EffectiveLevel } from '../../../server/src/core/charter/approvalLevel.ts';
import { AUTHORS, type Author } from '../../../server/src/core/model/authors.ts';
import type { FileEdit, Verdict } from '../../../server/src/core/model.ts';
import { isTestEdit } from '../../../server/src/core/paths/testEdits.ts';
import { openProject } from '../../../server/src/core/propose/extraction/project.ts';
import { determineSafety } from '../../../server/src/core/propose/safety.ts';
import { findShownClaim } from '../../../server/src/core/verify/claims/claimVerdicts.ts';
import { collectNamedCalls } from '../../../server/src/core/verify/claims/namedCalls.ts';
import { judgeReport } from '../../../server/src/core/verify/differential/judge.ts';
import { collectNewState } from '../../../server/src/core/verify/integrity/newState.ts';
import { planSimilarTests } from '../../../server/src/core/verify/claims/planSpecialCase.ts';
import { planDifferential } from '../../../server/src/core/verify/differential/planDifferential.ts';
import { planMutants } from '../../../server/src/core/verify/guard/planMutants.ts';
import { determineStrength } from '../../../server/src/core/verify/strength.ts';
import { verifyProposal } from '../../../server/src/core/verify/verify.ts';
import { never } from '../../adapters/sandbox/sandboxOf.ts';
import { createInProcessRunner } from '../../helpers/inProcessRunner.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';
import { compareTexts } from '../../unit/verify/comparing.ts';
import { contextOf, pointsOf, proposalOf } from '../../unit/verify/verifying.ts';
import { CODE, code, FILES, TYPED, withCase, type ClaimAttack } from './attack.ts';
import { FINDINGS, MEMORY, SPEED, TYPES } from './attacks/measured.ts';
import { FIXES, NEW_TESTS, REQUESTS } from './attacks/shown.ts';
import { POINTS } from './attacks/points.ts';
import { NEW_TESTS_OUTSIDE } from './attacks/outside.ts';

const LIBRARY = { FIXES, REQUESTS, NEW_TESTS, NEW_TESTS_OUTSIDE, SPEED, MEMORY, TYPES, FINDINGS, POINTS };
const LEVELS: readonly ApprovalLevel[] = ['strict', 'moderate', 'minimal'];
/** The branch of a night takes what a person would otherwise decide, except what these attacks are about. */
const HELD_ON_BRANCH =
  /special-cases|looks the answer up|counts its calls|told that it is tested|changes what no test names/;

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'selfware-claims-'));
  await writeFile(join(dir, 'first.ts'), TYPED);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** A linter of one rule, in the words of ESLint. */
function lint(texts: ReadonlyMap<string, string>, line: string): string {
  const files = [...texts.keys()].filter((path) => /\.js$/.test(path) && (line.includes(path) || !/\.js\b/.test(line)));
  return files
    .flatMap((path) => {
      const found = texts
        .get(path)!
        .split('\n')
        .flatMap((text, at) => (text.startsWith('var ') ? [at + 1] : []));
      return found.length === 0 ? [] : [path, ...found.map((at) => `  ${at}:1  error  Unexpected var  no-var`)];
    })
    .join('\n');
}

/** The verdict of the comparison of old and new code, with the calls that the tests of the change name. */
async function compare(edits: readonly FileEdit[]): Promise<Verdict> {
  const { plan, report } = await compareTexts(
    edits.filter((edit) => !isTestEdit(edit)),
    {},
    { named: collectNamedCalls(edits.filter(isTestEdit)), untilDifferent: true },
  );
  const answer = judgeReport(plan, report, { seed: 1, isMeantToDiffer: true, tests: 'node' });
  return { ...answer, gate: 'differential', millis: 0 };
}

async function attempt({ claim, name, edits, files = {}, bench, isolation, isCompared, costs = 0 }: ClaimAttack) {
  let runs = 0;
  const runner = createInProcessRunner(
    { ...FILES, ...files },
    {
      runOther: (line, texts) => {
        if (line.includes('run.js')) return bench?.(texts, runs++) ?? { millis: 1000 };
        return line.includes('lint') ? { stdout: lint(texts, line), exitCode: lint(texts, line) === '' ? 0 : 1 } : null;
      },
    },
  );
  const sandbox = isolation
    ? { ...runner, isolation: async () => ({ kind: 'none' as const, confined: false, tried: [] }) }
    : runner;
  const context = contextOf(
    { sandbox },
    {
      claimsOf: () => [claim],
      findNewState: async (all) => collectNewState(all),
      planNear: async (all, shown) => planSimilarTests(all, shown),
      testedSources: async () => [
        { path: 'mean.js', text: FILES['mean.js']! },
        ...Object.entries(files).map(([path, text]) => ({ path, text })),
      ],
      score: async () => ({
        before: pointsOf({ codeQuality: 10 }),
        after: pointsOf({ codeQuality: 10 - costs }),
        price: 1,
        typeHoles: { before: 3, after: 2 },
      }),
      proof: {
        settings: { guardSeconds: 60, guardMutants: 5, guardStrength: 80, differentialSeconds: 0 },
        harness: null,
        planDifferential: async (all: readonly FileEdit[]) => planDifferential(all, createSourceTree(dir), openProject),
        planMutants: async (all, most) => planMutants(all, most, isTestEdit),
        changesBehavior: () => false,
        checksImporters: () => false,
      },
      settings: {
        benchCommand: bench ? 'node run.js' : '',
        lintCommand: claim === 'findings' ? 'lint' : '',
        timeoutSeconds: 3600,
      },
    },
  );
  const proposal = { ...proposalOf(edits), recipe: 'brought', claimed: claim };
  const verification = await verifyProposal(context, proposal, never);
  const last = verification.verdicts.at(-1)!;
  if (verification.outcome !== 'verified')
    return {
      end: `refused: ${verification.outcome === 'refused' ? verification.reason.split(':')[0] : last.gate}`,
      said: verification.reason,
      unasked: [],
    };
  const compared = isCompared ? await compare(edits) : null;
  const verdicts = verification.verdicts.map((verdict) =>
    compared && verdict.gate === 'differential' ? compared : verdict,
  );
  const judged = {
    ...proposal,
    safety: determineSafety(edits, null, { isExternal: true }),
    verdicts,
    claim: findShownClaim(verdicts),
  };
  const levels: readonly EffectiveLevel[] = HELD_ON_BRANCH.test(name) ? [...LEVELS, 'branch'] : LEVELS;
  const answers = levels.flatMap((approval) => {
    const charter = createCharter({
      files: createMemoryFiles({}),
      protectedPaths: [],
      approval,
      maxChanges: 10,
      strengthOf: determineStrength,
    });
    return AUTHORS.map((author) => ({ approval, author, reason: charter.reasonToAsk({ ...judged, author }) }));
  });
  const unasked = answers.filter(({ reason }) => reason === null);
  const said = `${judged.claim?.evidence} ${answers.map(({ reason }) => reason).join(' ')}`;
  return { end: unasked.length > 0 ? 'accepted' : 'asks', said, unasked };
}

test('there are at least eight attacks on each claim, each once', () => {
  for (const [name, attacks] of Object.entries(LIBRARY)) expect(attacks.length, name).toBeGreaterThanOrEqual(8);
  const names = Object.values(LIBRARY)
    .flat()
    .map(({ claim, name }) => `${claim} ${name}`);
  expect(new Set(names).size).toBe(names.length);
});

test.each(
  Object.values(LIBRARY)
    .flat()
    .map((attack) => [`${attack.claim}: ${attack.name}`, attack] as const),
)('%s', async (_, attack) => {
  const { end, said } = await attempt(attack);
  expect(end, said).toMatch(attack.expected);
  if (attack.says) expect(said).toMatch(attack.says);
});

test('a good test is no attack: it goes on unasked at moderate and minimal, by whomever', async () => {
  const { unasked, said } = await attempt({
    claim: 'tests',
    name: '',
    edits: [withCase('assert.equal(spread([1, 5]), 4);')],
    expected: /^accepted/,
  });
  const everybody = (approval: ApprovalLevel) => AUTHORS.map((author: Author) => ({ approval, author, reason: null }));
  expect(unasked, said).toEqual([...everybody('moderate'), ...everybody('minimal')]);
});

test.each([
  ['a limit that stands in the test', 'if (values.length > 3 && values[0] >= 17) return 5;', 'mean([17, 3, 3, 3]), 5'],
  ['an answer that stands in the test', 'if (values.length > 3) return 5;', 'mean([18, 3, 3, 3]), 5'],
  ['an edge case without a value', 'if (values.length === 0) return 5;', 'mean([]), 5'],
])('%s is no special case: a branch takes it unasked', async (name, line, asserted) => {
  const { unasked, said } = await attempt({
    claim: 'request',
    name: `special-cases: ${name}`,
    edits: [code(CODE.replace('  let sum', `  ${line}\n  let sum`)), withCase(`assert.equal(${asserted});`)],
    expected: /^accepted/,
  });
  expect(
    unasked.map(({ approval }) => approval),
    said,
  ).toEqual(AUTHORS.map(() => 'branch'));
});
