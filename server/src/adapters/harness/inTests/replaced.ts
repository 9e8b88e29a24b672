// Gives tests another module than the library that they load, and starts once all of their files are loaded.

import nodeModule from 'node:module';

type Load = (this: unknown, request: string, parent: unknown, isMain: boolean) => unknown;

/** Milliseconds without a new test after which all files count as loaded. */
const QUIET_MS = 300;
const URL_PREFIX = 'selfware-replaced:';
/** Node's own functions, because tests may replace the global ones. */
const { setTimeout: later, clearTimeout: cancel } = globalThis;

/**
 * Replaces what `require` returns for requests that `matches` accepts, and what `import` returns for those that are a
 * module of Node. `replacementOf`: called once, with the library itself. Without `registerHooks` in this version of
 * Node, `import` returns the library itself.
 */
export function replaceModule(
  matches: (request: string) => boolean,
  replacementOf: (own: never) => object,
  builtin: string | null = null,
): void {
  let replacement: object | null = null;
  const loader = nodeModule as unknown as { _load: Load };
  const load = loader._load;
  loader._load = function (request, parent, isMain) {
    const own = load.call(this, request, parent, isMain);
    if (!matches(request) || typeof own !== 'function') return own;
    return (replacement ??= replacementOf(own as never));
  };
  if (builtin === null || typeof nodeModule.registerHooks !== 'function') return;
  const url = `${URL_PREFIX}${builtin}`;
  const key = `__selfware ${builtin}`;
  nodeModule.registerHooks({
    resolve: (specifier, context, next) =>
      specifier === builtin && !context.conditions.includes('require')
        ? { url, format: 'module', shortCircuit: true }
        : next(specifier, context),
    load(address, context, next) {
      if (address !== url) return next(address, context);
      replacement ??= replacementOf(load.call(nodeModule, builtin, null, false) as never);
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
 * Calls `start` once: when no test was registered for a while, or when the process has nothing else to do. Returns the
 * function to call for each registered test.
 */
export function whenAllAreLoaded(start: () => void): () => void {
  let timer: ReturnType<typeof later> | undefined;
  let hasStarted = false;
  const begin = () => {
    if (hasStarted) return;
    hasStarted = true;
    cancel(timer);
    start();
  };
  return () => {
    if (hasStarted) return;
    if (timer === undefined) process.once('beforeExit', begin);
    cancel(timer);
    timer = later(begin, QUIET_MS);
  };
}
