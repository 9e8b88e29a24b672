// `selfware status`: shows running and waiting work, and the state of the repository. With --model, prints a
// description of the repository; with --watch, follows an unattended run.

import {
  canImprove,
  countPossibleWork,
  improveSentence,
  languageSentence,
  formatOutlook,
} from '../../core/session/analyse/possibleWorkText.ts';
import { CONTINUE_ADVICE, heldLine, liveLine } from '../../core/run/live.ts';
import { NIGHT_EVENT_TYPES, foldNights } from '../../core/run/nights.ts';
import { findUnansweredAnomaly } from '../../core/run/nightQueries.ts';
import { renderSelfModel } from '../../core/memory/renderSelfModel.ts';
import { createCommand, withSession, type CommandFactory, type CommonOptions } from '../invocation.ts';
import { formatIndex } from '../writers/human.ts';
import { formatPoints } from '../writers/points.ts';
import { formatLayer } from './context.ts';
import { escapeInvisibleLine } from '../../util/visible.ts';
import { formatCount } from '../../util/counted.ts';
import { createStderrLog } from '../../adapters/system/system.ts';
import { readNewestNight } from '../../app/nights/watchNight.ts';
import { formatTimeOfDay, watchStatus } from './nights/watchStatus.ts';

interface StatusOptions extends CommonOptions {
  readonly watch?: boolean;
  readonly model?: boolean;
}

/** The subcommand `status`. */
export const statusCommand: CommandFactory = () =>
  createCommand('status', 'what runs, what waits for your decision, what is known')
    .option(
      '--model',
      'what the repository is: modules, layers, entry points, dependencies, hot spots, recent changes (Markdown)',
    )
    .option('--watch', 'what an unattended run does now, until it ends')
    .action((options: StatusOptions) => {
      if (options.watch) return watchStatus(options);
      return withSession(options, async ({ session, signal, report, json, out, outJson }) => {
        await session.memory.index({ signal, report });
        await session.analysis.analyse({ signal, report });
        if (options.model) {
          const model = await session.memory.model(signal);
          return json ? outJson(model) : out(renderSelfModel(model).trimEnd());
        }
        const status = await session.status();
        const { doable } = status;
        if (json)
          return outJson({
            ...status,
            doable: {
              ...countPossibleWork(doable),
              canImprove: canImprove(doable),
              improve: improveSentence(doable),
              barrier: doable.barrier,
              language: languageSentence(doable),
            },
          });
        out(
          `${status.rootDir}: ${status.state}${status.git ? `, ${status.git.branch ?? (status.git.head ? 'detached HEAD' : 'no commit yet')}` : ', no git'}`,
        );
        if (status.index) out(formatIndex(status.index));
        if (status.points) out(formatPoints(status.points));
        for (const [layer, use] of Object.entries(status.layers ?? {})) out(formatLayer(layer, use));
        out(`${formatCount(doable.shown.length, 'opportunity', 'opportunities')} shown. ${formatOutlook(doable)}`);
        out(
          `${formatCount(status.pending.length, 'proposal waits', 'proposals wait')}, ${formatCount(status.checkpoints.length, 'checkpoint')}, ${status.charter.changesUsed} of ${status.charter.changesAllowed} changes used, approval ${status.charter.approval}`,
        );
        const [worstBottleneck] = (await session.performance.report()).bottlenecks;
        if (worstBottleneck)
          out(
            `Selfware itself: ${worstBottleneck.metric} misses its target (${worstBottleneck.severity}), see selfware performance.`,
          );
        const night = foldNights(
          (await session.ledger.query({ types: NIGHT_EVENT_TYPES })) as unknown as Parameters<typeof foldNights>[0],
        ).at(-1);
        const anomaly = night ? findUnansweredAnomaly(night) : null;
        const heldChangesText = night ? heldLine(night) : null;
        if (heldChangesText !== null) out(escapeInvisibleLine(`In the last unattended run, ${heldChangesText}`));
        const { isRunning, watched } = await readNewestNight(status.rootDir, process.env, createStderrLog('error'));
        if (isRunning && watched && !anomaly) out(escapeInvisibleLine(liveLine(watched, Date.now(), formatTimeOfDay)));
        if (anomaly) out(escapeInvisibleLine(`The unattended run needs you. ${anomaly.reason} ${CONTINUE_ADVICE}`));
      });
    });
