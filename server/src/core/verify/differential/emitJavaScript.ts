// Compiles files to JavaScript, and decides whether two texts are the same program, or differ only in their exports.

import { ts } from 'ts-morph';
import { listDeclaredNames } from './scopes.ts';

/** Compiles a text to JavaScript without comments and types. `additionalOptions`: further compiler options. */
export function emitJavaScript(path: string, text: string, additionalOptions: ts.CompilerOptions = {}): string {
  const jsx = /\.[cm]?jsx$|\.tsx$/.test(path) ? ts.JsxEmit.ReactJSX : ts.JsxEmit.Preserve;
  return ts.transpileModule(text, {
    fileName: path,
    compilerOptions: {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      removeComments: true,
      jsx,
      allowJs: true,
      moduleDetection: ts.ModuleDetectionKind.Force,
      ...additionalOptions,
    },
  }).outputText;
}

/**
 * The reason why two texts with the same compiled code may still run differently, as a sentence, because compilers and
 * runtimes do not all drop the same imports. Null if the texts always run alike.
 */
export function explainHiddenDifference(path: string, before: string, after: string): string | null {
  if (!/\.[cm]?tsx?$/.test(path)) return null;
  const [oldFile, changedFile] = [before, after].map((text) =>
    ts.createSourceFile(path, text, ts.ScriptTarget.Latest),
  ) as [ts.SourceFile, ts.SourceFile];
  const loadedBefore = collectLoads(oldFile);
  let index = 0;
  const addedSpecifier = collectLoads(changedFile).find((specifier) => {
    index = loadedBefore.indexOf(specifier, index) + 1;
    return index === 0;
  });
  // Node and `verbatimModuleSyntax` load every import that is not marked as a type.
  if (addedSpecifier !== undefined)
    return `${path} now loads '${addedSpecifier}' where imports without a use are kept.`;
  if (findConstEnums(oldFile).join() !== findConstEnums(changedFile).join())
    return `An enum of ${path} exists at run time for some compilers only.`;
  const decoratorOptions = { experimentalDecorators: true, emitDecoratorMetadata: true };
  if (
    after.includes('@') &&
    emitJavaScript(path, before, decoratorOptions) !== emitJavaScript(path, after, decoratorOptions)
  )
    return `Types of ${path} are read at run time where decorators record them.`;
  return null;
}

/** The modules that a file loads, in order, without type imports. */
function collectLoads({ statements }: ts.SourceFile): readonly string[] {
  return statements.flatMap((statement) => {
    const isType = ts.isImportDeclaration(statement)
      ? statement.importClause?.isTypeOnly
      : ts.isExportDeclaration(statement) && statement.isTypeOnly;
    if (isType || !(ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement))) return [];
    const { moduleSpecifier } = statement;
    return moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? [moduleSpecifier.text] : [];
  });
}

/** Names of the enums that a compiler may omit from the compiled code. */
function findConstEnums({ statements }: ts.SourceFile): readonly string[] {
  return statements.flatMap((statement) =>
    ts.isEnumDeclaration(statement) && statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ConstKeyword)
      ? [statement.name.text]
      : [],
  );
}

/**
 * Names that are no longer exported, if that is the only difference between two compiled texts; otherwise empty. Never
 * includes a default export.
 */
export function findUnexportedNames(before: string, after: string): readonly string[] {
  const [old, changed] = [removeExports(before), removeExports(after)];
  if (old.code !== changed.code || [...changed.names].some((name) => !old.names.has(name))) return [];
  return [...old.names].filter((name) => !changed.names.has(name));
}

/** The code without its exports, and the names that it exports. */
function removeExports(code: string): { readonly code: string; readonly names: ReadonlySet<string> } {
  const sourceFile = ts.createSourceFile('emitted.js', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JSX);
  const names = new Set<string>();
  const parts: string[] = [];
  for (const statement of sourceFile.statements) {
    if (
      ts.isExportDeclaration(statement) &&
      !statement.moduleSpecifier &&
      statement.exportClause &&
      ts.isNamedExports(statement.exportClause)
    ) {
      for (const { name } of statement.exportClause.elements) names.add(name.text);
      continue;
    }
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    const exported = modifiers.find(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    const text = statement.getText(sourceFile);
    if (!exported || modifiers.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)) {
      parts.push(text);
      continue;
    }
    for (const name of listDeclaredNames(statement)) names.add(name);
    const offset = exported.getStart(sourceFile) - statement.getStart(sourceFile);
    parts.push(text.slice(0, offset) + text.slice(offset + exported.getText(sourceFile).length).trimStart());
  }
  return { code: parts.join('\n'), names };
}
