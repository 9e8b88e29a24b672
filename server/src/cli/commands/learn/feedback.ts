// `selfware feedback record|analyze`: records successes and problems, and reports problems that occur often.

import { FEEDBACK_KINDS, type FeedbackKind } from '../../../core/model/feedback.ts';
import type { FeedbackAnalysis } from '../../../core/learn/feedback.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { escapeInvisibleLine } from '../../../util/visible.ts';
import {
  createCommand,
  createCommandGroup,
  withSession,
  type CommandFactory,
  type CommonOptions,
} from '../../invocation.ts';
import { detectAuthor } from '../../person.ts';
import { formatIsoDay } from '../../../util/isoDay.ts';

interface RecordOptions extends CommonOptions {
  readonly session?: string;
  readonly value?: string;
  readonly note?: string;
}

/** Maximum number of recent problems that are printed. */
const MAX_NEWEST = 5;

/** The subcommand `feedback`. */
export const feedbackCommand: CommandFactory = () =>
  createCommandGroup('feedback', 'what goes well or badly with tools, models and changes')
    .addCommand(
      createCommand('analyze', 'how often each tool fails, and what goes wrong often enough to act on it').action(
        (options: CommonOptions) =>
          withSession({ ...options, searches: false }, async ({ session, signal, json, out, outJson }) => {
            const analysis = await session.learned.analyseFeedback(signal);
            if (json) return outJson(analysis);
            for (const line of formatLines(analysis)) out(escapeInvisibleLine(line));
          }),
      ),
      { isDefault: true },
    )
    .addCommand(
      createCommand('record', 'records one experience')
        .argument('<kind>', FEEDBACK_KINDS.join(', '))
        .argument('<dimension>', 'what it is about, such as tool:search or output-hygiene')
        .option('--session <id>', 'whose experience it is; by default this command’s own')
        .option('--value <number>', 'a figure that goes with it')
        .option('--note <text>', 'details')
        .action(
          (kind: string, dimension: string, { session: agentSession, value, note, ...options }: RecordOptions) => {
            const figure = value === undefined ? null : Number(value);
            if (figure !== null && !Number.isFinite(figure))
              throw new SelfwareError('usage', `--value takes a number, not ${value}.`);
            return withSession({ ...options, searches: false }, async ({ session, json, out, outJson }) => {
              const author = await detectAuthor();
              await session.learned.record({
                kind: kind as FeedbackKind,
                dimension,
                value: figure,
                note: note ?? null,
                ...(author === 'person' ? { by: author } : {}),
                ...(agentSession === undefined ? {} : { session: agentSession }),
              });
              if (json) outJson({ kind, dimension });
              else out('Recorded.');
            });
          },
        ),
    );

/** The analysis as lines of text. */
function formatLines({ counts, tools, recent, findings }: FeedbackAnalysis): readonly string[] {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (total === 0) return ['There is no feedback yet.'];
  return [
    Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([kind, count]) => `${count} ${kind}`)
      .join(', '),
    ...tools.map(
      ({ dimension, calls, failures }) => `  ${dimension}: ${failures} of ${calls} failed in the last 7 days`,
    ),
    ...recent
      .slice(0, MAX_NEWEST)
      .map(
        ({ at, kind, dimension, note }) =>
          `  ${formatIsoDay(at)}  ${kind}  ${dimension}${note === null ? '' : `: ${note}`}`,
      ),
    ...(findings.length === 0 ? ['Nothing goes wrong often enough to act on it.'] : ['To act on:']),
    ...findings.map(
      ({ text, events, dealtWith }) =>
        `  ${text} ${dealtWith === null ? `(events ${events.join(', ')})` : `A commit since then names it: ${dealtWith}`}`,
    ),
  ];
}
