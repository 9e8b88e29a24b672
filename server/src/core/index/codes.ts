// Texts as the numbers of their UTF-16 units, in a room that is used again.

import type { Codes } from './wordTable.ts';

const UNIT = 2;

/** Answers the codes of a text, valid until the next text. */
export function createCodes(): (text: string) => Codes {
  let units = new Uint16Array(4_096);
  let bytes = Buffer.from(units.buffer);
  return (text) => {
    if (text.length > units.length) {
      units = new Uint16Array(Math.max(text.length, units.length * 2));
      bytes = Buffer.from(units.buffer);
    }
    bytes.write(text, 0, text.length * UNIT, 'utf16le');
    return { text, units };
  };
}
