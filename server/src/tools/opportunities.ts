// Defines the tool `opportunities`: it lists places where the repository could be better, best first, in pages.

import * as z from 'zod';
import { formatOutlook } from '../core/session/analyse/possibleWorkText.ts';
import { RULE_IDS } from '../core/analysis/rules.ts';
import { SEVERITIES, type Opportunity } from '../core/model.ts';
import { truncate, toOneLine, cutPage } from './bounds.ts';
import { isInPath } from './paths.ts';
import { defineTool } from './tool.ts';
import { formatCount } from '../util/counted.ts';

/** Maximum number of tokens of each text in the evidence. */
const MAX_EVIDENCE_TOKENS = 60;

const input = z.object({
  path: z.string().max(1000).optional().describe('Only in this file, or below this folder, relative to the root.'),
  rules: z.array(z.enum(RULE_IDS)).max(RULE_IDS.length).optional().describe('Only of these rules.'),
  severity: z.enum(SEVERITIES).default('hint').describe('Only of this severity or a higher one.'),
  fixable: z
    .boolean()
    .optional()
    .describe('True: only those that a recipe can fix (propose_improvement). False: only those that need judgement.'),
  offset: z.int().min(0).default(0).describe('Where the page begins: `nextOffset` of the page before.'),
  limit: z.int().min(1).max(100).default(20).describe('At most this many in a page.'),
});

/** Lists opportunities with their evidence and the reason for their rank. */
export const opportunitiesTool = defineTool<z.output<typeof input>>({
  name: 'opportunities',
  title: 'List Opportunities',
  summary: 'Places where the repository could be better, with evidence, best first.',
  description:
    'Lists what could be better in the repository, ranked by impact and confidence, each with its measured ' +
    'evidence and why it ranks where it does. Suppressed, dismissed and accepted ones are left out. With ' +
    '`fixable` a deterministic recipe can fix it: hand its id to propose_improvement. Otherwise write ' +
    'the change yourself and have it checked by propose_patch. What a rule means is in the resource selfware://rules/ID.',
  hints: { readOnly: true, destructive: false, idempotent: true },
  needsTrust: false,
  runningText: 'Looking for opportunities',
  icon: '$(lightbulb)',
  input,
  async run({ path, rules, severity, fixable, offset, limit }, { session, refresh }) {
    const note = await refresh('analysis');
    const isWanted = (opportunity: Opportunity): boolean =>
      (path === undefined || isInPath(opportunity.path, path)) &&
      (rules === undefined || rules.some((rule) => rule === opportunity.rule)) &&
      SEVERITIES.indexOf(opportunity.severity) >= SEVERITIES.indexOf(severity) &&
      (fixable === undefined || (opportunity.recipe !== null) === fixable);
    const opportunities = (await session.opportunities.shown()).filter(isWanted);
    const candidates = opportunities.slice(offset, offset + limit);
    const explanations = await session.opportunities.explainRanks(candidates);
    const rows = candidates.map((opportunity, index) => createRow(opportunity, explanations[index]?.sentence ?? ''));
    const page = cutPage(rows, 0, limit);
    const nextIndex = offset + page.rows.length;
    const nextOffset = page.rows.length > 0 && nextIndex < opportunities.length ? nextIndex : null;
    const { doable } = await session.status();
    const outlook = formatOutlook(doable);
    const heading =
      opportunities.length === 0
        ? 'No opportunity.'
        : `${formatCount(opportunities.length, 'opportunity', 'opportunities')}${page.rows.length < opportunities.length ? `, ${offset + 1} to ${nextIndex} of them` : ''}:`;
    return {
      structured: {
        note,
        total: opportunities.length,
        hidden: doable.quiet.length,
        outlook,
        nextOffset,
        opportunities: page.rows,
      },
      text: [
        note,
        heading,
        outlook,
        ...page.rows.map(
          (row) =>
            `${row.path}:${row.line} [${row.rule}] ${row.message}${row.fixable ? ' (a recipe can fix it)' : ''}\n` +
            `  id ${row.id} · ${row.severity} · ${row.why}`,
        ),
        nextOffset === null ? null : `More from offset ${nextOffset} on.`,
      ]
        .filter((part) => part !== null)
        .join('\n'),
    };
  },
});

/** The row of one opportunity, with shortened texts. */
function createRow(
  { id, rule, path, nameRange, range, symbol, severity, impact, confidence, message, evidence, recipe }: Opportunity,
  explanation: string,
) {
  const shortEvidence = Object.fromEntries(
    Object.entries(evidence).map(([name, value]) => [
      name,
      typeof value === 'string' ? truncate(value, MAX_EVIDENCE_TOKENS) : value,
    ]),
  );
  return {
    id,
    rule,
    path,
    line: nameRange.startLine,
    endLine: range.endLine,
    symbol,
    severity,
    impact,
    confidence,
    message: toOneLine(message, 400),
    evidence: shortEvidence,
    fixable: recipe !== null,
    recipe,
    why: toOneLine(explanation, 300),
  };
}
