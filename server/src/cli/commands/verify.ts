// `selfware verify`: judges any change (a branch, a pull request, the working tree) by the gates that also judge
// proposals.

import { createStderrLog } from '../../adapters/system/system.ts';
import { createColors, supportsControl, writeError, writeJson, writeOut } from '../../adapters/system/terminal.ts';
import { judgeRevisions } from '../../app/judging.ts';
import { readProgramVersion } from '../../app/programPaths.ts';
import { concludeJudgement } from '../../core/verify/judge/conclusion.ts';
import { renderJudgement, createUnjudgedPage } from '../../core/verify/judge/judgementMarkdown.ts';
import { describeError, SelfwareError } from '../../util/typedError.ts';
import { handleInterruption } from '../interruption.ts';
import { createCommand, loadProcessSettings, type CommandFactory, type CommonOptions } from '../invocation.ts';
import { formatJudgement, createJudgementSarif } from '../writers/judgement.ts';
import { createProgressLine } from '../writers/progressLine.ts';

interface VerifyOptions extends CommonOptions {
  readonly base?: string;
  readonly head?: string;
  readonly policy?: string;
  readonly author?: string;
  readonly seconds?: string;
  readonly thorough?: boolean;
  readonly quick?: boolean;
  readonly cache?: string;
  readonly format?: string;
}

const FORMATS = ['human', 'json', 'sarif', 'markdown'];

/** The subcommand `verify`. Its exit code is 1 if the change does not pass, and 2 if it could not be judged. */
export const verifyCommand: CommandFactory = (setExitCode) =>
  createCommand('verify', 'checks a branch, a pull request or uncommitted work, whoever made it')
    .option('--base <ref>', 'what the change starts from; if both sides have new commits, the commit that they share')
    .option('--head <ref>', 'the changed side; without it the working tree, uncommitted work included')
    .option('--policy <file>', 'JSON: what is demanded, by author or path (docs/gate.md)')
    .option('--author <name>', 'who made what is not committed, for the policy')
    .option('--seconds <n>', 'at most so many seconds; what is not shown by then is unknown')
    .option('--thorough', 'mutants and the comparison of calls get all the time of your settings')
    .option('--quick', 'for hooks: checks and old tests only; compares no calls and tries no mutants')
    .option('--cache <dir>', 'keeps what the checks answer in this folder, by tree, for the next judgement')
    .option('--format <format>', FORMATS.join(', '), 'human')
    .action(async (options: VerifyOptions) => {
      const format = options.json ? 'json' : (options.format ?? 'human');
      if (!FORMATS.includes(format)) throw new SelfwareError('usage', `--format must be one of ${FORMATS.join(', ')}.`);
      if (options.base === undefined)
        throw new SelfwareError('usage', 'Say what the change starts from: --base REF.', {
          action: 'For a branch: selfware verify --base main --head BRANCH. For uncommitted work: --base HEAD.',
        });
      if (options.untrusted)
        throw new SelfwareError(
          'usage',
          'A change is judged by running the checks of the repository, so it cannot be combined with --untrusted.',
        );
      if (options.quick && options.thorough)
        throw new SelfwareError('usage', '--quick leaves out what --thorough gives time to. Name one of them.');
      const { rootDir, personal, ownSettings } = await loadProcessSettings(options);
      const { signal } = handleInterruption();
      const progressLine = createProgressLine();
      const note = (text: string) => {
        progressLine.clear();
        writeError(text);
      };
      for (const problem of ownSettings.problems) note(`warning: ${problem}`);
      try {
        const judgement = await judgeRevisions({
          rootDir,
          base: options.base,
          head: options.head ?? null,
          policy: options.policy ?? null,
          author: options.author ?? null,
          seconds: parseSeconds(options.seconds),
          thorough: options.thorough ?? false,
          quick: options.quick ?? false,
          cache: options.cache ?? null,
          personSettings: personal,
          env: process.env,
          log: createStderrLog(process.env.SELFWARE_DEBUG ? 'debug' : 'error'),
          signal,
          report: (progress) => progressLine.show(progress),
          note,
        });
        progressLine.clear();
        const { kind, notShown } = concludeJudgement(judgement);
        if (kind === 'notPassed') setExitCode(1);
        if (kind === 'notJudged') setExitCode(2);
        if (format === 'json') return writeJson({ ...judgement, conclusion: kind, notShown });
        if (format === 'sarif') return writeJson(createJudgementSarif(judgement, readProgramVersion()));
        if (format === 'markdown') return writeOut(renderJudgement(judgement));
        const colors = createColors(options.color && !process.env.NO_COLOR && supportsControl(process.stdout.isTTY));
        writeOut(formatJudgement(judgement, colors));
      } catch (error) {
        progressLine.clear();
        if (format === 'markdown') writeOut(createUnjudgedPage(describeError(error)));
        throw error;
      } finally {
        progressLine.clear();
      }
    });

/** The value of `--seconds`; null if the option is absent. Throws `usage` unless it is a number above 0. */
function parseSeconds(text: string | undefined): number | null {
  if (text === undefined) return null;
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new SelfwareError('usage', '--seconds must be a number above 0.');
}
