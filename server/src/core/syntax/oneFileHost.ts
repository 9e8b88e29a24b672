// Makes a compiler host with a single file: nothing is read from disk, no library, no import.

import type { ts } from 'ts-morph';

/** Creates a compiler host that knows only this file. */
export function createOneFileHost(sourceFile: ts.SourceFile): ts.CompilerHost {
  return {
    getSourceFile: (name) => (name === sourceFile.fileName ? sourceFile : undefined),
    fileExists: (name) => name === sourceFile.fileName,
    readFile: () => undefined,
    writeFile: () => undefined,
    getDefaultLibFileName: () => '/lib.d.ts',
    getCurrentDirectory: () => '/',
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    getDirectories: () => [],
    directoryExists: () => false,
    realpath: (path) => path,
  };
}
