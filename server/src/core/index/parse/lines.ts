// Locates the lines of a text by number, without creating a string for each line.

import { sizeOf } from '../../../util/tokens.ts';

/** Lines are numbered from 1 and separated by line breaks; a carriage return belongs to its line. */
export interface Lines {
  readonly count: number;
  /** The offset at which a line begins. For the line after the last one, it is the length of the text plus 1. */
  startOf(line: number): number;
  /** Length without the line break. */
  lengthOf(line: number): number;
  /** The text of a line without its line break. */
  textOf(line: number): string;
  /** The size (`sizeOf`) of the lines from `first` to `last`, with their line breaks. */
  sizeOf(first: number, last: number): number;
  isBlank(line: number): boolean;
  /** True if the line begins with white space. */
  isIndented(line: number): boolean;
}

const ASCII_COUNT = 128;
/** By code of an ASCII character: 1 for white space, otherwise 0. */
const isAsciiSpace = Uint8Array.from({ length: ASCII_COUNT }, (_, code) =>
  /\s/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Locates the lines of a text; an empty text has one line. */
export function splitWithoutLineEnds(text: string): Lines {
  let starts = new Uint32Array(Math.max(16, text.length >>> 4));
  let count = 1;
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) {
    if (count + 1 >= starts.length) starts = enlarge(starts);
    starts[count++] = index + 1;
  }
  starts[count] = text.length + 1;
  const isSpace = (offset: number): boolean => {
    const code = text.charCodeAt(offset);
    return code < ASCII_COUNT ? isAsciiSpace[code] === 1 : /\s/.test(text[offset]!);
  };
  const endOf = (line: number): number => starts[line]! - 1;
  const isLatin = sizeOf(text) === text.length;
  return {
    count,
    startOf: (line) => starts[line - 1]!,
    lengthOf: (line) => endOf(line) - starts[line - 1]!,
    textOf: (line) => text.slice(starts[line - 1]!, endOf(line)),
    sizeOf: (first, last) =>
      isLatin ? starts[last]! - starts[first - 1]! : sizeOf(text.slice(starts[first - 1]!, endOf(last))) + 1,
    isBlank(line) {
      const end = endOf(line);
      for (let index = starts[line - 1]!; index < end; index++) if (!isSpace(index)) return false;
      return true;
    },
    isIndented: (line) => starts[line - 1]! < endOf(line) && isSpace(starts[line - 1]!),
  };
}

function enlarge(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}
