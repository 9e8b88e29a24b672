// Blocks side effects of compared code outside of the process: functions of Node that write files, start processes or
// threads, or use the network are refused, and each refusal is recorded. This serves to leave out code that acts, and
// is no boundary against code that wants to get out, such as by private fields of Node's objects: that is the sandbox.

import { constants } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';

/** Functions of `fs` and `fs/promises` that only read. */
const READING = ['readFile', 'stat', 'lstat', 'access', 'readdir', 'realpath', 'readlink', 'statfs'];

type Refuse = (action: string) => (...args: unknown[]) => never;

/**
 * What stays of modules that reach outside, by name; all their other functions and classes are refused. Classes that
 * stay reach outside only by functions or methods that are refused, and libraries use them when they are loaded.
 */
const KEPT: Readonly<Record<string, RegExp>> = {
  // `open` stays because reading by a handle needs it; its flags are checked.
  fs: new RegExp(
    `^(?:(?:${READING.join('|')}|fstat|read|open|close|exists|createReadStream)(?:Sync)?|Dirent|Stats|_toUnixTimestamp)$`,
  ),
  'fs/promises': new RegExp(`^(?:${READING.join('|')})$`),
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

/** Functions and classes that are refused in modules that mostly compute. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  // A getter, which would load a whole client if it were called.
  http: ['WebSocket'],
  worker_threads: ['Worker'],
  v8: ['writeHeapSnapshot', 'setHeapSnapshotNearHeapLimit', 'setFlagsFromString', 'takeCoverage', 'stopCoverage'],
  // Hooks run in another thread, in which everything is open.
  module: ['register', 'enableCompileCache', 'flushCompileCache'],
  crypto: ['setEngine'],
  os: ['setPriority'],
  process: [
    ...['exit', 'abort', 'kill', '_kill', 'reallyExit', 'execve', 'dlopen', '_linkedBinding', '_debugProcess'],
    ...['chdir', 'umask', 'setuid', 'setgid', 'seteuid', 'setegid', 'setgroups', 'initgroups'],
  ],
};

/** Methods that are refused, of classes that stay or that Node uses inside. */
const REFUSED_METHODS: readonly (readonly [module: string, kind: string, methods: RegExp])[] = [
  ['child_process', 'ChildProcess', /^spawn$/],
  ['dgram', 'Socket', /^(?:bind|connect|send)/],
  ['dns', 'Resolver', /^(?:resolve|reverse)/],
  ['dns/promises', 'Resolver', /^(?:resolve|reverse)/],
  ['net', 'Socket', /^connect$/],
  ['net', 'Server', /^(?:listen|_listen2)$/],
  ['inspector', 'Session', /^connect/],
];

/** Bindings of `process.binding` that only compute or describe; `safer-buffer` reads one when it is loaded. */
const HARMLESS_BINDINGS = /^(?:buffer|config|constants|natives|url|util|uv)$/;

/** Refuses the ways out of this process, permanently. Functions that read files stay. */
export function closeDoors(refuse: Refuse): void {
  // The classes themselves are refused below.
  for (const [module, kind, methods] of REFUSED_METHODS) {
    const { prototype } = loadBuiltin(module)[kind] as { readonly prototype: object };
    for (const name of functionNames(prototype))
      if (methods.test(name)) replace(prototype, { [name]: refuse(`${labelOfModule(module)}.${kind}.${name}`) });
  }
  const { open, openSync } = loadBuiltin('fs') as Record<'open' | 'openSync', (...args: unknown[]) => unknown>;
  for (const [module, keptNames] of Object.entries(KEPT)) {
    if (!isBuiltin(`node:${module}`)) continue;
    const owner = loadBuiltin(module);
    for (const name of functionNames(owner))
      if (!keptNames.test(name)) replace(owner, { [name]: refuse(`${labelOfModule(module)}.${name}`) });
  }
  for (const [name, original] of Object.entries({ open, openSync })) {
    const refused = refuse(`fs.${name}`);
    replace(loadBuiltin('fs'), {
      [name]: (...args: unknown[]) => (opensForReading(args[1]) ? original(...args) : refused(...args)),
    });
  }
  for (const [module, names] of Object.entries(REFUSED)) {
    const owner = loadBuiltin(module);
    for (const name of names) if (name in owner) replace(owner, { [name]: refuse(`${module}.${name}`) });
  }
  replace(process.report, { writeReport: refuse('process.report.writeReport') });
  const { binding } = process as unknown as { readonly binding: (name: unknown) => unknown };
  const refusedBinding = refuse('process.binding');
  replace(process, {
    binding: (name: unknown) => (HARMLESS_BINDINGS.test(String(name)) ? binding(name) : refusedBinding(name)),
  });
  // Only an assignment does not load the client: Node makes it as soon as something asks for the property.
  for (const name of ['fetch', 'WebSocket', 'EventSource'])
    if (name in globalThis) Object.assign(globalThis, { [name]: refuse(name) });
}

function labelOfModule(module: string): string {
  return module.replace('/', '.');
}

/** Names of the functions in an object. A getter is not called, because it may load much. */
function functionNames(owner: object): readonly string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(owner)).flatMap(([name, { value }]) =>
    typeof value === 'function' && name !== 'constructor' ? [name] : [],
  );
}

/** True for the flags of `fs.open` that neither write nor create; https://nodejs.org/api/fs.html#file-system-flags. */
function opensForReading(flags: unknown): boolean {
  if (typeof flags === 'string') return /^(r|rs|sr)$/.test(flags);
  const { O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND } = constants;
  if (typeof flags === 'number') return (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND)) === 0;
  return flags === undefined || flags === null || typeof flags === 'function';
}

/**
 * Replaces properties, including read-only ones and ones with a getter. A property that is neither configurable nor
 * writable is not changed.
 */
export function replace(owner: object, values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values)) {
    const existing = Object.getOwnPropertyDescriptor(owner, name);
    if (existing?.configurable === false && !existing.writable) continue;
    Object.defineProperty(owner, name, {
      value,
      configurable: existing?.configurable ?? true,
      enumerable: existing?.enumerable ?? true,
      writable: true,
    });
  }
}

/** A module of Node, by its name without `node:`. */
export function loadBuiltin(name: string): Record<string, unknown> {
  return createRequire(import.meta.url)(`node:${name}`) as Record<string, unknown>;
}
