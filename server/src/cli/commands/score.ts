// `selfware score`: points on the frozen ruler.

import { command, withSession, type CommandFactory, type CommonOptions } from '../invocation.ts';
import { formatPoints } from '../writers/human.ts';
import { pointsJson } from '../writers/json.ts';

export const scoreCommand: CommandFactory = () =>
  command('score', 'points on the frozen ruler').action((options: CommonOptions) =>
    withSession(options, async ({ session, signal, report, json, out, outJson }) => {
      await session.analyse({ signal, report });
      const points = await session.score();
      if (json) outJson(pointsJson(points));
      else out(formatPoints(points));
    }),
  );
