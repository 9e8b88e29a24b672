// Defines the interface of a store of trained models: an Ollama server, or files in the state folder.

import type { Artifact } from './artifact.ts';

/** A model as a command can use it. `adapter`: a LoRA file for `model`; null = none. */
export interface ModelPlace {
  readonly model: string;
  readonly adapter: string | null;
}

/** A store of trained models, of which one is in use. */
export interface ModelHome {
  /** The base in words. */
  readonly base: string;
  /** The name under which the model in use is always found. */
  readonly inUse: string;
  /** Adds the result of a training and returns its name. It is not in use yet. */
  add(training: string, artifact: Artifact, signal: AbortSignal): Promise<string>;
  /** Puts a model in use; null = the base. Doing it twice is the same as once. */
  activate(name: string | null, signal: AbortSignal): Promise<void>;
  /** Removes what `add` has made of a training that is not in use. Does nothing if there is nothing. */
  remove(training: string, signal: AbortSignal): Promise<void>;
  place(name: string | null): ModelPlace;
  /** The proposer that asks this model; null = Selfware cannot ask it. */
  proposer(name: string | null): string | null;
}
