// Defines the tool `status`: it reports points, waiting proposals, checkpoints, and what the charter allows.

import * as z from 'zod';
import { formatOutlook } from '../core/session/analyse/possibleWorkText.ts';
import { CATEGORIES, type Points } from '../core/model.ts';
import { toOneLine } from './bounds.ts';
import { defineTool } from './tool.ts';

/** Maximum number of entries of each list. */
const MAX_LISTED = 10;
/** Maximum number of rules in the counts by rule. */
const MAX_LISTED_RULES = 40;

const input = z.object({
  points: z.boolean().default(true).describe('Measure the points of the tree as it is now. False answers faster.'),
});

/** Reports the state of the repository. */
export const statusTool = defineTool<z.output<typeof input>>({
  name: 'status',
  title: 'Look at Points, Budget and State',
  summary: 'Points, what waits for a decision, checkpoints, what the charter allows, and the kill switch.',
  description:
    'Tells where the repository stands: points per category on the frozen ruler (null is unknown, not zero), opportunities by rule, proposals that wait, checkpoints to go back to, what the charter allows (approval level, changes used of those allowed) and whether the kill switch is pulled. While stopped, nothing is applied; only a person resumes.',
  hints: { readOnly: true, destructive: false, idempotent: true },
  needsTrust: false,
  runningText: 'Looking at the state of the repository',
  icon: '$(dashboard)',
  input,
  async run({ points: wantsPoints }, { session, refresh }) {
    const note = await refresh('analysis');
    // Points of a tree that was analysed only in part would be meaningless.
    const points = wantsPoints && note === null ? describePoints(await session.analysis.score()) : null;
    const { state, trusted, git, index, opportunities, doable, pending, checkpoints, charter, notices } =
      await session.status();
    const rules = Object.entries(opportunities).toSorted(([, a], [, b]) => b - a);
    const structured = {
      note,
      state,
      trusted,
      stopped: charter.stopped,
      git,
      index: index && { files: index.files, symbols: index.symbols, chunks: index.chunks, store: index.store },
      points,
      opportunities: {
        total: rules.reduce((sum, [, count]) => sum + count, 0),
        byRule: Object.fromEntries(rules.slice(0, MAX_LISTED_RULES)),
        hidden: doable.quiet.length,
        outlook: formatOutlook(doable),
      },
      waiting: {
        total: pending.length,
        proposals: pending
          .slice(0, MAX_LISTED)
          .map(({ id, title, status }) => ({ id, title: toOneLine(title), status })),
      },
      checkpoints: {
        total: checkpoints.length,
        newest: checkpoints.slice(0, MAX_LISTED).map(({ id, title, proposal, createdAt, rolledBackAt }) => ({
          id,
          title: toOneLine(title),
          proposal,
          createdAt: new Date(createdAt).toISOString(),
          rolledBack: rolledBackAt !== null,
        })),
      },
      charter,
      notices: notices
        .slice(0, MAX_LISTED)
        .map(({ severity, message, action }) => ({ severity, message: toOneLine(message, 400), action })),
    };
    return { structured, text: [note, ...formatLines(structured)].filter((line) => line !== null).join('\n') };
  },
});

/** The points in total and by category, rounded to four decimals. */
function describePoints({ ruler, total, max, categories }: Points) {
  const roundOrNull = (value: number | null) => (value === null ? null : Number(value.toFixed(4)));
  return {
    ruler: ruler.version,
    total: roundOrNull(total),
    max,
    categories: Object.fromEntries(
      CATEGORIES.map((category) => [
        category,
        {
          points: roundOrNull(categories[category].points),
          max: categories[category].max,
          unknown: categories[category].unknown,
        },
      ]),
    ),
  };
}

/** The part of the answer that is also shown as text. */
interface StatusAnswer {
  readonly state: string;
  readonly trusted: boolean;
  readonly stopped: boolean;
  readonly points: ReturnType<typeof describePoints> | null;
  readonly opportunities: {
    readonly total: number;
    readonly byRule: Readonly<Record<string, number>>;
    readonly outlook: string;
  };
  readonly waiting: {
    readonly total: number;
    readonly proposals: readonly { readonly id: string; readonly title: string; readonly status: string }[];
  };
  readonly checkpoints: {
    readonly total: number;
    readonly newest: readonly { readonly id: string; readonly title: string; readonly rolledBack: boolean }[];
  };
  readonly charter: { readonly approval: string; readonly changesUsed: number; readonly changesAllowed: number };
  readonly notices: readonly { readonly message: string; readonly action: string | null }[];
}

/** The answer as lines of text. */
function formatLines({
  state,
  trusted,
  stopped,
  points,
  opportunities,
  waiting,
  checkpoints,
  charter,
  notices,
}: StatusAnswer): string[] {
  return [
    stopped
      ? 'Stopped by the kill switch: nothing is applied until a person resumes (`selfware resume`).'
      : `State: ${state}${trusted ? '' : ', not trusted: only index and analysis'}.`,
    points
      ? `Points: ${points.total} of ${points.max} (ruler ${points.ruler}); ${Object.entries(points.categories)
          .map(([name, { points: value, max }]) => `${name} ${value ?? 'unknown'} of ${max}`)
          .join(', ')}.`
      : 'Points: not measured.',
    `Opportunities: ${opportunities.total} (${
      Object.entries(opportunities.byRule)
        .slice(0, MAX_LISTED)
        .map(([rule, count]) => `${rule} ${count}`)
        .join(', ') || 'none'
    }). ${opportunities.outlook}`,
    `Charter: approval ${charter.approval}, ${charter.changesUsed} of ${charter.changesAllowed} changes used.`,
    `Waiting: ${waiting.total === 0 ? 'nothing' : waiting.proposals.map(({ id, title, status }) => `${id} ${status}: ${title}`).join('; ')}.`,
    `Checkpoints: ${checkpoints.total === 0 ? 'none' : checkpoints.newest.map(({ id, title, rolledBack }) => `${id}${rolledBack ? ' (rolled back)' : ''}: ${title}`).join('; ')}.`,
    ...notices.map(({ message, action }) => `Note: ${message}${action === null ? '' : ` ${action}`}`),
  ];
}
