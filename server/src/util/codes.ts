// Converts texts to arrays of UTF-16 units in a reused buffer. Reading a string unit by unit is slower, because the
// engine checks its representation each time.

/** A text and its UTF-16 units. */
export interface Codes {
  readonly text: string;
  /** UTF-16 units of the text; the array may be longer than the text. */
  readonly units: Uint16Array;
}

/** Number of bytes of a UTF-16 unit. */
const UNIT_BYTES = 2;
/**
 * Maximum length of a text that is copied unit by unit. Up to this length, copying takes less time than a library call.
 */
const MAX_COPIED_UNITS = 24;

/**
 * Creates a function that returns the codes of a text. The codes are valid only until the next call, which reuses the
 * buffer.
 */
export function createCodes(): (text: string) => Codes {
  let units = new Uint16Array(4_096);
  let bytes = Buffer.from(units.buffer);
  return (text) => {
    if (text.length > units.length) {
      units = new Uint16Array(Math.max(text.length, units.length * 2));
      bytes = Buffer.from(units.buffer);
    }
    if (text.length <= MAX_COPIED_UNITS)
      for (let offset = 0; offset < text.length; offset++) units[offset] = text.charCodeAt(offset);
    else bytes.write(text, 0, text.length * UNIT_BYTES, 'utf16le');
    return { text, units };
  };
}
