// Receives the keys of models that the person has stored in the editor. They stay in this process. They are not logged,
// not stored, and sent only as the header of a question to their own host, and to a coding agent of that provider.

import { ResponseError, ErrorCodes } from 'vscode-languageserver/node';
import { requests } from '#protocol/methods';
import { isObject } from '../fromProtocol.ts';
import type { Feature } from '../serverContext.ts';

/** Maximum length of a key. A longer text was pasted by mistake. */
const MAX_KEY_CHARACTERS = 10_000;

export const modelKeys: Feature = ({ connection, storedKeys }) => {
  if (storedKeys)
    connection.onRequest(requests.modelKeys, (params: unknown) => {
      const keys = isObject(params) && isObject(params['keys']) ? params['keys'] : null;
      // The message must not contain the received text.
      if (!keys) return new ResponseError(ErrorCodes.InvalidParams, 'Keys of models are expected.');
      storedKeys.clear();
      for (const [host, key] of Object.entries(keys))
        if (typeof key === 'string' && isKey(key)) storedKeys.set(host, key);
      return null;
    });
  return {};
};

/** False for a text that cannot be sent as a header. */
function isKey(text: string): boolean {
  return text.length <= MAX_KEY_CHARACTERS && /^[\x21-\x7e]+$/.test(text);
}
