// The code of a file as it runs: whether two texts are the same program, and whether they differ only in exports.

import { ts } from 'ts-morph';
import { declaredNames } from './scopes.ts';

/** Without comments and types. */
export function emitted(path: string, text: string): string {
  const kept = /\.[cm]?jsx$|\.tsx$/.test(path) ? ts.JsxEmit.ReactJSX : ts.JsxEmit.Preserve;
  return ts.transpileModule(text, {
    fileName: path,
    compilerOptions: {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      removeComments: true,
      jsx: kept,
      allowJs: true,
      moduleDetection: ts.ModuleDetectionKind.Force,
    },
  }).outputText;
}

/**
 * Names that are no longer exported, where that is all that tells two emitted texts apart; else empty. A default export
 * is never among them.
 */
export function unexportedNames(before: string, after: string): readonly string[] {
  const [old, fresh] = [withoutExports(before), withoutExports(after)];
  if (old.code !== fresh.code || [...fresh.names].some((name) => !old.names.has(name))) return [];
  return [...old.names].filter((name) => !fresh.names.has(name));
}

function withoutExports(code: string): { readonly code: string; readonly names: ReadonlySet<string> } {
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
    for (const name of declaredNames(statement)) names.add(name);
    const at = exported.getStart(sourceFile) - statement.getStart(sourceFile);
    parts.push(text.slice(0, at) + text.slice(at + exported.getText(sourceFile).length).trimStart());
  }
  return { code: parts.join('\n'), names };
}
