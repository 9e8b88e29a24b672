// Prints a judgement as Markdown, for a pull request or an editor.

import {
  fencedBlock,
  codeSpan,
  tableDivider,
  joinLines,
  createMarkerComment,
  md,
  tableRow,
  indentMarkdown,
  type Insertable,
} from '../../../protocol/markdown.ts';
import { checkLabel } from '../../../protocol/plainWords.ts';
import { FACTS_BY_CLAIM } from '../../model/claims.ts';
import type { Verdict } from '../../model.ts';
import { OBSTACLE_KEY } from '../../model/evidence.ts';
import { DEPENDS_ON_TIME } from '../busyMachine.ts';
import { WEAKENING_KINDS, type Judgement, type TestChange } from '../../model/judgement.ts';
import { createVerdictDetails } from '../verdictDetails.ts';
import { isNoSuchCheck } from '../answer.ts';
import { QUICK_TEXT } from './quick.ts';
import { concludeJudgement, formatDoubts, formatNotShown } from './conclusion.ts';
import { describeStrength, describeOldTest, formatTestPlace, TEST_CHANGE_TEXTS } from './judgementTexts.ts';
import { roundToHundredths } from '../../../util/values/roundToHundredths.ts';

/** A hidden marker on the page with which a later run finds its comment and updates it. */
const COMMENT_MARK = createMarkerComment('selfware-verify');
/** Maximum number of entries in a list, because comments have a maximum length. */
const MAX_ENTRIES = 20;

/** The whole judgement as Markdown. */
export function renderJudgement(judgement: Judgement): string {
  const { policy, strength, verdicts, claims, tests, points, notes } = judgement;
  const weakeningChanges = tests.changes.filter(({ kind }) => WEAKENING_KINDS.has(kind));
  const otherChanges = tests.changes.filter(({ kind }) => !WEAKENING_KINDS.has(kind));
  const unmetDemands = policy.rules.flatMap(({ name, demands }) =>
    demands.filter(({ met, notJudged }) => !met && !notJudged).map((demand) => ({ ...demand, name })),
  );
  const unjudgedDemands = listUnjudged(judgement);
  const nextStep = suggestNextStep(judgement);
  const notShown = formatNotShown(concludeJudgement(judgement));
  return joinLines([
    COMMENT_MARK,
    md`## Selfware: ${describeJudgement(judgement)}`,
    '',
    ...(notShown === null ? [] : [md`${notShown}`, '']),
    ...(nextStep === null ? [] : [md`${nextStep}`, '']),
    md`**${strength}**: ${describeStrength(judgement)}`,
    '',
    ...(unmetDemands.length > 0
      ? [md`### Not met`, '', ...unmetDemands.map(({ name, what, found }) => md`- **${what}** (${name}): ${found}`), '']
      : []),
    ...(unjudgedDemands.length > 0
      ? [md`### Not judged`, '', ...unjudgedDemands.map((text) => md`- ${text}`), '']
      : []),
    ...createSection('Tests that were there and check less', weakeningChanges),
    ...createSection('Tests that were there and changed', otherChanges),
    md`### Checks`,
    '',
    tableRow('Check', 'Answer', 'What was found'),
    tableDivider(3),
    ...verdicts.map(({ gate, outcome, reason }) => tableRow(checkLabel(gate), outcome, reason)),
    '',
    ...verdicts.flatMap((verdict) => {
      const details = createVerdictDetails(verdict);
      return details === null ? [] : [md`### ${details.title}`, '', fencedBlock(details.text), ''];
    }),
    ...claims
      .filter(({ holds }) => holds === true)
      .flatMap(({ kind, evidence }) => [md`**${FACTS_BY_CLAIM[kind].label}.** ${evidence}`, '']),
    ...(points.before?.total != null && points.after?.total != null
      ? [
          md`Points: ${roundToHundredths(points.before.total)} → ${roundToHundredths(points.after.total)} (reported, not demanded).`,
          '',
        ]
      : []),
    ...notes.flatMap((note) => [md`> ${note}`, '']),
    md`${describeFiles(judgement)} Judged from ${codeSpan(judgement.base.slice(0, 12))} in ${judgement.seconds} s.`,
    ...(judgement.quick ? ['', md`${QUICK_TEXT}`] : []),
  ]).toString();
}

/** The demands of the policy that `--quick` leaves open. */
export function listUnjudged({ policy }: Pick<Judgement, 'policy'>): readonly string[] {
  return policy.rules.flatMap(({ name, demands }) =>
    demands.filter(({ notJudged }) => notJudged).map(({ what, found }) => `${what} (${name}): ${found}`),
  );
}

/** The page for a change that could not be judged, so that the page of an older judgement does not remain. */
export function createUnjudgedPage(reason: string): string {
  return joinLines([COMMENT_MARK, md`## Selfware: this change could not be judged`, '', md`${reason}`]).toString();
}

/** The result of a judgement as one phrase. */
export function describeJudgement(judgement: Judgement): string {
  const conclusion = concludeJudgement(judgement);
  switch (conclusion.kind) {
    case 'passed':
      return 'nothing speaks against this change';
    case 'look':
      if (conclusion.doubts.length === 0) return 'no check failed';
      return `no check fails, but a person has to look: see ${formatDoubts(conclusion)}`;
    case 'notJudged':
      if (conclusion.doubts.length === 0) return 'a demand of the policy could not be judged with `--quick`';
      return `this change could not be judged: see ${formatDoubts(conclusion)}`;
    case 'notPassed':
      return describeRefusal(judgement);
  }
}

function describeRefusal({ tests, verdicts }: Judgement): string {
  if (tests.changes.some(({ kind }) => WEAKENING_KINDS.has(kind))) return 'this change weakens tests';
  const failed = verdicts.filter(({ outcome }) => outcome === 'failed').map(({ gate }) => checkLabel(gate));
  if (failed.length === 0) return 'a demand of the policy is not met';
  return `${failed.length === 1 ? 'this check fails' : 'these checks fail'}: ${failed.join(', ')}`;
}

/** The next step for the author of a change that is not accepted; null if it is accepted. */
export function suggestNextStep(judgement: Judgement): string | null {
  const { policy, tests, verdicts } = judgement;
  const { kind, doubts } = concludeJudgement(judgement);
  if (kind === 'notJudged')
    return doubts[0] ? adviseUnjudged(doubts[0]) : 'Judge it without `--quick`: then these demands are judged, too.';
  if (policy.met) return findObstacle(doubts);
  if (tests.changes.some(({ kind }) => WEAKENING_KINDS.has(kind)))
    return 'Make these tests as strict as before. If they have to change, say why in the pull request: only a person can accept that.';
  if (verdicts.some(({ outcome }) => outcome === 'failed'))
    return 'Fix what the failed checks name. Whatever failed before the change does not count.';
  return `Meet the demand, or ask whoever maintains ${policy.source ?? 'the policy'}.`;
}

/** The obstacle that prevented checks and at which a person must look, with the way out; null if there is none. */
function findObstacle(doubts: readonly Verdict[]): string | null {
  const obstacle = doubts.map(({ evidence }) => evidence[OBSTACLE_KEY]).find((text) => typeof text === 'string');
  return obstacle === undefined ? null : String(obstacle);
}

/**
 * The reason why the check gave no answer, and what helps. The reason for missing packages already names its command.
 */
function adviseUnjudged(verdict: Verdict): string {
  const { reason, evidence } = verdict;
  if (isNoSuchCheck(verdict)) return `${reason} Name the command of the tests in \`selfware.verify.testCommand\`.`;
  const { [OBSTACLE_KEY]: obstacle } = evidence;
  if (typeof obstacle === 'string') return obstacle;
  if (evidence['packages'] !== undefined) return reason;
  const ranOutOfTime = evidence['budget'] !== undefined || evidence[DEPENDS_ON_TIME] !== undefined;
  return ranOutOfTime
    ? `${reason} Give it more time with \`--seconds\`, or raise \`selfware.verify.timeoutSeconds\`.`
    : `${reason} \`selfware doctor\` says what is missing, and \`selfware setup\` installs it.`;
}

/** A sentence about the changed files: their number, and how many were added, deleted, renamed or are binary. */
export function describeFiles({ files }: Pick<Judgement, 'files'>): string {
  const { changed, added, deleted, renamed, binary } = files;
  const parts = [
    [added, 'added'],
    [deleted, 'deleted'],
    [renamed, 'renamed'],
    [binary, 'binary'],
  ].flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`]));
  return `${changed} ${changed === 1 ? 'file' : 'files'} changed${parts.length > 0 ? ` (${parts.join(', ')})` : ''}.`;
}

function createSection(title: string, changes: readonly TestChange[]): readonly Insertable[] {
  if (changes.length === 0) return [];
  return [
    md`### ${title}`,
    '',
    ...changes
      .slice(0, MAX_ENTRIES)
      .flatMap((change) => [
        md`- **${TEST_CHANGE_TEXTS[change.kind]}**: ${formatTestPlace(change)}. ${describeOldTest(change)}`,
        ...(change.before === null && change.after === null
          ? []
          : ['', indentMarkdown(fencedBlock(`- ${change.before ?? ''}\n+ ${change.after ?? ''}`)), '']),
      ]),
    ...(changes.length > MAX_ENTRIES ? [md`… and ${changes.length - MAX_ENTRIES} more.`] : []),
    '',
  ];
}
