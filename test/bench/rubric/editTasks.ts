// Contains source files with one flaw each. Another rule finds each flaw, and its recipe is tried unasked. Each file
// contains what the recipe needs: types, and a name for an extracted function. Some inputs are in the tests of the
// repository; the changed code is compared with the old code on other inputs, which Selfware never gets.

/** A file with a flaw. */
export interface EditTask {
  readonly rule: string;
  /** A module that exports a function `run`. */
  readonly source: string;
  /** True if the source is TypeScript, because the rule needs declared types. */
  readonly typed?: true;
  /** Arguments of `run` in the tests of the repository. */
  readonly shown: readonly (readonly unknown[])[];
  /** Arguments for the comparison afterwards. */
  readonly hidden: readonly (readonly unknown[])[];
}

/** All files. */
export const EDIT_TASKS: readonly EditTask[] = [
  {
    rule: 'else-after-return',
    source: `/** Grades a number. */
export function run(value) {
  if (value >= 90) {
    return 'A';
  } else {
    const best = 100;
    const half = best / 2;
    const good = value >= half;
    const mark = good ? 'B' : 'C';
    return mark;
  }
}
`,
    shown: [[95], [60], [5]],
    hidden: [[90], [89], [50], [49.9], [Number.NaN]],
  },
  {
    rule: 'collapsible-if',
    source: `/** Says who may enter. */
export function run(age, hasTicket) {
  if (age >= 18) {
    if (hasTicket) {
      return 'in';
    }
  }
  return 'out';
}
`,
    shown: [
      [20, true],
      [20, false],
      [5, true],
    ],
    hidden: [
      [18, true],
      [17, true],
      [18, 0],
      [null, 'x'],
    ],
  },
  {
    rule: 'redundant-boolean',
    source: `/** Tells whether a number is even. */
export function run(value) {
  if (value % 2 === 0) {
    return true;
  } else {
    return false;
  }
}
`,
    shown: [[2], [3]],
    hidden: [[0], [-1], ['4'], [1.5]],
  },
  {
    rule: 'optional-chain',
    typed: true,
    source: `interface Person {
  readonly address?: { readonly city: { readonly name: string } } | null;
}

/** Tells whether the city of a person is known. */
export function run(person: Person | null | undefined): string {
  if (person && person.address && person.address.city.name) return 'known';
  return 'unknown';
}
`,
    shown: [[{ address: { city: { name: 'Rome' } } }], [null], [{}]],
    hidden: [[{ address: null }], [{ address: { city: { name: '' } } }], [undefined]],
  },
  {
    rule: 'index-loop',
    source: `/**
 * The sum of the prices.
 * @param {{ price: number }[]} items
 */
export function run(items) {
  let total = 0;
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    total += item.price;
  }
  return total;
}
`,
    shown: [[[{ price: 1 }, { price: 2 }]], [[]]],
    hidden: [[[{ price: 0.5 }]], [[{ price: -1 }, { price: 3 }, { price: 4 }]]],
  },
  {
    rule: 'unused-local',
    source: `/** Doubles a number. */
export function run(value) {
  const before = value;
  const doubled = value * 2;
  return doubled;
}
`,
    shown: [[2], [0]],
    hidden: [[-3], ['7'], [Number.NaN]],
  },
  {
    rule: 'unreachable-code',
    source: `/** The first letter. */
export function run(text) {
  if (text.length > 0) {
    return text[0];
    text = '';
  }
  return '';
}
`,
    shown: [['abc'], ['']],
    hidden: [['x'], [[]], [[4]]],
  },
  {
    rule: 'useless-catch',
    source: `/** Reads a number from JSON. */
export function run(text) {
  try {
    return JSON.parse(text) + 1;
  } catch (error) {
    throw error;
  }
}
`,
    shown: [['4']],
    hidden: [['-1'], ['{'], ['"a"']],
  },
  {
    rule: 'string-concat',
    source: `/**
 * Greets somebody.
 * @param {string} name
 * @param {number} times
 */
export function run(name, times) {
  return 'Hello, ' + name + '! You were here ' + times + ' times.';
}
`,
    shown: [['Ada', 3]],
    hidden: [
      ['', 0],
      [null, undefined],
    ],
  },
  {
    rule: 'needless-copy',
    typed: true,
    source: `/** The words without spaces around them. */
export function run(words: readonly string[]): string[] {
  return [...words.map((word) => word.trim())];
}
`,
    shown: [[[' a', 'b ']], [[]]],
    hidden: [[['']], [['  x y  ', 'z']], [[null]]],
  },
  {
    rule: 'nullish-coalescing',
    typed: true,
    source: `/** The title of a page. */
export function run(title: string | null | undefined, fallback: string): string {
  return title !== null && title !== undefined ? title : fallback;
}
`,
    shown: [
      ['a', 'b'],
      [null, 'b'],
    ],
    hidden: [
      ['', 'b'],
      [undefined, 'b'],
      [0, 'b'],
    ],
  },
  {
    rule: 'cognitive-complexity',
    typed: true,
    source: `interface Options {
  readonly digits?: number;
  readonly empty?: string;
  readonly separator?: string;
  readonly skipBlank?: boolean;
  readonly upper?: boolean;
  readonly width?: number;
  readonly ellipsis?: boolean;
}

/** Describes a table row by row. */
export function run(rows: readonly (readonly (string | number | null)[])[], options: Options): string[] {
  const lines: string[] = [];
  for (const row of rows) {
    // Format the cells of the row
    const cells: string[] = [];
    for (const cell of row) {
      if (cell === null) {
        cells.push(options.empty ?? '-');
      } else if (typeof cell === 'number') {
        if (options.digits !== undefined) {
          cells.push(cell.toFixed(options.digits));
        } else {
          cells.push(String(cell));
        }
      } else {
        if (options.upper) {
          cells.push(String(cell).toUpperCase());
        } else {
          cells.push(String(cell));
        }
      }
    }

    let line = cells.join(options.separator ?? ' ');
    if (options.width !== undefined) {
      if (line.length > options.width) {
        if (options.ellipsis) {
          line = line.slice(0, options.width - 1) + '…';
        } else {
          line = line.slice(0, options.width);
        }
      } else {
        line = line.padEnd(options.width);
      }
    }
    if (!options.skipBlank || line.trim() !== '') {
      lines.push(line);
    }
  }
  return lines;
}
`,
    shown: [
      [[[1, 'a', null]], {}],
      [[[1.234, 'a']], { digits: 1, upper: true }],
      [[['long text here']], { width: 6, ellipsis: true }],
      [[['', ''], ['x']], { skipBlank: true }],
    ],
    hidden: [
      [[['ab']], { width: 6 }],
      [[['long text here']], { width: 4 }],
      [[[null]], { empty: '' }],
      [[], { digits: 2 }],
      [[[null, 2]], { separator: '|', digits: 0 }],
    ],
  },
];
