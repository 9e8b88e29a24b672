// `selfware doctor`: reports problems of the set-up, with advice for each.

import { createCommand, withSession, type CommandFactory, type CommonOptions } from '../invocation.ts';

/** The subcommand `doctor`. Its exit code is 1 if there is a problem. */
export const doctorCommand: CommandFactory = (setExitCode) =>
  createCommand('doctor', 'checks whether everything that Selfware needs is there, and says what to do').action(
    (options: CommonOptions) =>
      withSession(options, async ({ session, signal, json, colors, out, outJson }) => {
        const findings = await session.doctor(signal);
        if (findings.some((finding) => finding.outcome !== 'good')) setExitCode(1);
        if (json) return outJson(findings);
        for (const { name, outcome, detail, action } of findings) {
          const outcomeText = {
            good: colors.green('good    '),
            degraded: colors.yellow('degraded'),
            bad: colors.red('bad     '),
          }[outcome];
          out(`${outcomeText} ${name.padEnd(13)} ${detail}${action ? `\n         ${' '.repeat(13)} ${action}` : ''}`);
        }
      }),
  );
