// How a rule finds: each find.ts offers one `finder`, and its type says when it is asked. `npm run generate` lists it.

import type { ts } from 'ts-morph';
import type { FunctionUnit } from '../analysis/functionUnit.ts';
import type { ModuleGraph } from '../analysis/project/moduleGraph.ts';
import type { ProjectFile, ProjectPackage, ProjectView } from '../analysis/project/projectView.ts';
import type { OfferedByModule } from '../analysis/script/exportedDeclaration.ts';
import type { Opportunity } from '../model.ts';
import type { Finding } from './finding.ts';

/** Asked for each node of these kinds in a script. One walk serves all rules. */
export interface NodeFinder {
  readonly nodes: readonly ts.SyntaxKind[];
  readonly find: (node: ts.Node, sourceFile: ts.SourceFile) => Finding | null;
}

/** Asked once for each script, about what it exports. */
export interface ExportFinder {
  readonly find: (offered: OfferedByModule) => readonly Finding[];
}

/** Asked for each function, in any language. Of what is found about one aspect of it, only the most telling is said. */
export interface FunctionFinder {
  readonly aspect: 'size' | 'parameters';
  /** The higher, the more it tells. */
  readonly telling: number;
  readonly find: (unit: FunctionUnit, context: FunctionContext) => Finding | null;
}

export interface FunctionContext {
  /** Physical lines from start to end. */
  linesOf(unit: FunctionUnit): number;
  /** True where Extract Function works: TypeScript and JavaScript. */
  readonly canExtract: boolean;
  /** Line of an `if` in this function that guard clauses could flatten, or null. */
  guardLine(unit: FunctionUnit): number | null;
}

/** Asked for each file, in any language. `codeLines`: lines that hold more than blanks and comments. */
export interface FileFinder {
  readonly find: (text: string, codeLines: number) => readonly Finding[];
}

/** Asked once for the whole repository. */
export interface ProjectFinder {
  readonly find: (project: Project) => readonly Opportunity[] | Promise<readonly Opportunity[]>;
}

export interface Project {
  readonly view: ProjectView;
  /** Files of the product: no tests, nothing generated, no configuration, nothing that lies beside the code. */
  readonly product: readonly ProjectFile[];
  /** Who imports whom. */
  modules(): ModuleGraph;
  packageOf(path: string): ProjectPackage | null;
  readonly signal: AbortSignal;
}
