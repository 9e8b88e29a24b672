// Writes Go files with mutants compiled in: each function begins with a copy of its body for each of its mutants, which
// runs if that mutant is the active one. Copies fit wherever the body fits, whatever the types are.

import type { GoOrderMutant } from '../../../core/verify/guard/go/order.ts';

/** Set to the number of the active mutant plus one. */
export const ACTIVE = 'SELFWARE_MUTANT';
/** Set to the file that receives the number of each mutant whose statement runs. */
export const REACHED = 'SELFWARE_REACHED';
/** What a mutated body panics with that ends without returning its results: such code does not compile. */
export const MISSING_RETURN = 'selfware: missing return';
/** Name of the file with the switch, in each package that has mutants. */
export const SWITCH_FILE = 'selfware_mutants_switch.go';

const ERROR = /\bselfware_mutant_(\d+)\.go:\d+(?::\d+)?: (.+)/g;

/**
 * The text with these mutants of it. `file`: its name without folder, to which the lines of the code still refer.
 * `isNamed`: the lines of a mutant refer to a file named after it, so that an error of the compiler names the mutant.
 */
export function withMutants(text: string, file: string, mutants: readonly GoOrderMutant[], isNamed: boolean): string {
  const insertions = new Map<number, string>();
  const insert = (at: number, more: string) => insertions.set(at, (insertions.get(at) ?? '') + more);
  const lineOf = (offset: number) => `/*line ${file}:${lineAt(text, offset)}:${columnAt(text, offset)}*/`;
  for (const mutant of mutants) {
    const [start] = mutant.body;
    const line = isNamed ? `/*line selfware_mutant_${mutant.number}.go:1:1*/` : lineOf(start);
    insert(start, `\n${copyOf(text, mutant, line)}`);
  }
  for (const start of new Set(mutants.map(({ body }) => body[0]))) insert(start, lineOf(start));
  for (const { probe, number } of mutants) insert(probe, `selfwareReach(${number}); `);
  let made = '';
  let from = 0;
  for (const [at, more] of [...insertions].toSorted(([one], [other]) => one - other)) {
    made += text.slice(from, at) + more;
    from = at;
  }
  return made + text.slice(from);
}

/** The file with the switch of a package. Its imports have names of their own, which nothing in the package has. */
export function switchFile(packageName: string): string {
  return `package ${packageName}

import (
	selfwareOS "os"
	selfwareStrconv "strconv"
	selfwareSync "sync"
)

var selfwareMutant, _ = selfwareStrconv.Atoi(selfwareOS.Getenv("${ACTIVE}"))
var selfwareRecord = selfwareOS.Getenv("${REACHED}")
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

/** The mutants that the compiler refuses, with its first error about each. */
export function refusedMutants(output: string): ReadonlyMap<number, string> {
  const refused = new Map<number, string>();
  for (const [, number, error = ''] of output.matchAll(ERROR))
    if (!refused.has(Number(number))) refused.set(Number(number), error.trim());
  return refused;
}

function copyOf(text: string, mutant: GoOrderMutant, line: string): string {
  const { number, returns } = mutant;
  const end = returns ? `panic("${MISSING_RETURN}")` : 'return';
  return `if selfwareMutant == ${number + 1} {\n${line}${mutatedBody(text, mutant)}\n${end}\n}\n`;
}

/** The body with the mutant. Its labels get other names, because a function may declare each only once. */
function mutatedBody(text: string, { number, body, start, end, text: replacement, labels }: GoOrderMutant): string {
  const renamed = labels
    .filter(([from, to]) => to <= start || from >= end)
    .map(([from, to]) => ({ from, to, by: `${text.slice(from, to)}_selfware${number}` }));
  let made = '';
  let at = body[0];
  for (const { from, to, by } of [...renamed, { from: start, to: end, by: replacement }].toSorted(
    (one, other) => one.from - other.from,
  )) {
    made += text.slice(at, from) + by;
    at = to;
  }
  return made + text.slice(at, body[1]);
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** As Go counts: in bytes, from 1. */
function columnAt(text: string, offset: number): number {
  return Buffer.byteLength(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)) + 1;
}
