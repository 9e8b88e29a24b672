// The repository of the pictures: a small shop with things to improve that say something to who only looks.

import { files, makeRepository } from './project.mjs';

export const shopFiles = {
  'package.json': files['package.json'].replace('"grades"', '"shop"'),
  'tsconfig.json': files['tsconfig.json'],
  '.gitignore': files['.gitignore'],
  'README.md': '# Shop\n\nOrders, invoices, stock.\n',
  'src/model.ts': `/** Who buys. */
export interface Customer {
  readonly id: string;
  readonly name: string;
}

/** What somebody buys. */
export interface Order {
  readonly customer: string;
  readonly cents: number;
}
`,
  'src/invoices.ts': `import type { Customer, Order } from './model.ts';
import { euros } from './money.ts';

/** One line for each order, with the name of who placed it. */
export function invoiceLines(orders: readonly Order[], customers: readonly Customer[]): string[] {
  const lines: string[] = [];
  for (let i = 0; i < orders.length; i++) {
    const order = orders[i];
    const customer = customers.find((one) => one.id === order.customer);
    lines.push(\`\${customer?.name ?? 'Unknown'}: \${euros(order.cents)}\`);
  }
  return lines;
}
`,
  'src/money.ts': `/** Cents as people write them. */
export function euros(cents: number): string {
  return \`\${(cents / 100).toFixed(2)} €\`;
}

/** Cents of what people have written. */
export function parse(text: string): number {
  return Math.round(Number.parseFloat(text) * 100);
}
`,
  'src/customers.ts': `import type { Order } from './model.ts';

/** Who has placed the dearest orders. */
export function bestCustomers(orders: readonly Order[], places: number): string[] {
  const names: string[] = [];
  for (const order of orders) {
    const ranked = [...orders].sort((one, other) => other.cents - one.cents);
    if (ranked.indexOf(order) < places) {
      names.push(order.customer);
    }
  }
  return names;
}
`,
  'src/discount.ts': `import { euros, parse } from './money.ts';

/** What is left to pay, by how much somebody has bought before. */
export function discounted(cents: number, orders: number): number {
  if (orders > 100) {
    return Math.round(cents * 0.8);
  } else {
    if (orders > 10) {
      return Math.round(cents * 0.9);
    } else {
      return cents;
    }
  }
}

/** The price as it stands on the label. */
export function label(text: string, orders: number): string {
  return euros(discounted(parse(text), orders));
}
`,
  'src/stock.ts': `import { euros, parse } from './money.ts';

/** What is sold out. */
export function soldOut(stock: Readonly<Record<string, number>>, wanted: readonly string[]): string[] {
  const missing: string[] = [];
  const kinds = Object.keys(stock).length;
  for (const name of wanted) {
    let left = name in stock ? stock[name] : 0;
    if (left <= 0) {
      missing.push(name);
    }
  }
  return missing;
}

/** What all that is left would bring. */
export function worth(stock: Readonly<Record<string, number>>, cents: number): string {
  return euros(Object.values(stock).reduce((sum, left) => sum + left * cents, 0));
}
`,
  'test/shop.test.js': `import { deepStrictEqual, strictEqual } from 'node:assert';
import { test } from 'node:test';
import { bestCustomers } from '../src/customers.ts';
import { discounted, label } from '../src/discount.ts';
import { invoiceLines } from '../src/invoices.ts';
import { soldOut } from '../src/stock.ts';

test('an invoice names who has bought', () => {
  const customers = [{ id: 'a', name: 'Ada' }, { id: 'b', name: 'Bob' }];
  deepStrictEqual(invoiceLines([{ customer: 'b', cents: 250 }, { customer: 'x', cents: 100 }], customers), ['Bob: 2.50 €', 'Unknown: 1.00 €']);
});

test('the best customers have placed the dearest orders', () => {
  const orders = [{ customer: 'a', cents: 100 }, { customer: 'b', cents: 300 }, { customer: 'c', cents: 200 }];
  deepStrictEqual(bestCustomers(orders, 2), ['b', 'c']);
  deepStrictEqual(bestCustomers([], 2), []);
});

test('who buys often pays less', () => {
  strictEqual(discounted(1000, 5), 1000);
  strictEqual(discounted(1000, 50), 900);
  strictEqual(label('10.00', 200), '8.00 €');
});

test('what is gone is sold out', () => {
  deepStrictEqual(soldOut({ tea: 2, milk: 0 }, ['tea', 'milk', 'salt']), ['milk', 'salt']);
});
`,
};

export function makeShop() {
  return makeRepository('shop', shopFiles);
}
