// Fills the tables of docs/noise.md from the verdicts in docs/noise-verdicts.csv.
import { between } from './between.mjs';

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
/** The number of columns of the verdicts that are read. */
const COLUMNS = 7;
/** The number of latest draws for which the results are listed rule by rule. */
const MAX_LISTED_DRAWS = 4;

/** The page with its tables updated. `csv`: the verdicts. */
export function noisePage(page, csv) {
  const verdicts = rowsOf(csv);
  const numbered = draws.map(([name, seed, rules], index) => ({
    name,
    seed,
    rules,
    verdicts: verdicts.filter(({ draw }) => draw === `${index + 1}`),
  }));
  return between(between(page, 'draws', drawTable(numbered)), 'rules', ruleTable(numbered.slice(-MAX_LISTED_DRAWS)));
}

/** The table with a row for each draw. */
function drawTable(numbered) {
  return [
    '| draw | repositories | the rules | looked at | acted on | share |',
    '|---|---|---|---|---|---|',
    ...numbered.map(({ name, seed, rules, verdicts }) => {
      const repositories = [...new Set(verdicts.map(({ repository }) => repository))].join(', ');
      const right = acted(verdicts);
      return `| ${name}, seed ${seed} | ${repositories} | ${rules} | ${verdicts.length} | ${right} | ${percent(right, verdicts.length)} |`;
    }),
  ];
}

/** The table of the latest draws, with a row for each rule. */
function ruleTable(latest) {
  const all = latest.flatMap(({ verdicts }) => verdicts);
  const counts = Map.groupBy(all, ({ rule }) => rule);
  const cell = (verdicts) => (verdicts.length === 0 ? '–' : `${acted(verdicts)} of ${verdicts.length}`);
  const row = (name, of) => {
    const sum = of(all);
    const share = `${cell(sum)} (${percent(acted(sum), sum.length)})`;
    return `| ${name} | ${latest.map(({ verdicts }) => cell(of(verdicts))).join(' | ')} | ${share} |`;
  };
  const rules = [...counts].sort(([, one], [, other]) => other.length - one.length).map(([rule]) => rule);
  return [
    `| rule | ${latest.map(({ name }) => name).join(' | ')} | these four |`,
    `|---|${'---|'.repeat(MAX_LISTED_DRAWS + 1)}`,
    ...rules.map((rule) => row(rule, (verdicts) => verdicts.filter((verdict) => verdict.rule === rule))),
    row('all', (verdicts) => verdicts),
  ];
}

/** The number of findings that a person would act on. */
function acted(verdicts) {
  return verdicts.filter(({ actedOn }) => actedOn === 'yes').length;
}

function percent(part, whole) {
  return `${Math.round((part / whole) * 100)} %`;
}

/**
 * The rows, as objects with the names of the columns as keys. A quoted cell may contain commas, and each quote in it is
 * doubled.
 */
function rowsOf(csv) {
  const [head, ...rows] = csv
    .trimEnd()
    .split('\n')
    .map((line) =>
      [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
        .map(([, cell]) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell))
        .slice(0, COLUMNS),
    );
  return rows.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at]])));
}
