// The query of an online search: what of a message or a request may leave the machine.

import { expect, test } from 'vitest';
import { researchQuery } from '../../../server/src/core/session/ask/researchQuery.ts';

test('the message of a runner becomes a query without folders, on one line', () => {
  const message = "TypeError: Cannot read properties of undefined (reading 'rate')\n at /home/ada/acme/src/rate.ts:3:7";
  expect(researchQuery(message, [])).toEqual({
    query: "TypeError: Cannot read properties of undefined (reading 'rate') at rate.ts:3:7",
  });
  expect(researchQuery('C:\\Users\\ada\\acme\\rate.ts fails with @vue/compiler-sfc/dist', [])).toEqual({
    query: 'rate.ts fails with @vue/compiler-sfc/dist',
  });
});

test('secrets, keys and addresses of people are left out', () => {
  const secrets = [
    ['sk', 'ant', 'abcdefghij0123456789'].join('-'),
    'ghp_0123456789abcdefghijklmnopqrstuvwxyz',
    'password=hunter2hunter2',
    'https://ada:geheim@example.com/x',
    'a81bc81bdead4e5dabff90865d1e13b1',
    'ada@example.com',
  ];
  for (const secret of secrets) {
    const made = researchQuery(`The request to the server ${secret} fails`, []);
    expect(made, secret).toMatchObject({ query: expect.stringMatching(/^The request to the server .*fails$/) });
    expect(JSON.stringify(made), secret).not.toMatch(/abcdefghij|hunter2|geheim|dead4e5|ada@|redacted/);
  }
});

test('a query that holds code is withheld: what a file has, too, and what looks like code', () => {
  const line = 'export const discount = customers.filter(isOld).map(discountOf);';
  const file = `// Discounts.\n${line.replace(' = ', '\n  = ')}\n`;
  expect(researchQuery(`Why is ${line} slow`, [file])).toEqual({
    withheld: 'The query holds 60 characters or more of a file of this repository.',
  });
  expect(researchQuery('Why is customers.filter(isOld) slow', [file])).toHaveProperty('query');
  expect(researchQuery('if (a[0]) { b = (c); } else { d = {e: 1}; }', [])).toEqual({
    withheld: 'The query looks like code.',
  });
});

test('a query is no option of the program, has an end, and is withheld if nothing is left', () => {
  expect(researchQuery('--output=/etc/passwd how to round', [])).toEqual({ query: 'passwd how to round' });
  expect(researchQuery('-rf -- round', [])).toEqual({ query: 'rf -- round' });
  const long = researchQuery('word '.repeat(1000), []);
  expect('query' in long && long.query.length).toBe(299);
  expect(researchQuery(`${'x'.repeat(400)}`, [])).toHaveProperty('withheld');
  expect(researchQuery(' \n ', [])).toHaveProperty('withheld');
});
