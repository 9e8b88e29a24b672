// Blocks side effects of compared code outside of its process. Functions of Node that write files, start processes or
// threads, or use the network throw, and each attempt is recorded. This detects code with side effects. It is not a
// security boundary, because code can still reach Node's internals; the sandbox is the boundary.

import { constants } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';

/** Functions of `fs` and `fs/promises` that only read. */
const READING_FUNCTIONS = ['readFile', 'stat', 'lstat', 'access', 'readdir', 'realpath', 'readlink', 'statfs'];

/** Creates a function that throws and records an attempt at `action`, such as `fs.writeFile`. */
type Refuse = (action: string) => (...args: unknown[]) => never;

/**
 * Exports that stay available, by module; all other functions and classes of these modules throw. Classes that stay can
 * only have effects through functions or methods that are blocked. They stay because libraries use them while they
 * load.
 */
const ALLOWED_EXPORTS: Readonly<Record<string, RegExp>> = {
  // `open` stays because reading by a handle needs it; its flags are checked.
  fs: new RegExp(
    `^(?:(?:${READING_FUNCTIONS.join('|')}|fstat|read|open|close|exists|createReadStream)(?:Sync)?|Dirent|Stats|_toUnixTimestamp)$`,
  ),
  'fs/promises': new RegExp(`^(?:${READING_FUNCTIONS.join('|')})$`),
  child_process: /^$/,
  cluster: /^Worker$/,
  net: /^(?:is\w+|get[A-Z]\w+|BlockList|SocketAddress|Socket|Stream|Server|_normalizeArgs)$/,
  dgram: /^$/,
  dns: /^(?:get[A-Z]\w+|Resolver)$/,
  'dns/promises': /^(?:get[A-Z]\w+|Resolver)$/,
  http: /^(?:validateHeader\w+|Agent|ClientRequest|IncomingMessage|OutgoingMessage|Server|ServerResponse)$/,
  https: /^(?:Agent|Server)$/,
  http2: /^(?:get[A-Z]\w+|Http2ServerRequest|Http2ServerResponse)$/,
  tls: /^(?:get[A-Z]\w+|SecureContext|TLSSocket|Server)$/,
  inspector: /^(?:Session|url)$/,
  'inspector/promises': /^(?:Session|url)$/,
  trace_events: /^getEnabledCategories$/,
  wasi: /^$/,
  sqlite: /^(?:StatementSync|Session)$/,
};

/**
 * Names of the exports that are blocked, by module; the other exports of these modules have no side effects outside of
 * the process.
 */
const BLOCKED_EXPORTS: Readonly<Record<string, readonly string[]>> = {
  // The property is a getter; calling it would load the whole WebSocket client.
  http: ['WebSocket'],
  worker_threads: ['Worker'],
  v8: ['writeHeapSnapshot', 'setHeapSnapshotNearHeapLimit', 'setFlagsFromString', 'takeCoverage', 'stopCoverage'],
  // Loader hooks run in another thread, in which nothing is blocked.
  module: ['register', 'enableCompileCache', 'flushCompileCache'],
  crypto: ['setEngine'],
  os: ['setPriority'],
  process: [
    ...['exit', 'abort', 'kill', '_kill', 'reallyExit', 'execve', 'dlopen', '_linkedBinding', '_debugProcess'],
    ...['chdir', 'umask', 'setuid', 'setgid', 'seteuid', 'setegid', 'setgroups', 'initgroups'],
  ],
};

/** Blocked methods of classes that stay available or that Node uses internally. */
const BLOCKED_METHODS: readonly (readonly [module: string, className: string, methods: RegExp])[] = [
  ['child_process', 'ChildProcess', /^spawn$/],
  ['dgram', 'Socket', /^(?:bind|connect|send)/],
  ['dns', 'Resolver', /^(?:resolve|reverse)/],
  ['dns/promises', 'Resolver', /^(?:resolve|reverse)/],
  ['net', 'Socket', /^connect$/],
  ['net', 'Server', /^(?:listen|_listen2)$/],
  ['inspector', 'Session', /^connect/],
];

/**
 * Matches the names of bindings for `process.binding` that only compute or describe. They stay available because the
 * package `safer-buffer` reads one when it is loaded.
 */
const HARMLESS_BINDINGS = /^(?:buffer|config|constants|natives|url|util|uv)$/;

/** Blocks side effects in this process, permanently. Reading files stays possible. */
export function blockSideEffects(refuse: Refuse): void {
  // Methods first, because the loop below replaces the classes.
  for (const [module, className, methods] of BLOCKED_METHODS) {
    const { prototype } = loadBuiltin(module)[className] as { readonly prototype: object };
    for (const name of listFunctionNames(prototype))
      if (methods.test(name))
        replaceProperties(prototype, { [name]: refuse(`${formatModuleName(module)}.${className}.${name}`) });
  }
  const { open, openSync } = loadBuiltin('fs') as Record<'open' | 'openSync', (...args: unknown[]) => unknown>;
  for (const [module, allowedNames] of Object.entries(ALLOWED_EXPORTS)) {
    if (!isBuiltin(`node:${module}`)) continue;
    const moduleExports = loadBuiltin(module);
    for (const name of listFunctionNames(moduleExports))
      if (!allowedNames.test(name))
        replaceProperties(moduleExports, { [name]: refuse(`${formatModuleName(module)}.${name}`) });
  }
  for (const [name, original] of Object.entries({ open, openSync })) {
    const throwRefused = refuse(`fs.${name}`);
    replaceProperties(loadBuiltin('fs'), {
      [name]: (...args: unknown[]) => (isReadingFlag(args[1]) ? original(...args) : throwRefused(...args)),
    });
  }
  for (const [module, names] of Object.entries(BLOCKED_EXPORTS)) {
    const moduleExports = loadBuiltin(module);
    for (const name of names)
      if (name in moduleExports) replaceProperties(moduleExports, { [name]: refuse(`${module}.${name}`) });
  }
  replaceProperties(process.report, { writeReport: refuse('process.report.writeReport') });
  const { binding } = process as unknown as { readonly binding: (name: unknown) => unknown };
  const refusedBinding = refuse('process.binding');
  replaceProperties(process, {
    binding: (name: unknown) => (HARMLESS_BINDINGS.test(String(name)) ? binding(name) : refusedBinding(name)),
  });
  // Assigns without reading, because Node loads the client when the property is read.
  for (const name of ['fetch', 'WebSocket', 'EventSource'])
    if (name in globalThis) Object.assign(globalThis, { [name]: refuse(name) });
}

function formatModuleName(module: string): string {
  return module.replace('/', '.');
}

/** Names of the functions in an object. A getter is not called, because it may load much. */
function listFunctionNames(owner: object): readonly string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(owner)).flatMap(([name, { value }]) =>
    typeof value === 'function' && name !== 'constructor' ? [name] : [],
  );
}

/**
 * True for flags with which `fs.open` neither writes nor creates (https://nodejs.org/api/fs.html#file-system-flags),
 * and if there are none.
 */
function isReadingFlag(flags: unknown): boolean {
  if (typeof flags === 'string') return /^(r|rs|sr)$/.test(flags);
  const { O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND } = constants;
  if (typeof flags === 'number') return (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND)) === 0;
  return flags === undefined || flags === null || typeof flags === 'function';
}

/**
 * Replaces properties, including read-only ones and ones with a getter. A property that is neither configurable nor
 * writable is not changed.
 */
export function replaceProperties(owner: object, values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values)) {
    const descriptor = Object.getOwnPropertyDescriptor(owner, name);
    if (descriptor?.configurable === false && !descriptor.writable) continue;
    Object.defineProperty(owner, name, {
      value,
      configurable: descriptor?.configurable ?? true,
      enumerable: descriptor?.enumerable ?? true,
      writable: true,
    });
  }
}

/** A module of Node, by its name without `node:`. */
export function loadBuiltin(name: string): Record<string, unknown> {
  return createRequire(import.meta.url)(`node:${name}`) as Record<string, unknown>;
}
