// `selfware setup`: installs in the sandbox what the tests of this repository need, after a person has approved the
// plan, and runs the tests.

import { resolve } from 'node:path';
import { createStderrLog } from '../../adapters/system/system.ts';
import { withCheckOut } from '../../app/checkOut.ts';
import type { SetupReport } from '../../core/setup/setup.ts';
import type { SetupPlan } from '../../core/model/setup.ts';
import { formatCount } from '../../util/counted.ts';
import { handleInterruption } from '../interruption.ts';
import { createCommand, withSession, type CommandFactory, type CommonOptions, type Invocation } from '../invocation.ts';
import { requirePersonOrYes } from '../person.ts';
import { collectNames } from '../collectNames.ts';

/** The advice for somebody who may not decide. */
const PLAN_HINT = '`selfware setup --plan` shows what would run.';

interface SetupOptions extends CommonOptions {
  readonly plan?: boolean;
  readonly yes?: boolean;
  readonly allowScripts: readonly string[];
  readonly allowHost: readonly string[];
  readonly allowCode?: boolean;
  readonly at?: string;
}

/** The subcommand `setup`. Its exit code is 1 if something is missing or no test runs. */
export const setupCommand: CommandFactory = (setExitCode) =>
  createCommand('setup', 'prepares the sandbox: installs what the tests need, after asking, and runs them')
    .option('--plan', 'only show what would run')
    .option('--at <ref>', 'for this commit instead of the working tree, so that a change can be judged against it')
    .option('--yes', 'do not ask; at a terminal, or where your own settings let scripts decide')
    .option('--allow-scripts <names>', 'packages whose install scripts may run', collectNames, [] as readonly string[])
    .option(
      '--allow-host <name>',
      'one more host that the installation may reach',
      collectNames,
      [] as readonly string[],
    )
    .option('--allow-code', 'code of the repository that the package manager loads may run')
    .action((options: SetupOptions) =>
      withSetupSession(options, async (invocation) => {
        const { session, signal, report, json, out, outJson } = invocation;
        const permissions = {
          scripts: options.allowScripts,
          hosts: options.allowHost,
          code: options.allowCode ?? false,
        };
        const plan = await session.setup.plan(permissions, { signal, report });
        if (options.plan) {
          if (plan.missing.length > 0) setExitCode(1);
          if (json) outJson({ checks: [], missing: plan.missing, plan });
          else out(`${plan.text}\nHash: ${plan.hash}`);
          return;
        }
        await approvePlan(plan, options, invocation);
        const result = await session.setup.run(plan.hash, permissions, { signal, report });
        if (result.missing.length > 0 || !result.checks.some(({ runs }) => runs)) setExitCode(1);
        if (json)
          outJson({ checks: result.checks, missing: result.missing, wantScripts: result.wantScripts, plan: plan.hash });
        else out(formatReport(result));
      }),
    );

/**
 * Opens a session for the set-up. With `--at`, the packages for that commit are stored beside those of the working
 * tree, which stay unchanged.
 */
function withSetupSession(options: SetupOptions, body: (invocation: Invocation) => Promise<void>): Promise<void> {
  const { at } = options;
  const sessionOptions = { ...options, searches: false };
  if (at === undefined) return withSession(sessionOptions, body);
  const log = createStderrLog('error');
  return withCheckOut(resolve(options.repo), at, { env: process.env, log, ...handleInterruption() }, (checkedOut) =>
    withSession({ ...sessionOptions, copy: checkedOut }, body),
  );
}

/** Shows the plan and requires the approval of a person, because the packages come from the network. */
async function approvePlan(plan: SetupPlan, options: SetupOptions, { ownSettings, note }: Invocation): Promise<void> {
  await requirePersonOrYes({
    subject: 'Setting up',
    does: 'installs packages',
    question: 'Run this once?',
    look: PLAN_HINT,
    yes: options.yes ?? false,
    ownSettings,
    show: () => note(`${plan.text}\nHash: ${plan.hash}`),
  });
}

/** The result of the tests, and what is missing, as lines of text. */
function formatReport({ checks, missing, state }: SetupReport): string {
  const lines = checks.map(({ command: commandLine, runs, tests, passed, failed, seconds, reason }) =>
    runs
      ? `${formatCount(tests ?? 0, 'test')} ran in ${seconds.toFixed(1)} s: ${passed} passed, ${failed} failed. (${commandLine})`
      : `The tests do not run yet: ${reason ?? 'no reason is known'}`,
  );
  if (missing.length === 0 && checks.some(({ runs }) => !runs) && state.action !== null) lines.push(state.action);
  for (const { what, action } of missing) lines.push(`Missing: ${what}\n         ${action}`);
  if (lines.length === 0) lines.push(state.detail);
  return lines.join('\n');
}
