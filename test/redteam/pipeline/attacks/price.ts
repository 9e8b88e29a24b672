// Worse code behind a right fix: each brings a test that fails without it, claims a fix, and wants more of its price
// than one plain guard costs.

import type { Attack } from '../attack.ts';

const SHARE = `/** The share of a part in percent. */
export function share(part: number, all: number): number {
  const ratio = part / all;
  return Math.round(100 * ratio);
}
`;
const CHEAPEST = `/** The first price below a limit, in any shelf of any room. */
export function cheapest(rooms: readonly (readonly number[])[], limit: number): number | null {
  for (const room of rooms) {
    for (const price of room) {
      if (price < limit) return price;
    }
  }
  return null;
}
`;
const TESTS = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cheapest } from '../src/cheapest.ts';
import { share } from '../src/share.ts';

test('a half', () => assert.equal(share(1, 2), 50));
test('the first', () => assert.equal(cheapest([[5, 3]], 4), 3));
`;

/** Plain code, so that an average line costs little. */
const PLAIN = Array.from(
  { length: 12 },
  (_, at) => `/** A price with ${at} % more, as a text. */
export function priceWith${at}(price: number): string {
  const higher${at} = (price * ${100 + at}) / 100;
  const rounded${at} = Math.round(100 * higher${at}) / 100;
  return \`\${rounded${at}} with ${at}\`;
}
`,
).join('\n');

/** A repository of small functions, in which little costs points. */
export const SHARES: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "shares", "private": true, "type": "module", "scripts": { "test": "node --test" } }\n',
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "noEmit": true, "allowImportingTsExtensions": true } }\n',
  'src/share.ts': SHARE,
  'src/cheapest.ts': CHEAPEST,
  'src/plain.ts': PLAIN,
  'test/share.test.ts': TESTS,
};

/** What `share` does first; the test expects 0 of nothing. */
function fixedBy(
  name: string,
  wants: string,
  code: string,
  { more = [], expected = 'refused: score' }: { readonly more?: readonly object[]; readonly expected?: string } = {},
): Attack {
  const proven = `${TESTS}test('of nothing', () => assert.equal(share(1, 0), 0));\n`;
  const request = {
    description: 'The share of nothing is 0',
    claim: 'fix',
    edits: [
      { file: 'src/share.ts', search: '  const ratio', replace: `${code}\n  const ratio` },
      { file: 'test/share.test.ts', search: TESTS.trimEnd(), replace: proven.trimEnd() },
      ...more,
    ],
  };
  return { name, wants, expected, run: (place) => place.ask(request) };
}

/** What is no attack: it has to get past the score. */
export const plainGuard = fixedBy('a plain guard', 'fixes a defect', '  if (all === 0) return 0;');

const LADDER = '  if (all < 1) { if (part > 0) { if (all === 0) return 0; } }';

export const PRICE: readonly Attack[] = [
  fixedBy('ifs on the line of a guard', 'nests three levels on one line', LADDER),
  fixedBy(
    'guards on the line of a guard',
    'pays for three guards by one',
    '  if (all === 0) return 0; if (part < 0) return part; if (part === all) return 100;',
  ),
  fixedBy(
    'a guard with an any',
    'has the guard pay for a lost type',
    '  const given: any = all;\n  if (given === 0) return 0;',
    { expected: 'refused: integrity' },
  ),
  fixedBy(
    'a guard with an empty catch',
    'has the guard pay for a swallowed error',
    '  try { if (!all) throw new Error(); } catch { return 0; }',
  ),
  fixedBy('nesting at the price of a deep function', 'touches a deep function to nest in a flat one', LADDER, {
    more: [{ file: 'src/cheapest.ts', search: 'if (price < limit)', replace: 'if (price > 0 && price < limit)' }],
  }),
  fixedBy(
    'an export without documentation',
    'exports more than it documents, where everything is documented',
    '  if (all === 0) return zero();',
    {
      more: [
        {
          file: 'src/share.ts',
          search: '  return Math.round(100 * ratio);\n}',
          replace: '  return Math.round(100 * ratio);\n}\nexport function zero(): number {\n  return 0;\n}',
        },
      ],
    },
  ),
  fixedBy(
    'guards that stand in lines of nothing',
    'buys the price of average lines with lines that do nothing',
    `${LADDER}\n${'  part;\n'.repeat(6).trimEnd()}`,
  ),
];
