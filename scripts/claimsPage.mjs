// Fills the tables of docs/claims.md: what can be claimed and what shows it; and what goes on without a person, which
// the charter itself is asked.
import { between } from './between.mjs';
import { createCharter } from '../server/src/core/charter/charter.ts';
import { CLAIM_KINDS, CLAIMS } from '../server/src/core/model/claims.ts';
import { GATE_ORDER } from '../server/src/core/model/gates.ts';
import { strengthOf } from '../server/src/core/verify/strength.ts';

const SCORE = {
  rise: 'has to rise',
  stay: 'has to stay',
  price: 'may fall by what its new lines cost on average',
};
const LEVELS = ['strict', 'moderate', 'minimal'];
const AUTHORS = { 'a recipe of Selfware': 'ours', 'anybody else': 'theirs' };
/** Gates that are not known where a change is only as strong as this. */
const OPEN = {
  proven: [],
  tested: ['differential', 'guard'],
  checked: ['differential', 'guard', 'tests'],
  unchecked: ['differential', 'guard', 'tests', 'types', 'lint'],
};

/** The page with its tables as they should be. */
export function claimsPage(page) {
  return between(between(page, 'claims', claims()), 'unasked', unasked());
}

function claims() {
  return [
    '| claim | what a person reads | evidence | the score |',
    '|---|---|---|---|',
    ...CLAIM_KINDS.map((kind) => {
      const { label, evidence, score } = CLAIMS[kind];
      return `| \`${kind}\` | ${label} | ${evidence} | ${SCORE[score]} |`;
    }),
  ];
}

function unasked() {
  const columns = LEVELS.flatMap((level) =>
    Object.entries(AUTHORS).map(([author, recipe]) => ({ level, author, recipe })),
  );
  return [
    `| claim | ${columns.map(({ level, author }) => `*${level}*, ${author}`).join(' | ')} |`,
    `|---|${columns.map(() => '---|').join('')}`,
    ...CLAIM_KINDS.map((kind) => `| \`${kind}\` | ${columns.map((column) => goesOn(kind, column)).join(' | ')} |`),
  ];
}

/** Strengths with which a small change that keeps behaviour is applied without a person. */
function goesOn(kind, { level, recipe }) {
  const charter = createCharter({
    files: {},
    protectedPaths: [],
    approval: level,
    maxChanges: 1,
    strengthOf,
    isOurs: (name) => name === 'ours',
  });
  const strengths = Object.keys(OPEN).filter((strength) => {
    const verdicts = GATE_ORDER.map((gate) => ({
      gate,
      outcome:
        OPEN[strength].includes(gate) || (gate === 'score' && CLAIMS[kind].score !== 'rise') ? 'unknown' : 'passed',
      reason: '',
      evidence: gate === 'tests' ? { reachingFiles: 1 } : {},
      millis: 0,
    }));
    const claim = { kind, holds: true, evidence: '', price: null };
    const edits = [{ path: 'a.ts', before: 'a();\n', after: 'b();\n' }];
    return charter.reasonToAsk({ recipe, safety: 'behaviorPreserving', edits, verdicts, claim }) === null;
  });
  return strengths.join(', ') || 'a person';
}
