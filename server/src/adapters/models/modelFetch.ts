// The `fetch` of models: follows no redirection, reads only as much as an answer can have, and leaves its time to the
// limits of the answer.

import { SelfwareError } from '../../util/typedError.ts';

/** Maximum number of bytes of a stream: some 300 for each token of the longest answer. */
const MAX_STREAM_BYTES = 64_000_000;
/** Maximum number of bytes of a message about an error. */
const MAX_ERROR_BYTES = 1_000_000;

/**
 * A `fetch` for the model of this name. A redirection fails, because it would send code and key to another host. The
 * body of the response fails with `unavailable` if it is endless, and so does the call if the response is a web page.
 */
export function modelFetch(name: string): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'error', ...patientDispatcher() });
    if (response.ok && /^text\/html\b/i.test(response.headers.get('content-type') ?? '')) {
      await response.body?.cancel();
      const url = input instanceof Request ? input.url : String(input);
      throw new SelfwareError('unavailable', `${name} gave no answer: ${url} is a web page.`, {
        action: 'Check the address: it may need /v1 at its end, or a person may have to sign in there.',
      });
    }
    if (response.body === null) return response;
    const limited = response.body.pipeThrough(
      createLimitStream(name, response.ok ? MAX_STREAM_BYTES : MAX_ERROR_BYTES),
    );
    return new Response(limited, response);
  };
}

let dispatcher: object | null = null;

/**
 * The option of Node's `fetch` that switches off its own limits of five minutes without a header or a byte, after which
 * it would end a question to a model that thinks or loads for longer. Node has no public name for it: this is the
 * dispatcher that its `fetch` has installed, made again without limits. Empty where there is none; then the limits stay.
 */
function patientDispatcher(): object {
  const installed = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1')) as object | undefined;
  if (dispatcher === null && installed !== undefined) {
    const Dispatcher = installed.constructor as new (options: object) => object;
    dispatcher = new Dispatcher({ headersTimeout: 0, bodyTimeout: 0 });
  }
  return dispatcher === null ? {} : { dispatcher };
}

/** Passes bytes on, and fails after `maxBytes`. */
function createLimitStream(
  name: string,
  maxBytes: number,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new TransformStream({
    transform(piece, controller) {
      bytes += piece.byteLength;
      if (bytes > maxBytes)
        throw new SelfwareError('unavailable', `The answer of ${name} does not end.`, {
          action: 'Check the address, or use another model.',
        });
      controller.enqueue(piece);
    },
  });
}
