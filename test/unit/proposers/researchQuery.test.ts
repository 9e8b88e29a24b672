// The query of an online search: what of a message or a request may leave the machine.

import { expect, test } from 'vitest';
import { createResearchQuery as queryFrom } from '../../../server/src/core/session/ask/researchQuery.ts';

const researchQuery = (words: string, texts: readonly string[] = []) => queryFrom(words, { texts, isMessage: false });
const fromMessage = (words: string) => queryFrom(words, { texts: [], isMessage: true });

test('the message of a runner becomes a query without values and places, on one line', () => {
  const message = "TypeError: Can't read properties of undefined (reading 'rate')\n at /home/ada/acme/src/rate.ts:3:7";
  expect(fromMessage(message)).toEqual({
    query: "TypeError: Can't read properties of undefined (reading …) at path",
  });
  for (const value of ['"Ada Lovelace"', "'Ada Lovelace'", '`Ada Lovelace`', '{ name: Ada, b: { c: "Love } lace" } }'])
    expect(fromMessage(`expected ${value} to equal 7`), value).toEqual({ query: 'expected … to equal 7' });
  for (const value of ['"Ada Love', '{ a: { name: Ada'])
    expect(fromMessage(`expected ${value}`), value).toEqual({ query: 'expected …' });
});

test('an absolute path becomes one word, and a relative one its last part', () => {
  const places = [
    '/home/ada/acme/rate.ts',
    '/acme',
    '~/acme/rate.ts',
    '"/home/Ada Lovelace/acme co/rate.ts"',
    "'C:\\Users\\Ada Lovelace\\acme'",
    'C:\\Users\\Ada Lovelace\\acme\\rate.ts',
    'C:/Users/ada/acme',
    '\\\\acme\\share',
    '/home/Ada Lovelace/acme.ts',
    'file:///home/ada/acme',
  ];
  for (const place of places)
    expect(researchQuery(`Why is ${place} read`), place).toEqual({ query: 'Why is path read' });
  expect(researchQuery('acme\\src\\rate.ts and acme/src/rate.ts fail with @vue/compiler-sfc/dist and/or CI')).toEqual({
    query: 'rate.ts and rate.ts fail with @vue/compiler-sfc/dist and/or CI',
  });
});

test('addresses of machines become one word; versions and names of classes stay', () => {
  const addresses = ['10.1.2.3', '10.1.2.3:5432', '::1', '[fe80::1]:80', 'fe80:0:0:1::5', 'db:5432', 'localhost:3000'];
  const named = ['db.acme.internal', 'build-7.acme.example.com:8080', 'https://acme.example/a?b=c'];
  for (const address of [...addresses, ...named])
    expect(researchQuery(`Could not reach ${address} twice`), address).toEqual({
      query: 'Could not reach address twice',
    });
  const rest = 'react 18.2.0 throws java.lang.NullPointerException in std::vector at 12:3 with console.log';
  expect(researchQuery(rest)).toEqual({ query: rest });
});

test('secrets, keys and addresses of people are left out', () => {
  const secrets = [
    ['sk', 'ant', 'abcdefghij0123456789'].join('-'),
    'ghp_0123456789abcdefghijklmnopqrstuvwxyz',
    'password=hunter2hunter2',
    'https://ada:geheim@example.com/x',
    'a81bc81bdead4e5dabff90865d1e13b1',
    'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    'v1.a81bc81bdead4e5dabff90865d1e13b1',
    'id:a81bc81bdead4e5dabff90865d1e13b1',
    '/x/a81bc81bdead4e5dabff90865d1e13b1/y',
    'ada@example.com',
  ];
  for (const secret of secrets) {
    const made = researchQuery(`The request to the server ${secret} fails`, []);
    expect(made, secret).toMatchObject({ query: expect.stringMatching(/^The request to the server .*fails$/) });
    expect(JSON.stringify(made), secret).not.toMatch(/abcdefghij|hunter2|geheim|dead4e5|ada@|redacted|wJal|K7MD|bPxR/);
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
  expect(researchQuery('--output=/etc/passwd how to round', [])).toEqual({ query: 'output=path how to round' });
  expect(researchQuery('-rf -- round', [])).toEqual({ query: 'rf -- round' });
  const long = researchQuery('word '.repeat(1000), []);
  expect('query' in long && long.query.length).toBe(299);
  expect(researchQuery(`${'x'.repeat(400)}`, [])).toHaveProperty('withheld');
  expect(researchQuery(' \n ', [])).toHaveProperty('withheld');
});
