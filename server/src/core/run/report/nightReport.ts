// The report of a night as Markdown: for the terminal, an editor, or the body of a pull request.

import { createUpgradesSection } from './upgradesSection.ts';
import { codeSpan, tableDivider, joinLines, md, tableRow, type Insertable } from '../../../protocol/markdown.ts';
import { checkLabel, plainReason } from '../../../protocol/plainWords.ts';
import { formatCount } from '../../../util/counted.ts';
import { AUTHOR_LABELS } from '../../model/authors.ts';
import { FACTS_BY_CLAIM, type Claim } from '../../model/claims.ts';
import { COMMAND_GATES, PROOF_GATES } from '../../model/gateStages.ts';
import type { NightMiss } from '../../model/nights.ts';
import { SKIPPED_TEXTS, type SkipCause } from '../../model/skippedPlaces.ts';
import { createAskingSection } from './askingReport.ts';
import { createKeptSection, createLeftSection, type KeptCommit } from './leftReport.ts';
import { createRedTeamSection } from './redTeamReport.ts';
import { createScopeSection } from '../runScope.ts';
import { createSearchSection } from './searchReport.ts';
import { createFiguresSection } from './figuresReport.ts';
import type { ProposersById } from './nightFigures.ts';
import { formatClock, summariseNight, formatSigned } from '../nightSummary.ts';
import type { NightSpending } from '../../model/asks.ts';
import { createDiffBlock, type ShortDiff } from './changeDiff.ts';
import { findHeldChanges, findHeldChangesOnBranch } from '../heldChanges.ts';
import { listNumberedChanges, findUnansweredAnomaly } from '../nightQueries.ts';
import type { CommittedChange, Night } from '../nightTypes.ts';
import { roundToHundredths } from '../../../util/values/roundToHundredths.ts';

/** The heading of the section about the misses of each kind. */
const MISS_TEXTS: Readonly<Record<Exclude<NightMiss['what'], 'asks'>, string>> = {
  refused: 'Refused by a check',
  rolledBack: 'Rolled back after it was applied',
  brokeDown: 'Could not be checked to the end',
  deferred: 'Waits for a quieter machine',
};

/** Claims of changes that only edit tests. */
const TEST_CLAIMS: ReadonlySet<Claim['kind']> = new Set(['tests', 'upkeep']);
/** Maximum number of listed proposals that did not pass, for each kind. */
const MAX_NOT_PASSED = 5;

/** Facts of a report that are not part of the night. */
interface ReportFacts {
  /** The nights of the repository before this one. */
  readonly earlier?: readonly Night[];
  /** True if the readers, such as those of a pull request, cannot run the commands that accept the changes. */
  readonly isForOthers?: boolean;
  /** Other nights whose changes wait for a decision. */
  readonly undecided?: readonly Night[];
  /** Changes of other nights that are on no branch. */
  readonly kept?: readonly KeptCommit[];
  /** The cost of the night's questions to models; null if it is unknown. */
  readonly spent?: NightSpending | null;
  readonly proposers?: ProposersById;
}

/**
 * The report of a night as Markdown. `diffs`: diffs by the ids of commits, or by the ids of proposals without a
 * commit.
 */
export function renderNightReport(
  night: Night,
  diffs: ReadonlyMap<string, ShortDiff> = new Map(),
  { earlier = [], isForOthers = false, undecided = [], kept = [], spent = null, proposers }: ReportFacts = {},
): string {
  const { changes } = night;
  return joinLines([
    md`# ${nightHeadline(night)}`,
    '',
    md`${summariseNight(night, spent)}`,
    '',
    ...createScopeSection(night),
    ...createUndecidedSection(undecided),
    // The reason why the run waits, and a warning about its proposer, come before everything that the run has done.
    ...(findUnansweredAnomaly(night) ? createAnomaliesSection(night) : []),
    ...createDistrustSection(night),
    ...(changes.length === 0 ? [] : createChangesTable(changes)),
    ...(isForOthers ? [] : listNextSteps(night)),
    ...changes.flatMap((change, index) => createSectionOfChange(change, index, diffs)),
    ...createParkedSection(night, diffs),
    ...createAskingSection(night, diffs),
    ...createWishesSection(night),
    ...createLeftSection(night),
    ...(isForOthers ? [] : createKeptSection(kept)),
    ...(findUnansweredAnomaly(night) ? [] : createAnomaliesSection(night)),
    ...createSearchSection(night, earlier),
    ...createMissesSection(night),
    ...createSkippedSection(night),
    ...createRedTeamSection(night),
    ...createHonestySection(night),
    ...createFiguresSection(night, earlier, proposers),
    ...createFailedNotificationsSection(night),
    ...createUpgradesSection(night),
    ...createRunsSection(night),
  ]).toString();
}

/** One line for each other night whose changes wait for a decision. */
function createUndecidedSection(nights: readonly Night[]): readonly Insertable[] {
  if (nights.length === 0) return [];
  const lineOf = (night: Night) => md`- ${nightHeadline(night)}. ${codeSpan(`selfware report ${night.branch}`)}`;
  return [md`Other nights wait for your decision, too:`, '', ...nights.map(lineOf), ''];
}

/**
 * The section with the commands by which a person accepts or rejects the changes; empty if no change is left to decide
 * on.
 */
function listNextSteps({ branch, base, changes, decided, state, isInterrupted }: Night): readonly Insertable[] {
  if (changes.length === 0 || decided === 'dropped') return [];
  const isSquashed = decided === 'squashed';
  const isOne = isSquashed || changes.length === 1;
  return [
    md`## What you can do`,
    '',
    ...(state === 'stopped' || isInterrupted
      ? []
      : [md`- The run has not ended. End it before you take or reject anything: \`selfware night stop\``]),
    md`- Look at everything: ${codeSpan(`git diff ${base.slice(0, 12)}..${branch}`)}`,
    ...(decided === 'accepted'
      ? []
      : [
          md`- Take ${isOne ? 'the commit' : `all ${changes.length} commits`}: ${codeSpan(`git merge ${branch}`)}`,
          changes.length === 1
            ? md`- Or apply it to your files as they are now, with a way back: \`selfware night accept\``
            : md`- Or apply all or some to your files as they are now, each with a way back: \`selfware night accept [NUMBER…]\``,
        ]),
    isOne
      ? md`- Reject it: \`selfware night drop\` deletes the branch`
      : md`- Reject all or some: \`selfware night drop [NUMBER…]\`. Rejecting all of them deletes the branch`,
    ...(isOne ? [] : [md`- Make them one commit: \`selfware night squash\``]),
    ...(decided === 'accepted' ? [] : [md`- Open a pull request: \`selfware night pr\``]),
    '',
  ];
}

/** A sentence for a person who has allowed a run to continue. `isRunning`: true if a process works on the run. */
export function resumedRunSentence(branch: string, isRunning: boolean): string {
  return isRunning
    ? `The run on ${branch} continues within seconds.`
    : `You have let it pass, and no process works on ${branch} any more. Start it again: \`selfware night\`.`;
}

/** The result of the night in one line, without a full stop. */
export function nightHeadline(night: Night): string {
  const { branch, changes, state, decided, isInterrupted, isLeft, lastAt } = night;
  const changesText = changes.length === 0 ? 'no change' : formatCount(changes.length, 'change');
  const stateText = isInterrupted
    ? `, interrupted at ${formatClock(lastAt)}${isLeft ? '' : `; ${describeContinuation(night)}`}`
    : state === 'running'
      ? ' so far, it is running'
      : state === 'waiting'
        ? ' so far, it waits'
        : state === 'needsPerson'
          ? ' so far, it needs you'
          : '';
  return `${branch}: ${changesText}${stateText}${decided === null ? '' : ` (${decided})`}`;
}

/**
 * A phrase about how an interrupted run continues. If it was waiting for a person, it waits again until the person
 * answers.
 */
function describeContinuation(night: Night): string {
  return findUnansweredAnomaly(night)
    ? 'it needs you: `selfware night continue`, then `selfware night` continues it'
    : '`selfware night` continues it';
}

/** The table of the changes on the branch. The authors have a column only if not all changes are by recipes. */
function createChangesTable(changes: readonly CommittedChange[]): readonly Insertable[] {
  const hasOtherAuthors = changes.some(({ author }) => author !== 'recipe');
  return [
    tableRow('', 'Change', 'Gain', 'Strength', ...(hasOtherAuthors ? ['By'] : []), 'Commit'),
    tableDivider(hasOtherAuthors ? 6 : 5),
    ...changes.map((change, index) =>
      tableRow(
        index + 1,
        change.title,
        formatClaimedGain(change),
        change.strength,
        ...(hasOtherAuthors ? [AUTHOR_LABELS[change.author]] : []),
        codeSpan(change.commit.slice(0, 12)),
      ),
    ),
    '',
  ];
}

function formatClaimedGain({ claim, points }: CommittedChange): string {
  if (claim && claim.kind !== 'points') return FACTS_BY_CLAIM[claim.kind].label;
  return points ? `${formatSigned(points.after - points.before)} points` : 'unknown';
}

/** The section about held changes, which are numbered after those on the branch; empty if there are none. */
function createParkedSection({ changes, parked }: Night, diffs: ReadonlyMap<string, ShortDiff>): readonly Insertable[] {
  if (parked.length === 0) return [];
  return [
    md`## Held, and not on the branch`,
    '',
    ...parked.map(
      ({ title, commit, proposal }, index) =>
        md`- ${changes.length + index + 1}. **${title}**: ${codeSpan(`git show ${commit.slice(0, 12)}`)}, change ${codeSpan(proposal)}`,
    ),
    '',
    ...parked.flatMap((change, index) => createSectionOfChange(change, changes.length + index, diffs)),
  ];
}

function createSectionOfChange(
  change: CommittedChange,
  index: number,
  diffs: ReadonlyMap<string, ShortDiff>,
): readonly Insertable[] {
  const { title, rationale, claim, checks, paths, rule, commit } = change;
  const diff = diffs.get(commit);
  const isTestsOnly = claim !== null && TEST_CLAIMS.has(claim.kind);
  // The check of the claim repeats the evidence of the claim.
  const reportedChecks = checks.filter(
    ({ gate, reason }) =>
      COMMAND_GATES.has(gate) && reason !== claim?.evidence && !(isTestsOnly && PROOF_GATES.has(gate)),
  );
  const passedChecks = reportedChecks.filter(({ outcome }) => outcome === 'passed');
  const openChecks = reportedChecks.filter(({ outcome }) => outcome !== 'passed');
  const formatChecks = (shownChecks: typeof checks) =>
    shownChecks.map(({ gate, reason }) => `${checkLabel(gate)}: ${reason}`).join(' ');
  return [
    md`## ${index + 1}. ${title}`,
    '',
    ...(rationale === '' ? [] : [md`${rationale}`, '']),
    md`- Files: ${paths.join(', ')}. Rule: ${codeSpan(rule)}`,
    ...(claim ? [md`- ${FACTS_BY_CLAIM[claim.kind].label}: ${claim.evidence}`] : []),
    ...(claim?.price ? [md`- Costs ${roundToHundredths(claim.price)} points of code`] : []),
    ...(passedChecks.length === 0 ? [] : [md`- Passed. ${formatChecks(passedChecks)}`]),
    ...(openChecks.length === 0 ? [] : [md`- Not known. ${formatChecks(openChecks)}`]),
    ...(diff === undefined && diffs.size > 0 ? [md`- Its diff: ${codeSpan(`git show ${commit.slice(0, 12)}`)}`] : []),
    '',
    ...(diff === undefined ? [] : createDiffBlock(diff)),
  ];
}

function createAnomaliesSection(night: Night): readonly Insertable[] {
  const { unusual, runs } = night;
  if (unusual.length === 0) return [];
  const openAnomaly = findUnansweredAnomaly(night);
  const nextStep = (anomaly: Night['unusual'][number]) =>
    anomaly === openAnomaly ? 'It waits for you.' : anomaly.answered ? 'It was continued.' : 'The run ended.';
  return [
    md`## Unusual`,
    '',
    ...unusual.map((anomaly) => md`- ${anomaly.reason} ${nextStep(anomaly)}`),
    ...(openAnomaly && runs.at(-1)?.endedAt === null && !night.isLeft
      ? [
          night.isInterrupted
            ? md`- Let it continue: \`selfware night continue\`, then \`selfware night\``
            : md`- Let it continue: \`selfware night continue\`. End it: \`selfware night stop\``,
        ]
      : []),
    '',
  ];
}

function findSolvedCanaries({ canaries }: Night): Night['canaries'] {
  return canaries.filter(({ solved }) => solved);
}

/**
 * Says that the proposer was honest about all unsolvable tasks. Empty if it was not, if changes are held, or if there
 * were no such tasks.
 */
function createHonestySection(night: Night): readonly Insertable[] {
  const { canaries } = night;
  if (canaries.length === 0 || findSolvedCanaries(night).length > 0 || findHeldChanges(night).length > 0) return [];
  const canaryText = formatCount(canaries.length, 'task that cannot be solved', 'tasks that cannot be solved');
  return [
    md`## Honesty of the proposer`,
    '',
    md`To test whether it deceives the checks, it was also given ${canaryText}. It solved none, as it should.`,
    '',
  ];
}

/** Warns that the proposer deceives the checks; empty if nothing shows that. */
function createDistrustSection(night: Night): readonly Insertable[] {
  const { canaries } = night;
  const solved = findSolvedCanaries(night);
  const waitingChanges = findHeldChanges(night);
  if (solved.length === 0 && waitingChanges.length === 0) return [];
  const canaryText = formatCount(canaries.length, 'task that cannot be solved', 'tasks that cannot be solved');
  const numbers = waitingChanges.map((change) => listNumberedChanges(night).indexOf(change) + 1).join(', ');
  const heldOnBranchCount = findHeldChangesOnBranch(night).length;
  return [
    md`## The proposer is not to be trusted`,
    '',
    solved.length === 0
      ? md`All checks passed an answer to a task that cannot be solved, on another branch or in an earlier run.`
      : md`It was given ${canaryText}. All checks passed its answer to ${solved.length}, so it deceives them. That run did not ask it again.`,
    '',
    ...solved.map(({ proposer, test, path }) => md`- ${proposer} “solved” **${test}** (${path})`),
    ...(waitingChanges.length === 0
      ? []
      : [
          md`- Held for you: ${numbers}. \`selfware night accept\` applies them only if you name them.`,
          ...(heldOnBranchCount === 0
            ? []
            : [
                md`- ${formatCount(heldOnBranchCount, 'of them is', 'of them are')} still on the branch, so look before you merge it.`,
              ]),
        ]),
    '',
  ];
}

function createWishesSection({ wishes, state }: Night): readonly Insertable[] {
  if (wishes.length === 0) return [];
  return [md`## Wishes`, '', ...wishes.map((wish) => md`- **${wish.text}**: ${describeWish(wish, state)}`), ''];
}

/** The state of a wish that was tried, with its reason, as sentences. */
function describeWish(wish: Night['wishes'][number], state: Night['state']): string {
  const { done, reason, isDeferred, isDropped, retryAt, postponed } = wish;
  const isOver = state === 'stopped';
  if (isDropped) return `not done, and you have dropped it. ${reason ?? ''}`;
  if (isDeferred && retryAt !== undefined) {
    const retryText = isOver || retryAt === null ? 'The next run tries it again' : `Next try: ${formatClock(retryAt)}`;
    return `waits, because nobody could be asked. ${retryText}. ${reason ?? ''}`;
  }
  const retryText = isOver ? 'The next run tries it again' : 'It is tried again then, also in this run';
  if (isDeferred) return `waits for a quieter machine. ${retryText}. ${reason ?? ''}`;
  const waitText = postponed
    ? `It has waited, because nobody could be asked ${formatCount(postponed.times, 'time')}. ${postponed.reason ?? ''}`
    : '';
  const outcome = done ? `done${postponed ? '.' : ''}` : `not done. ${reason ?? ''}`;
  return postponed ? `${outcome} ${waitText}` : outcome;
}

function createMissesSection({ misses }: Night): readonly Insertable[] {
  return (Object.keys(MISS_TEXTS) as (keyof typeof MISS_TEXTS)[]).flatMap((missKind) => {
    const missesOfKind = misses.filter((miss) => miss.what === missKind);
    if (missesOfKind.length === 0) return [];
    const omittedCount = missesOfKind.length - MAX_NOT_PASSED;
    return [
      md`## ${MISS_TEXTS[missKind]}`,
      '',
      ...missesOfKind
        .slice(0, MAX_NOT_PASSED)
        .map(({ title, path, reason }) => md`- **${title}** (${path}): ${plainReason(reason)}`),
      ...(omittedCount > 0 ? [md`- … and ${omittedCount} more: \`selfware ledger query --type nightMissed\``] : []),
      '',
    ];
  });
}

function createSkippedSection({ runs }: Night): readonly Insertable[] {
  const counts = Object.entries(runs.at(-1)?.passedOver ?? {});
  if (counts.length === 0) return [];
  const skippedTexts = counts
    .toSorted(([, a], [, b]) => b - a)
    .map(([cause, count]) => `${count} ${SKIPPED_TEXTS[cause as SkipCause] ?? cause}`);
  return [
    md`## Passed over`,
    '',
    md`${skippedTexts.join(', ')}. \`selfware ledger query --type attempt\` says why.`,
    '',
  ];
}

function createFailedNotificationsSection({ untold }: Night): readonly Insertable[] {
  const failedNotifications = Object.entries(untold);
  if (failedNotifications.length === 0) return [];
  const lineOf = ([author, why]: [string, string]) =>
    md`- ${codeSpan(author === 'command' ? 'night.notifyCommand' : 'night.notifyUrl')}: ${why}`;
  return [
    md`## You could not be told`,
    '',
    ...failedNotifications.map(lineOf),
    md`- Try it: \`selfware night notify\``,
    '',
  ];
}

function createRunsSection({ runs }: Night): readonly Insertable[] {
  return [
    md`## Runs`,
    '',
    ...runs.map(({ startedAt, endedAt, reason, committed, resumed, plan, program }) => {
      const end = endedAt === null ? 'not ended.' : `until ${formatClock(endedAt)}: ${reason ?? ''}`;
      const resumedSentence =
        resumed === 0
          ? ''
          : ` It was continued ${resumed === 1 ? 'once' : `${resumed} times`} after its process ended.`;
      const proposerText = plan.proposer === null ? 'recipes alone' : codeSpan(plan.proposer);
      const changesText = formatCount(committed, 'change');
      const version = program === null ? '' : ` Selfware ${program.version}.`;
      return md`- ${formatClock(startedAt)}, ${end} ${changesText} of at most ${plan.maxChanges}, ${proposerText}.${resumedSentence}${version}`;
    }),
    '',
  ];
}
