// The laws that the name of a function promises: which functions are a pair that goes there and back, which compare, and
// which change nothing the second time.

/** Words for going there, and for coming back. Formats for people lose something on purpose: they are no pair. */
const PAIRS: readonly (readonly [there: string, back: string])[] = [
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

/** Names of comparators: `compareVersions`, `byName`, `nameComparator`. */
const COMPARES = /^(?:compare|cmp)(?![a-z])|(?:Compare|Comparator|Cmp|_compare|_cmp)$|^by[A-Z]/;
/** These measure how alike two values are, or decide whether they are equal. */
const MEASURES = /similar|distance|equal|score|diff/i;
/** Names of functions that bring a value into a form, in which it then is. */
const SETTLES =
  /^(?:normali[sz]e|clean|trim|dedupe|dedup|uniq|unique|sort|canonicali[sz]e|simplify|collapse|sanitize|slugify)(?![a-z])/;
/** What takes one layer away each time, or is told how often. */
const ONE_LAYER = /once|first|last|indent|quote|wrap|extension|suffix|prefix|By$|With$/i;

/** The name of the way back for the name of a way there, or names; empty if it is none. */
export function waysBack(name: string): readonly string[] {
  const found = new Set<string>();
  for (const [there, back] of PAIRS) {
    if (there !== 'to' && startsWithWord(name, there)) found.add(back + name.slice(there.length));
    if (there === 'to' && /^to[A-Z]/.test(name)) found.add(`from${name.slice(2)}`);
    const [upperThere, upperBack] = [capital(there), capital(back)];
    if (there !== 'to' && name.endsWith(upperThere)) found.add(name.slice(0, -there.length) + upperBack);
  }
  // `hexToBytes`, `bytesToHex`.
  const [, from = '', to = ''] = /^([a-z][A-Za-z0-9]*?)To([A-Z][A-Za-z0-9]*)$/.exec(name) ?? [];
  if (from !== '' && to !== '') found.add(`${lower(to)}To${capital(from)}`);
  return [...found];
}

/** True for the name of a comparator. */
export function isComparatorName(name: string): boolean {
  return COMPARES.test(name) && !MEASURES.test(name);
}

/** True for the name of a function that changes nothing when it is applied again. */
export function isSettlingName(name: string): boolean {
  return SETTLES.test(name) && !ONE_LAYER.test(name);
}

function startsWithWord(name: string, word: string): boolean {
  return name.startsWith(word) && !/^[a-z]/.test(name.slice(word.length));
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function lower(word: string): string {
  return word.charAt(0).toLowerCase() + word.slice(1);
}
