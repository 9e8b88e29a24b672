// Reads the requirements of a training from a person's settings: the model to train, the commands, and the folders of
// the results.

import { basename, join, resolve } from 'node:path';
import { COMPONENTS } from '../../adapters/components/componentTable.ts';
import { findComponentEntry } from '../../adapters/components/installed.ts';
import { resolveStateFolder } from '../../adapters/files/stateFolder.ts';
import { OLLAMA_URL, parseProposerName } from '../../adapters/models/proposerNames.ts';
import { createFileHome } from '../../adapters/training/fileHome.ts';
import type { ModelHome } from '../../adapters/training/modelHome.ts';
import { createOllamaHome } from '../../adapters/training/ollamaHome.ts';
import type { Thresholds } from '../../core/learn/training/trainingState.ts';
import { findPackageRoot } from '../programPaths.ts';
import { defaultSettings, readSettings, type Settings } from '../../settings/schema.ts';
import { SelfwareError } from '../../util/typedError.ts';
import type { Environment } from '../../util/values/environment.ts';

/** Environment variables of Selfware's predecessor. A variable is used if its setting has the default value. */
const VARIABLE_BY_SETTING = {
  'learn.afterLearnings': 'GENESIS_LEARNING_THRESHOLD',
  'learn.afterDays': 'GENESIS_TIME_THRESHOLD_DAYS',
  'learn.minSuccess': 'GENESIS_PERFORMANCE_THRESHOLD',
  'learn.checkMinutes': 'GENESIS_IMPROVEMENT_CHECK_INTERVAL',
} as const;

/** The places where the trainings of a repository store their results. */
export interface TrainingPlaces {
  /** One folder for each training: its dataset, its logs, its results. */
  readonly runs: string;
  /** The folder of the repository's trainings, with models that are stored as files. */
  readonly folder: string;
  readonly lock: string;
  /** The name of the trained model on a server. */
  readonly name: string;
  readonly env: Environment;
}

/** Determines the places of a repository's trainings. Creates nothing. */
export function resolveTrainingPlaces(rootDir: string, env: Environment): TrainingPlaces {
  const state = resolveStateFolder(rootDir, env);
  const folder = join(state, 'training');
  const name = `selfware-${basename(state)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')}`;
  return { folder, runs: join(folder, 'runs'), lock: join(state, 'locks', 'training.lock'), name, env };
}

/** The access to the models. Throws `usage` if no model is set, or if it cannot be trained. */
export function parseModelHome(settings: Settings, places: TrainingPlaces): ModelHome {
  const model = settings['learn.model'].trim();
  const advice = 'Set learn.model to `ollama:MODEL`, or to `gguf:PATH` for a file.';
  if (model === '') throw new SelfwareError('usage', 'No model is set that could be trained.', { action: advice });
  if (/^gguf:./.test(model)) {
    const library = {
      env: places.env,
      configuredFolder: settings['models.localLibrary'],
      selfwareFolder: findPackageRoot(),
    };
    const canRunFiles = findComponentEntry(COMPONENTS.local, library) !== null;
    return createFileHome({ folder: places.folder, base: resolve(model.slice('gguf:'.length)), runs: canRunFiles });
  }
  const parsedName = model.startsWith('ollama:') ? parseProposerName(model) : null;
  if (parsedName?.kind !== 'ollama')
    throw new SelfwareError('usage', `${model} cannot be trained here.`, { action: advice });
  return createOllamaHome({ url: parsedName.url ?? OLLAMA_URL, base: parsedName.model, name: places.name });
}

/** The access to the models; null if no usable model is set. */
export function homeOrNull(settings: Settings, places: TrainingPlaces): ModelHome | null {
  try {
    return parseModelHome(settings, places);
  } catch (error) {
    if (!(error instanceof SelfwareError)) throw error;
    return null;
  }
}

/** The missing requirements of a training, one sentence each; empty if a model can be trained. */
export function findMissingForTraining(settings: Settings, places: TrainingPlaces): readonly string[] {
  const missing: string[] = [];
  if (settings['learn.trainCommand'].trim() === '') missing.push('Set learn.trainCommand to the command of a trainer.');
  try {
    const home = parseModelHome(settings, places);
    if (settings['learn.evaluateCommand'].trim() === '' && home.proposer(null) === null)
      missing.push('Run `selfware models install local`, or set learn.evaluateCommand: nothing here runs the file.');
  } catch (error) {
    if (!(error instanceof SelfwareError)) throw error;
    missing.push(`${error.message} ${error.action ?? ''}`.trim());
  }
  return missing;
}

/** The access to the models. Throws `usage` if a requirement of a training is missing. */
export function requireSetUp(settings: Settings, places: TrainingPlaces): ModelHome {
  const missing = findMissingForTraining(settings, places);
  if (missing.length > 0)
    throw new SelfwareError('usage', `No model can be trained yet. ${missing.join(' ')}`, {
      action: 'docs/training.md shows a whole example.',
    });
  return parseModelHome(settings, places);
}

/**
 * The thresholds that decide when a training is due. An environment variable is used if its setting has the default
 * value. `problems` contains one sentence for each unusable value.
 */
export function readThresholds(
  settings: Settings,
  env: Environment,
): Thresholds & { readonly checkMinutes: number; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const readNumber = (name: keyof typeof VARIABLE_BY_SETTING) => {
    const [variable, settingValue] = [VARIABLE_BY_SETTING[name], settings[name]];
    if (!env[variable] || settingValue !== defaultSettings[name]) return settingValue;
    const parsedSettings = readSettings({ [name]: Number(env[variable]) });
    problems.push(...parsedSettings.problems.map((problem) => `${variable}: ${problem}`));
    return parsedSettings.settings[name];
  };
  return {
    learnings: readNumber('learn.afterLearnings'),
    days: readNumber('learn.afterDays'),
    success: readNumber('learn.minSuccess'),
    checkMinutes: readNumber('learn.checkMinutes'),
    problems,
  };
}
