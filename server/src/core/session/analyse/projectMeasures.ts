// Computes the measures of the ruler that depend on all files of a tree together: copied lines and unused exports.

import type { Inventory, Measures, Opportunity } from '../../model.ts';
import type { SessionContext } from '../context.ts';
import { computeCurrentFindings, findInProject, MEASURED_RULES, type ProjectTree } from './projectFindings.ts';

/** Measures that depend on all files of a tree. */
export interface ProjectMeasures {
  readonly measures: Measures;
  /** The share of each file in `measures`. */
  readonly byFile: ReadonlyMap<string, Measures>;
  /** The findings from which the measures were counted. */
  readonly opportunities: readonly Opportunity[];
  /** Keys (`keyOf`) of the declarations that no file uses. */
  readonly deadExports: ReadonlySet<string>;
}

/** Measures of the analysed tree; empty before the first analysis. */
export async function measureProject(context: SessionContext): Promise<ProjectMeasures> {
  return context.state.lastAnalysis === null
    ? { measures: {}, byFile: new Map(), opportunities: [], deadExports: new Set() }
    : sumFindings(await computeCurrentFindings(context, MEASURED_RULES));
}

/** Measures of the tree with a change. */
export async function measureProjectWithChange(context: SessionContext, tree: ProjectTree): Promise<ProjectMeasures> {
  return sumFindings(await findInProject(context, new Set(MEASURED_RULES), tree));
}

/** Marks exports that no file uses as dead. */
export function markDeadExports(inventory: Inventory, { deadExports }: ProjectMeasures): Inventory {
  const isDead = (name: string) => deadExports.has(keyOf(inventory.path, name.split('.', 1)[0] ?? ''));
  return deadExports.size === 0
    ? inventory
    : {
        ...inventory,
        pieces: inventory.pieces.map((piece) => (isDead(piece.name) ? { ...piece, deadExport: true as const } : piece)),
      };
}

/** Sums up the findings of the measured rules. */
export function sumFindings(findings: readonly Opportunity[]): ProjectMeasures {
  const copies = findings.filter(({ rule }) => rule === 'duplicate-code');
  const unusedExports = findings.filter(({ rule }) => rule === 'unused-export');
  const deadDeclarations = unusedExports.filter(
    ({ evidence, symbol }) => evidence['usedInOwnFile'] === 'no' && symbol !== null,
  );
  const measuresByFile = new Map<string, Measures>();
  const addCount = (path: string, measure: string, amount: number) => {
    const file = measuresByFile.get(path);
    measuresByFile.set(path, { ...file, [measure]: (file?.[measure] ?? 0) + amount });
    return amount;
  };
  return {
    measures: {
      'project.copiedLines': copies.reduce(
        (sum, { path, evidence }) =>
          sum +
          addCount(path, 'project.copiedLines', Number(evidence['lines'] ?? 0) * (Number(evidence['places'] ?? 1) - 1)),
        0,
      ),
      'project.unusedExports': unusedExports.reduce(
        (sum, { path }) => sum + addCount(path, 'project.unusedExports', 1),
        0,
      ),
    },
    byFile: measuresByFile,
    opportunities: findings,
    deadExports: new Set(deadDeclarations.map(({ path, symbol }) => keyOf(path, symbol ?? ''))),
  };
}

/** The key of a declaration: the file and the name. */
function keyOf(path: string, name: string): string {
  return `${path}\0${name}`;
}
