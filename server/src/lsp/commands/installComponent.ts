// The server command `installComponent`: installs an optional library, or downloads an embedding model. First answers
// with the packages that npm would fetch, and installs them only after the person has agreed to exactly these.

import type { ComponentChoice, InstallQuestion } from '#protocol/models';
import type { CommandOutcome } from '#protocol/review';
import type { ComponentPlan } from '../../app/components.ts';
import { formatCount } from '../../util/counted.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { parseInstallComponentParams } from './modelParams.ts';
import { runInBackground } from '../guardHandlers.ts';
import { withProgress } from '../progress.ts';
import type { Components, ServerContext } from '../serverContext.ts';
import { createSuccess, type CommandRequest, type ServerCommand } from './command.ts';

const BYTES_PER_MEGABYTE = 1024 * 1024;

/**
 * Without a component, lists the components. Without agreement, answers with the question for the person
 * (`installation`). Throws `untrusted` in a workspace that is not trusted.
 */
export const installComponentCommand: ServerCommand = async (context, request) => {
  const { component, model, agreed } = parseInstallComponentParams(request.args);
  if (!context.repositories.trusted)
    throw new SelfwareError('untrusted', 'This workspace is not trusted, so nothing is installed from it.', {
      action: 'Trust the workspace first.',
    });
  const { plans, plan, install, ...components } = await context.components();
  if (model !== undefined) return downloadModel(context, request, components, { model, agreed });
  if (component === undefined)
    return { ...createSuccess('Name the component to install.'), components: plans().map(toComponentChoice) };
  const componentPlan = plan(component);
  if (componentPlan.installedIn !== null) return createSuccess(`Already installed in ${componentPlan.installedIn}.`);
  const installQuestion = createInstallQuestion(componentPlan);
  // Only a client that asks the person itself can pass on the person's answer.
  if (!context.abilities.canAskModels || agreed !== installQuestion.packages)
    return {
      ok: false,
      message: `Nothing was installed: nobody has agreed to it. \`selfware models install ${componentPlan.name}\` asks at a terminal.`,
      review: null,
      installation: installQuestion,
    };
  const title = `Selfware: installing ${installQuestion.packages}`;
  const folder = await withProgress(context, { title, reporter: request.reporter }, request.signal, (operation) => {
    const report = (fetchedFiles: number) => {
      const message =
        fetchedFiles === 0 ? 'Asking the npm registry' : `${formatCount(fetchedFiles, 'file')} from the npm registry`;
      operation.report?.({ stage: 'installing', done: fetchedFiles, total: null, message });
    };
    report(0);
    return install(componentPlan.name, operation.signal, report);
  });
  runInBackground(context.log, 'Opening folders again', () => reopenRepositories(componentPlan.name, context));
  return createSuccess(`Installed in ${folder}.`);
};

/** Downloads an embedding model if the person has agreed; otherwise answers with the question. */
async function downloadModel(
  context: ServerContext,
  request: CommandRequest,
  { isDownloaded, download, modelHost }: Pick<Components, 'isDownloaded' | 'download' | 'modelHost'>,
  { model, agreed }: { readonly model: string; readonly agreed: string | undefined },
): Promise<CommandOutcome> {
  if (isDownloaded(model)) return createSuccess(`${model} is already there.`);
  if (!context.abilities.canAskModels || agreed !== model)
    return {
      ok: false,
      message: `Nothing was downloaded: nobody has agreed to it. \`selfware models download ${model}\` asks at a terminal.`,
      review: null,
      installation: {
        packages: model,
        question: `Download ${model} from ${new URL(modelHost).host}?`,
        detail: 'Models have 20 MB to some GB. No code of yours is sent. The model is downloaded once.',
      },
    };
  const title = `Selfware: downloading ${model}`;
  const folder = await withProgress(context, { title, reporter: request.reporter }, request.signal, (operation) =>
    download(model, operation.signal, (loaded, total) => {
      const [doneMegabytes, totalMegabytes] = [loaded, total].map((bytes) =>
        Math.round(bytes / BYTES_PER_MEGABYTE),
      ) as [number, number];
      operation.report?.({
        stage: 'installing',
        done: doneMegabytes,
        total: totalMegabytes,
        message: `MB of ${model}`,
      });
    }),
  );
  return createSuccess(`Downloaded: ${folder}.`);
}

/** Opens those repositories again that have reported that the component is missing. */
async function reopenRepositories(name: string, { repositories }: ServerContext): Promise<void> {
  for (const repository of repositories.all()) {
    const { notices } = await (await repository.session()).status();
    if (notices.some(({ component }) => component === name)) await repository.open(repository.trusted);
  }
}

function toComponentChoice({ name, purpose, megabytes, installedIn }: ComponentPlan): ComponentChoice {
  return { name, purpose, megabytes, installed: installedIn !== null };
}

/** The question before an installation, with the packages, their source and the target folder. */
function createInstallQuestion({ packages, megabytes, place, purpose }: ComponentPlan): InstallQuestion {
  const packageNames = packages.join(' and ');
  return {
    packages: packageNames,
    question: `Install ${packageNames} from the npm registry?`,
    detail: [
      `Selfware needs this to ${purpose.replaceAll('`', '')}.`,
      `npm fetches these versions and what they depend on, about ${megabytes} MB, into ${place}.`,
      'None of their install scripts run. The library runs only when you use it. None of your code is sent.',
    ].join('\n\n'),
  };
}
