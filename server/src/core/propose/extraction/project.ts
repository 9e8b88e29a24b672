// TypeScript's language service over the tree: one file that can be edited, and whatever it reaches by imports.

import { Project as Bundled, ts } from 'ts-morph';
import type { SourceTree } from '../../indexPorts.ts';
import { compilerOptionsFor } from './compilerOptions.ts';

export interface Project {
  readonly service: ts.LanguageService;
  readonly fileName: string;
  /** The file as the checker sees it now. */
  sourceFile(): ts.SourceFile;
  checker(): ts.TypeChecker;
  /** Tries another text for the file. */
  setText(text: string): void;
  /** What the compiler has to say about the file: code and message, in order. */
  problems(): readonly string[];
}

/** Where ts-morph keeps the compiler's libraries, and where we show them. */
const BUNDLED = '/node_modules/typescript/lib';
const LIBRARIES = '/.typescript/lib';
/** So that a huge repository costs bounded time: files beyond that count as missing, and what then is `any` is refused. */
const MOST_FILES = 2500;
const MOST_DECLARATION_FILES = 60;
const MOST_FOLDERS = 400;

export function openProject(tree: SourceTree, fileName: string, text: string): Project {
  const { options, folder } = compilerOptionsFor(tree, fileName);
  const libraries = new Bundled({ useInMemoryFileSystem: true }).getModuleResolutionHost();
  const snapshots = new Map<string, ts.IScriptSnapshot | undefined>();
  const roots = [fileName, ...ambientFiles(tree, folder)];
  let current = ts.ScriptSnapshot.fromString(text);
  let version = 1;

  const read = (name: string): string | undefined => (name.startsWith(LIBRARIES) ? libraries.readFile(BUNDLED + name.slice(LIBRARIES.length)) : tree.read(name));
  const fileExists = (name: string): boolean => (name.startsWith(LIBRARIES) ? libraries.fileExists(BUNDLED + name.slice(LIBRARIES.length)) : tree.fileExists(name));
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => roots,
    getScriptVersion: (name) => (name === fileName ? String(version) : '1'),
    getScriptSnapshot(name) {
      if (name === fileName) return current;
      if (!snapshots.has(name)) {
        const content = snapshots.size < MOST_FILES ? read(name) : undefined;
        snapshots.set(name, content === undefined ? undefined : ts.ScriptSnapshot.fromString(content));
      }
      return snapshots.get(name);
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: (settings) => `${LIBRARIES}/${ts.getDefaultLibFileName(settings)}`,
    fileExists,
    readFile: read,
    directoryExists: (name) => name.startsWith(LIBRARIES) || tree.folderExists(name),
    getDirectories: (name) => tree.list(name).filter(({ kind }) => kind === 'folder').map((entry) => entry.name),
    realpath: (name) => (name.startsWith(LIBRARIES) ? name : tree.realPath(name).replaceAll('\\', '/')),
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
  });
  const program = (): ts.Program => {
    const made = service.getProgram();
    if (!made) throw new Error('The language service has no program.');
    return made;
  };

  return {
    service,
    fileName,
    sourceFile() {
      const file = program().getSourceFile(fileName);
      if (!file) throw new Error(`The program has no ${fileName}.`);
      return file;
    },
    checker: () => program().getTypeChecker(),
    setText(changed) {
      current = ts.ScriptSnapshot.fromString(changed);
      version++;
    },
    problems: () => [...service.getSyntacticDiagnostics(fileName), ...service.getSemanticDiagnostics(fileName)].map(({ code, messageText }) => `${code} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`),
  };
}

/** Declaration files of the project itself: they may declare globals that nothing imports. */
function ambientFiles(tree: SourceTree, folder: string): string[] {
  const found: string[] = [];
  const queue = [folder];
  for (let visited = 0; visited < MOST_FOLDERS && found.length < MOST_DECLARATION_FILES; visited++) {
    const next = queue.shift();
    if (next === undefined) break;
    for (const { name, kind } of tree.list(next).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (kind === 'file' && name.endsWith('.d.ts')) found.push(`${next}/${name}`);
      if (kind === 'folder' && !/^(\.|node_modules$|dist|build|out|lib|coverage|target)/.test(name)) queue.push(`${next}/${name}`);
    }
  }
  return found;
}
