// Loads the compiled files of the repository instead of those on disk, and gives access to declarations that are not
// exported.

import { readFileSync } from 'node:fs';
import nodeModule from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ComparedTarget } from '../../core/verify/differential/plan.ts';
import type { SideStart } from './messages.ts';
import { findPathInRoot, resolveImport, SCRIPT_PATTERN } from './resolve.ts';

/** The key of the global object at which loaded modules store functions for their declarations, by path and name. */
const ACCESSORS_KEY = Symbol.for('selfware.hatch');

/** Loads compiled files in this process. */
export interface Loader {
  /** Loads a module for its effects. Throws the errors of the module. */
  run(path: string): Promise<void>;
  /**
   * Loads the file. Returns a function for each target by name, and for `default`, which returns its value and the
   * `this` for a call. Throws the errors of the module.
   */
  load(path: string): Promise<Readonly<Record<string, () => readonly [value: unknown, self: unknown]>>>;
}

/** Installs the hooks of this process, and returns its loader. It must be called only once. */
export function createLoader({ rootDir, codes, observed = {}, targets, emit }: SideStart): Loader {
  nodeModule.registerHooks({
    resolve(specifier, context, next) {
      const importer = context.parentURL?.startsWith('file:') ? fileURLToPath(context.parentURL) : null;
      const resolvedFile =
        importer === null || findPathInRoot(rootDir, importer) === null
          ? null
          : resolveImport(specifier, importer, emit, rootDir);
      if (resolvedFile) return { url: pathToFileURL(resolvedFile).href, shortCircuit: true };
      try {
        return next(specifier, context);
      } catch (error) {
        const bundlerFile = importer === null ? null : resolveLikeBundlers(specifier, importer, error);
        if (bundlerFile === null) throw error;
        return { url: pathToFileURL(bundlerFile).href, shortCircuit: true };
      }
    },
    load(url, context, next) {
      const file = url.startsWith('file:') ? fileURLToPath(url) : null;
      const path = file === null ? null : findPathInRoot(rootDir, file);
      if (file === null || path === null) return next(url, context);
      if (file.endsWith('.json'))
        return context.conditions.includes('require')
          ? next(url, context)
          : { format: 'module', source: `export default ${readFileSync(file, 'utf8')};`, shortCircuit: true };
      // Style sheets, pictures and similar files do not affect the results of a function.
      if (!SCRIPT_PATTERN.test(file))
        return { format: 'module', source: `export default ${JSON.stringify(path)};`, shortCircuit: true };
      const compiled = codes[path];
      // A module whose name is computed at run time was not compiled in advance, so Node loads it.
      return compiled
        ? {
            format: compiled.format,
            source: (observed[path] ?? compiled).code + formatAccessors(path, targets),
            shortCircuit: true,
          }
        : next(url, context);
    },
  });

  return {
    async run(path) {
      await import(pathToFileURL(join(rootDir, path)).href);
    },
    async load(path) {
      const loaded = (await import(pathToFileURL(join(rootDir, path)).href)) as Readonly<Record<string, unknown>>;
      const accessors =
        (globalThis as { [ACCESSORS_KEY]?: Record<string, Record<string, () => readonly [unknown, unknown]>> })[
          ACCESSORS_KEY
        ]?.[path] ?? {};
      return {
        ...accessors,
        ...collectExportedTargets(loaded, path, targets),
        default: () => [loaded['default'], undefined],
      };
    },
  };
}

/**
 * The file for an import that Node refuses in ES modules and bundlers accept: a folder of a package, or a file without
 * its extension. Null for any other error, and if there is no such file.
 */
function resolveLikeBundlers(specifier: string, importer: string, error: unknown): string | null {
  const { code } = error as { readonly code?: unknown };
  if (code !== 'ERR_UNSUPPORTED_DIR_IMPORT' && code !== 'ERR_MODULE_NOT_FOUND') return null;
  try {
    return nodeModule.createRequire(importer).resolve(specifier);
  } catch {
    return null;
  }
}

/**
 * Functions for the targets that the module exports, by name. They include re-exports, whose original names do not
 * occur in the module.
 */
function collectExportedTargets(
  loaded: Readonly<Record<string, unknown>>,
  path: string,
  targets: readonly ComparedTarget[],
) {
  // Node detects only some of the members that a CommonJS module exports.
  const defaultExport = loaded['default'];
  const hasMembers =
    (typeof defaultExport === 'object' && defaultExport !== null) || typeof defaultExport === 'function';
  const members = hasMembers ? (defaultExport as Readonly<Record<string, unknown>>) : {};
  const isCommonJs = 'module.exports' in loaded;
  // The default export of a module that was compiled to CommonJS is a member of its exports.
  const isCompiled = isCommonJs && Object.hasOwn(members, '__esModule');
  const findHolder = (name: string) =>
    isCompiled && name === 'default' && Object.hasOwn(members, name)
      ? members
      : name in loaded
        ? loaded
        : isCommonJs && Object.hasOwn(members, name)
          ? members
          : null;
  return Object.fromEntries(
    targets.flatMap((target) => {
      if (target.kind !== 'function' || target.path !== path || target.access.includes('.')) return [];
      const { name, exportedAs } = target;
      const exportHolder = exportedAs === null ? null : findHolder(exportedAs);
      return exportHolder ? [[name, () => [exportHolder[exportedAs!], undefined] as const]] : [];
    }),
  );
}

/**
 * A line for the end of the module that gives access to declarations which cannot be imported; empty if there are none.
 * It stores functions, so that no value is read too early.
 */
function formatAccessors(path: string, targets: readonly ComparedTarget[]): string {
  const accessors = targets
    .filter((target) => target.path === path && target.access !== 'default')
    .map(
      ({ name, access }) =>
        `${JSON.stringify(name)}: () => [${access}, ${access.includes('.') ? access.slice(0, access.lastIndexOf('.')) : 'undefined'}]`,
    );
  return accessors.length === 0
    ? ''
    : `\n;(globalThis[Symbol.for("selfware.hatch")] ??= {})[${JSON.stringify(path)}] = { ${accessors.join(', ')} };\n`;
}
