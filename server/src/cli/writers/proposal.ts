// Formats a proposal for a terminal: its effect and reason, the diff, what was proven, and the checks in one block.

import { checkLabel, describeEffect, plainReason } from '../../protocol/plainWords.ts';
import { formatUnifiedDiff } from '../../core/propose/unifiedDiff.ts';
import type { Proposal, Verdict } from '../../core/model.ts';
import { AUTHOR_LABELS, authorOf, EXTERNAL_RECIPE } from '../../core/model/authors.ts';
import { describeClaim } from '../../core/model/claims.ts';
import { addShownEffect } from '../../core/model/proofs.ts';
import { explainNotNeeded, toShownOutcome, type ShownOutcome } from '../../core/verify/shownOutcome.ts';
import { describeStanding, explainStrength } from '../../core/verify/strength.ts';
import type { Colors } from '../../adapters/system/terminal.ts';
import { groupBy } from '../../util/values/groupBy.ts';
import { escapeInvisible, escapeInvisibleLine } from '../../util/visible.ts';
import { colorDiff, formatVerdictDetails } from './human.ts';
import { formatPointsGain } from './points.ts';

/** The checks whose sentence says more than that they have passed. */
const INFORMATIVE_CHECKS: ReadonlySet<string> = new Set(['tests', 'differential', 'guard']);
/** Width of the column with the outcomes. */
const OUTCOME_WIDTH = 'not needed'.length;

/** A proposal with its verdicts, as lines for a terminal. */
export function formatProposal(proposal: Proposal, colors: Colors): string {
  const facts = [
    proposal.id,
    describeStanding(proposal),
    describeEffect(addShownEffect(proposal)),
    authorText(proposal),
  ].join(' · ');
  return [
    colors.bold(escapeInvisibleLine(proposal.title)),
    escapeInvisible(proposal.rationale),
    colors.dim(escapeInvisibleLine(facts)),
    '',
    colorDiff(escapeInvisible(formatUnifiedDiff(proposal.edits)), colors),
    ...formatProof(proposal),
    ...formatPointsChange(proposal),
    ...(proposal.reason ? [`reason: ${escapeInvisible(plainReason(proposal.reason))}`] : []),
    ...formatChecks(proposal, colors),
  ].join('\n');
}

/** What the proposal improves, and how strongly the checks show that it makes nothing worse. */
function formatProof({ status, claim, strength, verdicts }: Proposal): readonly string[] {
  // The evidence for a claim about tests also states the strength, so one line is enough.
  if (strength === 'proven' && claim?.kind === 'tests' && claim.holds)
    return [`proven: ${escapeInvisible(claim.evidence)}`];
  return [
    ...(strength && status !== 'refused' ? [`${strength}: ${explainStrength(strength, verdicts)}`] : []),
    ...[describeClaim(claim) ?? []].flat().map(escapeInvisible),
  ];
}

/** The change of the points; nothing if this proposal needs no points. */
function formatPointsChange(proposal: Proposal): readonly string[] {
  const score = proposal.verdicts.find(({ gate }) => gate === 'score');
  if (score && toShownOutcome(score, proposal) === 'not needed') return [];
  return [formatPointsGain(proposal.pointsBefore, proposal.pointsAfter)];
}

/** The checks, grouped by outcome. Only a check that failed, stayed unknown or measured something gets its own line. */
function formatChecks(proposal: Proposal, colors: Colors): readonly string[] {
  const { verdicts } = proposal;
  if (verdicts.length === 0) return [];
  const filterByOutcome = (outcome: ShownOutcome) =>
    verdicts.filter((verdict) => toShownOutcome(verdict, proposal) === outcome);
  const passedVerdicts = filterByOutcome('passed');
  const notNeededGroups = groupBy(filterByOutcome('not needed'), (verdict) => explainNotNeeded(verdict, proposal)!);
  const seconds = verdicts.reduce((sum, { millis }) => sum + millis, 0) / 1000;
  return [
    '',
    `Checks ${colors.dim(`(${seconds.toFixed(1)} s)`)}`,
    ...addOutcomeColumn('failed', filterByOutcome('failed').flatMap(formatSentence), colors.red),
    ...addOutcomeColumn(
      'passed',
      [...gateLabels(passedVerdicts), ...passedVerdicts.filter(hasInformativeSentence).flatMap(formatSentence)],
      colors.green,
    ),
    ...addOutcomeColumn('unknown', filterByOutcome('unknown').flatMap(formatSentence), colors.yellow),
    ...addOutcomeColumn(
      'not needed',
      notNeededGroups.flatMap((group) =>
        gateLabels(group).map((text) => `${text} (${explainNotNeeded(group[0]!, proposal)})`),
      ),
      colors.dim,
    ),
  ];
}

/** True if the sentence of the check says more than its outcome. */
function hasInformativeSentence({ gate }: Verdict): boolean {
  return INFORMATIVE_CHECKS.has(gate);
}

/** The labels of the checks on one line, except passed checks that get their own line. */
function gateLabels(verdicts: readonly Verdict[]): readonly string[] {
  const unexplainedVerdicts = verdicts.filter(
    (verdict) => verdict.outcome !== 'passed' || !hasInformativeSentence(verdict),
  );
  return unexplainedVerdicts.length === 0 ? [] : [unexplainedVerdicts.map(({ gate }) => checkLabel(gate)).join(', ')];
}

/** A check with its sentence and its details. */
function formatSentence(verdict: Verdict): readonly string[] {
  return [`${checkLabel(verdict.gate)}: ${escapeInvisible(verdict.reason)}`, ...formatVerdictDetails(verdict)];
}

/** The lines of the checks with one outcome. The outcome is printed before the first line. */
function addOutcomeColumn(
  outcome: ShownOutcome,
  lines: readonly string[],
  paint: (text: string) => string,
): readonly string[] {
  return lines.map((line, index) => `  ${paint((index === 0 ? outcome : '').padEnd(OUTCOME_WIDTH))}  ${line}`);
}

/** The author of the proposal, or its recipe. */
function authorText(proposal: Proposal): string {
  return proposal.recipe === EXTERNAL_RECIPE ? `by ${AUTHOR_LABELS[authorOf(proposal)]}` : `recipe ${proposal.recipe}`;
}
