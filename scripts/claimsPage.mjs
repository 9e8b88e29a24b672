// Fills the tables of docs/claims.md: what a change can claim and the evidence for it; what is applied without a
// person, according to the table that the charter uses; and what each author may do by default.
import { replaceGenerated } from './between.mjs';
import { asksAboutBehaviour, findAdditionalRequirement, decideApply } from '../server/src/core/charter/course.ts';
import { AUTHORS, AUTHOR_LABELS } from '../server/src/core/model/authors.ts';
import { DEFAULT_ALLOWANCES, CAPABILITIES } from '../server/src/core/model/capabilities.ts';
import { CLAIM_KINDS, FACTS_BY_CLAIM } from '../server/src/core/model/claims.ts';

/** Descriptions of the demand on the score, by the field `score` of a claim. */
const SCORE_TEXTS = {
  rise: 'has to rise',
  stay: 'has to stay',
  price: 'may fall by [its price](#what-it-may-cost)',
};
/** The approval levels, which are the columns of the table of what is applied without a person. */
const LEVELS = ['strict', 'moderate', 'minimal', 'branch'];
const KEEPS_BEHAVIOUR = 'it is not classed as changing behaviour';
const IS_RECIPE_OR_KEEPS_BEHAVIOUR = 'it is ours or not classed as changing behaviour';
const STRENGTHS = ['proven', 'tested', 'checked', 'unchecked'];

/** The page with its tables updated. */
export function updateClaimsPage(page) {
  return replaceGenerated(
    replaceGenerated(replaceGenerated(page, 'claims', createClaimRows()), 'unasked', createUnaskedRows()),
    'authors',
    createAuthorRows(),
  );
}

/** The rows of the claims: their label, their evidence, and the demand on the score. */
function createClaimRows() {
  return [
    '| claim | what a person reads | evidence | the score |',
    '|---|---|---|---|',
    ...CLAIM_KINDS.map((kind) => {
      const { label, evidence, score } = FACTS_BY_CLAIM[kind];
      return `| \`${kind}\` | ${label} | ${evidence} | ${SCORE_TEXTS[score]} |`;
    }),
  ];
}

/** The rows of the authors: their capabilities and rates by default. */
function createAuthorRows() {
  return [
    `| by | ${CAPABILITIES.map((capability) => `\`${capability}\``).join(' | ')} | changes an hour | a day | requests a minute |`,
    `|---|${CAPABILITIES.map(() => '---|').join('')}---|---|---|`,
    ...AUTHORS.map((author) => {
      const { may, changesAnHour, changesADay, requestsAMinute } = DEFAULT_ALLOWANCES[author];
      const cells = CAPABILITIES.map((capability) => (may.includes(capability) ? 'yes' : '–'));
      return `| ${AUTHOR_LABELS[author]} (\`${author}\`) | ${cells.join(' | ')} | ${changesAnHour} | ${changesADay} | ${requestsAMinute} |`;
    }),
  ];
}

/** The rows of what is applied without asking: one for each claim and group of authors who are treated alike. */
function createUnaskedRows() {
  return [
    `| claim | by | ${LEVELS.map((level) => `*${level}*`).join(' | ')} |`,
    `|---|---|${LEVELS.map(() => '---|').join('')}`,
    ...CLAIM_KINDS.flatMap((claim) => {
      const formatCells = (author) =>
        LEVELS.map((approval) => describeDecision({ claim, author, approval })).join(' | ');
      return [...Map.groupBy(AUTHORS, formatCells)].map(
        ([cells, authors]) =>
          `| \`${claim}\` | ${authors.length === AUTHORS.length ? 'anybody' : authors.map((author) => AUTHOR_LABELS[author]).join(', ')} | ${cells} |`,
      );
    }),
  ];
}

/**
 * Describes what happens to a proposal with the claim, author and approval level of a cell: it is refused, it waits for
 * a person, or it is applied without a person under some conditions.
 */
function describeDecision(cell) {
  const decideForAllStrengths = (onlyAdds) =>
    STRENGTHS.map((strength) => decideApply({ ...cell, strength, onlyAdds, meetsRequirement: true }));
  if (decideForAllStrengths(true).every((decision) => decision === 'refused')) return 'refused';
  const strengthsOf = (onlyAdds) =>
    STRENGTHS.filter((_, index) => decideForAllStrengths(onlyAdds)[index] === 'unasked');
  const sufficientStrengths = strengthsOf(false);
  // Only recipes of the product can be known to only add something.
  const strengthsIfAdding = strengthsOf(cell.author === 'recipe').filter(
    (strength) => !sufficientStrengths.includes(strength),
  );
  if (sufficientStrengths.length + strengthsIfAdding.length === 0) return 'waits';
  const requirement = cell.approval === 'branch' ? null : findAdditionalRequirement(cell.claim);
  const isRestrictedToKept = asksAboutBehaviour(cell.claim, cell.author, cell.approval);
  const behaviourCondition = isRestrictedToKept
    ? cell.author === 'recipe'
      ? IS_RECIPE_OR_KEEPS_BEHAVIOUR
      : KEEPS_BEHAVIOUR
    : null;
  const conditions = [sufficientStrengths.join(' or '), requirement, behaviourCondition].filter(
    (condition) => condition !== null,
  );
  return `unasked if ${conditions.join(' and ')}${strengthsIfAdding.length > 0 ? `; if it only adds something, also ${strengthsIfAdding.join(' or ')}` : ''}; else waits`;
}
