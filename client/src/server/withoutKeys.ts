// Keeps API keys of models out of the log. With the log level "trace" and `selfware.trace.server` = "verbose", the
// library of the language client logs the parameters of every request.

import type { LogOutputChannel } from 'vscode';
import { requests } from '#protocol/methods';

/**
 * The log channel, with one difference: a trace message about `selfware/model/keys` is replaced by a note that there
 * was such a request.
 */
export function hideKeys(output: LogOutputChannel): LogOutputChannel {
  const trace: LogOutputChannel['trace'] = (message) =>
    output.trace(message.includes(requests.modelKeys) ? `${requests.modelKeys}: not logged.` : message);
  return new Proxy(output, {
    get(channel, name) {
      if (name === 'trace') return trace;
      const value: unknown = Reflect.get(channel, name);
      return typeof value === 'function' ? value.bind(channel) : value;
    },
  });
}
