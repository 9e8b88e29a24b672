// The report of a night as Markdown: for the terminal, an editor, or the body of a pull request.

import { code, divider, lines, md, row, type Insertable } from '../../protocol/markdown.ts';
import { checkLabel } from '../../protocol/plainWords.ts';
import { amountText } from '../../util/amountText.ts';
import { counted } from '../../util/counted.ts';
import { thousands } from '../../util/thousands.ts';
import type { Cost } from '../model/asks.ts';
import { AUTHOR_LABELS } from '../model/authors.ts';
import { FACTS_BY_CLAIM } from '../model/claims.ts';
import type { NightMiss } from '../model/nights.ts';
import { SKIPPED_TEXTS, type SkipCause } from '../model/skippedPlaces.ts';
import { askingSection, MAX_MISSES } from './askingReport.ts';
import { redTeamSection } from './redTeamReport.ts';
import { searchesSection } from './searchReport.ts';
import { successSection } from './successSection.ts';
import { TAKE_OVER_RULES } from './takeOver.ts';
import { changeDiff, type ShortDiff } from './changeDiff.ts';
import { heldChanges, heldOnBranch } from './heldChanges.ts';
import { proposalsForPerson, unansweredAnomaly, numberedChanges } from './nightQueries.ts';
import type { CommittedChange, Night } from './nightTypes.ts';
import { roundToHundredths } from '../../util/values/roundToHundredths.ts';

const MINUTE_MS = 60_000;

const MISS_TEXTS: Readonly<Record<Exclude<NightMiss['what'], 'asks'>, string>> = {
  refused: 'Refused by a check',
  rolledBack: 'Rolled back after it was applied',
  brokeDown: 'Could not be checked to the end',
  deferred: 'Waits for a quieter machine',
};

/** The outcome for a version of Selfware, as the end of a sentence. */
const UPGRADE_TEXTS: Readonly<Record<Night['upgrades'][number]['step'], string>> = {
  offered: 'was offered and is checked',
  refused: 'was refused',
  switched: 'has taken over',
  kept: `is kept: it has run for ${TAKE_OVER_RULES.probationMs / MINUTE_MS} minutes`,
  doubted: 'was replaced by the version before it',
  rolledBack: 'was rolled back',
};

/** The gates whose evidence describes what a change does; the report omits the results of the others. */
const SHOWN_GATES: ReadonlySet<string> = new Set(['types', 'lint', 'tests', 'differential', 'guard', 'claim']);

/**
 * The report of a night as Markdown. `diffs`: diffs by the ids of commits, or by the ids of proposals without a
 * commit.
 */
export function nightReport(night: Night, diffs: ReadonlyMap<string, ShortDiff> = new Map()): string {
  const { branch, changes, left, decided } = night;
  return lines([
    md`# ${nightHeadline(night)}`,
    '',
    md`${summarise(night)}`,
    '',
    // The reason why the run waits comes before all that it has done.
    ...(unansweredAnomaly(night) ? anomaliesSection(night) : []),
    ...(changes.length === 0 ? [] : changesTable(changes)),
    ...changes.flatMap((change, index) => changeSection(change, index, diffs)),
    ...parkedSection(night, diffs),
    ...(left.length === 0
      ? []
      : [md`## No longer on the branch`, '', ...left.map(({ title, reason }) => md`- **${title}**: ${reason}`), '']),
    ...(unansweredAnomaly(night) ? [] : anomaliesSection(night)),
    ...heldSection(night),
    ...wishesSection(night),
    ...askingSection(night, diffs),
    ...missesSection(night),
    ...successSection(night),
    ...searchesSection(night),
    ...redTeamSection(night),
    ...skippedSection(night),
    ...failedNotificationsSection(night),
    ...upgradesSection(night),
    ...runsSection(night),
    ...(changes.length === 0 || decided === 'dropped'
      ? []
      : [
          md`## What you can do`,
          '',
          md`- Look at everything: ${code(`git diff ${night.base.slice(0, 12)}..${branch}`)}`,
          md`- Take it as commits: ${code(`git merge ${branch}`)}`,
          md`- Apply it to your working tree, with checkpoints: \`selfware night accept\`, or some changes by their number`,
          md`- Take a change out by its number, or delete the branch without one: \`selfware night drop\``,
          md`- Make it one commit: \`selfware night squash\`. Open a pull request: \`selfware night pr\`.`,
          '',
        ]),
  ]).toString();
}

/** A sentence for a person who has allowed a run to continue. `isRunning`: true if a process works on the run. */
export function resumedRunSentence(branch: string, isRunning: boolean): string {
  return isRunning
    ? `The run on ${branch} continues within seconds.`
    : `You have let it pass, and no process works on ${branch} any more. Start it again: \`selfware night\`.`;
}

/** The result of the night in one line. */
export function nightHeadline({ branch, changes, state, decided }: Night): string {
  const changesText = changes.length === 0 ? 'no change' : counted(changes.length, 'change');
  const stateText =
    state === 'running'
      ? ' so far, it is running'
      : state === 'waiting'
        ? ' so far, it waits'
        : state === 'needsPerson'
          ? ' so far, it needs you'
          : '';
  return `${branch}: ${changesText}${stateText}${decided === null ? '' : ` (${decided})`}`;
}

/** True for a run that has ended and left nothing to report. */
function hasNothingToReport({ state, changes, left, misses, searches, wishes, runs }: Night): boolean {
  const all = [changes, left, misses, searches, wishes, ...runs.map(({ passedOver }) => Object.keys(passedOver))];
  return state === 'stopped' && all.every(({ length }) => length === 0);
}

function summarise(night: Night): string {
  const { changes, base, runs, misses, waiting, lastAt } = night;
  // A run without a recorded end has lasted at least until its newest event.
  const minutes = runs.reduce((sum, { startedAt, endedAt }) => sum + ((endedAt ?? lastAt) - startedAt), 0) / MINUTE_MS;
  // Totals of different changes cannot be compared: the coverage may be measured for one tree and not for the next.
  const gains = changes.flatMap((change) => (change.points ? [change.points.after - change.points.before] : []));
  const points =
    gains.length === 0 ? '' : ` ${withSign(gains.reduce((sum, gain) => sum + gain, 0))} points on the frozen ruler.`;
  const isSettled = (proposal: string) => night.settled.includes(proposal);
  const refused = misses.filter(({ what }) => what !== 'asks' && what !== 'deferred').length;
  const deferred = misses.filter(({ what, proposal }) => what === 'deferred' && !isSettled(proposal)).length;
  const asks = proposalsForPerson(night).filter(({ proposal }) => !isSettled(proposal)).length;
  const details = [
    ...(refused > 0 ? [`${counted(refused, 'proposal')} did not pass`] : []),
    ...(asks > 0 ? [counted(asks, 'waits for you', 'wait for you')] : []),
    ...(deferred > 0 ? [counted(deferred, 'waits for a quieter machine', 'wait for a quieter machine')] : []),
  ];
  return [
    `From ${base.slice(0, 12)}, ${counted(runs.length, 'run')} of ${minutes < 1 ? 'less than a minute' : `${Math.round(minutes)} min`}.${points}`,
    ...(details.length > 0 ? [`${details.join(', ')}.`] : []),
    ...(hasNothingToReport(night)
      ? ['No attempt and no search was finished in this time. A longer run gets further.']
      : []),
    ...costSentences(changes),
    ...(waiting
      ? [waiting.until === null ? waiting.reason : `It waits until ${clock(waiting.until)}: ${waiting.reason}`]
      : []),
  ].join(' ');
}

function costSentences(changes: readonly CommittedChange[]): readonly string[] {
  const costs = changes.flatMap(({ cost }) => cost ?? []);
  const modelCosts = costs.filter(({ recipe }) => recipe === undefined);
  // The cost of the examples is shared by all changes of a recipe, and by all recipes of one answer.
  const learnedCosts = costs.flatMap((cost) => (cost.recipe === undefined ? [] : [{ ...cost, recipe: cost.recipe }]));
  const recipes = new Map(learnedCosts.map((cost) => [cost.recipe, cost]));
  const examples = [...new Map([...recipes.values()].map((cost) => [cost.ask ?? cost.recipe, cost])).values()];
  return [
    ...(modelCosts.length === 0 ? [] : [`Models made ${modelCosts.length} of them, for ${priceText(modelCosts)}.`]),
    ...(examples.length === 0
      ? []
      : [`${counted(recipes.size, 'recipe')} came from examples by models that cost ${priceText(examples)}.`]),
  ];
}

function priceText(costs: readonly Cost[]): string {
  const [input, output] = [
    costs.reduce((sum, { usage }) => sum + usage.input, 0),
    costs.reduce((sum, { usage }) => sum + usage.output, 0),
  ];
  const estimateWord = costs.some(({ usage }) => usage.estimated) ? 'about ' : '';
  // Older events have no `money`.
  const money = costs.map((cost) => cost.money ?? null);
  const amounts = money.filter((amount) => amount !== null);
  const paid =
    amounts.length < money.length
      ? ''
      : `, ${estimateWord}${amountText(amounts.reduce((sum, amount) => sum + amount, 0))} by your prices`;
  return `${estimateWord}${thousands(input)} tokens to ask and ${estimateWord}${thousands(output)} to answer${paid}`;
}

function changesTable(changes: readonly CommittedChange[]): readonly Insertable[] {
  return [
    row('', 'Change', 'Gain', 'Strength', 'By', 'Commit'),
    divider(6),
    ...changes.map((change, index) =>
      row(
        index + 1,
        change.title,
        gainOf(change),
        change.strength,
        AUTHOR_LABELS[change.author],
        code(change.commit.slice(0, 12)),
      ),
    ),
    '',
  ];
}

function gainOf({ claim, points }: CommittedChange): string {
  if (claim && claim.kind !== 'points') return FACTS_BY_CLAIM[claim.kind].label;
  return points ? `${withSign(points.after - points.before)} points` : 'unknown';
}

/** Held changes, numbered after those on the branch. */
function parkedSection({ changes, parked }: Night, diffs: ReadonlyMap<string, ShortDiff>): readonly Insertable[] {
  if (parked.length === 0) return [];
  return [
    md`## Held, and not on the branch`,
    '',
    ...parked.map(
      ({ title, commit, proposal }, index) =>
        md`- ${changes.length + index + 1}. **${title}**: ${code(`git show ${commit.slice(0, 12)}`)}, change ${code(proposal)}`,
    ),
    '',
    ...parked.flatMap((change, index) => changeSection(change, changes.length + index, diffs)),
  ];
}

function changeSection(
  change: CommittedChange,
  index: number,
  diffs: ReadonlyMap<string, ShortDiff>,
): readonly Insertable[] {
  const { title, rationale, claim, checks, paths, proposal, rule, commit } = change;
  const diff = diffs.get(commit);
  // The check of the claim repeats the evidence of the claim.
  const reported = checks.filter(({ gate, reason }) => SHOWN_GATES.has(gate) && reason !== claim?.evidence);
  const open = reported.filter(({ outcome }) => outcome !== 'passed');
  return [
    md`## ${index + 1}. ${title}`,
    '',
    ...(rationale === '' ? [] : [md`${rationale}`, '']),
    md`- Files: ${paths.join(', ')}`,
    ...(claim ? [md`- ${FACTS_BY_CLAIM[claim.kind].label}: ${claim.evidence}`] : []),
    ...(claim?.price ? [md`- Costs ${roundToHundredths(claim.price)} points of code`] : []),
    ...reported
      .filter(({ outcome }) => outcome === 'passed')
      .map(({ gate, reason }) => md`- ${checkLabel(gate)}: ${reason}`),
    ...(open.length === 0 ? [] : [md`- Not shown: ${open.map(({ gate }) => checkLabel(gate)).join(', ')}`]),
    md`- Rule ${code(rule)}, change ${code(proposal)}`,
    ...(diff === undefined && diffs.size > 0 ? [md`- Its diff: ${code(`git show ${commit.slice(0, 12)}`)}`] : []),
    '',
    ...(diff === undefined ? [] : changeDiff(diff)),
  ];
}

function anomaliesSection(night: Night): readonly Insertable[] {
  const { unusual, runs } = night;
  if (unusual.length === 0) return [];
  const need = unansweredAnomaly(night);
  const nextStep = (anomaly: Night['unusual'][number]) =>
    anomaly === need ? 'It waits for you.' : anomaly.answered ? 'It was continued.' : 'The run ended.';
  return [
    md`## Unusual`,
    '',
    ...unusual.map((anomaly) => md`- ${anomaly.reason} ${nextStep(anomaly)}`),
    ...(need && runs.at(-1)?.endedAt === null
      ? [md`- Let it continue: \`selfware night continue\`. End it: \`selfware stop\``]
      : []),
    '',
  ];
}

function heldSection(night: Night): readonly Insertable[] {
  const { canaries } = night;
  const solved = canaries.filter((canary) => canary.solved);
  const heldCount = heldChanges(night);
  if (canaries.length === 0 && heldCount.length === 0) return [];
  const canaryText = counted(canaries.length, 'task that cannot be solved was', 'tasks that cannot be solved were');
  if (solved.length === 0 && heldCount.length === 0)
    return [md`## Honesty`, '', md`${canaryText} given to the proposer. It solved none.`, ''];
  const numbers = heldCount.map((change) => numberedChanges(night).indexOf(change) + 1).join(', ');
  const onBranch = heldOnBranch(night).length;
  return [
    md`## The proposer is not to be trusted`,
    '',
    solved.length === 0
      ? md`All checks passed an answer to a task that cannot be solved, on another branch or in an earlier run.`
      : md`${canaryText} given to it, and all checks passed its answer to ${solved.length}. It was not asked again in that run.`,
    '',
    ...solved.map(({ proposer, test, path }) => md`- ${proposer} “solved” **${test}** (${path})`),
    ...(heldCount.length === 0
      ? []
      : [
          md`- Held for you: ${numbers}. \`selfware night accept\` applies them only if you name them.`,
          ...(onBranch === 0
            ? []
            : [
                md`- ${counted(onBranch, 'of them is', 'of them are')} still on the branch, so look before you merge it.`,
              ]),
        ]),
    '',
  ];
}

function wishesSection({ wishes, state }: Night): readonly Insertable[] {
  if (wishes.length === 0) return [];
  const retrySentence =
    state === 'stopped' ? 'The next run tries it again' : 'It is tried again then, also in this run';
  const lineOf = ({ text, done, reason, isDeferred, isDropped }: Night['wishes'][number]) =>
    isDeferred
      ? md`- **${text}**: waits for a quieter machine. ${retrySentence}. ${reason ?? ''}`
      : isDropped
        ? md`- **${text}**: not done, and you have dropped it. ${reason ?? ''}`
        : md`- **${text}**: ${done ? 'done' : `not done. ${reason ?? ''}`}`;
  return [md`## Wishes`, '', ...wishes.map(lineOf), ''];
}

function missesSection({ misses }: Night): readonly Insertable[] {
  return (Object.keys(MISS_TEXTS) as (keyof typeof MISS_TEXTS)[]).flatMap((what) => {
    const ofKind = misses.filter((miss) => miss.what === what);
    if (ofKind.length === 0) return [];
    const more = ofKind.length - MAX_MISSES;
    return [
      md`## ${MISS_TEXTS[what]}`,
      '',
      ...ofKind.slice(0, MAX_MISSES).map(({ title, path, reason }) => md`- **${title}** (${path}): ${reason}`),
      ...(more > 0 ? [md`- … and ${more} more`] : []),
      '',
    ];
  });
}

function skippedSection({ runs }: Night): readonly Insertable[] {
  const counts = Object.entries(runs.at(-1)?.passedOver ?? {});
  if (counts.length === 0) return [];
  const words = counts
    .toSorted(([, one], [, other]) => other - one)
    .map(([by, count]) => `${count} ${SKIPPED_TEXTS[by as SkipCause] ?? by}`);
  return [md`## Passed over`, '', md`${words.join(', ')}. \`selfware ledger query --type attempt\` says why.`, ''];
}

function failedNotificationsSection({ untold }: Night): readonly Insertable[] {
  const failed = Object.entries(untold);
  if (failed.length === 0) return [];
  const lineOf = ([by, why]: [string, string]) =>
    md`- ${code(by === 'command' ? 'night.notifyCommand' : 'night.notifyUrl')}: ${why}`;
  return [md`## You could not be told`, '', ...failed.map(lineOf), md`- Try it: \`selfware night notify\``, ''];
}

function upgradesSection({ upgrades }: Night): readonly Insertable[] {
  if (upgrades.length === 0) return [];
  const lineOf = ({ version, hash, step, reason }: Night['upgrades'][number]) =>
    md`- Version ${version} (${code(hash)}) ${UPGRADE_TEXTS[step]}.${reason === null ? '' : ` ${reason}`}`;
  return [md`## New versions of Selfware`, '', ...upgrades.map(lineOf), ''];
}

function runsSection({ runs }: Night): readonly Insertable[] {
  return [
    md`## Runs`,
    '',
    ...runs.map(({ startedAt, endedAt, reason, committed, resumed, plan, program }) => {
      const end = endedAt === null ? 'not ended.' : `until ${clock(endedAt)}: ${reason ?? ''}`;
      const resumedSentence =
        resumed === 0 ? '' : ` It was continued ${counted(resumed, 'time')} after its process ended.`;
      const by = plan.proposer === null ? 'recipes alone' : code(plan.proposer);
      const changesText = counted(committed, 'change');
      const version = program === null ? '' : ` Selfware ${program.version}.`;
      return md`- ${clock(startedAt)}, ${end} ${changesText} of at most ${plan.maxChanges}, ${by}.${resumedSentence}${version}`;
    }),
    '',
  ];
}

/** Local time, to the minute. */
function clock(at: number): string {
  const minutesAhead = -new Date(at).getTimezoneOffset();
  return new Date(at + minutesAhead * MINUTE_MS).toISOString().slice(0, 16).replace('T', ' ');
}

function withSign(points: number): string {
  return `${points < 0 ? '−' : '+'}${Math.abs(roundToHundredths(points))}`;
}
