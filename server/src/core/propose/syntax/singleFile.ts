// Creates TypeScript's language service for a single text, without libraries and without resolving imports. That is
// sufficient for finding unused names.

import { ts } from 'ts-morph';

/** Options with which the compiler checks one file without libraries and imports. */
const COMPILER_OPTIONS: ts.CompilerOptions = {
  noLib: true,
  noResolve: true,
  types: [],
  allowJs: true,
  jsx: ts.JsxEmit.ReactJSX,
  target: ts.ScriptTarget.Latest,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  experimentalDecorators: true,
};

/** Creates the service. The extension of `fileName` determines the dialect. The caller must dispose of the service. */
export function createSingleFileService(fileName: string, text: string): ts.LanguageService {
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => COMPILER_OPTIONS,
    getScriptFileNames: () => [fileName],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => (name === fileName ? ts.ScriptSnapshot.fromString(text) : undefined),
    getCurrentDirectory: () => '/',
    getDefaultLibFileName: () => '/lib.d.ts',
    fileExists: (name) => name === fileName,
    readFile: (name) => (name === fileName ? text : undefined),
    directoryExists: () => false,
    useCaseSensitiveFileNames: () => true,
  };
  return ts.createLanguageService(host);
}
