// Creates the `fetch` with which models are asked. It follows no redirection, limits the size of an answer, and has no
// time limits, because `answerLimits.ts` limits the time.

import { SelfwareError } from '../../util/typedError.ts';

/** Maximum number of bytes of an answer: about 300 for each token of the longest one. */
const MAX_STREAM_BYTES = 64_000_000;
/** Maximum number of bytes of a message about an error. */
const MAX_ERROR_BYTES = 1_000_000;

/**
 * A `fetch` for the model of this name. A redirection fails, because it would send code and key to another host. The
 * call fails with `unavailable` if the response is a web page, and the body of the response does so if it is endless.
 */
export function createModelFetch(name: string): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'error', ...createPatientDispatcherOption() });
    if (response.ok && /^text\/html\b/i.test(response.headers.get('content-type') ?? '')) {
      await response.body?.cancel();
      const url = input instanceof Request ? input.url : String(input);
      throw new SelfwareError('unavailable', `${name} gave no answer: ${url} is a web page.`, {
        action: 'Check the address: it may need /v1 at its end, or a person may have to sign in there.',
      });
    }
    if (response.body === null) return response;
    const limitedBody = response.body.pipeThrough(
      createLimitStream(name, response.ok ? MAX_STREAM_BYTES : MAX_ERROR_BYTES),
    );
    return new Response(limitedBody, response);
  };
}

/** Names of the classes of Node's own dispatchers, whose constructors take options without limits. */
const CLONED_CLASSES: ReadonlySet<string> = new Set(['Agent', 'EnvHttpProxyAgent']);
/**
 * The dispatchers without limits, by the installed dispatcher that each replaces. Null if the installed one cannot be
 * copied.
 */
const patientDispatchers = new WeakMap<object, object | null>();

/**
 * The option that switches off the time limits of Node's `fetch`. It would end a question after five minutes without a
 * header or a byte, and a model may think or load for longer. Node has no public name for this option: a copy, without
 * limits, of the dispatcher that `fetch` has installed. Empty if there is no dispatcher, or if another program has
 * installed its own, whose limits stay.
 */
function createPatientDispatcherOption(): object {
  // Node loads its `fetch`, and installs the dispatcher, with the first use of one of its classes.
  if (Reflect.get(globalThis, 'Response') === undefined) return {};
  const installed = findInstalledDispatcher(2) ?? findInstalledDispatcher(1);
  if (installed === undefined) return {};
  if (!patientDispatchers.has(installed)) patientDispatchers.set(installed, cloneWithoutLimits(installed));
  const dispatcher = patientDispatchers.get(installed) ?? null;
  return dispatcher === null ? {} : { dispatcher };
}

/** The dispatcher for this version of the interface of dispatchers. From Node 26 on, that of version 1 is a wrapper. */
function findInstalledDispatcher(version: number): object | undefined {
  return Reflect.get(globalThis, Symbol.for(`undici.globalDispatcher.${version}`)) as object | undefined;
}

function cloneWithoutLimits({ constructor }: object): object | null {
  if (!CLONED_CLASSES.has(constructor.name)) return null;
  const Dispatcher = constructor as new (options: object) => object;
  try {
    return new Dispatcher({ headersTimeout: 0, bodyTimeout: 0 });
  } catch {
    return null;
  }
}

/** Passes bytes on, and fails after `maxBytes`. */
function createLimitStream(
  name: string,
  maxBytes: number,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let byteCount = 0;
  return new TransformStream({
    transform(piece, controller) {
      byteCount += piece.byteLength;
      if (byteCount > maxBytes)
        throw new SelfwareError('unavailable', `The answer of ${name} does not end.`, {
          action: 'Check the address, or use another model.',
        });
      controller.enqueue(piece);
    },
  });
}
