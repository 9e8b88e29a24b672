// Creates the arguments for one call of the compared code from their descriptions (`Made`). Functions
// among them record every call.

import type { Made } from './messages.ts';

/** Source texts of values that cannot be serialised, such as stubs, for people. */
export const sources = new WeakMap<object, string>();

/**
 * The surroundings of stubs. `note` receives `called name(…)`; `describe` writes arguments as they are at that moment.
 */
export interface StubWorld {
  note(line: string): void;
  describe(value: unknown): string;
  /** Waits for virtual milliseconds. */
  wait(millis: number): Promise<void>;
}

/** Creates the value. `name`: its name in the protocol and in messages. */
export function materialise(made: Made, name: string, world: StubWorld): unknown {
  if (made === null || typeof made !== 'object') return made;
  const each = (list: readonly Made[]) => list.map((one, index) => materialise(one, `${name}[${index}]`, world));
  switch (made.$) {
    case 'array':
      return each(made.of);
    case 'set':
      return new Set(each(made.of));
    case 'bytes':
      return Uint8Array.from(made.of as readonly number[]);
    case 'record': {
      const record: Record<string, unknown> = {};
      for (const [field, value] of made.fields)
        Object.defineProperty(record, field, {
          value: materialise(value, `${name}.${field}`, world),
          enumerable: true,
          writable: true,
          configurable: true,
        });
      return record;
    }
    case 'map':
      return new Map(
        made.entries.map(([key, value]) => [
          materialise(key, `${name} key`, world),
          materialise(value, `${name} value`, world),
        ]),
      );
    case 'date':
      return new Date(made.millis);
    case 'regexp':
      return new RegExp(made.source, made.flags);
    case 'error':
      return new Error(made.text);
    case 'symbol':
      return Symbol.for(made.text);
    case 'url':
      return new URL(made.text);
    case 'signal':
      return made.aborted ? AbortSignal.abort() : new AbortController().signal;
    case 'same':
      throw new Error('A value stands for another one still.');
    case 'promise':
      return promiseOf(made, name, world);
    case 'iterable':
      return iterable(each(made.of), made.async);
    case 'stub':
      return createStub(made.answers, name, world);
  }
}

function promiseOf(
  { of, millis, rejects }: Extract<Made, { $: 'promise' }>,
  name: string,
  world: StubWorld,
): Promise<unknown> {
  const value = materialise(of, name, world);
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

function iterable(values: readonly unknown[], async: boolean): object {
  const made = async
    ? (async function* () {
        yield* values;
      })()
    : (function* () {
        yield* values;
      })();
  return made;
}

function createStub(answers: readonly Made[], name: string, world: StubWorld): object {
  let calls = 0;
  const made = (...passedArguments: unknown[]): unknown => {
    world.note(`${name}(${passedArguments.map((one) => world.describe(one)).join(', ')})`);
    const answer = answers.length === 0 ? undefined : answers[calls++ % answers.length];
    return materialise(answer, `${name}()`, world);
  };
  const sourceTexts = answers.map((answer) => sourceOf(answer));
  sources.set(
    made,
    sourceTexts.length <= 1 ? `() => ${asResult(sourceTexts[0] ?? 'undefined')}` : `stub(${sourceTexts.join(', ')})`,
  );
  return made;
}

/** An object in parentheses, because `() => {}` would be a function without a result. */
function asResult(text: string): string {
  return text.startsWith('{') ? `(${text})` : text;
}

/** The expression that people see for the value. */
function sourceOf(made: Made): string {
  const silent: StubWorld = { note: () => undefined, describe: () => '…', wait: () => new Promise(() => undefined) };
  if (made === null || typeof made !== 'object')
    return typeof made === 'string'
      ? JSON.stringify(made)
      : typeof made === 'bigint'
        ? `${made}n`
        : Object.is(made, -0)
          ? '-0'
          : String(made);
  if (made.$ === 'promise')
    return made.rejects ? 'Promise.reject(new Error())' : `Promise.resolve(${sourceOf(made.of)})`;
  if (made.$ === 'array') return `[${made.of.map(sourceOf).join(', ')}]`;
  if (made.$ === 'record') {
    const key = (field: string) => (/^[A-Za-z_$][\w$]*$/.test(field) ? field : JSON.stringify(field));
    return `{ ${made.fields.map(([field, value]) => `${key(field)}: ${sourceOf(value)}`).join(', ')} }`;
  }
  if (made.$ === 'stub')
    return made.answers.length === 0 ? '() => undefined' : `() => ${asResult(sourceOf(made.answers[0]))}`;
  const value = materialise(made, '', silent);
  return value instanceof Date ? `new Date(${value.getTime()})` : String(value);
}
