// Keeps keys out of the log: with the log level "trace" and `selfware.trace.server` = "verbose", the library of the
// language client logs the parameters of every request.

import type { LogOutputChannel } from 'vscode';
import { requests } from '#protocol/methods';

/** The channel, but of traces of `selfware/model/keys`, it logs only that there was one. */
export function withoutKeys(output: LogOutputChannel): LogOutputChannel {
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
