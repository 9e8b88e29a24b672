// Decides which functions of both sides are recorded, and creates the texts that record them.

import { SCRIPT_PATTERN, DECLARATION_PATTERN } from '../../paths/scriptFiles.ts';
import { ts } from 'ts-morph';
import type { FileEdit } from '../../model.ts';
import { findFunctions, type FoundFunction, type FoundFunctions } from './functions.ts';
import {
  formatBranch,
  collectBranchTexts,
  findChangedLines,
  isConditionalPart,
  findPlacesOn,
} from './recordedPlaces.ts';
import { findMovedName } from './origins.ts';
import { wrapFunctions, type Mark } from './wrap.ts';

/** A touched function that exists on both sides. */
export interface TracedFunction {
  readonly path: string;
  readonly name: string;
  /** True if code outside of its file can call it by a name. */
  readonly visible: boolean;
}

/** A place that a compared call must reach; otherwise the comparison is no evidence for it. */
export interface MarkedPlace {
  readonly path: string;
  /** 1-based line number, in the text of its side. */
  readonly line: number;
  readonly text: string;
  /** The number of its function; null for a function that exists only on this side. */
  readonly traced: number | null;
}

/** The recorded code of one side, the base or the candidate. */
export interface TracedSide {
  readonly texts: readonly { readonly path: string; readonly text: string }[];
  /** The marked places; a mark's number is its index. */
  readonly marks: readonly MarkedPlace[];
}

/** The recorded code of both sides. */
export interface TracePlan {
  /** The touched functions; a function's number is its index. */
  readonly functions: readonly TracedFunction[];
  readonly base: TracedSide;
  readonly candidate: TracedSide;
  /** Sentences about parts of this change that traces cannot show. If it is empty, they may show all of it. */
  readonly gaps: readonly string[];
}

/** Maximum number of touched functions. If more are touched, traces cannot show all of the change. */
const MAX_FUNCTIONS = 24;
/** Maximum number of characters of a text that people see. */
const MAX_TEXT_LENGTH = 60;

/** Replaces the number of each function that exists only in the candidate. */
const UNPAIRED_NUMBER = -1;

type Side = 'base' | 'candidate';

/**
 * Plans the recording of calls. `isTest`: true for files that are tests themselves, whose functions are not compared.
 */
export function planTraces(edits: readonly FileEdit[], isTest: (edit: FileEdit) => boolean): TracePlan {
  const functions: TracedFunction[] = [];
  const sides: Record<Side, { texts: { path: string; text: string }[]; marks: MarkedPlace[] }> = {
    base: { texts: [], marks: [] },
    candidate: { texts: [], marks: [] },
  };
  const gaps: string[] = [];
  for (const edit of edits) {
    const { path, before, after } = edit;
    if (DECLARATION_PATTERN.test(path) || isTest(edit)) continue;
    if (!SCRIPT_PATTERN.test(path))
      gaps.push(`Calls of ${path} in tests cannot be recorded: it is not TypeScript or JavaScript.`);
    else if (after === null) gaps.push(`${path} is gone.`);
    else planFile(path, before ?? '', after, before === null);
  }
  if (functions.length > MAX_FUNCTIONS)
    gaps.push(`${functions.length} functions are touched, and traces are compared for ${MAX_FUNCTIONS} at most.`);
  if (functions.length === 0 && gaps.length === 0) gaps.push('No function that both sides have is touched.');
  return { functions, ...sides, gaps };

  function planFile(path: string, before: string, after: string, isNew: boolean): void {
    const [oldFile, newFile] = [parse(path, before), parse(path, after)];
    const [old, changed] = [findFunctions(oldFile), findFunctions(newFile)];
    if (isNew) {
      wrapSide('candidate', newFile, changed, new Map(), [...changed.functions.keys()], null, new Set());
      return;
    }
    if (old.outsideCode !== changed.outsideCode) gaps.push(`What ${path} does outside of functions has changed.`);
    const movedName = findMovedName(old.origins, changed.origins);
    if (movedName !== null) gaps.push(`\`${movedName}\` comes from elsewhere in ${path}.`);
    const lostExport = [...old.exported].find((name) => !changed.exported.has(name));
    if (lostExport !== undefined) gaps.push(`\`${lostExport}\` is no longer exported.`);
    const [numberByKey, unpairedKeys] = [new Map<string, number>(), [] as string[]];
    for (const [key, oldFunction] of old.functions) {
      const changedFunction = changed.functions.get(key);
      if (!changedFunction && isMember(oldFunction)) gaps.push(`\`${key}\` is gone.`);
      if (!changedFunction || changedFunction.code === oldFunction.code) continue;
      const obstacle =
        oldFunction.obstacle ??
        changedFunction.obstacle ??
        explainDefaultsDifference(oldFunction, changedFunction) ??
        findAmbiguity(key, old, changed);
      if (obstacle !== null) {
        gaps.push(`\`${key}\` ${obstacle}.`);
        continue;
      }
      numberByKey.set(key, functions.length);
      functions.push({ path, name: key, visible: oldFunction.visible && changedFunction.visible });
    }
    for (const key of changed.functions.keys()) if (!old.functions.has(key)) unpairedKeys.push(key);
    const lines = findChangedLines(before, after);
    wrapSide('base', oldFile, old, numberByKey, [], lines.oldLines, collectBranchTexts(newFile));
    wrapSide('candidate', newFile, changed, numberByKey, unpairedKeys, lines.newLines, collectBranchTexts(oldFile));
  }

  /**
   * `lines`: the changed lines; null for all. `unpairedFunctions`: functions without a counterpart, of which only the
   * reached places are recorded. `otherBranchTexts`: texts of the other side's parts of expressions, which need not be
   * reached.
   */
  function wrapSide(
    side: Side,
    sourceFile: ts.SourceFile,
    { functions }: FoundFunctions,
    numberByKey: ReadonlyMap<string, number>,
    unpairedFunctions: readonly string[],
    lines: ReadonlySet<number> | null,
    otherBranchTexts: ReadonlySet<string>,
  ): void {
    const { fileName: path } = sourceFile;
    const { marks, texts } = sides[side];
    const numbers = new Map<FoundFunction['node'], number>();
    const marksOfFile: Mark[] = [];
    const allLines = lines ?? new Set(sourceFile.getLineStarts().map((_, index) => index + 1));
    for (const key of [...numberByKey.keys(), ...unpairedFunctions]) {
      const { node, obstacle } = functions.get(key)!;
      if (obstacle !== null) {
        gaps.push(`\`${key}\` ${obstacle}.`);
        continue;
      }
      const traced = numberByKey.get(key) ?? null;
      numbers.set(node, traced ?? UNPAIRED_NUMBER);
      for (const place of findPlacesOn(allLines, node.body, sourceFile)) {
        if (isConditionalPart(place.node) && otherBranchTexts.has(formatBranch(place.node, sourceFile))) continue;
        marksOfFile.push([place.node, marks.length]);
        marks.push({ path, line: place.line, text: formatOnOneLine(place.node.getText(sourceFile)), traced });
      }
    }
    if (numbers.size === 0) return;
    const text = wrapFunctions(sourceFile, numbers, marksOfFile);
    if (text === null) gaps.push(`The calls of the functions in ${path} cannot be recorded.`);
    else texts.push({ path, text });
  }
}

function isMember({ node }: FoundFunction): boolean {
  return ts.isMethodDeclaration(node) || ts.isAccessor(node);
}

/**
 * The reason why different defaults prevent the comparison; null if they are the same. A default runs outside of the
 * body, so no mark shows that a call uses it.
 */
function explainDefaultsDifference(a: FoundFunction, b: FoundFunction): string | null {
  return a.defaults === b.defaults ? null : 'has other defaults of its parameters';
}

/**
 * The reason why a function cannot be identified; null if it can. Functions without a name are counted, so both sides
 * need the same number of them in the same place.
 */
function findAmbiguity(key: string, old: FoundFunctions, changed: FoundFunctions): string | null {
  const parts = key.split(' › ');
  for (let length = 1; length <= parts.length; length += 1) {
    if (!parts[length - 1]!.startsWith('unnamed')) continue;
    const outerKey = parts.slice(0, length - 1).join(' › ');
    if (countUnnamed(outerKey, old) !== countUnnamed(outerKey, changed)) return 'cannot be identified on both sides';
  }
  return null;
}

function countUnnamed(outerKey: string, { functions }: FoundFunctions): number {
  const start = outerKey === '' ? 'unnamed' : `${outerKey} › unnamed`;
  return [...functions.keys()].filter((key) => key.startsWith(start) && !key.slice(start.length).includes(' › '))
    .length;
}

function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

function formatOnOneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_TEXT_LENGTH ? `${line.slice(0, MAX_TEXT_LENGTH - 1)}…` : line;
}
