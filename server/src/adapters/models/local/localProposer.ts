// Creates proposers that run local models from GGUF files (`gguf:PATH`).

import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { explainNotLoaded, chooseTier, type MachineMemory } from '../../../util/memoryTiers.ts';
import { SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import type { Proposer } from '../../../core/ports/proposers.ts';
import { readMachineMemory } from '../../system/machineMemory.ts';
import { watchAnswer, type TokenLimit } from '../answerLimits.ts';
import { rejectIfCancelled, startLocalModel, type LocalModel } from './localModel.ts';

/** Options of `createLocalModels`. */
export interface LocalModelsOptions {
  /** Returns the path of the module of node-llama-cpp. Throws `unavailable` if it is not installed. */
  resolveLibrary(): string;
  /** Path of the program that runs a model. */
  readonly program: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Measures the memory. Default: that of this machine. */
  measureMemory?(): MachineMemory;
  /**
   * Milliseconds without a question after which a model is unloaded if the memory is full. Default: `IDLE_IF_FULL_MS`.
   */
  readonly idleIfFullMs?: number;
}

/** The proposers of the models in GGUF files. */
export interface LocalModels {
  /** The proposer for the model in this file. The model is loaded when the proposer is first used. */
  open(name: string, file: string): Proposer;
  /** Ends the process of the loaded model, if there is one. */
  unload(): void;
}

/** Milliseconds without a question after which a model is unloaded if the memory is full. */
const IDLE_IF_FULL_MS = 20_000;
/** No limit here, because node-llama-cpp itself counts the tokens and enforces the maximum. */
const TOKEN_LIMIT: TokenLimit = { computeAllowed: () => Number.POSITIVE_INFINITY, tellsProvider: true };
/** Share of a model's tokens that a question may take; the remaining tokens are for the answer. */
const QUESTION_SHARE = 0.7;

/**
 * Creates the access to models from GGUF files. Only one model is loaded and only one question is answered at a time,
 * because two models rarely fit into memory together.
 */
export function createLocalModels(options: LocalModelsOptions): LocalModels {
  const measureMemory = options.measureMemory ?? readMachineMemory;
  let loadedModel: { readonly file: string; readonly model: LocalModel } | null = null;
  let queue: Promise<unknown> = Promise.resolve();
  const loadModel = async (file: string): Promise<LocalModel> => {
    // Waits, because a process that ignores a cancellation is killed, which would also end the next question.
    await loadedModel?.model.whenIdle();
    if (loadedModel?.file === file && !loadedModel.model.hasEnded) return loadedModel.model;
    // The memory of the old process is free only after the process has ended.
    loadedModel?.model.unload();
    await loadedModel?.model.whenEnded();
    loadedModel = null;
    if (!existsSync(file))
      throw new SelfwareError('unavailable', `There is no file ${file}.`, {
        action: 'Name a model as --proposer gguf:PATH, where PATH is a GGUF file.',
      });
    const sizeProblem = explainNotLoaded('gguf', readSize(file), measureMemory());
    const { program, env } = options;
    const model = startLocalModel({ file, library: options.resolveLibrary(), program, env, tooLarge: sizeProblem });
    loadedModel = { file, model };
    return model;
  };
  let activeUses = 0;
  let unloadTimer: NodeJS.Timeout | undefined;
  /**
   * Ends one use of the model. If the model is idle now and memory is full, unloads it after a delay, because the next
   * step of a task usually asks soon.
   */
  const endUse = () => {
    activeUses -= 1;
    if (activeUses > 0 || chooseTier(measureMemory()) !== 'full') return;
    unloadTimer = setTimeout(() => loadedModel?.model.unload(), options.idleIfFullMs ?? IDLE_IF_FULL_MS).unref();
  };
  /**
   * Runs `work` with the model in `file` after all earlier work, so that loading a model never interrupts a question to
   * another one. Throws `cancelled` as soon as `signal` is aborted.
   */
  const runExclusively = <T>(
    file: string,
    signal: AbortSignal,
    work: (model: LocalModel) => Promise<T>,
  ): Promise<T> => {
    activeUses += 1;
    clearTimeout(unloadTimer);
    const result = queue
      .then(async () => {
        throwIfCancelled(signal);
        return work(await loadModel(file));
      })
      .finally(endUse);
    queue = result.catch(() => undefined);
    return rejectIfCancelled(result, signal);
  };
  return {
    unload: () => loadedModel?.model.unload(),
    open(name, path) {
      const file = resolve(path);
      return {
        name,
        destination: null,
        maxQuestionTokens: (signal) =>
          runExclusively(file, signal, async (model) => {
            const { contextTokens } = await model.whenLoaded(signal);
            return Math.floor(contextTokens * QUESTION_SHARE);
          }),
        measure: (messages, answer, signal) =>
          runExclusively(file, signal, async (model) => {
            await model.whenLoaded(signal);
            return model.measure(messages, answer, signal);
          }),
        ask: (question, signal, onText) =>
          watchAnswer(
            { name, isLocal: true },
            question,
            signal,
            onText,
            (watch) =>
              runExclusively(file, watch.signal, async (model) => {
                const loaded = await model.whenLoaded(watch.signal);
                const answer = await model.ask(question, watch.signal, watch.onPiece);
                const { text, finished, usage } = answer;
                return { text, finished, model: loaded.name.slice(0, 200), usage: { ...usage, estimated: false } };
              }),
            TOKEN_LIMIT,
          ),
      };
    },
  };
}

/** The size of a file; zero if it cannot be read. */
function readSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
