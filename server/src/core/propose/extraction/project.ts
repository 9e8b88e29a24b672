// Opens TypeScript's language service over the tree: for editable files, and for the files that they import.

import { Project as Bundled, ts } from 'ts-morph';
import { readCompilerOptions } from './compilerOptions.ts';
import type { SourceTree } from '../../ports/sources.ts';

/** An open project around one editable file. */
export interface TypedProject {
  readonly service: ts.LanguageService;
  readonly fileName: string;
  readonly options: ts.CompilerOptions;
  /** The file with its current text. Its nodes have parents only after `checker` has been called for this text. */
  sourceFile(): ts.SourceFile;
  checker(): ts.TypeChecker;
  /** Replaces the text of the file. */
  setText(text: string): void;
  /** The compiler's errors in the file, each as code and message, in the order of the text. */
  problems(): readonly string[];
}

/** The folder of the compiler's libraries in the in-memory file system of ts-morph. */
const BUNDLED_FOLDER = '/node_modules/typescript/lib';
/** The folder under which projects see these libraries. It does not exist on disk. */
const LIBRARY_FOLDER = '/.typescript/lib';
/**
 * Maximum number of files that one program reads, because a huge repository would take too long. Further files count as
 * missing, so their types become `any`, and changes that need them are refused.
 */
const MAX_FILES = 2500;
/** Maximum number of declaration files that are included without being imported. */
const MAX_DECLARATION_FILES = 60;
/** Maximum number of folders that are searched for declaration files. */
const MAX_FOLDERS = 400;

/** The libraries are parsed without their comments, because nothing reads these, and they take a third of the time. */
const COMMENT_PARSING_MODE = ts.JSDocParsingMode.ParseNone;
/** Parses the libraries of the compiler without their comments. */
const libraryRegistry = ts.createDocumentRegistry(true, '', COMMENT_PARSING_MODE);
/**
 * Parsed libraries of the compiler, shared by all projects with the same settings. In a small project, parsing them is
 * most of the work.
 */
const libraryFiles = new Map<string, ts.SourceFile>();
/**
 * Parsed imported files, each shared as long as its text is unchanged. In a large project, parsing them is most of the
 * work.
 */
const importedFiles = new Map<string, { readonly text: string; readonly file: ts.SourceFile }>();
/**
 * Maximum number of characters of all shared imported files. Their trees take about twenty bytes for each character.
 * Beyond the limit, all shared files are dropped.
 */
const MAX_SHARED_CHARACTERS = 8_000_000;
/** The number of characters of all texts in `importedFiles`. */
let sharedCharacters = 0;

/**
 * Opens a project around the absolute path `fileName` with `text` as its content. The caller must dispose of its
 * service.
 */
export function openProject(tree: SourceTree, fileName: string, text: string): TypedProject {
  return openProjects(tree, new Map([[fileName, text]])).get(fileName)!;
}

/**
 * Opens one program for several files, with the compiler options of the first. `files`: texts by absolute path. Returns
 * a project for each path. Disposing of the service of one project disposes of all.
 */
export function openProjects(tree: SourceTree, files: ReadonlyMap<string, string>): ReadonlyMap<string, TypedProject> {
  const [firstName = ''] = files.keys();
  const { options, folder } = readCompilerOptions(tree, firstName);
  const libraries = new Bundled({ useInMemoryFileSystem: true }).getModuleResolutionHost();
  const snapshots = new Map<string, ts.IScriptSnapshot | undefined>();
  const rootFiles = [...new Set([...files.keys(), ...findAmbientFiles(tree, folder)])];
  const editableFiles = new Map(
    [...files].map(([name, text]) => [name, { snapshot: ts.ScriptSnapshot.fromString(text), version: 1 }]),
  );

  const readText = (name: string): string | undefined =>
    name.startsWith(LIBRARY_FOLDER)
      ? libraries.readFile(BUNDLED_FOLDER + name.slice(LIBRARY_FOLDER.length))
      : tree.read(name);
  const fileExists = (name: string): boolean =>
    name.startsWith(LIBRARY_FOLDER)
      ? libraries.fileExists(BUNDLED_FOLDER + name.slice(LIBRARY_FOLDER.length))
      : tree.fileExists(name);
  const service = ts.createLanguageService(
    {
      getCompilationSettings: () => options,
      getScriptFileNames: () => rootFiles,
      getScriptVersion: (name) => String(editableFiles.get(name)?.version ?? 1),
      getScriptSnapshot(name) {
        const editableFile = editableFiles.get(name);
        if (editableFile) return editableFile.snapshot;
        if (!snapshots.has(name)) {
          const content = snapshots.size < MAX_FILES ? readText(name) : undefined;
          snapshots.set(name, content === undefined ? undefined : ts.ScriptSnapshot.fromString(content));
        }
        return snapshots.get(name);
      },
      getCurrentDirectory: () => folder,
      getDefaultLibFileName: (settings) => `${LIBRARY_FOLDER}/${ts.getDefaultLibFileName(settings)}`,
      fileExists,
      readFile: readText,
      directoryExists: (name) => name.startsWith(LIBRARY_FOLDER) || tree.folderExists(name),
      getDirectories: (name) =>
        tree
          .list(name)
          .filter(({ kind }) => kind === 'folder')
          .map((entry) => entry.name),
      realpath: (name) => (name.startsWith(LIBRARY_FOLDER) ? name : tree.realPath(name).replaceAll('\\', '/')),
      useCaseSensitiveFileNames: () => true,
      getNewLine: () => '\n',
    },
    createSharingRegistry(ts.createDocumentRegistry(), (name) => editableFiles.has(name)),
  );
  const program = (): ts.Program => {
    const program = service.getProgram();
    if (!program) throw new Error('The language service has no program.');
    return program;
  };

  const createProject = (fileName: string): TypedProject => ({
    service,
    fileName,
    options,
    sourceFile() {
      const file = program().getSourceFile(fileName);
      if (!file) throw new Error(`The program has no ${fileName}.`);
      return file;
    },
    checker: () => program().getTypeChecker(),
    setText(changed) {
      const editableFile = editableFiles.get(fileName)!;
      editableFile.snapshot = ts.ScriptSnapshot.fromString(changed);
      editableFile.version++;
    },
    problems: () =>
      [...service.getSyntacticDiagnostics(fileName), ...service.getSemanticDiagnostics(fileName)].map(
        ({ code, messageText }) => `${code} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
      ),
  });
  return new Map([...files.keys()].map((name) => [name, createProject(name)]));
}

/** Finds the declaration files of the project, which may declare globals without being imported. */
function findAmbientFiles(tree: SourceTree, folder: string): string[] {
  const declarationFiles: string[] = [];
  const queue = [folder];
  for (
    let folderCount = 0;
    folderCount < MAX_FOLDERS && declarationFiles.length < MAX_DECLARATION_FILES;
    folderCount++
  ) {
    const nextFolder = queue.shift();
    if (nextFolder === undefined) break;
    for (const { name, kind } of tree.list(nextFolder).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (kind === 'file' && name.endsWith('.d.ts')) declarationFiles.push(`${nextFolder}/${name}`);
      if (kind === 'folder' && !/^(\.|node_modules$|dist|build|out|lib|coverage|target)/.test(name))
        queue.push(`${nextFolder}/${name}`);
    }
  }
  return declarationFiles;
}

/**
 * Creates a registry that shares parsed files. `isEditable` returns true for editable files, which are parsed again
 * after each change and must not be shared.
 */
function createSharingRegistry(
  registry: ts.DocumentRegistry,
  isEditable: (name: string) => boolean,
): ts.DocumentRegistry {
  const shareFile = (
    fileName: string,
    key: string,
    snapshot: ts.IScriptSnapshot,
    acquire: () => ts.SourceFile,
  ): ts.SourceFile => {
    if (isEditable(fileName)) return acquire();
    return fileName.startsWith(LIBRARY_FOLDER)
      ? loadLibraryFile(`${key} ${fileName}`, acquire)
      : loadImportedFile(`${key} ${fileName}`, snapshot.getText(0, snapshot.getLength()), acquire);
  };
  const createKey = (options: ts.CompilerOptions | ts.MinimalResolutionCacheHost) =>
    registry.getKeyForCompilationSettings(readSettings(options));
  return {
    ...registry,
    acquireDocument: (fileName, options, snapshot, ...otherArguments) =>
      shareFile(fileName, createKey(options), snapshot, () =>
        registry.acquireDocument(fileName, options, snapshot, ...otherArguments),
      ),
    acquireDocumentWithKey: (fileName, path, options, key, snapshot, version, kind, parseOptions) =>
      shareFile(fileName, key, snapshot, () =>
        fileName.startsWith(LIBRARY_FOLDER)
          ? libraryRegistry.acquireDocumentWithKey(
              fileName,
              path,
              options,
              key,
              snapshot,
              version,
              kind,
              typeof parseOptions === 'object'
                ? { ...parseOptions, jsDocParsingMode: COMMENT_PARSING_MODE }
                : parseOptions,
            )
          : registry.acquireDocumentWithKey(fileName, path, options, key, snapshot, version, kind, parseOptions),
      ),
    updateDocument: (fileName, options, snapshot, ...otherArguments) =>
      shareFile(fileName, createKey(options), snapshot, () =>
        registry.updateDocument(fileName, options, snapshot, ...otherArguments),
      ),
    updateDocumentWithKey: (fileName, path, options, key, snapshot, ...otherArguments) =>
      shareFile(fileName, key, snapshot, () =>
        registry.updateDocumentWithKey(fileName, path, options, key, snapshot, ...otherArguments),
      ),
    // Shared files do not belong to this registry, which is dropped together with its project.
    releaseDocument() {},
    releaseDocumentWithKey() {},
  };
}

/** Loads a library of the compiler from the shared ones, or shares the one that `acquire` parses. */
function loadLibraryFile(key: string, acquire: () => ts.SourceFile): ts.SourceFile {
  const libraryFile = libraryFiles.get(key) ?? acquire();
  libraryFiles.set(key, libraryFile);
  return libraryFile;
}

/** Loads an imported file from the shared ones if its text is unchanged, or shares the one that `acquire` parses. */
function loadImportedFile(key: string, text: string, acquire: () => ts.SourceFile): ts.SourceFile {
  const cached = importedFiles.get(key);
  if (cached?.text === text) return cached.file;
  if (sharedCharacters + text.length > MAX_SHARED_CHARACTERS) {
    importedFiles.clear();
    sharedCharacters = 0;
  }
  const file = acquire();
  sharedCharacters += text.length - (cached?.text.length ?? 0);
  importedFiles.set(key, { text, file });
  return file;
}

/** The compiler options in an argument of TypeScript's registry, which also accepts a host with options. */
function readSettings(options: ts.CompilerOptions | ts.MinimalResolutionCacheHost): ts.CompilerOptions {
  return 'getCompilationSettings' in options && typeof options.getCompilationSettings === 'function'
    ? options.getCompilationSettings()
    : (options as ts.CompilerOptions);
}
