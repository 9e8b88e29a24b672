// Fills the tables of docs/noise.md from the verdicts in docs/noise-verdicts.csv.
import { replaceGenerated } from './between.mjs';

/**
 * The random samples of findings (draws), in their order: the name, the seed, and the state of the rules at the time.
 */
const draws = [
  ['first', 20261129, 'as the rules were'],
  ['second', 20261130, 'after the first corrections'],
  ['third', 20261131, 'after the second'],
  ['fourth', 20261132, 'after the third'],
  ['fifth', 20261133, 'after the fourth'],
  ['sixth', 20261134, 'after the fifth'],
  ['seventh', 20261135, 'after the sixth'],
  ['eighth', 20261136, 'after the seventh'],
  ['ninth', 20261137, 'after the eighth'],
  ['tenth', 20261138, 'after the ninth'],
  ['eleventh', 20261139, 'after the tenth'],
];
/** Number of columns of the verdicts that are read; the others are ignored. */
const COLUMNS = 7;
/** Number of latest draws whose results are listed by rule. */
const MAX_LISTED_DRAWS = 4;

/** The page with its tables updated. `csv`: the text of docs/noise-verdicts.csv. */
export function updateNoisePage(page, csv) {
  const verdicts = parseRows(csv);
  const drawsWithVerdicts = draws.map(([name, seed, rules], index) => ({
    name,
    seed,
    rules,
    verdicts: verdicts.filter(({ draw }) => draw === `${index + 1}`),
  }));
  return replaceGenerated(
    replaceGenerated(page, 'draws', createDrawTable(drawsWithVerdicts)),
    'rules',
    createRuleTable(drawsWithVerdicts.slice(-MAX_LISTED_DRAWS)),
  );
}

/** The table with a row for each draw. */
function createDrawTable(drawsWithVerdicts) {
  return [
    '| draw | repositories | the rules | looked at | acted on | share |',
    '|---|---|---|---|---|---|',
    ...drawsWithVerdicts.map(({ name, seed, rules, verdicts }) => {
      const repositories = [...new Set(verdicts.map(({ repository }) => repository))].join(', ');
      const actedOnCount = countActedOn(verdicts);
      return `| ${name}, seed ${seed} | ${repositories} | ${rules} | ${verdicts.length} | ${actedOnCount} | ${formatPercent(actedOnCount, verdicts.length)} |`;
    }),
  ];
}

/** The table of the latest draws, with a row for each rule. */
function createRuleTable(latestDraws) {
  const allVerdicts = latestDraws.flatMap(({ verdicts }) => verdicts);
  const verdictsByRule = Map.groupBy(allVerdicts, ({ rule }) => rule);
  const formatCell = (verdicts) => (verdicts.length === 0 ? '–' : `${countActedOn(verdicts)} of ${verdicts.length}`);
  const formatRow = (name, selectVerdicts) => {
    const sum = selectVerdicts(allVerdicts);
    const share = `${formatCell(sum)} (${formatPercent(countActedOn(sum), sum.length)})`;
    return `| ${name} | ${latestDraws.map(({ verdicts }) => formatCell(selectVerdicts(verdicts))).join(' | ')} | ${share} |`;
  };
  const rules = [...verdictsByRule].sort(([, left], [, right]) => right.length - left.length).map(([rule]) => rule);
  return [
    `| rule | ${latestDraws.map(({ name }) => name).join(' | ')} | these four |`,
    `|---|${'---|'.repeat(MAX_LISTED_DRAWS + 1)}`,
    ...rules.map((rule) => formatRow(rule, (verdicts) => verdicts.filter((verdict) => verdict.rule === rule))),
    formatRow('all', (verdicts) => verdicts),
  ];
}

/** The number of findings that a person would act on. */
function countActedOn(verdicts) {
  return verdicts.filter(({ actedOn }) => actedOn === 'yes').length;
}

function formatPercent(part, whole) {
  return `${Math.round((part / whole) * 100)} %`;
}

/**
 * The rows, as objects with the names of the columns as keys. A quoted cell may contain commas, and each quote in it is
 * doubled.
 */
function parseRows(csv) {
  const [head, ...rows] = csv
    .trimEnd()
    .split('\n')
    .map((line) =>
      [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
        .map(([, cell]) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell))
        .slice(0, COLUMNS),
    );
  return rows.map((cells) => Object.fromEntries(head.map((name, index) => [name, cells[index]])));
}
