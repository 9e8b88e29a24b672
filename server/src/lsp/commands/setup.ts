// The server command `setup`: installs what the tests of the repository need, and runs them once. First answers with a
// plan, and carries it out if its hash is approved.

import { fencedBlock, joinLines, md, type Insertable } from '#protocol/markdown';
import type { CommandOutcome } from '#protocol/review';
import type { SetupReport } from '../../core/setup/setup.ts';
import { NOTHING_ALLOWED } from '../../core/setup/plan.ts';
import { formatCount } from '../../util/counted.ts';
import { parseSetupParams } from '../fromProtocol.ts';
import { showMessage } from '../showMessage.ts';
import { runWithProgress, type ServerCommand } from './command.ts';

const TITLE = 'Selfware: Set Up Tests';

/**
 * Without `approved`, answers with the plan and its hash. With the approved hash, carries the plan out. An agent that
 * drives an editor counts as a person.
 */
export const setupCommand: ServerCommand = async (context, request) => {
  const { approved } = parseSetupParams(request.args);
  const repository = context.repositories.chosen();
  const title = 'Selfware: setting up the tests';
  if (approved === undefined) {
    const plan = await runWithProgress(context, repository, title, request, (session, operation) =>
      session.setup.plan(NOTHING_ALLOWED, operation),
    );
    const stepsText = formatCount(plan.steps.length, 'command');
    const message =
      plan.steps.length === 0
        ? 'Nothing has to be installed: the tests run once, without network.'
        : `${stepsText} with network to ${plan.hosts.join(', ')}: ${plan.steps.map(({ command }) => command).join('; ')}. Then the tests run once, without network.`;
    const markdown = renderPage([
      md`What would run in ${repository.name}, once you agree:`,
      '',
      fencedBlock(plan.text),
    ]);
    return { ok: true, message, review: null, approve: plan.hash, page: { title: TITLE, markdown } };
  }
  const report = await runWithProgress(context, repository, title, request, (session, operation) =>
    session.setup.run(approved, NOTHING_ALLOWED, operation),
  );
  const outcome: CommandOutcome = {
    ok: report.state.outcome === 'good',
    message: `Tests: ${report.state.detail}.`,
    review: null,
    page: { title: TITLE, markdown: renderPage(listReportLines(report)) },
  };
  if (!context.abilities.canReview) showMessage(context.connection, outcome.ok ? 'info' : 'warning', outcome.message);
  return outcome;
};

function renderPage(content: readonly Insertable[]): string {
  return `${joinLines([md`# Set Up Tests`, '', ...content])}\n`;
}

/** The lines about what was run, and what is still missing. */
function listReportLines({ checks, missing, state }: SetupReport): readonly Insertable[] {
  return [
    md`${state.detail}.`,
    ...checks.map(({ command, reason }) => (reason === null ? md`- ran \`${command}\`` : md`- ${reason}`)),
    ...(missing.length === 0 ? [] : ['', md`## Missing`, '']),
    ...missing.map(({ what, action }) => md`- **${what}:** ${action}`),
  ];
}
