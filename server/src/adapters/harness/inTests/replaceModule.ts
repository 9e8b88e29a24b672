// Gives tests another module instead of the library that they load, and detects when all of their files are loaded.

import nodeModule from 'node:module';

/** The function with which Node loads a CommonJS module. */
type Load = (this: unknown, request: string, parent: Parent, isMain: boolean) => unknown;
/** The module that makes a request. */
type Parent = { readonly filename?: string | null } | null;

/** Milliseconds without a new test after which all files count as loaded. */
export const QUIET_MS = 150;
/** Milliseconds between two checks whether all files are loaded. */
const CHECK_MS = 20;
/** The start of the address of a replacing module. */
const URL_PREFIX = 'selfware-replaced:';
/** Node's own functions, because tests may replace the global ones. */
const { setTimeout: setRealTimeout, clearTimeout: clearRealTimeout, setImmediate: setRealImmediate } = globalThis;

/**
 * Replaces the result of `require` for requests that `matches` accepts, and of `import` for the name in
 * `importedModule`, whose library lies at `path`. `from`: the file with the request. `createReplacement`: creates the
 * replacement from the library; called once. If this version of Node has no `registerHooks`, `import` of a module of
 * Node itself is not replaced.
 */
export function replaceModule(
  matches: (request: string, from: string) => boolean,
  createReplacement: (original: never) => object,
  importedModule: { readonly name: string; readonly path: string },
): void {
  let replacement: object | null = null;
  const moduleLoader = nodeModule as unknown as {
    _load: Load;
    _resolveFilename(request: string, parent: Parent, isMain: boolean): string;
    readonly _cache: Readonly<Record<string, { exports: unknown }>>;
  };
  const originalLoad = moduleLoader._load;
  moduleLoader._load = function (request, parent, isMain) {
    const original = originalLoad.call(this, request, parent, isMain);
    if (!matches(request, parent?.filename ?? '') || typeof original !== 'function') return original;
    replacement ??= createReplacement(original as never);
    // In older versions of Node, a module that imports a package that is loaded already gets it from here.
    const cachedModule = moduleLoader._cache[moduleLoader._resolveFilename(request, parent, isMain)];
    if (cachedModule) cachedModule.exports = replacement;
    return replacement;
  };
  if (typeof nodeModule.registerHooks !== 'function') return;
  const { name, path } = importedModule;
  const url = `${URL_PREFIX}${name}`;
  const key = `__selfware ${name}`;
  nodeModule.registerHooks({
    resolve: (specifier, context, next) =>
      specifier === name && !context.conditions.includes('require')
        ? { url, format: 'module', shortCircuit: true }
        : next(specifier, context),
    load(address, context, next) {
      if (address !== url) return next(address, context);
      replacement ??= createReplacement(originalLoad.call(nodeModule, path, null, false) as never);
      Object.defineProperty(globalThis, key, { value: replacement, configurable: true });
      const names = Object.keys(replacement).filter((name) => name !== 'default' && /^[a-z]\w*$/i.test(name));
      const source = [
        `const own = globalThis[${JSON.stringify(key)}];`,
        'export default own;',
        ...names.map((name) => `const ${name}_ = own.${name}; export { ${name}_ as ${name} };`),
      ].join('\n');
      return { format: 'module', source, shortCircuit: true };
    },
  });
}

/**
 * Calls `start` once: when the check returns true, because the files are loaded, or when the process has nothing else
 * to do. `chooseCheck`: called at the first test, returns the check. If it returns null, the files count as loaded when
 * no test was registered for `QUIET_MS`. Returns the function to call for each registered test.
 */
export function runWhenLoaded(start: () => void, chooseCheck: () => (() => boolean) | null): () => void {
  let timer: ReturnType<typeof setRealTimeout> | undefined;
  let isLoaded: (() => boolean) | null | undefined;
  let hasStarted = false;
  const begin = () => {
    if (hasStarted) return;
    hasStarted = true;
    clearRealTimeout(timer);
    start();
  };
  const check = () => {
    if (isLoaded?.()) begin();
    else timer = setRealTimeout(check, CHECK_MS).unref();
  };
  return () => {
    if (hasStarted) return;
    if (isLoaded === undefined) {
      isLoaded = chooseCheck();
      process.once('beforeExit', begin);
      if (isLoaded !== null) setRealImmediate(check);
    }
    if (isLoaded !== null) return;
    clearRealTimeout(timer);
    timer = setRealTimeout(begin, QUIET_MS);
  };
}

/**
 * Returns a function that returns true once the ES module at this address was evaluated to its end. It always returns
 * false if this version of Node has no `registerHooks`.
 */
export function watchEvaluation(address: string): () => boolean {
  if (typeof nodeModule.registerHooks !== 'function') return () => false;
  let isEvaluated = false;
  const key = '__selfwareEvaluated';
  Object.defineProperty(globalThis, key, { value: () => void (isEvaluated = true), configurable: true });
  nodeModule.registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (url !== address || !loaded.format?.startsWith('module') || !loaded.source) return loaded;
      const source =
        typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source as Uint8Array);
      return { ...loaded, source: `${source}\n;globalThis.${key}?.();\n` };
    },
  });
  return () => isEvaluated;
}
