// Chooses the mutants for a change: first those in the touched lines, then those in the functions around them.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { ts } from 'ts-morph';
import type { FileEdit } from '../../model.ts';
import { groupBy } from '../../../util/values/groupBy.ts';
import { compileSchemata, type Schemata } from './schemata.ts';
import { findScriptReplacements, type Operator, type MutantReplacement } from './mutators.ts';
import type { GoMutantLocation } from './go/goMutationOrder.ts';
import { isTouched, formatMutantChange, findTouchedLines } from './touchedLines.ts';
import { hasModifier } from '../../syntax/declarations/modifiers.ts';

/**
 * A chosen mutant: `text` replaces the text between the offsets `start` and `end` (exclusive) of the file in the
 * candidate.
 */
export interface Mutant {
  readonly path: string;
  readonly operator: Operator;
  /** 1-based line in the candidate. */
  readonly line: number;
  /** False if the mutant is in the same function as a touched line, but not in a touched line itself. */
  readonly touched: boolean;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The change for a person, such as `a < b → a <= b`. */
  readonly shown: string;
  /**
   * Number of the probe that shows whether tests reach the mutant. Null if there is no probe, for example for code
   * outside of blocks and for default values of parameters: only a test that notices the mutant then shows that it is
   * reached. Python has no probes and uses `reach`; Go uses `go`.
   */
  readonly probe: number | null;
  /** Offsets of the innermost function around the mutant; absent outside of functions, and in Python. */
  readonly within?: readonly [start: number, end: number];
  /** Python: first and last line of the code that runs if a test reaches the mutant. */
  readonly reach?: readonly [number, number];
  /** Python: true for code that runs when the module is loaded. Tests that are already collected cannot judge it. */
  readonly atLoad?: boolean;
  /** Go: location in the body of a function. A mutant without one needs a separate run. */
  readonly go?: GoMutantLocation;
}

/** The mutants for a change. */
export interface MutantPlan {
  readonly mutants: readonly Mutant[];
  /** The number of mutants that were not chosen. */
  readonly omittedCount: number;
  /** The probes of all files together, in ascending order of `at`. */
  readonly probes: readonly Probe[];
  /** The files with all chosen mutants compiled in, for one run. */
  readonly schemata: Schemata;
}

/** A place in the code that records whether tests reach it. */
export interface Probe {
  readonly path: string;
  readonly id: number;
  /**
   * Offset before which the probe is inserted: the start of a statement, or of the expression body of an arrow
   * function.
   */
  readonly at: number;
  /** The end of that expression; null for a statement. */
  readonly end: number | null;
}

/** The place for a probe, without its file and number. */
type ProbePlace = Pick<Probe, 'at' | 'end'>;

/** A mutant that may be chosen. */
export interface FoundMutant extends MutantReplacement {
  readonly path: string;
  readonly line: number;
  readonly touched: boolean;
  readonly shown: string;
  readonly probe: ProbePlace | null;
  readonly within?: readonly [start: number, end: number];
  readonly reach?: readonly [number, number];
  readonly atLoad?: boolean;
  readonly go?: GoMutantLocation;
}

/**
 * Plans at most `maxMutants` mutants. `isTest`: true for files that are tests, which get no mutants. `otherMutants`:
 * mutants of other languages, which may be chosen as well.
 */
export function planMutants(
  edits: readonly FileEdit[],
  maxMutants: number,
  isTest: (edit: FileEdit) => boolean,
  otherMutants: readonly FoundMutant[] = [],
): MutantPlan {
  const scripts = edits.flatMap((edit) => {
    const { path, before, after } = edit;
    const isCode = SCRIPT_PATTERN.test(path) && !/\.d\.[cm]?ts$/.test(path) && !isTest(edit);
    return after === null || !isCode ? [] : collectMutants(path, before ?? '', after);
  });
  const foundMutants = [...scripts, ...otherMutants];
  const chosenMutants = chooseOverLines(foundMutants, maxMutants);
  const probesByPlace = new Map<string, Probe>();
  const findProbeId = ({ path, probe }: FoundMutant): number | null => {
    if (probe === null) return null;
    const key = `${path}\0${probe.at}`;
    const numberedProbe = probesByPlace.get(key) ?? { path, id: probesByPlace.size, ...probe };
    probesByPlace.set(key, numberedProbe);
    return numberedProbe.id;
  };
  const mutants = chosenMutants.map(
    (foundMutant): Mutant => ({
      path: foundMutant.path,
      operator: foundMutant.operator,
      line: foundMutant.line,
      touched: foundMutant.touched,
      start: foundMutant.start,
      end: foundMutant.end,
      text: foundMutant.text,
      shown: foundMutant.shown,
      probe: findProbeId(foundMutant),
      ...(foundMutant.within ? { within: foundMutant.within } : {}),
      ...(foundMutant.reach ? { reach: foundMutant.reach } : {}),
      ...(foundMutant.atLoad ? { atLoad: true } : {}),
      ...(foundMutant.go ? { go: foundMutant.go } : {}),
    }),
  );
  return {
    mutants,
    omittedCount: foundMutants.length - chosenMutants.length,
    probes: [...probesByPlace.values()].toSorted((a, b) => a.at - b.at),
    schemata: compileSchemata(mutants, (path) => edits.find((edit) => edit.path === path)?.after ?? ''),
  };
}

function collectMutants(path: string, before: string, after: string): FoundMutant[] {
  const sourceFile = ts.createSourceFile(path, after, ts.ScriptTarget.Latest, true);
  const touched = findTouchedLines(before, after);
  const enclosingFunctions = findFunctionsAround(sourceFile, touched);
  const mutants: FoundMutant[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
    if (
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isImportDeclaration(node) ||
      hasModifier(node, ts.SyntaxKind.DeclareKeyword)
    )
      return;
    const line = getLineNumber(sourceFile, node.getStart(sourceFile));
    if (enclosingFunctions.some(([from, to]) => from <= line && line <= to)) {
      for (const replacement of findScriptReplacements(node, sourceFile)) {
        const firstLine = getLineNumber(sourceFile, replacement.start);
        const lastLine = getLineNumber(sourceFile, replacement.end);
        const innermost = findInnermost(node, replacement);
        const enclosingFunction = ts.findAncestor(innermost.parent, ts.isFunctionLike);
        mutants.push({
          ...replacement,
          path,
          line: firstLine,
          touched: isTouched(touched, firstLine, lastLine),
          shown: formatMutantChange(after.slice(replacement.start, replacement.end), replacement.text),
          probe: findProbe(innermost, sourceFile),
          ...(enclosingFunction
            ? { within: [enclosingFunction.getStart(sourceFile), enclosingFunction.getEnd()] as const }
            : {}),
        });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(sourceFile);
  return mutants;
}

/** First and last lines of the outermost functions with touched lines, and the touched lines themselves. */
function findFunctionsAround(sourceFile: ts.SourceFile, touched: ReadonlySet<number>): (readonly [number, number])[] {
  const ranges: (readonly [number, number])[] = [...touched].map((line) => [line, line] as const);
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) {
      const range = [
        getLineNumber(sourceFile, node.getStart(sourceFile)),
        getLineNumber(sourceFile, node.getEnd()),
      ] as const;
      if ([...touched].some((line) => range[0] <= line && line <= range[1])) ranges.push(range);
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(sourceFile);
  return ranges;
}

/** The replaced part of the node: the expression body for an arrow function with one. */
function findInnermost(node: ts.Node, { start }: MutantReplacement): ts.Node {
  return ts.isArrowFunction(node) && !ts.isBlock(node.body) && start >= node.body.getStart() ? node.body : node;
}

/**
 * The place for a probe: the innermost statement of a block or `case`, or the expression body of an arrow function.
 * Null if there is none.
 */
function findProbe(node: ts.Node, sourceFile: ts.SourceFile): ProbePlace | null {
  for (let ancestor: ts.Node = node; ancestor.parent; ancestor = ancestor.parent) {
    const { parent } = ancestor;
    if (ts.isArrowFunction(parent) && ancestor === parent.body && !ts.isBlock(ancestor))
      return { at: ancestor.getStart(sourceFile), end: ancestor.getEnd() };
    if (ts.isFunctionLike(parent)) return null;
    const isInList = ts.isBlock(parent) || ts.isCaseClause(parent) || ts.isDefaultClause(parent);
    if (isInList && ts.isStatement(ancestor) && !ts.isFunctionDeclaration(ancestor) && !ts.isClassDeclaration(ancestor))
      return { at: ancestor.getStart(sourceFile), end: null };
  }
  return null;
}

/**
 * Orders the mutants: touched ones first. Each group alternates between files and between the lines of each file, so
 * that any beginning of the array is spread over all of them.
 */
function chooseOverLines(mutants: readonly FoundMutant[], maxMutants: number): FoundMutant[] {
  const ordered = [
    ...alternateLines(mutants.filter(({ touched }) => touched)),
    ...alternateLines(mutants.filter(({ touched }) => !touched)),
  ];
  return ordered.slice(0, maxMutants);
}

/** The mutants in an order that alternates between files and between the lines of each file. */
function alternateLines(mutants: readonly FoundMutant[]): FoundMutant[] {
  const mutantsByFile = groupBy(mutants, ({ path }) => path);
  return takeInTurns(
    mutantsByFile.map((mutantsOfFile) => takeInTurns(spreadEvenly(groupBy(mutantsOfFile, ({ line }) => line)))),
  );
}

/** The first element of each array, then the second of each, and so on. */
function takeInTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const turns = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: turns }, (_, turn) =>
    lists.flatMap((list) => (turn < list.length ? [list[turn]!] : [])),
  ).flat();
}

/**
 * The same values in another order, in which any beginning is spread evenly over the whole array. Uses the van der
 * Corput sequence, the reversed bits of the indexes.
 */
function spreadEvenly<T>(values: readonly T[]): T[] {
  const bits = Math.max(1, Math.ceil(Math.log2(values.length)));
  const reverseBits = (index: number) =>
    Number.parseInt([...index.toString(2).padStart(bits, '0')].reverse().join(''), 2);
  return Array.from({ length: 2 ** bits }, (_, index) => reverseBits(index)).flatMap((position) =>
    position < values.length ? [values[position]!] : [],
  );
}

function getLineNumber(sourceFile: ts.SourceFile, offset: number): number {
  return sourceFile.getLineAndCharacterOfPosition(offset).line + 1;
}
