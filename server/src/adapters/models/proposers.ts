// Opens and lists the proposers (models and agents that write changes) of this machine by name. Nothing is loaded, read
// or contacted before it is requested.

import type { EditorModels } from '../../core/ports/editorModels.ts';
import type { AvailableProposer, Proposer, Proposers } from '../../core/ports/proposers.ts';
import type { Agents } from '../agents/agents.ts';
import { createHostedProposer } from './hosted.ts';
import { createEditorProposer, listEditorProposers } from './editor.ts';
import { findKey, type KeySources } from './keys.ts';
import { createLocalModels, type LocalModels, type LocalModelsOptions } from './local/localProposer.ts';
import { listLocalServers } from './localServers.ts';
import { createMailbox } from './mailbox.ts';
import { createOllamaProposer, fetchOllamaModels, type OllamaModel } from './ollama.ts';
import { findOllamaDestination, formatCloudNameAdvice } from './ollamaCloud.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { parseDestination, OLLAMA_URL, parseProposerName, PROVIDERS } from './proposerNames.ts';

/** The dependencies of the proposers. */
export interface ProposersOptions extends KeySources {
  readonly rootDir: string;
  /** Models of the editor in which Selfware runs; omitted outside of an editor. */
  readonly editorModels?: EditorModels | undefined;
  /** If omitted, no agents can be started. */
  readonly agents?: Agents;
  /** If omitted, no GGUF file can be run. */
  readonly local?: LocalOptions;
}

/** Options for models from GGUF files. */
export interface LocalOptions extends LocalModelsOptions {
  /** Returns the path of the module of node-llama-cpp; null if it is not installed. */
  findLibrary(): string | null;
}

/** Creates the access to the proposers of this machine. Only one model from a GGUF file is loaded at a time. */
export function createProposers(options: ProposersOptions): Proposers {
  const { editorModels, agents } = options;
  const local = options.local && createLocalModels(options.local);
  return {
    open: (name) => openProposer(name, options, local),
    list: async (signal) => {
      const [editorProposers, ollamaProposers, serverProposers] = await Promise.all([
        editorModels ? listEditorProposers(editorModels, signal) : [],
        listOllamaModels(signal),
        listLocalServers(signal),
      ]);
      return [
        ...editorProposers,
        ...ollamaProposers,
        ...serverProposers,
        ...(options.local ? [describeLocalModel(options.local)] : []),
        ...listHostedModels(options),
        ...((await agents?.list()) ?? []),
      ];
    },
  };
}

function openProposer(name: string, options: ProposersOptions, local: LocalModels | undefined): Proposer {
  const { rootDir, editorModels, agents } = options;
  const parsedName = parseProposerName(name);
  if (parsedName.kind === 'agent') {
    if (agents) return agents.open(name, parsedName.source, parsedName.agent);
    throw createCannotStartError(name);
  }
  if (parsedName.kind === 'gguf') {
    if (local) return local.open(name, parsedName.file);
    throw createCannotStartError(name);
  }
  if (parsedName.kind === 'editor') {
    if (!editorModels)
      throw new SelfwareError('usage', `${name} is a model of an editor, and can be asked only there.`, {
        action: 'Run "Selfware: Improve with a Model…" in VS Code, or name another proposer.',
      });
    return createEditorProposer({ name, vendor: parsedName.vendor, id: parsedName.id, models: editorModels });
  }
  if (parsedName.kind === 'mailbox')
    return createMailbox({ name, rootDir, folder: parsedName.folder, unanswered: parsedName.unanswered });
  if (parsedName.kind === 'ollama') return createOllamaProposer({ name, model: parsedName.model, url: parsedName.url });
  const { kind: _, ...names } = parsedName;
  const key = findKey(names.url, names.keyFrom, options);
  const inEditor = options.storedKeys !== undefined;
  return createHostedProposer({ name, ...names, key, inEditor });
}

function createCannotStartError(name: string): SelfwareError {
  return new SelfwareError('usage', `${name} cannot be started here.`, { action: 'Name another proposer.' });
}

function describeLocalModel({ findLibrary }: LocalOptions): AvailableProposer {
  const isAvailable = findLibrary() !== null;
  const reason = isAvailable
    ? 'A model from a GGUF file.'
    : 'A model from a GGUF file; run `selfware models install local` to install its library.';
  return {
    name: 'gguf:FILE',
    destination: null,
    available: isAvailable,
    why: reason,
    ...(isAvailable ? {} : { needsComponent: 'local' }),
  };
}

async function listOllamaModels(signal: AbortSignal): Promise<readonly AvailableProposer[]> {
  const models = await fetchOllamaModels(OLLAMA_URL, signal);
  const destination = parseDestination(OLLAMA_URL);
  if (!models)
    return [{ name: 'ollama:MODEL', destination, available: false, why: 'No Ollama server answers on this machine.' }];
  if (models.length === 0)
    return [{ name: 'ollama:MODEL', destination, available: false, why: 'Ollama has no model: run `ollama pull`.' }];
  return models.map(describeOllamaModel);
}

function describeOllamaModel({ name: model, remoteHost }: OllamaModel): AvailableProposer {
  const name = `ollama:${model}`;
  const destination = findOllamaDestination(model, OLLAMA_URL, remoteHost);
  if (destination === null) return { name, destination, available: true, why: 'A model of Ollama.' };
  // The name alone must show the destination, because nobody is contacted before consent.
  if (destination !== findOllamaDestination(model, OLLAMA_URL))
    return {
      name,
      destination,
      available: false,
      why: `Ollama forwards it. ${formatCloudNameAdvice(remoteHost ?? '')}`,
    };
  return { name, destination, available: true, why: 'A cloud model, which Ollama on this machine forwards.' };
}

function listHostedModels({ env, storedKeys }: KeySources): readonly AvailableProposer[] {
  return Object.entries(PROVIDERS).map(([kind, { url, keyFrom }]) => {
    const { host } = new URL(url);
    const isStored = Boolean(storedKeys?.get(host));
    const isAvailable = isStored || Boolean(env[keyFrom]);
    const reason = isStored ? 'Its key is stored in the editor.' : `${keyFrom} is ${isAvailable ? 'set' : 'not set'}.`;
    return {
      name: `${kind}:MODEL`,
      destination: parseDestination(url),
      available: isAvailable,
      why: reason,
      ...(isAvailable ? {} : { needsKeyFor: host }),
    };
  });
}
