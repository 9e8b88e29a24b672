// Receives the API keys of models that the person has stored in the editor. This process holds them in memory, and
// neither logs nor stores them. A key is used only in the header of requests to its host, and by a coding agent of that
// provider.

import { ResponseError, ErrorCodes } from 'vscode-languageserver/node';
import { requests } from '#protocol/methods';
import { isObject } from '../commands/commandArguments.ts';
import type { Feature } from '../serverContext.ts';

/** Maximum number of characters of a key. A longer text cannot be one, and was probably pasted by mistake. */
const MAX_KEY_CHARACTERS = 10_000;

/** Registers the handler, if the server holds keys in memory. Each request replaces all keys. */
export const modelKeys: Feature = ({ connection, storedKeys }) => {
  if (storedKeys)
    connection.onRequest(requests.modelKeys, (params: unknown) => {
      const keys = isObject(params) && isObject(params['keys']) ? params['keys'] : null;
      // The message must not contain the received value, which may be a key.
      if (!keys) return new ResponseError(ErrorCodes.InvalidParams, 'Keys of models are expected.');
      storedKeys.clear();
      for (const [host, key] of Object.entries(keys))
        if (typeof key === 'string' && isKey(key)) storedKeys.set(host, key);
      return null;
    });
  return {};
};

/** False for a text that is too long, or that cannot be sent as a header. */
function isKey(text: string): boolean {
  return text.length <= MAX_KEY_CHARACTERS && /^[\x21-\x7e]+$/.test(text);
}
