// Writes Go files that contain the mutants: at the start of each function, one copy of its body for each of its
// mutants, which runs if the mutant is active. Complete bodies are copied because a copy then compiles without
// knowledge of the types in it.

import type { GoRequestMutant } from '../../../core/verify/guard/go/goMutationOrder.ts';

/**
 * Name of the environment variable with the number of the active mutant plus one. If it is not set, no mutant is
 * active.
 */
export const ACTIVE_MUTANT_VARIABLE = 'SELFWARE_MUTANT';
/**
 * Name of the environment variable with the path of a file. If the statement of a mutant runs, the mutant's number is
 * appended to this file.
 */
export const REACHED_FILE_VARIABLE = 'SELFWARE_REACHED';
/**
 * Message of the panic at the end of a mutated body that lacks its `return`. Such a mutant is invalid, because its code
 * would not compile without the panic.
 */
export const MISSING_RETURN = 'selfware: missing return';
/** Name of the file with the switch, in each package that has mutants. */
export const SWITCH_FILE = 'selfware_mutants_switch.go';

/** Matches an error of the compiler in a mutant. The groups are the number of the mutant and the message. */
const MUTANT_ERROR = /\bselfware_mutant_(\d+)\.go:\d+(?::\d+)?: (.+)/g;

/**
 * The text of a file with these mutants. `file`: its name without the folder. Messages about unchanged code have the
 * original file and line. `isNamed`: true if messages about a mutant have a file name with its number instead, by which
 * an error of the compiler identifies the mutant.
 */
export function insertMutants(
  text: string,
  file: string,
  mutants: readonly GoRequestMutant[],
  isNamed: boolean,
): string {
  const insertions = new Map<number, string>();
  const insert = (offset: number, inserted: string) =>
    insertions.set(offset, (insertions.get(offset) ?? '') + inserted);
  const formatLineDirective = (offset: number) =>
    `/*line ${file}:${findLineNumber(text, offset)}:${findColumn(text, offset)}*/`;
  for (const mutant of mutants) {
    const [start] = mutant.body;
    const line = isNamed ? `/*line selfware_mutant_${mutant.number}.go:1:1*/` : formatLineDirective(start);
    insert(start, `\n${createMutantText(text, mutant, line)}`);
  }
  for (const start of new Set(mutants.map(({ body }) => body[0]))) insert(start, formatLineDirective(start));
  for (const { probe, number } of mutants) insert(probe, `selfwareReach(${number}); `);
  let assembled = '';
  let copiedTo = 0;
  for (const [offset, insertion] of [...insertions].toSorted(([a], [b]) => a - b)) {
    assembled += text.slice(copiedTo, offset) + insertion;
    copiedTo = offset;
  }
  return assembled + text.slice(copiedTo);
}

/** The text of the file with the switch of a package. Its names begin with `selfware`, so that none clashes. */
export function formatSwitchFile(packageName: string): string {
  return `package ${packageName}

import (
	selfwareOS "os"
	selfwareStrconv "strconv"
	selfwareSync "sync"
)

var selfwareMutant, _ = selfwareStrconv.Atoi(selfwareOS.Getenv("${ACTIVE_MUTANT_VARIABLE}"))
var selfwareRecord = selfwareOS.Getenv("${REACHED_FILE_VARIABLE}")
var selfwareReached selfwareSync.Map

func selfwareReach(number int) {
	if selfwareRecord == "" {
		return
	}
	if _, known := selfwareReached.LoadOrStore(number, true); known {
		return
	}
	file, err := selfwareOS.OpenFile(selfwareRecord, selfwareOS.O_APPEND|selfwareOS.O_CREATE|selfwareOS.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	file.WriteString(selfwareStrconv.Itoa(number) + "\\n")
	file.Close()
}
`;
}

/** The compiler's first error about each mutant that it refuses, by the number of the mutant. */
export function findRefusedMutants(output: string): ReadonlyMap<number, string> {
  const refusedMutants = new Map<number, string>();
  for (const [, number, error = ''] of output.matchAll(MUTANT_ERROR))
    if (!refusedMutants.has(Number(number))) refusedMutants.set(Number(number), error.trim());
  return refusedMutants;
}

/**
 * The statement that runs a copy of the body with the mutant if the mutant is active. `line`: the line directive of Go
 * for the copy.
 */
function createMutantText(text: string, mutant: GoRequestMutant, line: string): string {
  const { number, returns } = mutant;
  const lastStatement = returns ? `panic("${MISSING_RETURN}")` : 'return';
  return `if selfwareMutant == ${number + 1} {\n${line}${insertMutant(text, mutant)}\n${lastStatement}\n}\n`;
}

/** The body with the mutant. Labels get other names, because a function may declare each of them only once. */
function insertMutant(text: string, { number, body, start, end, text: replacement, labels }: GoRequestMutant): string {
  const renamedLabels = labels
    .filter(([from, to]) => to <= start || from >= end)
    .map(([from, to]) => ({ from, to, by: `${text.slice(from, to)}_selfware${number}` }));
  let mutated = '';
  let offset = body[0];
  for (const { from, to, by } of [...renamedLabels, { from: start, to: end, by: replacement }].toSorted(
    (a, b) => a.from - b.from,
  )) {
    mutated += text.slice(offset, from) + by;
    offset = to;
  }
  return mutated + text.slice(offset, body[1]);
}

function findLineNumber(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** The column of an offset as Go counts it: in bytes, from 1. */
function findColumn(text: string, offset: number): number {
  return Buffer.byteLength(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)) + 1;
}
