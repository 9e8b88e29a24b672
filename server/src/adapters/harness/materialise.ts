// Creates the arguments for one call of the compared code from their descriptions (`ValueSpec`). Functions among them
// record every call.

import type { ValueSpec } from './messages.ts';

/** Source texts of values that cannot be serialised, such as stubs, for people. */
export const sources = new WeakMap<object, string>();

/**
 * The environment of stubs. `note` receives `called name(…)`; `describe` writes arguments as they are at that moment.
 */
export interface StubWorld {
  note(line: string): void;
  describe(value: unknown): string;
  /** Waits for virtual milliseconds. */
  wait(millis: number): Promise<void>;
  /** The function with this number, which keeps its arguments. */
  recorder(id: number): RecordingFunction;
}

/** A function that keeps the arguments of its calls, and returns nothing. */
export interface RecordingFunction {
  (...args: readonly unknown[]): void;
  readonly calls: readonly (readonly unknown[])[];
}

/** Creates a function that keeps its arguments. */
export function createRecorder(): RecordingFunction {
  const calls: (readonly unknown[])[] = [];
  const recorder = Object.assign((...args: readonly unknown[]) => void calls.push(args), { calls });
  sources.set(recorder, 'listener');
  return recorder;
}

/** Creates the value. `name`: its name in the protocol and in messages. */
export function createValue(spec: ValueSpec, name: string, world: StubWorld): unknown {
  if (spec === null || typeof spec !== 'object') return spec;
  const materialiseAll = (specs: readonly ValueSpec[]) =>
    specs.map((spec, index) => createValue(spec, `${name}[${index}]`, world));
  switch (spec.$) {
    case 'array':
      return materialiseAll(spec.of);
    case 'set':
      return new Set(materialiseAll(spec.of));
    case 'bytes':
      return Uint8Array.from(spec.of as readonly number[]);
    case 'record': {
      const record: Record<string, unknown> = {};
      for (const [field, value] of spec.fields)
        Object.defineProperty(record, field, {
          value: createValue(value, `${name}.${field}`, world),
          enumerable: true,
          writable: true,
          configurable: true,
        });
      return record;
    }
    case 'map':
      return new Map(
        spec.entries.map(([key, value]) => [
          createValue(key, `${name} key`, world),
          createValue(value, `${name} value`, world),
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
      return functionOf(spec.text);
    case 'url':
      return new URL(spec.text);
    case 'signal':
      return spec.aborted ? AbortSignal.abort() : new AbortController().signal;
    case 'same':
      throw new Error('A value stands for another one still.');
    case 'promise':
      return createPromise(spec, name, world);
    case 'iterable':
      return createIterable(materialiseAll(spec.of), spec.async);
    case 'recorder':
      return world.recorder(spec.id);
    case 'stub':
      return createStub(spec.answers, name, world);
  }
}

/** The function of a test. It runs here as it does in the tests: isolated. */
function functionOf(text: string): unknown {
  const madeObject = new Function(`return (${text});`)() as object;
  sources.set(madeObject, text);
  return madeObject;
}

function createPromise(
  { of, millis, rejects }: Extract<ValueSpec, { $: 'promise' }>,
  name: string,
  world: StubWorld,
): Promise<unknown> {
  const value = createValue(of, name, world);
  const promise = world.wait(millis).then(() => {
    world.note(`${name} settles`);
    if (rejects) throw new Error(`${name} fails`);
    return value;
  });
  // A promise that nobody awaits must not end the process.
  promise.catch(() => undefined);
  sources.set(
    promise,
    rejects
      ? `Promise.reject(new Error(${JSON.stringify(`${name} fails`)}))`
      : `Promise.resolve(${world.describe(value)})`,
  );
  return promise;
}

function createIterable(values: readonly unknown[], isAsync: boolean): object {
  const madeFunction = isAsync
    ? (async function* () {
        yield* values;
      })()
    : (function* () {
        yield* values;
      })();
  return madeFunction;
}

function createStub(answers: readonly ValueSpec[], name: string, world: StubWorld): object {
  let calls = 0;
  const madeFunction = (...passedArguments: unknown[]): unknown => {
    world.note(`${name}(${passedArguments.map((passedArgument) => world.describe(passedArgument)).join(', ')})`);
    const answer = answers.length === 0 ? undefined : answers[calls++ % answers.length];
    return createValue(answer, `${name}()`, world);
  };
  const sourceTexts = answers.map((answer) => formatValue(answer));
  sources.set(
    madeFunction,
    sourceTexts.length <= 1 ? `() => ${resultCode(sourceTexts[0] ?? 'undefined')}` : `stub(${sourceTexts.join(', ')})`,
  );
  return madeFunction;
}

/** An object in parentheses, because `() => {}` would be a function without a result. */
function resultCode(text: string): string {
  return text.startsWith('{') ? `(${text})` : text;
}

/** The expression that people see for the value. */
function formatValue(spec: ValueSpec): string {
  const silent: StubWorld = {
    note: () => undefined,
    describe: () => '…',
    wait: () => new Promise(() => undefined),
    recorder: createRecorder,
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
    return spec.answers.length === 0 ? '() => undefined' : `() => ${resultCode(formatValue(spec.answers[0]))}`;
  if (spec.$ === 'code') return spec.text;
  const value = createValue(spec, '', silent);
  return value instanceof Date ? `new Date(${value.getTime()})` : String(value);
}
