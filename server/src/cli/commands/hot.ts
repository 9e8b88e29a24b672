// `selfware hot`: lists the functions in which the tests or a benchmark spend their time.

import { MIN_SHARE } from '../../core/verify/hot/profile.ts';
import { escapeInvisibleLine } from '../../util/visible.ts';
import { formatCount } from '../../util/counted.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { createCommand, withSession, type CommandFactory, type CommonOptions } from '../invocation.ts';

interface HotOptions extends CommonOptions {
  readonly test?: boolean;
  readonly bench?: boolean;
}

/** The subcommand `hot`. */
export const hotCommand: CommandFactory = () =>
  createCommand('hot', 'functions in which the tests or a benchmark spend their time; runs them in a sandbox')
    .option('--test', 'profile the tests (the default)')
    .option('--bench', 'profile the benchmark: the setting `verify.benchCommand`, or the package script `bench`')
    .action(async (options: HotOptions) => {
      if (options.test && options.bench)
        throw new SelfwareError('usage', 'Name --test or --bench.', { action: 'Run `selfware hot` twice for both.' });
      await withSession({ ...options, searches: false }, async ({ session, signal, report, colors, ...io }) => {
        const subject = options.bench ? ('benchmark' as const) : ('tests' as const);
        const answer = await session.analysis.hot({ of: subject, signal, report });
        if (io.json) return io.outJson(answer);
        for (const { path, name, startLine, share, millis } of answer.found) {
          const percent = `${Math.round(share * 100)} %`.padStart(5);
          io.out(
            `${percent}  ${colors.cyan(escapeInvisibleLine(`${path}:${startLine}`))} ${escapeInvisibleLine(name)} (${millis} ms)`,
          );
        }
        io.out(
          colors.dim(
            escapeInvisibleLine(
              `${formatCount(answer.found.length, 'function')} with at least ${MIN_SHARE * 100} % of ${answer.millis} ms that \`${answer.command}\` spent in code of the repository.`,
            ),
          ),
        );
        if (answer.failed) io.out('The run failed, so it may not have come to all of the code.');
      });
    });
