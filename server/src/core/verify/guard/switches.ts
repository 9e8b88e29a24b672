// The switches in code with compiled-in mutants, as text. This file needs no compiler.

import { SWITCH_FUNCTION } from './inTests.ts';

/** Matches the switch of a mutant. */
const SWITCH_PATTERN = new RegExp(
  String.raw`\(globalThis\.${SWITCH_FUNCTION} && globalThis\.${SWITCH_FUNCTION}\((\d+)\)\)`,
  'g',
);

/** Files with compiled-in mutants, and which mutants have a switch, by their index. */
interface SwitchedCode {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly switched: readonly boolean[];
}

/**
 * The schemata of some of the mutants. `kept`: their indexes in the plan, in the order that they have from now on. The
 * others can no longer be switched on.
 */
export function keepSwitches({ files, switched }: SwitchedCode, kept: readonly number[]): SwitchedCode {
  const newIndexes = new Map(kept.map((index, newIndex) => [index, newIndex]));
  const renumberSwitch = (_text: string, digits: string) => {
    const newIndex = newIndexes.get(Number(digits));
    return newIndex === undefined ? 'false' : writeSwitch(newIndex);
  };
  return {
    files: files.map(({ path, text }) => ({ path, text: text.replaceAll(SWITCH_PATTERN, renumberSwitch) })),
    switched: kept.map((index) => switched[index] ?? false),
  };
}

/**
 * The switch of the mutant with this index. Uses no `?.`, because older tools that build the
 * tested code cannot parse it.
 */
export function writeSwitch(index: number): string {
  return `(globalThis.${SWITCH_FUNCTION} && globalThis.${SWITCH_FUNCTION}(${index}))`;
}
