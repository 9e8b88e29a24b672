// `selfware learned [show ID|forget ID|strategies|orders]`: shows the lessons from decisions and checks, and lets a
// person forget them.

import type { Strategy } from '../../../core/learn/strategies.ts';
import type { KnownLesson, RoleOrder } from '../../../core/session/learn/learnTypes.ts';
import { describeCost } from '../../../core/session/learn/inbox/learnedCandidates.ts';
import { formatCount } from '../../../util/counted.ts';
import { escapeInvisibleLine } from '../../../util/visible.ts';
import {
  createCommand,
  createCommandGroup,
  withSession,
  type CommandFactory,
  type CommonOptions,
  type Invocation,
} from '../../invocation.ts';
import { requirePersonsCommand } from '../../person.ts';
import { requireIntactLedger } from './requireIntactLedger.ts';
import { formatIsoDay } from '../../../util/isoDay.ts';

/** The reason for an order of proposers, as a sentence. */
const ORDER_REASONS: Readonly<Record<RoleOrder['basis'], string>> = {
  untried: 'Nobody of them was tried yet, so your list holds.',
  drawn:
    'Drawn from what is known of the success of each, divided by the cost (Thompson sampling); nobody who costs money or gets code comes before one listed earlier that does not.',
  listed: 'As your list says: models.order is listed, or one of them answers later.',
  costly: 'As your list says, because another order could cost more money or send code away. Only you change it.',
};

/** The subcommand `learned`. */
export const learnedCommand: CommandFactory = () =>
  createCommandGroup('learned', 'what was learned from decisions and checks, and what it does')
    .addCommand(
      createCommand('list', 'the lessons, newest first').action((options: CommonOptions) =>
        withAnalysis(options, async ({ session, json, out, outJson }) => {
          const lessons = await session.learned.lessons();
          if (json) return outJson(lessons);
          if (lessons.length === 0)
            return out(
              'Nothing was learned yet. Rejecting, editing, rolling back and dismissing teach, and so do checks.',
            );
          for (const lesson of lessons) out(formatLesson(lesson));
          out('Where one comes from: selfware learned show ID. Take one back: selfware learned forget ID.');
        }),
      ),
      { isDefault: true },
    )
    .addCommand(
      createCommand('show', 'one lesson, with the events that show it')
        .argument('<id>', 'id of the lesson, or its beginning')
        .action((id: string, options: CommonOptions) =>
          withAnalysis(options, async ({ session, json, out, outJson }) => {
            const lesson = await session.learned.trace(id);
            if (json) return outJson(lesson);
            out(formatLesson(lesson));
            for (const effect of lesson.effects) out(escapeInvisibleLine(`  ${effect}`));
            for (const { sequence, at, text } of lesson.events)
              out(escapeInvisibleLine(`  ${formatIsoDay(at)}  event ${sequence}: ${text}`));
            for (const { path, reason } of lesson.comments)
              out(escapeInvisibleLine(`  a comment in ${path}${reason === null ? '' : `: ${reason}`}`));
          }),
        ),
    )
    .addCommand(
      createCommand('forget', 'takes a lesson back: its events no longer count')
        .argument('<id>', 'id of the lesson, or its beginning')
        .action(async (id: string, options: CommonOptions) => {
          await requirePersonsCommand('Taking a lesson back');
          await withAnalysis(options, async ({ session, json, out, outJson }) => {
            const lesson = await session.learned.forget(id);
            if (json) return outJson(lesson);
            out(escapeInvisibleLine(`Forgotten: ${lesson.text} New experience of the same kind is learned again.`));
          });
        }),
    )
    .addCommand(
      createCommand('strategies', 'how often each recipe and proposer had a change kept, by rule').action(
        (options: CommonOptions) =>
          withSession({ ...options, searches: false }, async ({ session, json, out, outJson }) => {
            await requireIntactLedger(session);
            const strategies = await session.learned.strategies();
            if (json) return outJson(strategies);
            if (strategies.length === 0) return out('No change was decided yet.');
            for (const strategy of strategies) out(escapeInvisibleLine(formatStrategy(strategy)));
            out('Who of several proposers is asked first: selfware learned orders.');
          }),
      ),
    )
    .addCommand(
      createCommand('orders', 'who of several proposers of a role is asked first, by rule, and why').action(
        (options: CommonOptions) =>
          withSession({ ...options, searches: false }, async ({ session, json, out, outJson }) => {
            await requireIntactLedger(session);
            const orders = await session.learned.orders();
            if (json) return outJson(orders);
            if (orders.length === 0)
              return out('No role with several proposers was asked yet, so each list is asked as it is written.');
            for (const line of orders.flatMap(formatOrder)) out(escapeInvisibleLine(line));
          }),
      ),
    );

/** Runs `body` after an analysis of the repository, because some lessons come from comments in the code. */
async function withAnalysis(options: CommonOptions, body: (invocation: Invocation) => Promise<void>): Promise<void> {
  await withSession({ ...options, searches: false }, async (invocation) => {
    const { session, signal, report } = invocation;
    await requireIntactLedger(session);
    await session.analysis.analyse({ signal, report });
    await body(invocation);
  });
}

function formatLesson({ id, count, last, text }: KnownLesson): string {
  return escapeInvisibleLine(`${id}  ${count}×  ${last === null ? 'in the code' : formatIsoDay(last)}  ${text}`);
}

/** How often changes of a strategy were kept, as one line. */
function formatStrategy({ rule, by, tries, kept, unwanted, resting, rate, low, high, seconds }: Strategy): string {
  const share = `${kept} of ${formatCount(tries, 'try', 'tries')} kept`;
  const interval = `${rate.toFixed(2)} (95 %: ${low.toFixed(2)}–${high.toFixed(2)})`;
  const duration = seconds === null ? 'time unknown' : `${seconds.toFixed(1)} s each`;
  const restingText = resting ? `, not tried unasked: a person turned down ${unwanted}` : '';
  return `${rule}  ${by}  ${share}, rate ${interval}, ${duration}${restingText}`;
}

/** An order of proposers with its reason, and a line for each proposer. */
function formatOrder({ role, rule, basis, figures, preferences }: RoleOrder): readonly string[] {
  return [
    `role:${role}  ${rule}  ${figures.map(({ name }) => name).join(', then ')}`,
    `  ${ORDER_REASONS[basis]}`,
    ...preferences.map(({ first, second }) => `  You accepted that ${first} is asked before ${second}.`),
    ...figures.map((figure) => `  ${formatFigures(figure)}`),
  ];
}

/** The figures by which a proposer got its rank, as one line. */
function formatFigures(figures: RoleOrder['figures'][number]): string {
  const { name, tries, passed, rate, low, high, cost, unit, draw, worth } = figures;
  const interval = `rate ${rate.toFixed(2)} (95 %: ${low.toFixed(2)}–${high.toFixed(2)})`;
  const costText = cost === null ? 'cost unknown' : `${describeCost(cost, unit)} each`;
  return `${name}  ${passed} of ${formatCount(tries, 'answer')} passed, ${interval}, ${costText}, drawn ${draw.toFixed(2)}, by cost ${worth.toFixed(2)}`;
}
