// Recognises by the name of a function which law it should obey: encoding and decoding are inverse, a comparator orders
// values, and a normaliser changes nothing when it is applied again.

/**
 * Pairs of words in the names of inverse functions. Formatters for people are omitted, because they lose information on
 * purpose.
 */
const INVERSE_NAMES: readonly (readonly [there: string, back: string])[] = [
  ['stringify', 'parse'],
  ['serialize', 'deserialize'],
  ['serialize', 'parse'],
  ['serialise', 'deserialise'],
  ['encode', 'decode'],
  ['escape', 'unescape'],
  ['pack', 'unpack'],
  ['compress', 'decompress'],
  ['deflate', 'inflate'],
  ['marshal', 'unmarshal'],
  ['dump', 'load'],
  ['to', 'from'],
];

/** Matches names of comparators, such as `compareVersions`, `byName` and `nameComparator`. */
const COMPARATOR_PATTERN = /^(?:compare|cmp)(?![a-z])|(?:Compare|Comparator|Cmp|_compare|_cmp)$|^by[A-Z]/;
/** Matches words in the names of functions that measure similarity or test equality, and so are not comparators. */
const SIMILARITY_PATTERN = /similar|distance|equal|score|diff/i;
/** Matches the first words in names of normalisers. */
const NORMALISER_PATTERN =
  /^(?:normali[sz]e|clean|trim|dedupe|dedup|uniq|unique|sort|canonicali[sz]e|simplify|collapse|sanitize|slugify)(?![a-z])/;
/** Matches the first words in names of functions that read a format. */
const READER_PATTERN = /^(?:parse|read|decode|deserialize|tokenize|lex|scan|load)(?![a-z])/;
/**
 * Matches words in the names of functions that remove only one layer per call, or whose effect depends on a parameter.
 */
const ONE_LAYER_PATTERN = /once|first|last|indent|quote|wrap|extension|suffix|prefix|By$|With$/i;

/** Possible names of the inverse function; empty if the name does not promise an inverse. */
export function listInverseNames(name: string): readonly string[] {
  const names = new Set<string>();
  for (const [encoderName, decoderName] of INVERSE_NAMES) {
    if (encoderName !== 'to' && startsWithWord(name, encoderName))
      names.add(decoderName + name.slice(encoderName.length));
    if (encoderName === 'to' && /^to[A-Z]/.test(name)) names.add(`from${name.slice(2)}`);
    const [capitalisedEncoder, capitalisedDecoder] = [capitaliseWord(encoderName), capitaliseWord(decoderName)];
    if (encoderName !== 'to' && name.endsWith(capitalisedEncoder))
      names.add(name.slice(0, -encoderName.length) + capitalisedDecoder);
  }
  // Such as `hexToBytes` and `bytesToHex`.
  const [, sourceFormat = '', targetFormat = ''] = /^([a-z][A-Za-z0-9]*?)To([A-Z][A-Za-z0-9]*)$/.exec(name) ?? [];
  if (sourceFormat !== '' && targetFormat !== '')
    names.add(`${lowerFirstLetter(targetFormat)}To${capitaliseWord(sourceFormat)}`);
  return [...names];
}

/** True for the name of a comparator. */
export function isComparatorName(name: string): boolean {
  return COMPARATOR_PATTERN.test(name) && !SIMILARITY_PATTERN.test(name);
}

/** True for the name of a normaliser, which should change nothing when it is applied to its own result. */
export function isNormaliserName(name: string): boolean {
  return NORMALISER_PATTERN.test(name) && !ONE_LAYER_PATTERN.test(name);
}

/** True for the name of a function that reads a format. */
export function isReaderName(name: string): boolean {
  return READER_PATTERN.test(name);
}

function startsWithWord(name: string, word: string): boolean {
  return name.startsWith(word) && !/^[a-z]/.test(name.slice(word.length));
}

function capitaliseWord(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function lowerFirstLetter(word: string): string {
  return word.charAt(0).toLowerCase() + word.slice(1);
}
