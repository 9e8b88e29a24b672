// Fills the table of docs/claims.md: what can be claimed, what shows it, and what it may cost.
import { between } from './between.mjs';
import { CLAIM_KINDS, CLAIMS } from '../server/src/core/model/claims.ts';

const SCORE = {
  rise: 'has to rise',
  stay: 'has to stay',
  price: 'may fall by what as many average lines cost',
};

/** The page with its table as it should be. */
export function claimsPage(page) {
  return between(page, 'claims', [
    '| claim | what a person reads | evidence | the score | without a person, at *moderate* and *minimal* |',
    '|---|---|---|---|---|',
    ...CLAIM_KINDS.map((kind) => {
      const { label, evidence, score, unasked } = CLAIMS[kind];
      return `| \`${kind}\` | ${label} | ${evidence} | ${SCORE[score]} | ${unasked} |`;
    }),
  ]);
}
