// Defines the interface of a store of trained models: an Ollama server, or files in the state folder.

import type { Artifact } from './artifact.ts';

/** A model as a command of the person gets it. `adapter`: a LoRA file for `model`; null if there is none. */
export interface ModelPlace {
  readonly model: string;
  readonly adapter: string | null;
}

/** A store of trained models. One of them is in use. */
export interface ModelHome {
  /** The base model, in words for a person. */
  readonly base: string;
  /** The name under which the model in use is always found. */
  readonly inUse: string;
  /** Adds the result of a training and returns its name. It is not in use yet. */
  add(training: string, artifact: Artifact, signal: AbortSignal): Promise<string>;
  /** Puts a model in use; if `name` is null, the base model. Calling it again has no further effect. */
  activate(name: string | null, signal: AbortSignal): Promise<void>;
  /** Removes the files that `add` has made for a training that is not in use. Does nothing if there are none. */
  remove(training: string, signal: AbortSignal): Promise<void>;
  /** The model as a command of the person gets it; if `name` is null, the base model. */
  place(name: string | null): ModelPlace;
  /** The proposer that asks this model; null if Selfware cannot ask it. */
  proposer(name: string | null): string | null;
}
