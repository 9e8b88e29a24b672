// Modules of Node that have no side effects when they are loaded.

import { createWordSet } from '../../../util/wordSet.ts';

/**
 * Modules of Node that change nothing when they are loaded. Omits `test` and `sea`, which depend on how the process was
 * started, and modules that warn that they are experimental or deprecated.
 */
export const SIDE_EFFECT_FREE_MODULES: ReadonlySet<string> = createWordSet(`
assert async_hooks buffer child_process crypto dns events fs http http2 https net os path perf_hooks process
querystring readline stream string_decoder timers tls tty url util v8 vm worker_threads zlib
`);

/** Modules whose name means Node's module even without `node:`. For other names, a bundler may find a folder. */
export const UNPREFIXED_NODE_MODULES: ReadonlySet<string> = createWordSet(`
child_process fs os path perf_hooks readline string_decoder tty worker_threads zlib
`);
