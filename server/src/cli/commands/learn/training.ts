// `selfware learn export|train|status|rollback`: trains a person's own model on what was learned in this repository.

import type { Command } from 'commander';
import { exportDataset } from '../../../app/training/exportDataset.ts';
import { serveTraining } from '../../../app/training/service.ts';
import {
  homeOrNull,
  findMissingForTraining,
  requireSetUp,
  resolveTrainingPlaces,
} from '../../../app/training/setUp.ts';
import {
  isTraining,
  rollBackModel,
  trainOnce,
  type TrainingRequest,
  type TrainingResult,
} from '../../../app/training/train.ts';
import type { TrainingState } from '../../../core/model/trainings.ts';
import { formatHeldOutNotice } from '../../../core/proposers/sentDataNotice.ts';
import type { Settings } from '../../../settings/schema.ts';
import { formatCount } from '../../../util/counted.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { escapeInvisibleLine } from '../../../util/visible.ts';
import { createCommand, withSession, type CommonOptions, type Invocation, type SetExitCode } from '../../invocation.ts';
import { refuseAgents, requirePerson } from '../../person.ts';
import { requireIntactLedger } from './requireIntactLedger.ts';

/** The subcommand `learn export`. */
export function createExportCommand(): Command {
  return createCommand('export', 'writes what was learned as a dataset for a trainer')
    .option('--to <folder>', 'where the files are written; otherwise to the state folder')
    .action(({ to, ...options }: CommonOptions & { readonly to?: string }) =>
      withSession({ ...options, searches: false }, async ({ session, rootDir, json, out, outJson, note }) => {
        const exportedDataset = await exportDataset(session.training, { rootDir, env: process.env, to: to ?? null });
        if (json) return outJson(exportedDataset);
        const { train, heldOut, refused, leftOut, folder } = exportedDataset;
        out(escapeInvisibleLine(folder));
        note(
          `${formatCount(train, 'example')} to train on, ${heldOut} held out, ${formatCount(refused, 'refused answer')}.` +
            (leftOut === 0
              ? ''
              : ` ${formatCount(leftOut, 'change')} gave none: the texts are gone, no reply fits, or you wrote the lines differently.`),
        );
      }),
    );
}

/** The subcommand `learn train`. With --once, its exit code is 1 if the training fails. */
export function createTrainCommand(setExitCode: SetExitCode): Command {
  return createCommand(
    'train',
    'trains a model on what was learned, whenever there is a reason; deploys it only if better',
  )
    .option('--once', 'trains now, and ends')
    .action(({ once = false, ...options }: CommonOptions & { readonly once?: boolean }) =>
      withSession({ ...options, searches: false }, async (invocation) => {
        if (options.untrusted)
          throw new SelfwareError('untrusted', 'Nothing of an untrusted repository is learned.', {
            action: 'Leave --untrusted out if you trust it.',
          });
        const request = createRequest(invocation);
        await requireTrainingConsent(invocation);
        const show = (result: TrainingResult) => {
          if (invocation.json) invocation.outJson(result);
          else invocation.out(escapeInvisibleLine(formatResult(result)));
        };
        if (!once) return serveTraining(request, show);
        const result = await trainOnce(request);
        // A rejected model is a normal outcome, so the exit code is 0.
        if (result.outcome === 'failed' || result.outcome === 'cancelled') setExitCode(1);
        show(result);
      }),
    );
}

/** The subcommand `learn status`. */
export function createTrainingStatusCommand(): Command {
  return createCommand('status', 'the model in use, and the trainings').action((options: CommonOptions) =>
    withSession({ ...options, searches: false }, async ({ session, settings, rootDir, json, out, outJson }) => {
      await requireIntactLedger(session);
      const places = resolveTrainingPlaces(rootDir, process.env);
      const missingSentences = findMissingForTraining(settings, places);
      const home = homeOrNull(settings, places);
      const inUse = home?.inUse ?? null;
      const state = { ...(await session.training.state(home?.base ?? null)), inUse, running: await isTraining(places) };
      if (json) return outJson(state);
      for (const line of formatState(state)) out(escapeInvisibleLine(line));
      for (const sentence of missingSentences) out(escapeInvisibleLine(sentence));
    }),
  );
}

/** The subcommand `learn rollback`. */
export function createModelRollbackCommand(): Command {
  return createCommand('rollback', 'goes back to the model that was in use before').action(
    async (options: CommonOptions) => {
      await refuseAgents('Going back to another model');
      await withSession({ ...options, searches: false }, async (invocation) => {
        const { model, to, inUse } = await rollBackModel(createRequest(invocation));
        if (invocation.json) return invocation.outJson({ model, to, inUse });
        invocation.out(
          escapeInvisibleLine(`Rolled back from ${model} to ${to ?? 'the base'}: ${inUse} leads there now.`),
        );
      });
    },
  );
}

/** The request for a training. Before it gives away any data, the training checks that the person still agrees. */
function createRequest({ session, settings, rootDir, signal, report, note }: Invocation): TrainingRequest {
  const requireCurrentConsent = async () => {
    if (await session.training.consented(createConsentText(settings, rootDir))) return;
    throw new SelfwareError('forbidden', 'You have withdrawn your consent to give them what was learned here.', {
      action: 'Run the command again: it asks once.',
    });
  };
  return {
    session,
    settings,
    rootDir,
    env: process.env,
    now: Date.now,
    signal,
    report,
    note,
    requireAgreed: requireCurrentConsent,
  };
}

/** The text to which a person consents before a training: the model, and the commands that receive what was learned. */
function createConsentText(settings: Settings, rootDir: string): string {
  const home = requireSetUp(settings, resolveTrainingPlaces(rootDir, process.env));
  return [home.base, ...listTrainingCommands(settings)].join('\n');
}

/** The configured commands for training and evaluation. */
function listTrainingCommands(settings: Settings): readonly string[] {
  return [settings['learn.trainCommand'], settings['learn.evaluateCommand']].filter((command) => command !== '');
}

/**
 * Asks a person whether this model and these commands may receive what was learned, and whether held-out examples may
 * be sent to the host of the model. An earlier consent to the same text is enough. Throws `usage` if a setting is
 * missing, and the errors of `refuseAgents` and `requirePerson`.
 */
async function requireTrainingConsent({ session, settings, rootDir, ownSettings, note }: Invocation): Promise<void> {
  const home = requireSetUp(settings, resolveTrainingPlaces(rootDir, process.env));
  await refuseAgents('Training a model');
  const commands = listTrainingCommands(settings);
  const consentText = createConsentText(settings, rootDir);
  const proposer = settings['learn.evaluateCommand'].trim() === '' ? home.proposer(null) : null;
  const missingConsent = proposer === null ? null : await session.consents.needed(proposer);
  if (missingConsent === null && (await session.training.consented(consentText))) return;
  await requirePerson({
    subject: 'Training a model',
    question: 'Give them what was learned here, code included, now and in future?',
    ownSettings,
    show: () => {
      note(escapeInvisibleLine(`The model: ${home.base}`));
      for (const command of commands) note(escapeInvisibleLine(`Your command: ${command}`));
      // The recorded consent applies to every later question, so the person reads all of it.
      if (missingConsent !== null) note(escapeInvisibleLine(formatHeldOutNotice(missingConsent)));
    },
  });
  await session.training.consent(consentText);
  if (missingConsent !== null) await session.consents.agree(missingConsent);
}

/** The result of a training with the figures of both models, as one line. */
function formatResult({ outcome, reason, current, candidate }: TrainingResult): string {
  const outcomeWord = { deployed: 'Deployed', rejected: 'Rejected', failed: 'Failed', cancelled: 'Cancelled' }[outcome];
  const figures = [formatFigures('now', current), formatFigures('new', candidate)].filter((line) => line !== '');
  return `${outcomeWord}: ${reason}${figures.length === 0 ? '' : ` ${figures.join('; ')}`}`;
}

/** The measured figures of a model; '' if there are none. */
function formatFigures(name: string, figures: TrainingResult['current']): string {
  if (figures === null) return '';
  const { success, perplexity, bleu } = figures;
  const parts = [
    ...(success === null ? [] : [`${success.hits} of ${success.of} right`]),
    ...(perplexity === null ? [] : [`perplexity ${perplexity.toFixed(3)}`]),
    ...(bleu === null ? [] : [`BLEU ${bleu.toFixed(3)}`]),
  ];
  return parts.length === 0 ? '' : `${name}: ${parts.join(', ')}`;
}

/** The model in use and the trainings, as lines of text. */
function formatState(
  state: TrainingState & { readonly inUse: string | null; readonly running: boolean },
): readonly string[] {
  const { inUse, running, currentModel, learningsSinceTraining, currentAccuracy, trainingRuns } = state;
  return [
    `In use: ${currentModel ?? 'the base'}${currentAccuracy === null ? '' : `, success rate ${currentAccuracy.toFixed(2)}`}`,
    ...(inUse === null ? [] : [`Ask it as: --proposer ${inUse}`]),
    `${formatCount(learningsSinceTraining, 'learning')} since the last training.`,
    ...(running ? ['A training runs now.'] : []),
    ...trainingRuns.map(({ training, startedAt, outcome, reason }) => {
      const startText = new Date(startedAt).toISOString().slice(0, 16).replace('T', ' ');
      return `${startText}  ${training}  ${outcome}: ${reason}`;
    }),
  ];
}
