// Chooses the embedder: the one in the settings, or the shipped one with a notice.

import { join } from 'node:path';
import type { Notice } from '../core/model.ts';
import { createHashedEmbedder } from '../adapters/embeddings/hashedEmbedder.ts';
import { createProviderEmbedder } from '../adapters/embeddings/providerEmbedder.ts';
import { createStaticEmbedder } from '../adapters/embeddings/staticEmbedder.ts';
import { loadTermTable } from '../adapters/embeddings/staticModel.ts';
import { createTransformersEmbedder } from '../adapters/embeddings/transformersEmbedder.ts';
import { readMachineMemory } from '../adapters/system/machineMemory.ts';
import type { Settings } from '../settings/schema.ts';
import { describeError, SelfwareError } from '../util/typedError.ts';
import { findDownloadedModel, lacksLibrary, loadTransformersLibrary } from './embeddingModels.ts';
import { findPackageRoot } from './programPaths.ts';
import type { Log } from '../core/ports/system.ts';
import type { Embedder, TermTable } from '../core/ports/search.ts';

/** Environment variable with the key of the embedding server; a key must not be in settings files. */
const KEY_VARIABLE = 'SELFWARE_EMBEDDER_KEY';
/** Maximum number of milliseconds to wait for the first answer of an embedding server, which would delay the start. */
const FIRST_ANSWER_MS = 10_000;

/** The embedder of a session, the embedder that takes over if it fails, and the shipped table of term vectors. */
export interface Embedders {
  readonly embedder: Embedder;
  /**
   * Takes over if `embedder` fails. It cannot fail, and has its own profile. It is `embedder` itself, unless that is a
   * model of the settings.
   */
  readonly fallback: Embedder;
  /** The shipped table of term vectors; null if its file is damaged. */
  readonly termTable: TermTable | null;
  readonly notices: readonly Notice[];
}

/** Settings and environment on which the choice of an embedder depends. */
export interface EmbedderOptions {
  readonly settings: Settings;
  readonly trusted: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  /** Path of the file with the shipped table; if absent, the one that belongs to this program. */
  readonly modelFile?: string;
}

/**
 * Creates the embedder of the settings. Does not throw for an unusable model: the shipped table is used instead, or
 * hashing if the table is damaged.
 */
export async function createEmbedders(options: EmbedderOptions): Promise<Embedders> {
  const { settings, trusted, log } = options;
  const notices: Notice[] = [];
  const termTable = await loadTable(options.modelFile ?? findShippedModel(), notices, log);
  const fallback = termTable ? createStaticEmbedder(termTable) : createHashedEmbedder();
  const kind = settings['memory.embedder'];
  if (kind === 'static') return { embedder: fallback, fallback, termTable, notices };
  if (!trusted) {
    notices.push({
      severity: 'info',
      message: `The embedder ${kind} is not used until the workspace is trusted; the shipped one is used instead.`,
      action: null,
    });
    return { embedder: fallback, fallback, termTable, notices };
  }
  try {
    return { embedder: await createModelEmbedder(kind, options), fallback, termTable, notices };
  } catch (error) {
    if (!(error instanceof SelfwareError)) throw error;
    log.write('warn', `The embedder ${kind} cannot be used: ${error.message}`);
    notices.push({
      severity: 'warning',
      message: `The embedder ${kind} cannot be used: ${describeError(error)} The shipped one is used instead.`,
      action: 'Fix it and restart, or set memory.embedder to static.',
      ...(kind === 'transformers' && lacksLibrary(options.settings, options.env) ? { component: 'embeddings' } : {}),
    });
    return { embedder: fallback, fallback, termTable, notices };
  }
}

/**
 * Creates an embedder that compares words by the shipped table, which is read at the first use. `loaded`: the table, if
 * it was already read; null if it is damaged. With a damaged table, only words with common terms are similar.
 */
export function createWordEmbedder(loaded?: TermTable | null): Pick<Embedder, 'embed'> {
  let embedder: Promise<Embedder> | null = null;
  const load = async () => {
    const table = loaded === undefined ? await loadTermTable(findShippedModel()).catch(nullIfDamaged) : loaded;
    return table === null ? createHashedEmbedder() : createStaticEmbedder(table);
  };
  return { embed: async (texts, signal) => (await (embedder ??= load())).embed(texts, signal) };
}

/** Returns null for a damaged table. Throws any other error. */
function nullIfDamaged(error: unknown): null {
  if (error instanceof SelfwareError) return null;
  throw error;
}

/** Embedders for callers that need no vectors. */
export function createHashedEmbedders(): Embedders {
  const embedder = createHashedEmbedder();
  return { embedder, fallback: embedder, termTable: null, notices: [] };
}

/** The path of the shipped table: next to the bundle, or in the source folder of the repository. */
export function findShippedModel(): string {
  return import.meta.url.endsWith('.js')
    ? join(findPackageRoot(), 'dist', 'models', 'terms.bin')
    : join(findPackageRoot(), 'server', 'models', 'terms.bin');
}

/** Loads the shipped table. If it is damaged, adds a notice and returns null. */
async function loadTable(file: string, notices: Notice[], log: Log): Promise<TermTable | null> {
  try {
    return await loadTermTable(file);
  } catch (error) {
    if (!(error instanceof SelfwareError)) throw error;
    log.write('warn', error.message, error.cause);
    notices.push({
      severity: 'warning',
      message: `${error.message} Search continues without it.`,
      action: error.action,
    });
    return null;
  }
}

/**
 * Creates the embedder for the model in the settings. Throws `usage` if a setting is missing, and `unavailable` if the
 * model cannot be used.
 */
function createModelEmbedder(kind: 'transformers' | 'provider', { settings, env }: EmbedderOptions): Promise<Embedder> {
  const model = settings['memory.embedderModel'];
  if (model === '')
    throw new SelfwareError('usage', 'No model is named.', { action: 'Set selfware.memory.embedderModel.' });
  if (kind === 'transformers')
    return createTransformersEmbedder({
      modelDir: findDownloadedModel(model, env) ?? model,
      library: () => loadTransformersLibrary(settings, env),
      memory: readMachineMemory,
    });
  const baseUrl = settings['memory.embedderUrl'];
  if (baseUrl === '')
    throw new SelfwareError('usage', 'No address of an embedding server is set.', {
      action: 'Set selfware.memory.embedderUrl.',
    });
  return createProviderEmbedder(
    { baseUrl, model, apiKey: env[KEY_VARIABLE] || null },
    AbortSignal.timeout(FIRST_ANSWER_MS),
  );
}
