// Compiles the repository's code once for all processes: the files of the targets, in their old and new forms if the
// change touches them, and all files that they load.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ts } from 'ts-morph';
import type { EmitOptions, HarnessOrder } from '../../core/verify/differential/plan.ts';
import type { Code } from './messages.ts';
import { detectModuleFormat, findPathInRoot, resolveImport, SCRIPT_PATTERN } from './resolve.ts';

/**
 * Maximum number of files. Code that loads more is a whole application, and loading it would take longer than comparing
 * it.
 */
const MAX_FILES = 3_000;
/** Matches a variable that is set to a required module, even in a comment or a string. */
const REQUIRE_CALL = /^(?:const|let|var)\b[^;\n]*=\s*require\(/m;
/** Declares `require` in a module. */
const REQUIRE_DECLARATION =
  "import { createRequire as createOwnRequire } from 'node:module';const require = createOwnRequire(import.meta.url);";

/** The code of both sides as JavaScript. */
export interface CompiledSides {
  /** Every file of the repository that either side loads, by path; touched files in their new form. */
  readonly newCode: Readonly<Record<string, Code>>;
  /** Touched files in their old form. */
  readonly oldCode: Readonly<Record<string, Code>>;
}

/**
 * Compiles the targets' files and all files of the repository that they import, directly or indirectly. `compilesAsModules`:
 * compiles all as ES modules, otherwise each in its own format. Throws the errors of reading a file, and an `Error` for
 * too many files.
 */
export function compileAll(
  request: Pick<HarnessOrder, 'files' | 'emit'> & { readonly targets: readonly { readonly path: string }[] },
  rootDir: string,
  compilesAsModules: boolean,
): CompiledSides {
  const newCode: Record<string, Code> = {};
  const oldCode: Record<string, Code> = {};
  // Data that tests import, such as JSON, is loaded as it is.
  const queue = [...new Set(request.targets.map(({ path }) => path))].filter((path) => SCRIPT_PATTERN.test(path));
  const queued = new Set(queue);
  const compileFile = (path: string, text: string): Code => {
    const file = join(rootDir, path);
    const format = compilesAsModules ? 'module' : detectModuleFormat(file, text);
    const code = addRequire(toJavaScript(file, text, format, request.emit), format);
    for (const { fileName } of ts.preProcessFile(code, true, true).importedFiles) {
      const resolved = resolveImport(fileName, file, request.emit, rootDir);
      const importedPath = resolved === null ? null : findPathInRoot(rootDir, resolved);
      if (importedPath === null || queued.has(importedPath) || !SCRIPT_PATTERN.test(importedPath)) continue;
      queued.add(importedPath);
      queue.push(importedPath);
    }
    return { code, format };
  };
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    newCode[path] = compileFile(path, readFileSync(join(rootDir, path), 'utf8'));
    const touchedFile = request.files.find((candidate) => candidate.path === path);
    if (touchedFile) oldCode[path] = compileFile(path, touchedFile.before);
    if (queued.size > MAX_FILES) throw new Error(`The compared code loads more than ${MAX_FILES} files.`);
  }
  return { newCode: newCode, oldCode: oldCode };
}

/**
 * The code, with a declaration of `require` if a module calls one that it does not declare, as compilers to CommonJS
 * allow. All lines keep their numbers.
 */
function addRequire(code: string, format: 'module' | 'commonjs'): string {
  if (format !== 'module' || !REQUIRE_CALL.test(code) || code.includes('createRequire')) return code;
  const file = ts.createSourceFile('module.js', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  if (!file.statements.some(requiresModule) || declaresRequire(file)) return code;
  // A `#!` line is allowed only at the beginning of a file.
  const [firstLine] = /^#!.*(?:\r?\n)?/.exec(code) ?? [''];
  return `${firstLine}${REQUIRE_DECLARATION}${code.slice(firstLine.length)}`;
}

/** True for a statement that sets a variable to a required module. */
function requiresModule(statement: ts.Statement): boolean {
  return (
    ts.isVariableStatement(statement) &&
    statement.declarationList.declarations.some(({ initializer }) => initializer?.getText().startsWith('require('))
  );
}

/** True if the file declares or imports something named `require` outside of its functions and classes. */
function declaresRequire(file: ts.SourceFile): boolean {
  const hasDeclaration = (node: ts.Node): boolean =>
    isNamedRequire(node) ||
    (!ts.isFunctionLike(node) && !ts.isClassLike(node) && (ts.forEachChild(node, hasDeclaration) ?? false));
  return hasDeclaration(file);
}

/** True for a declaration or an import that names something `require`, but not for a member of an object or a class. */
function isNamedRequire(node: ts.Node): boolean {
  const isNamingNode =
    ts.isVariableDeclaration(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isImportClause(node) ||
    ts.isImportSpecifier(node) ||
    ts.isNamespaceImport(node);
  return isNamingNode && node.name !== undefined && ts.isIdentifier(node.name) && node.name.text === 'require';
}

/** The text as JavaScript. Plain JavaScript stays as it is, unless it has to become CommonJS. */
function toJavaScript(file: string, text: string, format: 'module' | 'commonjs', emit: EmitOptions): string {
  const isPlainJavaScript = /\.[cm]?js$/.test(file);
  if (isPlainJavaScript && !(format === 'commonjs' && /^\s*(import|export)\b/m.test(text))) return text;
  const options: ts.CompilerOptions = ts.convertCompilerOptionsFromJson({ ...emit.compiler }, '').options;
  return ts.transpileModule(text, {
    fileName: file,
    compilerOptions: {
      ...options,
      allowJs: true,
      target: ts.ScriptTarget.ES2022,
      module: format === 'module' ? ts.ModuleKind.ESNext : ts.ModuleKind.CommonJS,
      esModuleInterop: options.esModuleInterop ?? true,
      sourceMap: false,
      removeComments: true,
    },
  }).outputText;
}
