// Creates the arguments for one call of the compared code from their descriptions (`ValueSpec`). Functions among them
// record every call.

import type { ValueSpec } from './messages.ts';

/**
 * The source text that stands for a created value which cannot be written from its content, such as a stub, a promise
 * or a function of a test.
 */
export const sources = new WeakMap<object, string>();

/** The functions of the environment that created values use. */
export interface StubEnvironment {
  /** Adds a line to the call log. */
  note(line: string): void;
  /** Formats a value in its current state. */
  describe(value: unknown): string;
  /** Resolves after that many milliseconds of simulated time. */
  wait(millis: number): Promise<void>;
  /** The recording function with this number, which is the same for the whole call. */
  provideRecorder(id: number): RecordingFunction;
}

/** A function that keeps the arguments of its calls in `calls`, and returns undefined. */
export interface RecordingFunction {
  (...args: readonly unknown[]): void;
  readonly calls: readonly (readonly unknown[])[];
}

/** Creates a function that keeps the arguments of its calls. */
export function createRecorder(): RecordingFunction {
  const calls: (readonly unknown[])[] = [];
  const recorder = Object.assign((...args: readonly unknown[]) => void calls.push(args), { calls });
  sources.set(recorder, 'listener');
  return recorder;
}

/**
 * Creates the value that a spec describes. `name`: its name in the call log and in messages. Throws an `Error` for a
 * placeholder, and the errors of evaluating a function's source.
 */
export function createValue(spec: ValueSpec, name: string, environment: StubEnvironment): unknown {
  if (spec === null || typeof spec !== 'object') return spec;
  const createValues = (specs: readonly ValueSpec[]) =>
    specs.map((spec, index) => createValue(spec, `${name}[${index}]`, environment));
  switch (spec.$) {
    case 'array':
      return createValues(spec.of);
    case 'set':
      return new Set(createValues(spec.of));
    case 'bytes':
      return Uint8Array.from(spec.of as readonly number[]);
    case 'record': {
      const record: Record<string, unknown> = {};
      for (const [field, value] of spec.fields)
        Object.defineProperty(record, field, {
          value: createValue(value, `${name}.${field}`, environment),
          enumerable: true,
          writable: true,
          configurable: true,
        });
      return record;
    }
    case 'map':
      return new Map(
        spec.entries.map(([key, value]) => [
          createValue(key, `${name} key`, environment),
          createValue(value, `${name} value`, environment),
        ]),
      );
    case 'date':
      return new Date(spec.millis);
    case 'regexp':
      return new RegExp(spec.source, spec.flags);
    case 'error':
      return new Error(spec.text);
    case 'symbol':
      return Symbol.for(spec.text);
    case 'code':
      return evaluateSource(spec.text);
    case 'url':
      return new URL(spec.text);
    case 'signal':
      return spec.aborted ? AbortSignal.abort() : new AbortController().signal;
    case 'placeholder':
      throw new Error('A placeholder was not replaced by its value.');
    case 'promise':
      return createPromise(spec, name, environment);
    case 'iterable':
      return createIterable(createValues(spec.of), spec.async);
    case 'recorder':
      return environment.provideRecorder(spec.id);
    case 'stub':
      return createStub(spec.answers, name, environment);
  }
}

/** Evaluates the source of a function from a test. The process is isolated, as it is for tests. */
function evaluateSource(text: string): unknown {
  const value = new Function(`return (${text});`)() as object;
  sources.set(value, text);
  return value;
}

function createPromise(
  { of, millis, rejects }: Extract<ValueSpec, { $: 'promise' }>,
  name: string,
  environment: StubEnvironment,
): Promise<unknown> {
  const value = createValue(of, name, environment);
  const promise = environment.wait(millis).then(() => {
    environment.note(`${name} settles`);
    if (rejects) throw new Error(`${name} fails`);
    return value;
  });
  // A promise that nobody awaits must not end the process.
  promise.catch(() => undefined);
  sources.set(
    promise,
    rejects
      ? `Promise.reject(new Error(${JSON.stringify(`${name} fails`)}))`
      : `Promise.resolve(${environment.describe(value)})`,
  );
  return promise;
}

function createIterable(values: readonly unknown[], isAsync: boolean): object {
  return isAsync
    ? (async function* () {
        yield* values;
      })()
    : (function* () {
        yield* values;
      })();
}

function createStub(answers: readonly ValueSpec[], name: string, environment: StubEnvironment): object {
  let callCount = 0;
  const stub = (...args: unknown[]): unknown => {
    environment.note(`${name}(${args.map((argument) => environment.describe(argument)).join(', ')})`);
    const answer = answers.length === 0 ? undefined : answers[callCount++ % answers.length];
    return createValue(answer, `${name}()`, environment);
  };
  const sourceTexts = answers.map((answer) => formatValue(answer));
  sources.set(
    stub,
    sourceTexts.length <= 1
      ? `() => ${parenthesiseObject(sourceTexts[0] ?? 'undefined')}`
      : `stub(${sourceTexts.join(', ')})`,
  );
  return stub;
}

/** The expression, in parentheses if it is an object, because `() => {}` would be a function without a result. */
function parenthesiseObject(text: string): string {
  return text.startsWith('{') ? `(${text})` : text;
}

/** Formats the value as an expression to show to people. */
function formatValue(spec: ValueSpec): string {
  const inertEnvironment: StubEnvironment = {
    note: () => undefined,
    describe: () => '…',
    wait: () => new Promise(() => undefined),
    provideRecorder: createRecorder,
  };
  if (spec === null || typeof spec !== 'object')
    return typeof spec === 'string'
      ? JSON.stringify(spec)
      : typeof spec === 'bigint'
        ? `${spec}n`
        : Object.is(spec, -0)
          ? '-0'
          : String(spec);
  if (spec.$ === 'promise')
    return spec.rejects ? 'Promise.reject(new Error())' : `Promise.resolve(${formatValue(spec.of)})`;
  if (spec.$ === 'array') return `[${spec.of.map(formatValue).join(', ')}]`;
  if (spec.$ === 'record') {
    const formatKey = (field: string) => (/^[A-Za-z_$][\w$]*$/.test(field) ? field : JSON.stringify(field));
    return `{ ${spec.fields.map(([field, value]) => `${formatKey(field)}: ${formatValue(value)}`).join(', ')} }`;
  }
  if (spec.$ === 'stub')
    return spec.answers.length === 0 ? '() => undefined' : `() => ${parenthesiseObject(formatValue(spec.answers[0]))}`;
  if (spec.$ === 'code') return spec.text;
  const value = createValue(spec, '', inertEnvironment);
  return value instanceof Date ? `new Date(${value.getTime()})` : String(value);
}
