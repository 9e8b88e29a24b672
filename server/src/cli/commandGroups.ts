// Lists the subcommands in the groups in which the help shows them. Each group is named after what a person wants to
// do.

import { analyseCommand } from './commands/analyse.ts';
import { baselineCommand } from './commands/baseline.ts';
import { checkpointsCommand } from './commands/checkpoints.ts';
import { commitCommand } from './commands/commit.ts';
import { contextCommand } from './commands/context.ts';
import { examplesCommand } from './commands/searches/examples.ts';
import { counterexamplesCommand } from './commands/searches/counterexamples.ts';
import { coverageCommand } from './commands/coverage.ts';
import { dismissCommand, undismissCommand } from './commands/dismiss.ts';
import { doctorCommand } from './commands/doctor.ts';
import { graphCommand } from './commands/graph.ts';
import { hotCommand } from './commands/hot.ts';
import { improveCommand } from './commands/improve.ts';
import { indexCommand } from './commands/index.ts';
import { feedbackCommand } from './commands/learn/feedback.ts';
import { inboxCommand } from './commands/learn/inbox.ts';
import { learnCommand } from './commands/learn/learn.ts';
import { learnedCommand } from './commands/learn/learned.ts';
import { rulesCommand } from './commands/learn/rules.ts';
import { ledgerCommand } from './commands/ledger.ts';
import { metricsCommand } from './commands/metrics.ts';
import { modelsCommand } from './commands/models/models.ts';
import { nightCommand } from './commands/nights/night.ts';
import { replayCommand } from './commands/nights/replay.ts';
import { reportCommand } from './commands/nights/report.ts';
import { tonightCommand } from './commands/nights/tonight.ts';
import { outdatedCommand } from './commands/outdated.ts';
import { performanceCommand } from './commands/performance.ts';
import { previewCommand } from './commands/preview.ts';
import { proposalsCommand } from './commands/proposals.ts';
import { proposeCommand } from './commands/propose.ts';
import { referencesCommand } from './commands/references.ts';
import { rememberCommand } from './commands/remember.ts';
import { scoreCommand } from './commands/score.ts';
import { searchCommand } from './commands/search.ts';
import { serveCommand } from './commands/serve.ts';
import { setupCommand } from './commands/setup.ts';
import { statusCommand } from './commands/status.ts';
import { resumeCommand, stopCommand } from './commands/stop.ts';
import { unguardedCommand } from './commands/searches/unguarded.ts';
import { verifyCommand } from './commands/verify.ts';
import type { CommandFactory } from './invocation.ts';

/** A section of the help. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CommandFactory[];
}

/** All visible subcommands. For each group, `docs/commands.md` has a section with the same title. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    title: 'Start here',
    commands: [previewCommand, improveCommand, proposalsCommand, checkpointsCommand, setupCommand, doctorCommand],
  },
  {
    title: 'Find what could be better',
    commands: [
      analyseCommand,
      unguardedCommand,
      counterexamplesCommand,
      examplesCommand,
      coverageCommand,
      outdatedCommand,
      hotCommand,
      metricsCommand,
      scoreCommand,
    ],
  },
  {
    title: 'Choose what is shown',
    commands: [dismissCommand, undismissCommand, baselineCommand],
  },
  {
    title: 'Make and check changes',
    commands: [proposeCommand, verifyCommand, commitCommand, modelsCommand],
  },
  {
    title: 'Let it work while you are away',
    commands: [nightCommand, tonightCommand, reportCommand, replayCommand],
  },
  {
    title: 'Search and understand the code',
    commands: [indexCommand, searchCommand, graphCommand, referencesCommand, contextCommand, rememberCommand],
  },
  {
    title: 'Teach it, and see what it has learned',
    commands: [rulesCommand, learnCommand, learnedCommand, inboxCommand, feedbackCommand, performanceCommand],
  },
  {
    title: 'See what happens, and stop it',
    commands: [statusCommand, stopCommand, resumeCommand, ledgerCommand],
  },
  {
    title: 'Connect editors and agents',
    commands: [serveCommand],
  },
];
