// `selfware status`: what runs, what waits, what is known.

import { command, withSession, type CommandFactory, type CommonOptions } from '../invocation.ts';
import { formatIndex, formatPoints, number } from '../writers/human.ts';

export const statusCommand: CommandFactory = () =>
  command('status', 'what runs, what waits for a decision, what is known').action((options: CommonOptions) =>
    withSession(options, async ({ session, signal, report, json, out, outJson }) => {
      await session.index({ signal, report });
      const status = await session.status();
      if (json) return outJson(status);
      out(`${status.rootDir}: ${status.state}${status.git ? `, ${status.git.branch ?? 'detached HEAD'}` : ', no git'}`);
      if (status.index) out(formatIndex(status.index));
      if (status.points) out(formatPoints(status.points));
      for (const [layer, { tokens, budget }] of Object.entries(status.layers ?? {})) out(`  ${layer.padEnd(10)} ${number(tokens)} of ${number(budget)} tokens`);
      out(`${status.pending.length} proposals wait, ${status.checkpoints.length} checkpoints, ${status.charter.changesUsed} of ${status.charter.changesAllowed} changes used, approval ${status.charter.approval}`);
    }),
  );
