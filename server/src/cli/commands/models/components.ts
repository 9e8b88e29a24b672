// `selfware models install|remove COMPONENT`: installs and removes optional components, which are libraries that are
// too large to be part of Selfware.

import { Argument, type Command } from 'commander';
import {
  findComponentPlan,
  installComponentByName,
  removeComponentByName,
  type ComponentPlan,
} from '../../../app/components.ts';
import { readOwnSettings } from '../../../app/ownSettings.ts';
import { writeError, writeJson, writeOut } from '../../../adapters/system/terminal.ts';
import { formatCount } from '../../../util/counted.ts';
import { createCommand, type CommonOptions } from '../../invocation.ts';
import { handleInterruption } from '../../interruption.ts';
import { refuseAgents, requirePerson } from '../../person.ts';
import { createProgressLine } from '../../writers/progressLine.ts';

/** The subcommand `models install`. */
export function createComponentInstallCommand(): Command {
  return createComponentCommand('install', 'installs an optional component with npm, after asking').action(
    async (name: string, { json }: CommonOptions) => {
      const earlierPlan = findComponentPlan(name, process.env);
      if (earlierPlan.installedIn === null) await installAfterConsent(earlierPlan);
      const { packages, installedIn } = findComponentPlan(name, process.env);
      if (json) return writeJson({ name, packages, folder: installedIn, installed: earlierPlan.installedIn === null });
      writeOut(`${earlierPlan.installedIn === null ? 'Installed' : 'Already installed'} in ${installedIn}.`);
    },
  );
}

/** The subcommand `models remove`. */
export function createComponentRemoveCommand(): Command {
  return createComponentCommand('remove', 'removes an optional component').action(
    async (name: string, { json }: CommonOptions) => {
      await refuseAgents('Removing a component');
      const wasInstalled = await removeComponentByName(name, process.env);
      if (json) return writeJson({ name, removed: wasInstalled });
      writeOut(wasInstalled ? `Removed ${name}.` : `${name} was not installed.`);
    },
  );
}

/** A subcommand with the name of a component as its argument. */
function createComponentCommand(name: string, description: string): Command {
  return createCommand(name, description).addArgument(
    new Argument('<component>', 'local: models from GGUF files; embeddings: vectors by ONNX models'),
  );
}

/** Asks the person, then installs the packages of the plan. */
async function installAfterConsent(plan: ComponentPlan): Promise<void> {
  const { signal } = handleInterruption();
  await requirePerson({
    subject: `To install ${plan.packages.join(' and ')}`,
    question: 'Install this from the npm registry?',
    ownSettings: readOwnSettings(process.env),
    show: () => writeError(formatPlan(plan)),
  });
  const line = createProgressLine();
  const report = (fetchedFiles: number) => {
    const message =
      fetchedFiles === 0 ? 'asking the npm registry' : `${formatCount(fetchedFiles, 'file')} from the npm registry`;
    line.show({ stage: 'installing', done: fetchedFiles, total: null, message });
  };
  report(0);
  try {
    await installComponentByName(plan.name, process.env, signal, report);
  } finally {
    line.clear();
  }
}

/** Sentences that name the packages, their source, and the folder into which they are installed. */
function formatPlan({ packages, megabytes, place, purpose }: ComponentPlan): string {
  return [
    `To ${purpose}, Selfware needs ${packages.join(' and ')}.`,
    `npm fetches these versions and what they depend on from its registry, about ${megabytes} MB, into ${place}.`,
    'None of their install scripts run. The library runs only when you use it.',
  ].join('\n');
}
