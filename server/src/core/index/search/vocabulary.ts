// Numbers for terms, so that the index holds integers only.

export interface Vocabulary {
  /** The number of a term; unknown ones get the next. */
  number(term: string): number;
  /** The number of a term, or -1. */
  find(term: string): number;
  term(number: number): string;
  readonly size: number;
}

/** V8 keeps the whole text alive for a piece of it from this length on. */
const SLICED_FROM = 13;

export function createVocabulary(): Vocabulary {
  const numbers = new Map<string, number>();
  const terms: string[] = [];
  return {
    number(term) {
      let number = numbers.get(term);
      if (number === undefined) {
        const own = term.length < SLICED_FROM ? term : copyOf(term);
        number = terms.length;
        numbers.set(own, number);
        terms.push(own);
      }
      return number;
    },
    find: (term) => numbers.get(term) ?? -1,
    term: (number) => terms[number]!,
    get size() {
      return terms.length;
    },
  };
}

function copyOf(text: string): string {
  return text
    .split('')
    .join('');
}
