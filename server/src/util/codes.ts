// Texts as arrays of UTF-16 units, in a reused buffer: reading a string unit by unit is slower, because the engine
// checks its representation each time.

export interface Codes {
  readonly text: string;
  /** UTF-16 units; more may follow those of the text. */
  readonly units: Uint16Array;
}

const UNIT = 2;
/** Up to here letter by letter costs less than a call of the library. */
const SHORT = 24;

/** Answers the codes of a text, valid until the next text. */
export function createCodes(): (text: string) => Codes {
  let units = new Uint16Array(4_096);
  let bytes = Buffer.from(units.buffer);
  return (text) => {
    if (text.length > units.length) {
      units = new Uint16Array(Math.max(text.length, units.length * 2));
      bytes = Buffer.from(units.buffer);
    }
    if (text.length <= SHORT) for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
    else bytes.write(text, 0, text.length * UNIT, 'utf16le');
    return { text, units };
  };
}
