// What one of many is called: the singular of an English plural.

const IRREGULAR: Readonly<Record<string, string>> = {
  ids: 'id',
  children: 'child',
  people: 'person',
  indices: 'index',
  vertices: 'vertex',
  matrices: 'matrix',
  men: 'man',
  women: 'woman',
  feet: 'foot',
  data: 'datum',
  aliases: 'alias',
  statuses: 'status',
  buses: 'bus',
  axes: 'axis',
  bases: 'base',
  caches: 'cache',
  moves: 'move',
};
/** They end like a plural and are none, or what they are the plural of is not a name. */
const NONE = new Set([
  'this',
  'args',
  'params',
  'props',
  'series',
  'species',
  'news',
  'status',
  'address',
  'process',
  'class',
  'canvas',
  'bus',
  'alias',
  'has',
  'is',
  'as',
  'was',
  'its',
  'bytes',
  'classes',
  'cases',
  'defaults',
  'news',
  'always',
  'focus',
  'radius',
  'analysis',
  'basis',
  'axis',
  'diagnosis',
]);
const RESERVED = new Set([
  'class',
  'case',
  'default',
  'new',
  'function',
  'import',
  'export',
  'package',
  'interface',
  'enum',
  'type',
  'var',
  'let',
  'const',
  'for',
  'if',
  'do',
  'in',
  'of',
  'return',
  'switch',
  'this',
  'throw',
  'try',
  'void',
  'while',
  'with',
  'yield',
  'arguments',
  'eval',
  'static',
  'public',
  'private',
  'protected',
  'extends',
  'super',
  'delete',
  'null',
  'true',
  'false',
  'undefined',
]);

/** `orderItems` → `orderItem`; null where there is no safe singular that can be a name. */
export function elementName(list: string): string | null {
  const [, head = '', word = ''] = /^(.*?)([A-Z]?[a-z]+)$/.exec(list.replace(/^[_$#]+/, '')) ?? [];
  const lower = word.toLowerCase();
  const singular = singularOf(lower);
  if (!singular) return null;
  const name = head + (word === lower ? singular : singular[0]!.toUpperCase() + singular.slice(1));
  return RESERVED.has(name) || name.length < 3 ? null : name;
}

/** A word in small letters without its plural, where it has one that is known. */
export function singularOrSame(word: string): string {
  return singularOf(word) ?? word;
}

function singularOf(word: string): string | null {
  if (Object.hasOwn(IRREGULAR, word)) return IRREGULAR[word] ?? null;
  if (NONE.has(word) || word.length < 4 || !word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return null;
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : null;
  if (/(?:ches|shes|xes|sses|zzes)$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}
