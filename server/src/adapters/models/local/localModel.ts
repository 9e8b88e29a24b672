// Runs a model from a GGUF file in a separate process, which ends after some minutes without a question.

import { fork, type ChildProcess } from 'node:child_process';
import { basename } from 'node:path';
import { formatBytes, type TooLarge } from '../../../util/memoryTiers.ts';
import { SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import type { Message, ProposerRequest } from '../../../core/ports/proposers.ts';
import type { LocalModelAnswer, FromModel, MeasuredAnswer, ToModel } from './messages.ts';

/** The options with which the process of a model is started. */
export interface LocalModelOptions {
  /** Path of the GGUF file. */
  readonly file: string;
  /** Path of the module of node-llama-cpp. */
  readonly library: string;
  /** Path of the program of the process. */
  readonly program: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * The reason why the main memory has no room for the model; null if it has. If it has none, the model is loaded only
   * if the graphics card has room for the missing part.
   */
  readonly tooLarge: TooLarge | null;
}

/** Facts about a loaded model. */
export interface LoadedModel {
  /** The name in the file, or else the name of the file. */
  readonly name: string;
  /** Maximum number of tokens of question and answer together. */
  readonly contextTokens: number;
}

/** A question that waits for its answer. */
interface PendingQuestion {
  onPiece(text: string): void;
  resolve(answer: LocalModelAnswer | MeasuredAnswer): void;
  reject(error: unknown): void;
}

/** A model in its process. */
export interface LocalModel {
  /** Waits until the model is loaded, and returns facts about it. Throws `cancelled` and `unavailable`. */
  whenLoaded(signal: AbortSignal): Promise<LoadedModel>;
  /**
   * Asks a question; questions are answered one after the other. `onPiece` receives the text in pieces, and empty
   * pieces as signs of life. Throws `cancelled` as soon as `signal` is aborted, and `unavailable`.
   */
  ask(
    question: Pick<ProposerRequest, 'messages' | 'schema' | 'maxTokens'>,
    signal: AbortSignal,
    onPiece: (text: string) => void,
  ): Promise<LocalModelAnswer>;
  /** Measures how likely the model is to give this answer. Throws the errors of `ask`. */
  measure(messages: readonly Message[], answer: string, signal: AbortSignal): Promise<MeasuredAnswer>;
  /** Resolves once the process has stopped working on all cancelled questions, or has ended. */
  whenIdle(): Promise<void>;
  /** Ends the process, which frees its memory. */
  unload(): void;
  /** Resolves once the process is gone and its memory is free. `unload` must be called before. */
  whenEnded(): Promise<void>;
  /** True if the process has ended, and after `unload`, because the process then answers no further question. */
  readonly hasEnded: boolean;
}

/** Milliseconds without a question after which the process ends. */
const IDLE_MS = 5 * 60_000;
/** Milliseconds that the process has to obey a cancellation, before it is killed. */
const GRACE_MS = 2000;
/** Milliseconds after which loading counts as failed. A large model on a slow disk needs minutes. */
const LOAD_MS = 15 * 60_000;
/**
 * Matches the names of variables that the process does not get: secrets, and `CI`, which the library expects to be a
 * boolean.
 */
const WITHHELD_NAMES = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|^CI$/i;

/** Starts the process, which loads the model immediately. */
export function startLocalModel({ file, library, program, env, tooLarge }: LocalModelOptions): LocalModel {
  const child = fork(program, [library, file, String(tooLarge?.missing ?? 0)], {
    env: {
      ...Object.fromEntries(Object.entries(env).filter(([name]) => !WITHHELD_NAMES.test(name))),
      ELECTRON_RUN_AS_NODE: '1',
    },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const pendingQuestions = new Map<number, PendingQuestion>();
  /** Ids of questions that were cancelled and may still be worked on. */
  const cancelledIds = new Set<number>();
  let idleCallbacks: (() => void)[] = [];
  let [nextId, errorOutput, hasEnded] = [0, '', false];
  let failureReason: string | null = null;
  let refusal: SelfwareError | null = null;
  let idleTimer: NodeJS.Timeout | undefined;
  const whenReady = withResolvers<LoadedModel>();
  const whenExited = withResolvers<void>();
  const unload = () => void child.kill('SIGKILL');
  const loadTimer = setTimeout(() => {
    failureReason = `it was not loaded within ${LOAD_MS / 60_000} minutes`;
    unload();
  }, LOAD_MS).unref();
  // Callers that ask receive a failure. Without a caller, it is ignored.
  whenReady.promise.catch(() => undefined);

  /**
   * Lets the child keep this process running only while an answer is awaited, and ends the child `IDLE_MS` after the
   * last question.
   */
  const updateHold = () => {
    clearTimeout(idleTimer);
    setHold(child, pendingQuestions.size + idleCallbacks.length > 0);
    if (pendingQuestions.size === 0) idleTimer = setTimeout(unload, IDLE_MS).unref();
  };
  const takePending = (id: number): PendingQuestion | undefined => {
    const request = pendingQuestions.get(id);
    pendingQuestions.delete(id);
    updateHold();
    return request;
  };
  const markStopped = (ids: Iterable<number>) => {
    for (const id of ids) cancelledIds.delete(id);
    if (cancelledIds.size > 0) return;
    for (const resolve of idleCallbacks) resolve();
    idleCallbacks = [];
    updateHold();
  };
  const failAll = (cause: string) => {
    if (hasEnded) return;
    hasEnded = true;
    whenExited.resolve();
    markStopped([...cancelledIds]);
    clearTimeout(idleTimer);
    clearTimeout(loadTimer);
    // The memory may be free later, or the file complete.
    const error = refusal ?? createModelError(file, failureReason ?? cause, { afterMs: null });
    whenReady.reject(error);
    for (const request of pendingQuestions.values()) request.reject(error);
    pendingQuestions.clear();
  };

  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errorOutput = (errorOutput + text).slice(-4000)));
  child.on('message', (message: FromModel) => {
    if (message.type === 'ready') {
      clearTimeout(loadTimer);
      whenReady.resolve({ name: message.name ?? basename(file), contextTokens: message.contextTokens });
    } else if (message.type === 'alive') for (const request of pendingQuestions.values()) request.onPiece('');
    else if (message.type === 'piece') pendingQuestions.get(message.id)?.onPiece(message.text);
    else if (message.type === 'answer' || message.type === 'measured') takePending(message.id)?.resolve(message);
    else if (message.type === 'stopped') markStopped([message.id]);
    else if (message.type === 'tooLarge') refusal = tooLarge && createRefusal(tooLarge, message.cardBytes);
    else if (message.id === null) failureReason = message.reason;
    else takePending(message.id)?.reject(createModelError(file, message.reason));
  });
  child.on('exit', () => whenExited.resolve());
  child.on('error', (error) => failAll(error.message));
  // After `exit`, messages and output may still arrive.
  child.on('close', (code, signal) => failAll(findLastLine(errorOutput) ?? `its process ended (${signal ?? code})`));
  updateHold();

  const send = (message: ToModel) => {
    if (child.connected) child.send(message);
  };
  const request = async (
    question: (id: number) => ToModel,
    signal: AbortSignal,
    onPiece: (text: string) => void,
  ): Promise<LocalModelAnswer | MeasuredAnswer> => {
    throwIfCancelled(signal);
    const id = (nextId += 1);
    const answer = withResolvers<LocalModelAnswer | MeasuredAnswer>();
    if (hasEnded) await whenReady.promise;
    pendingQuestions.set(id, { onPiece, ...answer });
    updateHold();
    send(question(id));
    try {
      return await rejectIfCancelled(answer.promise, signal);
    } catch (error) {
      if (signal.aborted && pendingQuestions.has(id)) {
        takePending(id);
        cancelledIds.add(id);
        send({ type: 'cancel', id });
        // In a long computation, or while it loads, the process does not see the message.
        setTimeout(() => cancelledIds.has(id) && unload(), GRACE_MS).unref();
      }
      throw error;
    }
  };
  return {
    get hasEnded() {
      return hasEnded || child.killed;
    },
    unload,
    async whenIdle() {
      if (cancelledIds.size === 0) return;
      await new Promise<void>((resolve) => {
        idleCallbacks.push(resolve);
        updateHold();
      });
    },
    async whenEnded() {
      setHold(child, true);
      await whenExited.promise;
      updateHold();
    },
    async whenLoaded(signal) {
      throwIfCancelled(signal);
      setHold(child, true);
      try {
        return await rejectIfCancelled(whenReady.promise, signal);
      } finally {
        updateHold();
      }
    },
    ask: ({ messages, schema = null, maxTokens }, signal, onPiece) =>
      request((id) => ({ type: 'ask', id, messages, schema, maxTokens }), signal, onPiece) as Promise<LocalModelAnswer>,
    measure: (messages, answer, signal) =>
      request(
        (id) => ({ type: 'measure', id, messages, answer }),
        signal,
        () => undefined,
      ) as Promise<MeasuredAnswer>,
  };
}

function withResolvers<T>() {
  let [resolve, reject]: [(value: T) => void, (error: unknown) => void] = [() => undefined, () => undefined];
  const promise = new Promise<T>((onValue, onError) => ([resolve, reject] = [onValue, onError]));
  return { promise, resolve, reject };
}

/** Sets whether the child keeps this process running. `keeps` false: this process may end although the child runs. */
function setHold(child: ChildProcess, keeps: boolean): void {
  const method = keeps ? 'ref' : 'unref';
  child[method]();
  child.channel?.[method]();
  // The stream is a socket, which the type does not show.
  (child.stderr as { ref?(): void; unref?(): void } | null)?.[method]?.();
}

/** The result of the work. Throws `cancelled` as soon as the signal is aborted; the work itself continues. */
export async function rejectIfCancelled<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const cancelled = withResolvers<never>();
  const cancel = () => cancelled.reject(new SelfwareError('cancelled', 'Cancelled.'));
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await Promise.race([work, cancelled.promise]);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function findLastLine(text: string): string | undefined {
  return text.trim().split('\n').at(-1)?.trim().slice(0, 300) || undefined;
}

function createRefusal({ reason, action }: TooLarge, cardBytes: number): SelfwareError {
  const card =
    cardBytes > 0 ? ` The graphics card has ${formatBytes(cardBytes)} free, which is not enough either.` : '';
  return new SelfwareError('unavailable', `${reason}${card}`, { action, retry: { afterMs: null } });
}

function createModelError(file: string, reason: string, retry: SelfwareError['retry'] = null): SelfwareError {
  return new SelfwareError('unavailable', `The model ${basename(file)} gave no answer: ${reason.replace(/\.$/, '')}.`, {
    action: 'Check the file, close what needs memory, or name a smaller model.',
    retry,
  });
}
