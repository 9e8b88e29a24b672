// Converts Selfware's types to messages of the protocol (LSP), and computes the data about proposals in them. Positions
// are 1-based in the model and 0-based in the protocol; both count UTF-16 units.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DiagnosticSeverity, DiagnosticTag, type Diagnostic, type Range as LspRange } from 'vscode-languageserver/node';
import { URI, Utils } from 'vscode-uri';
import type { Review, ReviewFile, ReviewVerdict } from '#protocol/review';
import type { StrengthState } from '#protocol/strength';
import type { Opportunity, Proposal, Range, Severity, Verdict } from '../core/model.ts';
import { findIndependentHunks } from '../core/propose/hunkGroups.ts';
import { createHunks } from '../core/propose/hunks.ts';
import { compareScores } from '../core/score/pointsDifference.ts';
import { describeClaim } from '../core/model/claims.ts';
import { explainNotNeeded } from '../core/verify/shownOutcome.ts';
import { provesEquivalence } from '../core/model/proofs.ts';
import { explainStrength } from '../core/verify/strength.ts';

const SEVERITY_BY_NAME: Readonly<Record<Severity, DiagnosticSeverity>> = {
  hint: DiagnosticSeverity.Hint,
  information: DiagnosticSeverity.Information,
  warning: DiagnosticSeverity.Warning,
};

/** Rules about code that can be removed without an effect. Editors show such code faded. */
const UNNECESSARY_CODE_RULES: ReadonlySet<string> = new Set([
  'unused-import',
  'unused-local',
  'unreachable-code',
  'unused-suppression',
]);

/** Converts a range of the model to an LSP range. */
export function toLspRange(range: Range): LspRange {
  return {
    start: { line: range.startLine - 1, character: range.startColumn - 1 },
    end: { line: range.endLine - 1, character: range.endColumn - 1 },
  };
}

/** The URI of a path in a folder. It begins with the folder's URI as the client has sent it. */
export function toUri(folderUri: string, path: string): string {
  return Utils.joinPath(URI.parse(folderUri), ...path.split('/')).toString();
}

/** The `file:` URI of a rule's page; null if there is no such page in the installation. */
export function findRulePage(rulesDir: string, rule: string): string | null {
  const page = join(rulesDir, rule, 'rule.md');
  return existsSync(page) ? pathToFileURL(page).href : null;
}

/** The diagnostic for an opportunity. It links to the rule's page in the installation, so the link works offline. */
export function toDiagnostic(
  opportunity: Opportunity,
  {
    rulesDir,
    uriOf,
  }: {
    readonly rulesDir: string;
    /** Returns the URI of a path; null if the client does not show related places. */
    readonly uriOf: ((path: string) => string) | null;
  },
): Diagnostic {
  const page = findRulePage(rulesDir, opportunity.rule);
  return {
    range: toLspRange(opportunity.nameRange),
    severity: SEVERITY_BY_NAME[opportunity.severity],
    source: 'selfware',
    code: opportunity.rule,
    ...(page === null ? {} : { codeDescription: { href: page } }),
    message: replaceBackquotes(opportunity.message),
    ...(UNNECESSARY_CODE_RULES.has(opportunity.rule) ? { tags: [DiagnosticTag.Unnecessary] } : {}),
    ...(uriOf && opportunity.related?.length
      ? {
          relatedInformation: opportunity.related.map(({ path, range, message }) => ({
            location: { uri: uriOf(path), range: toLspRange(range) },
            message: replaceBackquotes(message),
          })),
        }
      : {}),
    data: { id: opportunity.id },
  };
}

/**
 * The message with single quotes instead of backquotes around names, as in TypeScript's messages, because editors show
 * diagnostics as plain text.
 */
function replaceBackquotes(message: string): string {
  return message.replace(/`([^`]*)`/g, "'$1'");
}

/** A proposal with the data that a client needs to show its review. `folderUri`: the URI of its repository. */
export function toReview(proposal: Proposal, folderUri: string): Review {
  const hunks = createHunks(proposal.edits);
  const independentIndices = findIndependentHunks(proposal.edits);
  return {
    id: proposal.id,
    title: proposal.title,
    rationale: proposal.rationale,
    status: proposal.status,
    recipe: proposal.recipe,
    safety: proposal.safety,
    ...(proposal.verdicts.some(provesEquivalence) ? { isShownSame: true } : {}),
    files: proposal.edits.map(
      ({ path, before, after }): ReviewFile => ({
        path,
        uri: toUri(folderUri, path),
        before: before ?? '',
        after: after ?? '',
        created: before === null,
        deleted: after === null,
        hunks: hunks
          .filter((hunk) => hunk.path === path)
          .map(({ index, beforeLine, beforeCount, afterLine, afterCount, lines }) => ({
            index,
            beforeLine,
            afterLine,
            added: afterCount,
            removed: beforeCount,
            afterLines: countLinesWithout(lines, '-'),
            beforeLines: countLinesWithout(lines, '+'),
            alone: independentIndices.has(index),
          })),
      }),
    ),
    verdicts: proposal.verdicts.map((verdict) => createReviewVerdict(verdict, proposal)),
    ...createStrengthState(proposal),
    pointsBefore: proposal.pointsBefore?.total ?? null,
    pointsAfter: proposal.pointsAfter?.total ?? null,
    pointsDelta: computePointsDelta(proposal),
    reason: proposal.reason,
    rule: proposal.opportunity.rule,
    hasTest: findOfferedTest(proposal.verdicts) !== null,
    checkpoint: proposal.checkpoint,
  };
}

function createReviewVerdict(verdict: Verdict, proposal: Proposal): ReviewVerdict {
  const { gate, outcome, reason, millis } = verdict;
  const notNeeded = explainNotNeeded(verdict, proposal);
  return { gate, outcome, reason, millis, ...(notNeeded === null ? {} : { notNeeded }) };
}

/** The strength of the proof as a word, the meaning of that word, and the claim as text. */
export function createStrengthState({
  strength = null,
  claim,
  verdicts,
}: Pick<Proposal, 'strength' | 'claim' | 'verdicts'>): StrengthState {
  return { strength, strengthMeaning: strength && explainStrength(strength, verdicts), claim: describeClaim(claim) };
}

/** The text of the test that a gate offers for its counterexample; null if there is none. */
export function findOfferedTest(verdicts: Proposal['verdicts']): string | null {
  const testText = verdicts
    .map(({ evidence }) => evidence['test'])
    .find((test) => typeof test === 'string' && test !== '');
  return typeof testText === 'string' ? testText : null;
}

/** Number of lines of a hunk that do not begin with the mark (`+` or `-`). */
function countLinesWithout(lines: readonly string[], mark: string): number {
  return lines.filter((line) => !line.startsWith(mark)).length;
}

/** The gain of a proposal in points; null if the points before or after it are unknown. */
export function computePointsDelta(proposal: Pick<Proposal, 'pointsBefore' | 'pointsAfter'>): number | null {
  return proposal.pointsBefore && proposal.pointsAfter
    ? compareScores(proposal.pointsBefore, proposal.pointsAfter).gain
    : null;
}
