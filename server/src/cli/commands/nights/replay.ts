// `selfware replay`: judges the proposals of a night again, with this version of Selfware, or under another charter.

import { createColors, supportsControl, writeJson, writeOut } from '../../../adapters/system/terminal.ts';
import { readNamedCharter } from '../../../app/charterFile.ts';
import { replayNight } from '../../../app/nights/replayNight.ts';
import { countReplayed, type ReplayedProposal } from '../../../core/run/replay.ts';
import { escapeInvisibleLine } from '../../../util/visible.ts';
import { createCommand, type CommandFactory, type CommonOptions } from '../../invocation.ts';
import { refuseAgents } from '../../person.ts';
import { createNightRequest } from './nightDecisions.ts';

interface ReplayOptions extends CommonOptions {
  readonly charter?: string;
}

/** The subcommand `replay`. Its exit code is 1 if a proposal is now judged differently. */
export const replayCommand: CommandFactory = (setExitCode) =>
  createCommand('replay', 'checks the proposals of a night again, with this version or other limits')
    .argument('[night]', 'its branch, or the id of a run (default: the last one)')
    .option(
      '--charter <file>',
      'also under this charter, such as another .selfware/charter.json: protected paths, level, limits and rates',
    )
    .action(async (night: string | undefined, options: ReplayOptions) => {
      await refuseAgents('Judging a night again');
      const charter = options.charter === undefined ? {} : await readNamedCharter(options.charter);
      const request = await createNightRequest(options);
      const colors = createColors(options.color && !process.env.NO_COLOR && supportsControl(process.stdout.isTTY));
      const outcomeColors = { same: colors.green, different: colors.red, unknown: colors.yellow };
      const show = ({ outcome, title, found }: ReplayedProposal) => {
        request.clear();
        if (!options.json)
          writeOut(
            `${outcomeColors[outcome](outcome.padEnd(9))} ${escapeInvisibleLine(title)}. ${escapeInvisibleLine(found)}`,
          );
      };
      const replay = await replayNight(request, night ?? null, charter, show);
      const counts = countReplayed(replay.proposals);
      if (counts.different > 0) setExitCode(1);
      if (options.json) return writeJson({ ...replay, ...counts });
      const unknownText =
        counts.needsNewReply === 0
          ? ''
          : `, ${counts.needsNewReply} of them because ${counts.needsNewReply === 1 ? 'it' : 'they'} would need a new reply`;
      writeOut(
        `\n${replay.night}: ${counts.same} the same, ${counts.different} different, ${counts.unknown} unknown${unknownText}`,
      );
      if (replay.notJudged.length > 0) writeOut(`Not judged in this charter: ${replay.notJudged.join('; ')}.`);
    });
