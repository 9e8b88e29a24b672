// Decides whether a name is declared by ECMAScript, browsers, Node or the TypeScript compiler.

import { isBuiltin } from 'node:module';
import { Project, ts } from 'ts-morph';
import { isDeclaredByLanguage } from '../../../util/values/standardNames.ts';

/** Folder of the compiler's libraries in the in-memory file system of ts-morph. */
const LIBRARY_FOLDER = '/node_modules/typescript/lib';
/** The modules of Node whose exports are known without an import. */
const NODE_MODULES = `assert async_hooks buffer child_process cluster crypto dgram diagnostics_channel dns events fs
  fs/promises http http2 https net os path perf_hooks process querystring readline stream stream/promises
  string_decoder timers tls tty url util v8 vm worker_threads zlib`.split(/\s+/);
/** Names of errors, fields of package.json and naming styles that occur in none of the declarations. */
const FURTHER_NAMES = `AbortError TimeoutError NotFoundError NotAllowedError NotSupportedError InvalidStateError
  InvalidAccessError SecurityError NetworkError DataCloneError QuotaExceededError ConstraintError TransactionInactiveError
  SyntaxError EncodingError OperationError SystemError AssertionError NodeJS devDependencies peerDependencies
  optionalDependencies bundledDependencies bundleDependencies peerDependenciesMeta dependenciesMeta publishConfig
  packageManager typesVersions sideEffects camelCase pascalCase snakeCase kebabCase compilerOptions`.split(/\s+/);

let words: ReadonlySet<string> | null = null;

/** True for a name that belongs to the language, its library, browsers, Node or the options of the compiler. */
export function isGlobalName(name: string): boolean {
  if (isDeclaredByLanguage(name)) return true;
  words ??= collectWords();
  return words.has(name);
}

function collectWords(): ReadonlySet<string> {
  const globalNames = new Set(FURTHER_NAMES);
  const host = new Project({ useInMemoryFileSystem: true }).getModuleResolutionHost();
  const { libMap, optionDeclarations } = ts as unknown as {
    readonly libMap?: ReadonlyMap<string, string>;
    readonly optionDeclarations?: readonly { readonly name: string }[];
  };
  for (const file of new Set(libMap?.values()))
    for (const word of (host.readFile(`${LIBRARY_FOLDER}/${file}`) ?? '').match(/[\w$]+/g) ?? []) globalNames.add(word);
  for (const { name } of optionDeclarations ?? []) globalNames.add(name);
  for (const name of NODE_MODULES)
    if (isBuiltin(name)) for (const word of listExportedNames(name)) globalNames.add(word);
  return globalNames;
}

/** The names that a module of Node exports, and the names of the methods of its classes. */
function listExportedNames(name: string): readonly string[] {
  const { getBuiltinModule } = process as { getBuiltinModule?: (name: string) => unknown };
  const loadedModule = getBuiltinModule?.(name);
  if ((typeof loadedModule !== 'object' && typeof loadedModule !== 'function') || loadedModule === null) return [];
  return Object.entries(Object.getOwnPropertyDescriptors(loadedModule)).flatMap(([exported, { value }]) => {
    const prototype: unknown = typeof value === 'function' ? value.prototype : null;
    return [exported, ...(typeof prototype === 'object' && prototype ? Object.getOwnPropertyNames(prototype) : [])];
  });
}
