// SARIF 2.1.0 (OASIS), so that code-scanning tools take our opportunities.

import type { Opportunity } from '../../core/model.ts';

const levels = { hint: 'note', information: 'note', warning: 'warning' } as const;

export interface SarifRule {
  readonly id: string;
  readonly description: string;
}

/** One run with one result per opportunity; locations are relative to the repository's root. */
export function sarif(opportunities: readonly Opportunity[], rules: readonly SarifRule[], version: string) {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Selfware', version, informationUri: 'https://github.com/selfware/selfware', rules: rules.map(({ id, description }) => ({ id, shortDescription: { text: description } })) } },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { ROOT: { description: { text: 'The root of the repository.' } } },
        results: opportunities.map((opportunity) => ({
          ruleId: opportunity.rule,
          level: levels[opportunity.severity],
          message: { text: opportunity.message },
          rank: Math.round(opportunity.impact * opportunity.confidence * 10) / 10,
          partialFingerprints: { 'selfware/v1': opportunity.id },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: opportunity.path.split('/').map(encodeURIComponent).join('/'), uriBaseId: 'ROOT' },
                region: { startLine: opportunity.nameRange.startLine, startColumn: opportunity.nameRange.startColumn, endLine: opportunity.nameRange.endLine, endColumn: opportunity.nameRange.endColumn },
              },
            },
          ],
        })),
      },
    ],
  };
}
