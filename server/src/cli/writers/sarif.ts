// Creates documents in SARIF 2.1.0 (OASIS), so that code-scanning tools can read opportunities.

import type { Opportunity, Range, Severity } from '../../core/model.ts';
import { PRODUCT_URL, createArtifactLocation, createSarifLog } from './sarifLog.ts';

/** The level in SARIF for each severity. */
const SARIF_LEVELS: Readonly<Record<Severity, 'note' | 'warning'>> = {
  hint: 'note',
  information: 'note',
  warning: 'warning',
};

/** A rule, as the document describes it. */
export interface SarifRule {
  readonly id: string;
  readonly title: string;
  /** What the rule finds, in one line. */
  readonly description: string;
  readonly severity: Severity;
  /** Path of its page below the product's root. */
  readonly page: string;
  /** The page in Markdown; null if it cannot be read. */
  readonly help: string | null;
  readonly defaultOn: boolean;
}

/** An opportunity, and the decision on it if there is one. */
export interface SarifFinding {
  readonly opportunity: Opportunity;
  /** The decision to hide the opportunity: by a comment in the source, or elsewhere. */
  readonly suppression?: { readonly kind: 'inSource' | 'external'; readonly reason: string | null };
  /** The state compared with a baseline. Absent if there is no baseline, or if the finding is new. */
  readonly baseline?: 'new' | 'unchanged';
}

/** A document with one run, and one result for each finding. Locations are relative to the root of the repository. */
export function createOpportunitySarif(
  findings: readonly SarifFinding[],
  rules: readonly SarifRule[],
  version: string,
) {
  const indexByRule = new Map(rules.map(({ id }, index) => [id, index]));
  // SARIF requires a baseline state for every result or for none.
  const isComparison = findings.some(({ baseline }) => baseline !== undefined);
  return createSarifLog(version, {
    id: 'selfware/',
    rules: rules.map(createRule),
    results: findings.map((finding) =>
      createResult(isComparison ? { baseline: 'new', ...finding } : finding, indexByRule.get(finding.opportunity.rule)),
    ),
  });
}

/** The description of a rule in SARIF. */
function createRule({ id, title, description, severity, page, help, defaultOn }: SarifRule) {
  const helpUri = `${PRODUCT_URL}/blob/main/${page}`;
  return {
    id,
    name: id.replace(/(^|-)([a-z])/g, (_, _dash: string, letter: string) => letter.toUpperCase()),
    shortDescription: { text: title },
    fullDescription: { text: description },
    helpUri,
    help: { text: `${description} ${helpUri}`, ...(help === null ? {} : { markdown: help }) },
    defaultConfiguration: { enabled: defaultOn, level: SARIF_LEVELS[severity] },
    // The severity is at most a warning, because no opportunity proves a defect of the program.
    properties: {
      'problem.severity': severity === 'warning' ? 'warning' : 'recommendation',
      tags: ['maintainability'],
    },
  };
}

/** The result for a finding. The name of a symbol is its location, and the whole construct its context. */
function createResult({ opportunity, suppression, baseline }: SarifFinding, ruleIndex: number | undefined) {
  const { id, rule, severity, message, impact, confidence, path, nameRange, range, symbol, evidence, related } =
    opportunity;
  return {
    ruleId: rule,
    ...(ruleIndex === undefined ? {} : { ruleIndex }),
    level: SARIF_LEVELS[severity],
    message: { text: message },
    rank: Math.min(100, Math.max(0, Math.round(impact * confidence * 10) / 10)),
    partialFingerprints: { 'selfware/v1': id },
    ...(baseline ? { baselineState: baseline } : {}),
    locations: [
      {
        physicalLocation: {
          ...createSarifLocation(path, nameRange),
          contextRegion: toRegion(uniteRanges(range, nameRange)),
        },
        ...(symbol === null ? {} : { logicalLocations: [{ fullyQualifiedName: symbol }] }),
      },
    ],
    ...(related && related.length > 0
      ? {
          relatedLocations: related.map((place, index) => ({
            id: index + 1,
            physicalLocation: createSarifLocation(place.path, place.range),
            message: { text: place.message },
          })),
        }
      : {}),
    ...(suppression
      ? {
          suppressions: [
            {
              kind: suppression.kind,
              status: 'accepted',
              ...(suppression.reason === null ? {} : { justification: suppression.reason }),
            },
          ],
        }
      : {}),
    properties: { confidence, evidence },
  };
}

function createSarifLocation(path: string, range: Range) {
  return { artifactLocation: createArtifactLocation(path), region: toRegion(range) };
}

function toRegion({ startLine, startColumn, endLine, endColumn }: Range) {
  return { startLine, startColumn, endLine, endColumn };
}

/**
 * The smallest range that contains both ranges. A context region must contain its region, but a name may precede its
 * construct (a decorated or assigned function).
 */
function uniteRanges(range: Range, otherRange: Range): Range {
  const isOtherFirst =
    otherRange.startLine < range.startLine ||
    (otherRange.startLine === range.startLine && otherRange.startColumn < range.startColumn);
  const isOtherLast =
    otherRange.endLine > range.endLine ||
    (otherRange.endLine === range.endLine && otherRange.endColumn > range.endColumn);
  return {
    startLine: isOtherFirst ? otherRange.startLine : range.startLine,
    startColumn: isOtherFirst ? otherRange.startColumn : range.startColumn,
    endLine: isOtherLast ? otherRange.endLine : range.endLine,
    endColumn: isOtherLast ? otherRange.endColumn : range.endColumn,
  };
}
