// Describes a proposal for an agent: its state, the reasons for it, and the next step. All texts are cut to a maximum
// length.

import { CATEGORIES, type Points, type Proposal, type Verdict } from '../core/model.ts';
import { createHunks } from '../core/propose/hunks.ts';
import { formatUnifiedDiff } from '../core/propose/unifiedDiff.ts';
import { isDeferredAsBusy } from '../core/verify/busyMachine.ts';
import { authorOf } from '../core/model/authors.ts';
import { describeClaim } from '../core/model/claims.ts';
import { explainStrength, describeStanding } from '../core/verify/strength.ts';
import { truncate, condenseToTokens, toOneLine, toCodeBlock } from './bounds.ts';
import type { ToolAnswer } from './tool.ts';

/** Maximum number of tokens of a diff, and also of a receipt. */
const MAX_DIFF_TOKENS = 4_000;
/** Maximum number of tokens of the output of a command. */
const MAX_OUTPUT_TOKENS = 500;
/** Maximum number of tokens of any other text in the evidence. */
const MAX_EVIDENCE_TOKENS = 200;
/** Maximum number of tokens of a reason. */
const MAX_REASON_TOKENS = 300;
/** Maximum number of files that are listed. */
const MAX_FILES = 50;

/** Options for the description of a proposal. */
export interface DescribeOptions {
  /** The current step of the proposal's verification, as text; null if it is not being verified. */
  readonly running: string | null;
  /** True to include the diff. */
  readonly diff: boolean;
  /**
   * For a verified proposal: the reason why only a person may apply it, null if the charter allows it without one.
   * Absent if this was not checked.
   */
  readonly reasonToAsk?: string | null;
  /** The receipt of a kept change, to be included. */
  readonly receipt?: string;
}

/** Describes a proposal for an agent, as data and as text. */
export function describeProposal(
  proposal: Proposal,
  { running, diff, reasonToAsk, receipt }: DescribeOptions,
): ToolAnswer {
  const {
    id,
    title,
    rationale,
    status,
    safety,
    recipe,
    opportunity,
    edits,
    verdicts,
    strength = null,
    claim = null,
    reason,
    checkpoint,
  } = proposal;
  const failingTests = listFailingTests(verdicts);
  const counterexample = findCounterexample(verdicts);
  const points = describePoints(proposal);
  const hunks = createHunks(edits);
  const nextStepText = describeNextStep(proposal, running, reasonToAsk);
  const structured = {
    id,
    title: toOneLine(title),
    rationale: truncate(rationale, MAX_REASON_TOKENS),
    status,
    verifying: running,
    strength,
    strengthMeaning: strength && explainStrength(strength, verdicts),
    claim: claim && { ...claim, evidence: toOneLine(claim.evidence, 1000) },
    safety,
    recipe,
    author: authorOf(proposal),
    opportunity,
    files: edits.slice(0, MAX_FILES).map(({ path, before, after }) => ({
      path,
      change: before === null ? 'created' : after === null ? 'deleted' : 'edited',
      hunks: hunks.filter((hunk) => hunk.path === path).map(({ index }) => index),
    })),
    fileCount: edits.length,
    verdicts: verdicts.map(describeVerdict),
    failingTests: failingTests,
    counterexample,
    points,
    reason: reason === null ? null : truncate(reason, MAX_REASON_TOKENS),
    needsPerson: reasonToAsk === undefined ? null : reasonToAsk !== null,
    checkpoint,
    ...(diff ? { diff: truncate(formatUnifiedDiff(edits), MAX_DIFF_TOKENS) } : {}),
    ...(receipt === undefined ? {} : { receipt: truncate(receipt, MAX_DIFF_TOKENS) }),
    next: nextStepText,
  };
  const reasonText = structured.reason === null ? '' : `. ${structured.reason}`;
  const text = [
    `${toOneLine(title)} (proposal ${id}): ${running ?? describeStanding(proposal)}${reasonText}`,
    running === null && claim !== null ? `Claim: ${toOneLine(describeClaim(claim) ?? claim.evidence, 1000)}` : null,
    strength && running === null ? `Strength: ${strength}. ${explainStrength(strength, verdicts)}` : null,
    verdicts.length === 0
      ? null
      : verdicts
          .map(
            ({ gate, outcome, reason: verdictReason, millis }) =>
              `- ${gate}: ${outcome}. ${toOneLine(verdictReason, 500)} (${(millis / 1000).toFixed(1)} s)`,
          )
          .join('\n'),
    failingTests.length === 0 ? null : `Failing tests:\n${failingTests.map((name) => `- ${name}`).join('\n')}`,
    counterexample === null
      ? null
      : `Counterexample: ${counterexample.call} ${counterexample.before}; with the change it ${counterexample.after}.`,
    points === null
      ? 'Points: not measured.'
      : `Points: ${points.before} → ${points.after} (${points.gain >= 0 ? '+' : ''}${points.gain}).`,
    ...collectOutputs(verdicts),
    structured.diff === undefined ? null : toCodeBlock(structured.diff),
    structured.receipt === undefined ? null : toCodeBlock(structured.receipt),
    nextStepText,
  ];
  return { structured, text: text.filter((part) => part !== null).join('\n\n') };
}

/**
 * A verdict with shortened evidence. The evidence of a gate that has passed is omitted, because it is not worth its
 * tokens.
 */
function describeVerdict({ gate, outcome, reason, millis, evidence }: Verdict) {
  const shortEvidence =
    outcome === 'passed'
      ? {}
      : Object.fromEntries(
          Object.entries(evidence).flatMap(([name, value]) =>
            value === null || name === 'isolation'
              ? []
              : [
                  [
                    name,
                    typeof value === 'string'
                      ? name === 'output'
                        ? condenseToTokens(value, MAX_OUTPUT_TOKENS)
                        : truncate(value, MAX_EVIDENCE_TOKENS)
                      : value,
                  ],
                ],
          ),
        );
  return {
    gate,
    outcome,
    reason: truncate(reason, MAX_REASON_TOKENS),
    seconds: Math.round(millis / 100) / 10,
    evidence: shortEvidence,
  };
}

/** The condensed output of each failed gate that has one. */
function collectOutputs(verdicts: readonly Verdict[]): string[] {
  return verdicts.flatMap(({ gate, outcome, evidence }) =>
    outcome === 'failed' && typeof evidence['output'] === 'string' && evidence['output'].trim() !== ''
      ? [`Output of ${gate}:\n${toCodeBlock(condenseToTokens(evidence['output'], MAX_OUTPUT_TOKENS))}`]
      : [],
  );
}

/** The names of the first 20 failing tests; empty unless the gate `tests` has failed. */
function listFailingTests(verdicts: readonly Verdict[]): string[] {
  const { outcome, evidence } = verdicts.find(({ gate }) => gate === 'tests') ?? {};
  return outcome === 'failed' && typeof evidence?.['failing'] === 'string'
    ? evidence['failing']
        .split('\n')
        .slice(0, 20)
        .map((name) => toOneLine(name))
    : [];
}

/** The counterexample of the gate that compares old and new code; null if there is none. */
function findCounterexample(
  verdicts: readonly Verdict[],
): { readonly call: string; readonly before: string; readonly after: string } | null {
  const evidence = verdicts.find(({ gate }) => gate === 'differential')?.evidence;
  if (typeof evidence?.['call'] !== 'string') return null;
  return {
    call: toOneLine(evidence['call'], 400),
    before: toOneLine(String(evidence['before']), 400),
    after: toOneLine(String(evidence['after']), 400),
  };
}

/** The points before and after the change, in total and by category; null if they were not measured. */
function describePoints({ pointsBefore, pointsAfter }: Proposal) {
  if (!pointsBefore || !pointsAfter) return null;
  const categories = Object.fromEntries(
    CATEGORIES.map((category) => [
      category,
      {
        before: roundPoints(pointsBefore.categories[category].points),
        after: roundPoints(pointsAfter.categories[category].points),
      },
    ]),
  );
  return {
    before: roundTotal(pointsBefore),
    after: roundTotal(pointsAfter),
    gain: Number((pointsAfter.total - pointsBefore.total).toFixed(6)),
    categories,
  };
}

function roundTotal({ total }: Points): number {
  return Number(total.toFixed(6));
}

function roundPoints(points: number | null): number | null {
  return points === null ? null : Number(points.toFixed(6));
}

/** A sentence that tells the agent what to do next. */
function describeNextStep(
  { id, status, verdicts, checkpoint, deferredBusy = 0 }: Proposal,
  running: string | null,
  reasonToAsk: string | null | undefined,
): string {
  if (running !== null) return `The checks are still at work. Ask again: proposal with id ${id} and wait_seconds.`;
  switch (status) {
    case 'verified':
    case 'approved':
      return reasonToAsk === null
        ? `It passed its checks, and the charter lets it through: apply with proposal ${id} writes it, with a way back.`
        : `It passed its checks; it waits for a person. ${reasonToAsk === undefined ? '' : `${toOneLine(reasonToAsk, 500)} `}apply ` +
            `with proposal ${id} asks them where your client can; otherwise they decide in VS Code or by \`selfware ` +
            `proposals approve ${id}\`. Do not make the same edit yourself.`;
    case 'refused':
      return adviseAfterRefusal(verdicts);
    case 'deferred':
      if (isDeferredAsBusy({ status, verdicts, deferredBusy }))
        return `Its proof needs a quieter machine. It is first in line next time; the tool verify with proposal ${id} tries it again now.`;
      return verdicts.length === 0
        ? `Its verification did not finish. The tool verify with proposal ${id} runs it again.`
        : 'It waits for the decision of a person.';
    case 'verifying':
      return 'Another process is verifying it, or died while doing so. Ask again in a minute.';
    case 'rejected':
      return 'A person has rejected it. Do not propose the same again; ask what they would rather have.';
    case 'kept':
    case 'applied':
      return `It is in the working tree. roll_back with checkpoint ${checkpoint ?? ''} rolls it back.`;
    case 'conflicted':
      return 'It failed the checks after applying, and its lines were edited since: a person has to look at it.';
    case 'rolledBack':
      return 'It was rolled back; the tree is as before.';
    default:
      return `The tool verify with proposal ${id} runs its checks.`;
  }
}

/** What an agent can do about a refused proposal, by the gate that has failed. */
function adviseAfterRefusal(verdicts: readonly Verdict[]): string {
  const failedVerdict = verdicts.find(({ outcome }) => outcome === 'failed');
  if (failedVerdict?.gate === 'score')
    return (
      'Nothing was written. By the points it is no improvement, for the reason that the check `score` gives. ' +
      'Propose something that makes the code better by its figures (metrics, opportunities), or leave it to the person.'
    );
  if (failedVerdict?.gate === 'applies')
    return 'Nothing was written. The files have changed: read them again and make new edits.';
  return 'Nothing was written. Read the reason, fix the edits and propose them again; the very same edits are refused at once.';
}
