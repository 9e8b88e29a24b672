// Fills the tables of docs/claims.md: what can be claimed and what shows it; what is applied without a person,
// according to the table that the charter uses; and what each author may do.
import { between } from './between.mjs';
import { asksAboutBehaviour, findAdditionalRequirement, decideApply } from '../server/src/core/charter/course.ts';
import { AUTHORS, AUTHOR_LABELS } from '../server/src/core/model/authors.ts';
import { DEFAULT_ALLOWANCES, CAPABILITIES } from '../server/src/core/model/capabilities.ts';
import { CLAIM_KINDS, FACTS_BY_CLAIM } from '../server/src/core/model/claims.ts';

const SCORE = {
  rise: 'has to rise',
  stay: 'has to stay',
  price: 'may fall by [its price](#what-it-may-cost)',
};
const LEVELS = ['strict', 'moderate', 'minimal', 'branch'];
const KEPT = 'it is not classed as changing behaviour';
const OURS_OR_KEPT = 'it is ours or not classed as changing behaviour';
const STRENGTHS = ['proven', 'tested', 'checked', 'unchecked'];

/** The page with its tables updated. */
export function claimsPage(page) {
  return between(between(between(page, 'claims', claims()), 'unasked', unasked()), 'authors', authors());
}

/** The rows of the claims: their label, their evidence, and the demand on the score. */
function claims() {
  return [
    '| claim | what a person reads | evidence | the score |',
    '|---|---|---|---|',
    ...CLAIM_KINDS.map((kind) => {
      const { label, evidence, score } = FACTS_BY_CLAIM[kind];
      return `| \`${kind}\` | ${label} | ${evidence} | ${SCORE[score]} |`;
    }),
  ];
}

/** The rows of the authors: what each of them may do by default. */
function authors() {
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
function unasked() {
  return [
    `| claim | by | ${LEVELS.map((level) => `*${level}*`).join(' | ')} |`,
    `|---|---|${LEVELS.map(() => '---|').join('')}`,
    ...CLAIM_KINDS.flatMap((claim) => {
      const cellsOf = (author) => LEVELS.map((approval) => cellText({ claim, author, approval })).join(' | ');
      return [...Map.groupBy(AUTHORS, cellsOf)].map(
        ([cells, authors]) =>
          `| \`${claim}\` | ${authors.length === AUTHORS.length ? 'anybody' : authors.map((author) => AUTHOR_LABELS[author]).join(', ')} | ${cells} |`,
      );
    }),
  ];
}

/** What happens to a proposal with this claim, author and approval level. */
function cellText(cell) {
  const courses = (onlyAdds) =>
    STRENGTHS.map((strength) => decideApply({ ...cell, strength, onlyAdds, meetsRequirement: true }));
  if (courses(true).every((course) => course === 'refused')) return 'refused';
  const strengthsOf = (adds) => STRENGTHS.filter((_, at) => courses(adds)[at] === 'unasked');
  const always = strengthsOf(false);
  // Only recipes of the product can be known to only add something.
  const adding = strengthsOf(cell.author === 'recipe').filter((strength) => !always.includes(strength));
  if (always.length + adding.length === 0) return 'waits';
  const beyond = cell.approval === 'branch' ? null : findAdditionalRequirement(cell.claim);
  const asks = asksAboutBehaviour(cell.claim, cell.author, cell.approval);
  const kept = asks ? (cell.author === 'recipe' ? OURS_OR_KEPT : KEPT) : null;
  const conditions = [always.join(' or '), beyond, kept].filter((condition) => condition !== null);
  return `unasked if ${conditions.join(' and ')}${adding.length > 0 ? `; if it only adds something, also ${adding.join(' or ')}` : ''}; else waits`;
}
