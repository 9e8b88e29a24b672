// The modules of Node that do nothing when they are loaded. Plain data.

import { wordSet } from '../../../util/wordSet.ts';

/**
 * Not included: `test` and `sea`, which look at how the process was started, and modules that warn about being
 * experimental or deprecated.
 */
export const QUIET_MODULES: ReadonlySet<string> = wordSet(`
assert async_hooks buffer child_process crypto dns events fs http http2 https net os path perf_hooks process
querystring readline stream string_decoder timers tls tty url util v8 vm worker_threads zlib
`);

/** Modules whose name means Node's module even without `node:`. For the other names, a bundler may find a folder. */
export const NODE_ALONE: ReadonlySet<string> = wordSet(`
child_process fs os path perf_hooks readline string_decoder tty worker_threads zlib
`);
