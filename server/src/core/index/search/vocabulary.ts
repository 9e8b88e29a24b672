// Numbers for terms, so that the index holds integers only.

export interface Vocabulary {
  /** The number of a term; unknown ones get the next. */
  number(term: string): number;
  /** The number of a term, or -1. */
  find(term: string): number;
  term(number: number): string;
  size(): number;
}

/** V8 keeps the whole text alive for a piece of it from this length on. */
const SLICED_FROM = 13;

/** `known`: the terms that have the first numbers. The way from terms to numbers is made when it is first asked for. */
export function createVocabulary(known: readonly string[] = []): Vocabulary {
  const terms: string[] = [...known];
  let numbers: Map<string, number> | null = null;
  const numbered = (): Map<string, number> => {
    if (numbers) return numbers;
    numbers = new Map();
    for (let number = 0; number < terms.length; number++) numbers.set(terms[number]!, number);
    return numbers;
  };
  return {
    number(term) {
      const known = (numbers ?? numbered()).get(term);
      if (known !== undefined) return known;
      const own = term.length < SLICED_FROM ? term : copyOf(term);
      numbered().set(own, terms.length);
      return terms.push(own) - 1;
    },
    find: (term) => (numbers ?? numbered()).get(term) ?? -1,
    term: (number) => terms[number]!,
    size: () => terms.length,
  };
}

function copyOf(text: string): string {
  return text
    .split('')
    .join('');
}
