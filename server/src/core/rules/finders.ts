// The types of finders. Each find.ts exports one `finder`, whose type determines when it is called. `npm run generate`
// lists all finders.

import type { ts } from 'ts-morph';
import type { FunctionUnit } from '../analysis/functionUnit.ts';
import type { ModuleGraph } from '../analysis/project/moduleGraph.ts';
import type { ProjectFile, ProjectPackage, ProjectView } from '../analysis/project/projectView.ts';
import type { ModuleExports } from '../analysis/script/exportedDeclaration.ts';
import type { Opportunity } from '../model.ts';
import type { PythonProblem } from '../ports/sources.ts';
import type { Finding } from './finding.ts';

/** Called for each node of these kinds in a script. One walk serves all rules. */
export interface NodeFinder {
  readonly nodes: readonly ts.SyntaxKind[];
  readonly find: (node: ts.Node, sourceFile: ts.SourceFile) => Finding | null;
}

/** Called once for each script, with its exports. */
export interface ExportFinder {
  readonly find: (moduleExports: ModuleExports) => readonly Finding[];
}

/** Called for each function, in any language. Of the findings about one aspect, only the most important is reported. */
export interface FunctionFinder {
  readonly aspect: 'size' | 'parameters';
  /** The rank among the rules about this aspect: the finding of the rule with the highest number is reported. */
  readonly rank: number;
  readonly find: (unit: FunctionUnit, context: FunctionContext) => Finding | null;
}

/** The information that a rule about functions may request. */
export interface FunctionContext {
  /** Number of lines from the start to the end of a function. */
  countLines(unit: FunctionUnit): number;
  /** True for languages in which Extract Function works: TypeScript and JavaScript. */
  readonly canExtract: boolean;
  /** Line (1-based) of an `if` in this function that guard clauses could flatten; null if there is none. */
  findGuardLine(unit: FunctionUnit): number | null;
}

/** Called for each file, in any language. `codeLines`: number of lines that contain code. */
export interface FileFinder {
  readonly find: (text: string, codeLines: number) => readonly Finding[];
}

/** Called for each Python file with the problems that Ruff reports for these codes. */
export interface PythonFinder {
  /** Codes of rules of Ruff: https://docs.astral.sh/ruff/rules/. */
  readonly codes: readonly string[];
  readonly find: (problems: readonly PythonProblem[], file: PythonFile) => readonly Finding[];
}

/** A Python file. `lines`: its lines without line breaks. */
export interface PythonFile {
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
  /** Index in `lines` of the line that contains an offset. */
  lineIndexAt(offset: number): number;
  readonly isTest: boolean;
}

/** Called once for the whole repository. Returns opportunities instead of findings, because findings have no path. */
export interface ProjectFinder {
  readonly find: (project: ProjectContext) => readonly Opportunity[] | Promise<readonly Opportunity[]>;
}

/** The information that a rule about the whole repository may request. */
export interface ProjectContext {
  readonly view: ProjectView;
  /** Files of the product: without tests, generated files, configuration, and files that only accompany the code. */
  readonly product: readonly ProjectFile[];
  /** The graph of imports between files. */
  modules(): ModuleGraph;
  /** The package around a file: the deepest folder with a manifest; null if there is none. */
  packageOf(path: string): ProjectPackage | null;
  readonly signal: AbortSignal;
}
